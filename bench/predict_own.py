#!/usr/bin/env python3
"""Do the intervals of `breakeven predict` hold times that were measured? Writes a table of docs/prediction.md.

usage: predict_own.py PROGRAM [MACHINE]
  MACHINE   h100 (its data sheet; the default), h200 (the profile of another H200)

Each workload of share/results/MACHINE.json is described by its least operations and bytes, as one kernel on data that
stay on the GPU, and predicted for that GPU. The rule has seen none of these GPU times. The CPU is
that of the profile h200, of the same model and as many cores as the host of those times; its spread was read off some
of them (bench/predict_spread.py). Sides within 25 % of each other have no right answer.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import predict_eval  # noqa: E402

CLOSE = 1.25


def key(row):
    return row["workload"], row["size"], row["parameters"], row["dtype"]


def predict(program, row, machine):
    gpu, cpu = predict_eval.OWN_MACHINES[machine]
    words = [program, "predict", "--quiet", "--json", f"--machine={gpu}", f"--cpu={cpu}", f"--type={row['dtype']}",
             f"--bytes={row['bytes']!r}", f"--memory={row['bytes']!r}"]
    if row["operations"]:
        words.append(f"--flops={row['operations']!r}")
    answer = subprocess.run(words, check=True, capture_output=True, encoding="utf-8").stdout
    return json.loads(answer)["predictions"][0]


def judge(program, row, cpu_s, machine):
    """What became of one time, as numbers that add up."""
    p = predict(program, row, machine)
    measured, gpu = row["median_s"], p["gpu"]
    one = collections.Counter(times=1, held=gpu["lo_s"] <= measured <= gpu["hi_s"],
                              impossible=measured < gpu["limit_s"])
    if cpu_s and not 1 / CLOSE < cpu_s / measured < CLOSE:
        right = (p["ratio"] > 1) == (cpu_s > measured)
        sure = p["verdict"] in ("GPU", "CPU")
        one.update(sided=1, right=right, sure=sure, sure_right=sure and right)
    return one, measured / gpu["typical_s"]


def line(name, n, off):
    off.sort()
    print(f"| {name} | {n['times']} | {n['held']} | {off[len(off) // 2]:.2f} ({off[0]:.2f} to {off[-1]:.2f}) | "
          f"{n['right']} of {n['sided']} | {n['sure_right']} of {n['sure']} |")


def main():
    parser = argparse.ArgumentParser(usage="predict_own.py PROGRAM [MACHINE]", description=__doc__.split("\n\n")[0])
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("machine", metavar="MACHINE", nargs="?", default="h100", choices=predict_eval.OWN_MACHINES)
    program, machine = vars(parser.parse_args()).values()
    rows = [r for r in predict_eval.own_times(machine) if r["cache"] != "cold" and r["dtype"] in ("float32", "float64")]
    cpu = {}
    for row in rows:
        if row["device"] == "cpu":
            cpu[key(row)] = min(cpu.get(key(row), row["median_s"]), row["median_s"])
    count, off = collections.defaultdict(collections.Counter), collections.defaultdict(list)
    for row in rows:
        if row["device"] != "cpu" and row["placement"] == "resident":
            one, ratio = judge(program, row, cpu.get(key(row)), machine)
            for name in (row["workload"], "all"):
                count[name].update(one)
                off[name].append(ratio)
    print("| workload | times | in the interval | measured / typical: median (range) | side right | sure side right |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in sorted(count, key=lambda name: (name == "all", name)):
        line(name, count[name], off[name])
    print(f"\nBelow the limit: {count['all']['impossible']}.")


if __name__ == "__main__":
    main()
