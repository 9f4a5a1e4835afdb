#!/usr/bin/env python3
"""What `run --trace` costs a training of short kernels (MNIST's shape, batch 64), on a machine with a GPU:
the training by itself and traced, in turn, until the time is over.

    bench/trace_cost.py BUILD/breakeven [--budget SECONDS] [--ways NAME,...] [--steps N] [--json FILE]

Each round runs every way once, in an order that turns. A way:
  plain     the training by itself
  watched   under `breakeven run`
  traced    under `breakeven run --trace`: looks in windows
  closed    the same with almost no window: what is left where CUPTI is held and asked for nothing
  detached  traced, and CUPTI let go of between windows (docs/gpu-signals.md)
  full      traced with one window all the time
The training prints the seconds of its steps, those of the start left out, and of each block of them.
Ratios are of runs of the same round. A traced run's blocks tell apart what windows cost and what lies
between: the tenth percentile is of blocks between windows, the ninetieth of blocks within.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from overhead import median_interval, percent

LONGEST_S = 60  # a run
HERE = os.path.dirname(os.path.abspath(__file__))
WAYS = {"plain": None, "watched": {}, "traced": {}, "closed": {"BREAKEVEN_TRACE_SHARE": "0.00001"},
        "detached": {"BREAKEVEN_TRACE_DETACH": "1"}, "full": {"BREAKEVEN_TRACE_SHARE": "1000"}}


class Run:
    def __init__(self, steps_s, blocks, looked):
        self.steps_s, self.blocks, self.looked = steps_s, blocks, looked

    def block(self, share):
        return sorted(self.blocks)[min(int(share * len(self.blocks)), len(self.blocks) - 1)]


def command(asked, way, trace):
    words = [sys.executable, asked.train, str(asked.steps), str(asked.block)]
    if way == "plain":
        return words
    watch = [asked.program, "run", "--quiet", f"--trace-file={trace}"]
    return [*watch, *([] if way == "watched" else ["--trace"]), "--", *words]


def once(asked, way):
    """One run of the training; None where it fails, which is told."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        try:
            done = subprocess.run(command(asked, way, trace), env={**os.environ, **(WAYS[way] or {})},
                                  capture_output=True, text=True, check=False, timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            print(f"{way}: did not end in {LONGEST_S} s", flush=True)
            return None
        said = {line.split(" ", 1)[0]: line.split()[1:] for line in done.stdout.splitlines() if line}
        if done.returncode or "train_s" not in said or "blocks_s" not in said:
            print(f"{way}: exit code {done.returncode}\n{done.stdout}{done.stderr}", flush=True)
            return None
        looked = ""
        if way != "plain":
            with open(trace, encoding="utf-8") as file:
                cupti = [one for one in json.load(file)["sources"] if one["name"] == "cupti"]
            looked = " ".join(one["detail"] or one["absent"] or "" for one in cupti)
    return Run(float(said["train_s"][0]), [float(word) for word in said["blocks_s"]], looked)


def measure(asked):
    """Rounds until another might not end in time; at least one."""
    begin, longest, rounds, broken = time.monotonic(), 0.0, [], set()
    while not rounds or time.monotonic() - begin + longest < asked.budget:
        ways = [way for way in asked.ways if way not in broken]
        started, done = time.monotonic(), {}
        for way in ways if len(rounds) % 2 == 0 else ways[::-1]:
            run = once(asked, way)
            if not run:
                broken.add(way)
                continue
            done[way] = run
            print(f"[{time.monotonic() - begin:4.0f} s] {way:8} {done[way].steps_s:8.3f} s  "
                  f"blocks {1e3 * done[way].block(0.1):.2f} / {1e3 * done[way].block(0.5):.2f} / "
                  f"{1e3 * done[way].block(0.9):.2f} ms  {done[way].looked}", flush=True)
        if "plain" in broken:
            sys.exit("the training itself fails: nothing can be compared")
        rounds.append(done)
        longest = max(longest, time.monotonic() - started)
    return rounds


def table(asked, rounds):
    print(f"\n{len(rounds)} rounds of {asked.steps} steps, blocks of {asked.block}; load average "
          f"{os.getloadavg()[0]:.1f}\n")
    print("| way | steps | to plain: all steps | its tenth percentile of blocks | median | ninetieth |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for way in asked.ways:
        having = [one for one in rounds if way in one]
        if not having:
            print(f"| {way} | failed | | | | |")
            continue
        seconds, _, _ = median_interval([one[way].steps_s for one in having])
        if way == "plain":
            print(f"| plain | {seconds:.3f} s | | | | |")
            continue
        shares = [statistics.median(one[way].block(share) / one["plain"].block(share) for one in having)
                  for share in (0.1, 0.5, 0.9)]
        print(f"| {way} | {seconds:.3f} s | {percent([one[way].steps_s / one['plain'].steps_s for one in having])}"
              f" | {' | '.join(f'{100 * (share - 1):+.1f} %' for share in shares)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--budget", type=float, default=95, help="seconds for all of it (95)")
    parser.add_argument("--ways", default="plain,traced", help="of each round (plain,traced)")
    parser.add_argument("--steps", type=int, default=3500, help="a run (3500: 6 s on an H200)")
    parser.add_argument("--block", type=int, default=25, help="steps timed together (25)")
    parser.add_argument("--train", default=os.path.join(HERE, "gpu_watch", "train.py"))
    parser.add_argument("--json", help="all times go there")
    asked = parser.parse_args()
    asked.ways = asked.ways.split(",")
    if "plain" not in asked.ways or set(asked.ways) - set(WAYS):
        parser.error(f"--ways: plain and some of {', '.join(list(WAYS)[1:])}")
    rounds = measure(asked)
    table(asked, rounds)
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump([{way: vars(run) for way, run in one.items()} for one in rounds], file)


if __name__ == "__main__":
    main()
