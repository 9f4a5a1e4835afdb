#!/usr/bin/env python3
"""How right are times of one GPU made from those of another? Writes the tables of docs/prediction.md.

usage: predict_eval.py [TIMES.csv]

TIMES.csv has measured times of single operations on five GPUs (op, device, batch, m, n, k, seconds). The rule is
that of src/elsewhere/scale.c, by the rates of share/profiles: what a call takes beyond the shortest call of its
kind grows as the least time does. Each GPU is made from each other one. No constant is fitted to these times.
"""

import argparse
import collections
import csv
import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMES = ROOT.parent / "shared" / "data" / "gpu_times" / "gpu_times.csv"
# Name in the times: the data sheet.
SHEET = {"NVIDIA A100 80GB PCIe": "a100-80-pcie", "NVIDIA H100 80GB HBM3": "h100-80",
         "NVIDIA L4": "l4", "Tesla P4": "p4", "Tesla V100-PCIE-32GB": "v100-16-pcie"}
UNARY = {"relu", "tanh", "gelu", "softmax", "ln"}
OPERATIONS = 5  # of an element, of elementwise ones: far from deciding
FLOAT = 4  # bytes


def rates(name):
    """float32 operations and bytes a second that programs reach."""
    sheet = json.loads((ROOT / "share" / "profiles" / f"datasheet-{name}.json").read_text())
    value = {(f["what"], f["dtype"]): f["value"] * (f["achievable"] or 1) for f in sheet["figures"]}
    return value["fma", "float32"], value["read", None]


def demand(row):
    """Operations and bytes of a call."""
    op, batch, m = row["op"], float(row["batch"]), float(row["m"])
    if op in ("bmm", "linear"):
        n, k = float(row["n"]), float(row["k"])
        weights = n * k * (batch if op == "bmm" else 1)
        return 2 * batch * m * n * k, FLOAT * (batch * m * (n + k) + weights)
    arrays = 2 if op in UNARY or op.endswith("u") else 3
    return OPERATIONS * batch * m, FLOAT * arrays * batch * m


def least(rate, work):
    return max(work[0] / rate[0], work[1] / rate[1])


def kind(op):
    return op if op in ("bmm", "linear") else "elementwise"


def part(values, share):
    return values[min(int(share * len(values)), len(values) - 1)]


# Whose times are shipped: the machine that stands for its GPU, and the one that stands for its host.
OWN_MACHINES = {"h100": ("h100-80", "h200"), "h200": ("h200", "h200")}


def own_times(machine="h100"):
    """Times of share/results/MACHINE.json, of each case those of its fastest code."""
    times = json.loads((ROOT / f"share/results/{machine}.json").read_text())
    best = {}
    for values in times["rows"]:
        row = dict(zip(times["columns"], values))
        case = tuple(row[name] for name in ("workload", "dtype", "parameters", "size", "device", "threads", "placement",
                                            "cache"))
        if case not in best or row["median_s"] < best[case]["median_s"]:
            best[case] = row
    return list(best.values())


def main():
    parser = argparse.ArgumentParser(usage="predict_eval.py [TIMES.csv]", description=__doc__.split("\n\n")[0])
    parser.add_argument("times", nargs="?", type=pathlib.Path, default=TIMES, metavar="TIMES.csv")
    path = parser.parse_args().times
    if not path.is_file():
        sys.exit(f"{path}: not here: give the measured times as TIMES.csv")
    times = collections.defaultdict(dict)
    work = {}
    with path.open() as file:
        for row in csv.DictReader(file):
            key = row["op"], row["batch"], row["m"], row["n"], row["k"]
            times[row["device"]][key] = float(row["seconds"])
            work[key] = demand(row)
    rate = {gpu: rates(SHEET[gpu]) for gpu in times}
    shortest = {gpu: {name: min(t for k, t in of.items() if kind(k[0]) == name)
                      for name in {kind(k[0]) for k in of}} for gpu, of in times.items()}
    pooled = collections.defaultdict(list)
    print("| kind | from | to | times | 5 % | median | 95 % | mean absolute error |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name in ("bmm", "linear", "elementwise"):
        for base in sorted(times):
            for target in sorted(times):
                both = [k for k in times[target] if k in times[base] and kind(k[0]) == name]
                if base == target or not both:
                    continue
                once = shortest[base][name]
                off, errors = [], []
                for k in both:
                    grown = least(rate[target], work[k]) / least(rate[base], work[k])
                    foretold = once + max(times[base][k] - once, 0) * grown
                    off.append(times[target][k] / foretold)
                    errors.append(abs(foretold / times[target][k] - 1))
                off.sort()
                # Each pair of GPUs counts alike, however many times it has.
                pooled["elementwise" if name == "elementwise" else "matrix products"] += [
                    part(off, (i + 0.5) / 200) for i in range(200)]
                print(f"| {name} | {SHEET[base]} | {SHEET[target]} | {len(both)} | "
                      f"{part(off, 0.05):.2f} | {part(off, 0.5):.2f} | {part(off, 0.95):.2f} | "
                      f"{100 * math.fsum(errors) / len(errors):.0f} % |")
    print("\n| all pairs, each alike | 5 % | median | 95 % |\n| --- | ---: | ---: | ---: |")
    for name, off in pooled.items():
        off.sort()
        print(f"| {name} | {part(off, 0.05):.2f} | {part(off, 0.5):.2f} | {part(off, 0.95):.2f} |")


if __name__ == "__main__":
    main()
