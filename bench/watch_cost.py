"""What `breakeven watch` itself takes: CPU time, wakeups and memory over a minute, from /proc.

usage: bench/watch_cost.py BUILD/breakeven [SECONDS]
"""
import argparse
import os
import subprocess
import threading
import time

parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("program", metavar="BUILD/breakeven")
parser.add_argument("seconds", nargs="?", type=float, default=60, metavar="SECONDS")
asked = parser.parse_args()
program, seconds = asked.program, asked.seconds
if not os.access(program, os.X_OK):
    parser.error(f"there is no program {program}")
lock = threading.Lock()


def fields(path):
    with open(path, encoding="utf-8", errors="replace") as lines:
        return dict(line.split(":", 1) for line in lines if ":" in line)


def read(pid):
    """CPU seconds and voluntary switches of all threads, peak memory in MiB."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as text:
        stat = text.read().rsplit(")", 1)[1].split()
    switches = sum(int(fields(f"/proc/{pid}/task/{task}/status")["voluntary_ctxt_switches"])
                   for task in os.listdir(f"/proc/{pid}/task"))
    cpu = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
    return cpu, switches, int(fields(f"/proc/{pid}/status")["VmHWM"].split()[0]) / 1024


def cost(words):
    watcher = subprocess.Popen([program, "watch", *words], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(2)
    before, begin = read(watcher.pid), time.monotonic()
    time.sleep(seconds)
    after, length = read(watcher.pid), time.monotonic() - begin
    watcher.terminate()
    watcher.wait()
    with lock:
        print(f"{' '.join(words):32} {100 * (after[0] - before[0]) / length:5.2f} % of a core  "
              f"{(after[1] - before[1]) / length:5.2f} wakeups/s  peak {after[2]:.1f} MiB")


sleeper = subprocess.Popen(["sleep", str(seconds + 60)])
cases = [[str(sleeper.pid), "--plain"], [str(sleeper.pid), "--serve=127.0.0.1:0"], ["--node", "--plain"]]
threads = [threading.Thread(target=cost, args=(words,)) for words in cases]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sleeper.kill()
sleeper.wait()
