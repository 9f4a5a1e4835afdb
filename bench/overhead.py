#!/usr/bin/env python3
"""What watching costs: a command by itself, under `breakeven run` and under `breakeven ask`, in turn, many times.
usage: bench/overhead.py BUILD/breakeven [--rounds N] [--only NAME,...]

Each round runs every program five ways, in an order that turns with the rounds: by itself, watched
at the default rate, the same without samples (--no-verdict), at 10 Hz, and sampled by `ask`. What is compared is the wall time of the program as it measures it
itself, and its CPU time; the ratio is of runs of the same round. The memory is that of the process
that watches and of the one that waits, as the kernel counted them. Those of `ask`, and its answer's, are not known apart: its share has the start
of breakeven and the looking up of names in it, and its memory is not measured."""
import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile

# Each prints its own wall time, and what it counted as its CPU time.
PRELUDE = "import os, sys, time\nbegin = time.perf_counter()\n"
FINISH = "\nprint(time.perf_counter() - begin, sum(os.times()[:4]))\n"
ARITHMETIC = PRELUDE + """
n = 0
for i in range(60_000_000):
    n += i
""" + FINISH
PARALLEL = PRELUDE + """
for k in range(os.cpu_count()):
    if os.fork() == 0:
        n = 0
        for i in range(25_000_000):
            n += i
        os._exit(0)
for k in range(os.cpu_count()):
    os.wait()
""" + FINISH
PROCESSES = PRELUDE + """
import subprocess
for i in range(1500):
    subprocess.run(["/bin/true"])
""" + FINISH
THREADS = PRELUDE + """
import threading
threading.stack_size(64 << 10)
end = threading.Event()
threads = [threading.Thread(target=end.wait) for i in range(1000)]
for thread in threads:
    thread.start()
n = 0
for i in range(40_000_000):
    n += i
end.set()
for thread in threads:
    thread.join()
""" + FINISH
MANY_THREADS = THREADS.replace("1000", "3000").replace("40_000_000", "12_000_000")
PROGRAMS = {
    "one core": ARITHMETIC,
    "all cores": PARALLEL,
    "1500 processes, one after the other": PROCESSES,
    "1000 threads asleep, one at work": THREADS,
    "3000 threads asleep, one at work for a moment": MANY_THREADS,
}
WAYS = {"alone": None, "default": [], "no verdict": ["--no-verdict"], "10 Hz": ["--rate=10"], "ask": ["ask"]}


def once(program, way, source, folder):
    trace = os.path.join(folder, "trace.json")
    watch = [] if way is None else [program, "run", "--quiet", f"--trace-file={trace}", *way, "--"]
    if way == ["ask"]:
        watch = [program, "ask", "--json", f"--output={trace}", "--"]
    before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    done = subprocess.run([*watch, sys.executable, "-c", source], stdout=subprocess.PIPE,
                          check=True)
    wall, cpu = (float(word) for word in done.stdout.split())
    cost = None
    if way == ["ask"]:
        with open(trace) as file:
            samples = json.load(file)["samples"]
        own = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before - cpu
        cost = (own / wall, math.nan, samples)
    elif way is not None:
        with open(trace) as file:
            run = json.load(file)["run"]
        cost = (run["own_cpu_s"] / run["elapsed_s"], run["own_peak_bytes"], run["samples"])
    return wall, cpu, cost


def median_interval(values):
    """Median and its 95 % interval by order statistics."""
    values = sorted(values)
    n = len(values)
    low = max(0, int(n / 2 - 0.98 * n ** 0.5))
    return statistics.median(values), values[low], values[n - 1 - low]


def percent(ratios):
    median, low, high = (100 * (value - 1) for value in median_interval(ratios))
    return f"{median:+.2f} % ({low:+.2f} .. {high:+.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", help="names of programs, separated by commas")
    asked = parser.parse_args()
    programs = {name: source for name, source in PROGRAMS.items()
                if not asked.only or name in asked.only.split(",")}
    print(f"{os.cpu_count()} CPUs, load average {os.getloadavg()[0]:.1f} at the beginning, "
          f"{asked.rounds} rounds\n")
    print("| program | way | wall time | its CPU time | watching: share of a core | memory | "
          "samples |\n| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, source in programs.items():
            rounds = []
            for i in range(asked.rounds):
                ways = list(WAYS.items())
                ways = ways[i % len(ways):] + ways[:i % len(ways)]
                rounds.append({way: once(asked.program, options, source, folder)
                               for way, options in ways})
            alone = statistics.median(r["alone"][0] for r in rounds)
            print(f"| {name} | alone | {alone:.2f} s | | | | |")
            for way in list(WAYS)[1:]:
                wall = percent([r[way][0] / r["alone"][0] for r in rounds])
                cpu = percent([r[way][1] / r["alone"][1] for r in rounds])
                share = statistics.median(r[way][2][0] for r in rounds)
                memory = max(r[way][2][1] for r in rounds)
                samples = statistics.median(r[way][2][2] for r in rounds)
                print(f"| | {way} | {wall} | {cpu} | {100 * share:.2f} % | {memory / 1e6:.1f} MB | "
                      f"{samples:.0f} |", flush=True)
    print(f"\nload average {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
