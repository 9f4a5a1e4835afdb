#!/usr/bin/env python3
"""Is the foretold number of workers right? One short run of a net foretells the number to take: the smallest one with
which it trains as fast as with any. Then runs with that number and others say which one it is.
usage: bench/train_workers.py BUILD/breakeven [--seconds S] [--rounds N] [--only TEXT] [--json FILE]

Each combination is a net, a batch, a place of the images and a time that an image takes to decode at least (the other
side of the measured one: a photograph or an augmentation). The run that foretells has one worker and one thread of the
net. Tried numbers are the foretold one, its two neighbours on each side, 1, 2, 4, 8 and 15, in rounds. The smallest
number whose median speed is within 5 % of the fastest is the true one; the foretold one is right where it is at most one
away. Write down what else the machine did: the load is in the table. Images are made, so that no data set is needed."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

NEAR = 0.95  # of the fastest
ALSO = (1, 2, 4, 8, 15)
# Net, batch, --keep, --decode in seconds.
COMBINATIONS = [("lenet", 32, "disk", 1e-4), ("lenet", 32, "ram", 2e-5), ("lenet", 1024, "disk", 2e-4),
                ("tfcnn", 32, "disk", 1e-3), ("tfcnn", 64, "ram", 3e-4), ("mnist", 64, "disk", 1e-3)]


def train(program, combination, workers, seconds):
    net, batch, keep, decode = combination
    done = subprocess.run([program, "train", net, "--synthetic", f"--batch={batch}", f"--keep={keep}", f"--decode={decode}",
                           f"--workers={workers}", "--threads=1", "--no-test", "--epochs=1000", "--images=8192",
                           f"--total={seconds}", "--quiet", "--json"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def share(run):
    return run["wait_s"] / run["train_s"]


def tried(program, combination, foretold, seconds, rounds):
    """{workers: median share of waiting}, {workers: median speed}, each number in turn in each round."""
    numbers = sorted({*range(max(0, foretold - 2), foretold + 3), *ALSO})
    shares = {workers: [] for workers in numbers}
    rates = {workers: [] for workers in numbers}
    for _ in range(rounds):
        for workers in numbers:
            run = train(program, combination, workers, seconds)
            shares[workers].append(share(run))
            rates[workers].append(run["steady_per_s"])
    return ({workers: statistics.median(values) for workers, values in shares.items()},
            {workers: statistics.median(values) for workers, values in rates.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each run (default: 2)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", metavar="TEXT", help="combinations with this net")
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="also all that was measured")
    asked = parser.parse_args()
    if not os.access(asked.program, os.X_OK):
        parser.error(f"there is no program {asked.program}")
    print("| net | batch | images | decode | foretold | images/s then | tried: images/s by workers, share of waiting | "
          "enough | right | load |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    right, kept = 0, []
    combinations = [combination for combination in COMBINATIONS if asked.only in combination[0]]
    for combination in combinations:
        run = train(asked.program, combination, 1, asked.seconds)
        advised = run["advised"]
        shares, rates = tried(asked.program, combination, advised["workers"], asked.seconds, asked.rounds)
        enough = min(workers for workers, rate in rates.items() if rate >= NEAR * max(rates.values()))
        good = abs(enough - advised["workers"]) <= 1
        right += good
        net, batch, keep, decode = combination
        print(f"| {net} | {batch} | {keep} | {1e6 * decode:.0f} us | {advised['workers']} | {advised['images_per_s']:,.0f} | "
              + ", ".join(f"{workers}: {rate:,.0f} ({100 * shares[workers]:.0f} %)" for workers, rate in rates.items())
              + f" | {enough} | {'yes' if good else '**no**'} | {os.getloadavg()[0]:.1f} |", flush=True)
        kept.append({"combination": combination, "run": run, "waiting": shares, "images_per_s": rates})
    print(f"\n{right} of {len(combinations)} within one worker")
    if asked.json:
        asked.json.write_text(json.dumps(kept), encoding="utf-8")


if __name__ == "__main__":
    main()
