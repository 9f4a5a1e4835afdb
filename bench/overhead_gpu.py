#!/usr/bin/env python3
"""What watching costs a training on a GPU (MNIST's shape, batch 64), at the default rate and at 10 Hz.
usage: bench/overhead_gpu.py BUILD/breakeven [--budget SECONDS] [--seconds N] [--json FILE]

First whole runs of a fixed number of steps, in turn, in an order that turns with the rounds:
  plain     the training by itself
  control   the same once more: what two runs that do the same differ by here
  default   under `breakeven run`
  10 Hz     under `breakeven run --rate=10`
The ratio is of runs of the same round: of the seconds that the steps took, as the program measures them, and of the
whole process. Then, as runs that do the same differ by more than what is looked for, one training each under
`breakeven run`, in short turns with whoever watches it stopped (SIGSTOP) and going on, in the order of ABBA; the control
stops a process that does nothing. What it may take it saves up while it is stopped, so this is at most twice of what
watching costs. Where PyTorch has no GPU, a loop on the CPU stands in for the training."""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "peers")]

import medians  # noqa: E402
from trace_cost import ratio_interval  # noqa: E402

WAYS = {"plain": None, "control": None, "default": [], "10 Hz": ["--rate=10"]}
RUNS_SHARE = 0.65  # of the budget


def log(begin, text):
    print(f"[{time.monotonic() - begin:4.0f} s] {text}", file=sys.stderr, flush=True)


def choose_training(asked):
    if asked.train:
        return asked.train
    probe = [sys.executable, "-c", "import torch; raise SystemExit(not torch.cuda.is_available())"]
    if subprocess.run(probe, stderr=subprocess.DEVNULL, check=False).returncode == 0:
        return os.path.join(HERE, "gpu_watch", "train.py")
    print("PyTorch has no GPU here: a loop on the CPU, which says nothing of a GPU\n")
    return os.path.join(HERE, "gpu_watch", "loop.py")


def under(asked, options, trace):
    return [] if options is None else [asked.program, "run", "--quiet", f"--trace-file={trace}", *options, "--"]


def read_run(trace):
    """What it took by its own account: share of a core, that of each source of GPUs, memory, samples."""
    with open(trace, encoding="utf-8") as file:
        kept = json.load(file)
    run = kept["run"]
    sources = {one["name"]: one["cost_s"] / run["elapsed_s"] for one in kept["sources"]
               if one["name"] in ("nvml", "gpm") and one["cost_s"]}
    return run["own_cpu_s"] / run["elapsed_s"], sources, run["own_peak_bytes"], run["samples"]


# ---- whole runs --------------------------------------------------------------------------------------


def run_once(asked, options, folder):
    trace = os.path.join(folder, "trace.json")
    begin = time.perf_counter()
    done = subprocess.run([*under(asked, options, trace), sys.executable, asked.train, str(asked.steps)],
                          stdout=subprocess.PIPE, text=True, check=True)
    whole = time.perf_counter() - begin
    steps = float(done.stdout.split("train_s ")[1].split()[0])
    return {"steps": steps, "whole": whole, "cost": None if options is None else read_run(trace)}


def choose_steps(asked, folder):
    """As many as take so many seconds: by a short run, which also brings the files into memory."""
    asked.steps = 500
    found = run_once(asked, None, folder)
    asked.steps = max(1, round(asked.seconds / found["steps"] * asked.steps))
    return found["whole"] - found["steps"] + asked.seconds


def whole_runs(asked, folder, begin):
    each = choose_steps(asked, folder)
    rounds = []
    end = begin + RUNS_SHARE * asked.budget
    while not rounds or time.monotonic() + len(WAYS) * each < end:
        names = list(WAYS)[len(rounds) % len(WAYS):] + list(WAYS)[:len(rounds) % len(WAYS)]
        since = time.monotonic()
        rounds.append({name: run_once(asked, WAYS[name], folder) for name in names})
        each = (time.monotonic() - since) / len(WAYS)
        log(begin, f"round {len(rounds)}: " + ", ".join(f"{name} {rounds[-1][name]['steps']:.2f} s" for name in WAYS))
    return rounds


def percent(values):
    median, low, high = (100 * (value - 1) for value in values)
    return f"{median:+.2f} % ({low:+.2f} .. {high:+.2f})"


def took(costs):
    """Of several runs: medians, and the most memory."""
    share = medians.middle(sorted(one[0] for one in costs))
    names = sorted({name for one in costs for name in one[1]})
    sources = ", ".join(f"{name} {100 * medians.middle(sorted(one[1].get(name, 0) for one in costs)):.2f}"
                        for name in names)
    return (f"{100 * share:.2f} %{f' ({sources})' if sources else ''} | {max(one[2] for one in costs) / 1e6:.1f} MB | "
            f"{medians.middle(sorted(one[3] for one in costs)):.0f}")


def table_runs(asked, rounds):
    known = "95 % of the median" if len(rounds) >= 6 else "least and most"
    print(f"{len(rounds)} rounds of whole runs, {asked.steps} steps each; in brackets {known}\n\n"
          "| way | steps | whole process | watching: share of a core | memory | samples |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for name, options in WAYS.items():
        ratios = [percent(medians.summary([one[name][what] / one["plain"][what] for one in rounds]))
                  for what in ("steps", "whole")]
        if name == "plain":
            ratios = [f"{medians.summary([one[name][what] for one in rounds])[0]:.2f} s" for what in ("steps", "whole")]
        cost = "| |" if options is None else took([one[name]["cost"] for one in rounds])
        print(f"| {name} | {ratios[0]} | {ratios[1]} | {cost} |", flush=True)


# ---- turns within one run ----------------------------------------------------------------------------


def watcher_of(pid):
    """The child of the one who waits that watches; None: not yet there."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        for child in file.read().split():
            with open(f"/proc/{child}/comm", encoding="utf-8") as name:
                if name.read().strip() == "breakeven-watch":
                    return int(child)
    return None


def turn(process, blocks):
    process.stdin.write(f"{blocks}\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        sys.exit(f"the training ended, exit code {process.wait()}")
    return [float(word) for word in line.split()]


def switched(asked, options, seconds, folder):
    """(turns with the watching, turns while it is stopped): seconds of each block."""
    words = [*under(asked, options, os.path.join(folder, "turns.json")), sys.executable, asked.train, "turns", "25"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    idle = subprocess.Popen(["sleep", "100000"]) if options is None else None
    on, off = [], []
    try:
        process.stdout.readline()  # ready
        stopped = idle.pid if idle else watcher_of(process.pid)
        blocks = max(1, round(asked.turn / (sum(turn(process, 8)) / 8)))
        end = time.monotonic() + seconds
        while time.monotonic() < end or len(on) < 2:
            for one in (on, off) if len(on) % 2 else (off, on):
                os.kill(stopped, signal.SIGCONT if one is on else signal.SIGSTOP)
                one.append(turn(process, blocks))
        os.kill(stopped, signal.SIGCONT)
        process.stdin.close()
        process.wait()
    finally:
        for one in (process, idle):
            if one and one.poll() is None:
                one.kill()
                one.wait()
    return on, off


def table_turns(asked, folder, begin):
    ways = [name for name in WAYS if name != "plain"]
    print(f"\nTurns of {asked.turn:g} s within one run each, the watching going on and stopped\n\n"
          "| way | pairs of turns | going on beside stopped |\n| --- | --- | --- |")
    found = {}
    for i, name in enumerate(ways):
        left = asked.budget - (time.monotonic() - begin)
        on, off = switched(asked, WAYS[name], max(0, left / (len(ways) - i) - asked.start_s), folder)
        found[name] = {"on": on, "off": off}
        print(f"| {name} | {len(on)} | {percent(ratio_interval(on, off))} |", flush=True)
    return found


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--budget", type=float, default=540, help="seconds for all of it (540)")
    parser.add_argument("--seconds", type=float, default=15, help="that the steps of a whole run take (15)")
    parser.add_argument("--turn", type=float, default=1, help="seconds of a turn (1)")
    parser.add_argument("--train", help="another program than gpu_watch/train.py, called as that is")
    parser.add_argument("--json", help="all times go there")
    return parser.parse_args()


def main():
    asked = read_arguments()
    begin = time.monotonic()
    asked.program = os.path.abspath(asked.program)
    asked.train = choose_training(asked)
    print(f"{len(os.sched_getaffinity(0))} CPUs, load average {os.getloadavg()[0]:.1f} at the beginning", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        rounds = whole_runs(asked, folder, begin)
        asked.start_s = max(0.0, medians.middle(sorted(one["plain"]["whole"] - one["plain"]["steps"] for one in rounds)))
        table_runs(asked, rounds)
        turns = table_turns(asked, folder, begin)
    print(f"\nload average {os.getloadavg()[0]:.1f} at the end")
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump({"steps": asked.steps, "rounds": rounds, "turns": turns}, file)


if __name__ == "__main__":
    main()
