#!/usr/bin/env python3
"""How right are CPU times that were not measured? Of workloads that two machines measured, as Markdown.

usage: predict_cpus.py PROGRAM RESULTS PROFILE OTHER_RESULTS OTHER_PROFILE

RESULTS is what `compare --save-results` kept on the machine whose CPU is foretold, PROFILE what `probe` kept there. The
others are of another machine. Held against the times of RESULTS, the fastest code with hot data on one core and on all:

predict `predict WORKLOAD` from PROFILE, with the machines' times that are kept
scaled  the other machine's time of the same case, as memory bandwidth, arithmetic rate and clock of both are: what of it
        the bytes take at least grows with the bandwidth for that many bytes, what operations take with their rate, the
        rest with the clock, over the cores
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess


class Rates:
    """Of a profile's CPU with so many threads."""

    def __init__(self, profile, threads):
        figures = [f for f in profile["figures"] if f["device"] == "cpu" and f["threads"] == threads]
        self.threads = threads
        self.first = {f["what"] + (f["dtype"] or ""): f["value"] for f in reversed(figures)}
        self.memory = sorted((f["bytes"], f["value"]) for f in figures if f["what"] == "working_set")

    def seconds(self, case):
        """At least, by memory and by operations."""
        below = [rate for size, rate in self.memory if size <= case["bytes"]] or [self.memory[0][1]]
        return case["bytes"] / below[-1], case["operations"] / self.first["fma" + self.kind(case)]

    @staticmethod
    def kind(case):
        return "float64" if case["dtype"] == "float64" else "float32"


def scaled(case, there, here):
    time = max(case["median_s"] - there.first.get("fork_join", 0), 0.05 * case["median_s"])
    (memory, work), (memory_here, work_here) = there.seconds(case), here.seconds(case)
    by_memory = min(1, memory / time)
    by_work = min(1 - by_memory, work / time)
    clock = there.first["clock"] * there.threads / (here.first["clock"] * here.threads)
    grown = by_memory * memory_here / memory if memory else 0
    grown += by_work * work_here / work if work else 0
    return time * (grown + (1 - by_memory - by_work) * clock) + here.first.get("fork_join", 0)


def cases(path):
    """{case: row} of the fastest code, with one thread and with all."""
    kept = json.loads(pathlib.Path(path).read_text())
    rows = [dict(zip(kept["columns"], row)) for row in kept["rows"]]
    fastest = {}
    for row in rows:
        if row["placement"] == "host" and row["cache"] in ("hot", "beyond"):
            all_of = row["threads"] > 1
            key = (row["workload"], row["dtype"], row["parameters"] or "", row["size"], all_of)
            if key not in fastest or row["median_s"] < fastest[key]["median_s"]:
                fastest[key] = row
    return fastest


def by_rule(program, profile, key, row):
    """(typical, low, high) of the CPU with either number of threads, or None where nothing is foretold."""
    workload, dtype, parameters, size, _ = key
    words = [f"--{row['size_name']}={size}", f"--type={dtype}" if dtype.startswith("float") else ""]
    words += [f"--{name}={value}" for name, value in (word.split(" ") for word in parameters.split(", ") if word)]
    done = subprocess.run([program, "predict", workload, *filter(None, words), f"--cpu={profile}", "--machine=h100",
                           "--placement=resident", "--quiet", "--json"], capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    cpu = json.loads(done.stdout)["predictions"][0]["cpu"]
    return (cpu["typical_s"], cpu["lo_s"], cpu["hi_s"]) if cpu["typical_s"] else None


def line(name, pairs):
    """`pairs`: measured, foretold."""
    off = sorted(m / f for m, f in pairs)
    error = statistics.median(abs(f / m - 1) for m, f in pairs)
    at = [off[min(len(off) - 1, math.floor(part * len(off)))] for part in (0.05, 0.5, 0.95)]
    print(f"| {name} | {len(pairs)} | {100 * error:.0f} % | {at[0]:.2f} | {at[1]:.2f} | {at[2]:.2f} |")


def main():
    words = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0], description=__doc__.split("\n")[0])
    for name in ("program", "results", "profile", "other_results", "other_profile"):
        words.add_argument(name)
    a = words.parse_args()
    here, there = cases(a.results), cases(a.other_results)
    profile, other = (json.loads(pathlib.Path(p).read_text()) for p in (a.profile, a.other_profile))
    print("| | times | median error | measured / foretold 5 % | median | 95 % |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for all_of in (False, True):
        rates, other_rates = (
            Rates(p, max(f["threads"] for f in p["figures"] if f["device"] == "cpu") if all_of else 1)
            for p in (profile, other))
        both = [key for key in here if key in there and key[-1] == all_of]
        where = "all cores" if all_of else "one core"
        line(f"scaled, {where}", [(here[k]["median_s"], scaled(there[k], other_rates, rates)) for k in both])
    best = {}
    for key, row in here.items():
        if key[:-1] not in best or row["median_s"] < best[key[:-1]][1]["median_s"]:
            best[key[:-1]] = (key, row)
    told = [(row, by_rule(a.program, a.profile, key, row)) for key, row in best.values()]
    told = [(row["median_s"], *f) for row, f in told if f]
    line("predict", [(m, typical) for m, typical, _, _ in told])
    held = sum(lo <= m <= hi for m, _, lo, hi in told)
    print(f"\npredict: {held} of {len(told)} measured times lie in the 90 % interval.")


if __name__ == "__main__":
    main()
