#!/usr/bin/env python3
"""How long code takes over what the rates of its hardware allow. Writes a table of docs/prediction.md.

usage: predict_spread.py [TIMES.csv]

The rule of src/predict takes operations / rate or bytes / bandwidth, whichever is longer, and multiplies it by what
code was seen to take over that. GPUs: the measured times of TIMES.csv over the data sheets, times what programs reach
of them; each GPU counts alike. CPU: times of at least 1 ms of share/results/h100.json with 16 threads, over the
profile h200, whose host has the same CPU and as many cores; each workload counts alike. It takes workloads whose
operations are those that code does: of powers, chains, sorting, solving and descents they are a least number.
"""

import argparse
import collections
import csv
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import predict_eval as eval_of  # noqa: E402

COUNTED = {"add", "axpy", "multiply", "nbody", "matmul", "recurrence", "reduce", "spmv",
           "stencil"}
CACHE_BYTES_A_CLOCK = 36  # of a multiprocessor: be_profile_cache_rate
ALIKE = 200  # quantiles that stand for a GPU or a workload, however many times it has
SHORTEST_S = 1e-3


def alike(values):
    values = sorted(values)
    return [eval_of.part(values, (i + 0.5) / ALIKE) for i in range(ALIKE)]


def gpu_times(path):
    """'operations' or 'memory' -> GPU -> times over what its rates allow."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    rate = {gpu: eval_of.rates(name) for gpu, name in eval_of.SHEET.items()}
    device = {gpu: json.loads((eval_of.ROOT / "share/profiles" / f"datasheet-{name}.json").read_text())
              ["machine"]["devices"][0] for gpu, name in eval_of.SHEET.items()}
    with path.open() as file:
        for row in csv.DictReader(file):
            gpu = row["device"]
            operations, size = eval_of.demand(row)
            info = device[gpu]
            cached = info["clock_hz"] and size <= info["cache_bytes"]
            memory = CACHE_BYTES_A_CLOCK * info["units"] * info["clock_hz"] if cached else rate[gpu][1]
            by_work, by_memory = operations / rate[gpu][0], size / memory
            by = "operations" if by_work > by_memory else "memory"
            found[by][gpu].append(float(row["seconds"]) / max(by_work, by_memory))
    return found


def cpu_times():
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    profile = json.loads((eval_of.ROOT / "share/profiles/h200.json").read_text())
    figures = [f for f in profile["figures"] if f["device"] == "cpu" and f["threads"] == 16]
    sets = sorted((f["bytes"], f["value"]) for f in figures if f["what"] == "working_set")
    fma = {f["dtype"]: f["value"] for f in figures if f["what"] == "fma"}
    for row in eval_of.own_times():
        if (row["device"] != "cpu" or row["threads"] != 16 or row["workload"] not in COUNTED
                or row["cache"] == "cold" or row["median_s"] < SHORTEST_S):
            continue
        below = [rate for size, rate in sets if size <= row["bytes"]]
        by_memory = row["bytes"] / below[-1]
        by_work = (row["operations"] or 0) / fma[row["dtype"]]
        by = "operations" if by_work > by_memory else "memory"
        found[by][row["workload"]].append(row["median_s"] / max(by_work, by_memory))
    return found


def main():
    parser = argparse.ArgumentParser(usage="predict_spread.py [TIMES.csv]", description=__doc__.split("\n\n")[0])
    parser.add_argument("times", nargs="?", type=pathlib.Path, default=eval_of.TIMES, metavar="TIMES.csv")
    path = parser.parse_args().times
    if not path.is_file():
        sys.exit(f"{path}: not here: give the measured times as TIMES.csv")
    print("| time over what the rates allow | of | times | 5 % | median | 95 % |\n"
          "| --- | --- | ---: | ---: | ---: | ---: |")
    for side, found in (("GPU", gpu_times(path)), ("CPU", cpu_times())):
        for by, groups in sorted(found.items()):
            pooled = sorted(value for values in groups.values() for value in alike(values))
            print(f"| {side}, {by} decide | {', '.join(sorted(groups)) if side == 'CPU' else 'five GPUs'} | "
                  f"{sum(map(len, groups.values()))} | " +
                  " | ".join(f"{eval_of.part(pooled, q):.2f}" for q in (0.05, 0.5, 0.95)) + " |")


if __name__ == "__main__":
    main()
