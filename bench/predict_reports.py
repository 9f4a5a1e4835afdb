#!/usr/bin/env python3
"""Does `breakeven predict` name the faster side of public reports? Writes the tables of docs/prediction.md.

usage: predict_reports.py [--fresh=a|b|c|d|e] [--plain] [--again] PROGRAM [REPORTS.csv]

REPORTS.csv has reports of "my code is slower on the GPU": id, class, computation, hardware, both times, whether the
clock waited. Each report whose clock waited, and whose class is not `algorithm`, is described here by what a user
knows beforehand: operations, bytes, calls, kernels, type, card. The reported times are no part of a description.
Nothing is fitted to them. Further reports stand with their descriptions in bench/reports/fresh.csv, described by the
rules of bench/reports/README.md; --fresh asks about them alone.

A report seldom names its CPU: the shipped profile of a machine with 2 cores stands in, or the one with 16 where the
report names a large CPU. A card that is not named is a V100. Code of frameworks starts several kernels a call: their
number is estimated from the algorithm, as the comment of each row says.
"""

import argparse
import csv
import json
import math
import pathlib
import shlex
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORTS = ROOT.parent / "shared" / "data" / "slower_on_gpu.csv"
FRESH = ROOT / "bench" / "reports" / "fresh.csv"
LETTERS = "abcde"  # batches of fresh.csv, in the order in which they were described
UNKNOWN_CARD, UNKNOWN_CPU = "v100-16-pcie", "cpu-2"
WAITED = {"yes", "first call", "plan timed", "%%time", "timeit 1 loop", "5 warm-up"}

# By id: the options of predict. `card`, `cpu`: profiles. Reasons stand beside numbers that are estimates.
DESCRIBED = {
    # A scan of 1e5 steps of 3 operations, a kernel a step.
    "c02": dict(card="t4", flops=3e5, sequential=3e5, bytes=4e5, launches=1e5),
    # One call a matrix.
    "c08": dict(card="gtx-1050", factor="svd,10", calls=100),
    "c10": dict(factor="svd,60,3", calls=1000),
    "c12": dict(factor="svd,900,100", calls=300),
    # As one function of a compiled graph: a call a matrix.
    "c18": dict(card="titan-x", flops=100, bytes=48, calls=1e5, launches=10),
    # An expression of about 10 operations over whole arrays: four passes of two or three arrays of 8e6 bytes.
    "c26": dict(card="titan-black", flops=1e7, bytes=80e6, launches=4, type="float64"),
    "c28": dict(flops=16, bytes=80),
    # (2 x 2) times (2 x 1e6): 8e6 operations, two arrays of 8e6 bytes; the first call.
    "c30": dict(flops=8e6, bytes=16e6, first_call=True),
    # Two transforms of 2.5 n log2 n operations, four passes each; the plan is made in the clock.
    "c32": dict(card="titan-black", flops=2 * 2.5 * 524288 * 19, bytes=8 * 4 * 524288, launches=4,
                first_call=True),
    # Lanczos: some 1,000 steps of a sparse product and of two with 25 vectors, 10 kernels each.
    "c36": dict(card="gv100", flops=2 * 247791 + 4 * 25 * 5000, bytes=12 * 247791 + 16 * 25 * 5000, calls=1000,
                launches=10, memory=12 * 247791 + 8 * 25 * 5000, type="float64"),
    # Differences of slices: about 5 kernels, some of them at the edges.
    "c38": dict(flops=3 * 256, bytes=5 * 2 * 8 * 256, launches=5, type="float64"),
    # Two directions, each as the difference of slices and a quotient: 3 passes of 3 arrays.
    "c40": dict(flops=6 * 2048 * 4096, bytes=2 * 3 * 3 * 8 * 2048 * 4096, launches=14, type="float64"),
    # A sort of 1,000 rows, whose number of columns is not said: 10; a comparison is an operation.
    "c42": dict(flops=1000 * 10 * 10, bytes=1000 * 10 * 4 * 4, launches=30),
    # Some 20 operations a number; generator and range, 2 kernels.
    "c44": dict(card="gv100", flops=2e7, bytes=2 * 8e6, launches=2, type="float64"),
    # Up and down each call: 32,448 bytes both ways.
    "c46": dict(flops=10 * 32448, bytes=2 * 32448, transfer_each=2 * 32448),
    # A query against 23,600 vectors of 128: distances, then the nearest; query and answer cross the bus.
    "c48": dict(flops=3 * 128 * 23600, bytes=4 * 128 * 23600, memory=4 * 128 * 23600, calls=23600, launches=3,
                transfer_each=600),
    # The first fit: 2 n k^2 operations, and a library that is opened.
    "c54": dict(flops=2e6, bytes=2 * 8e4, transfer=8e4, launches=10, type="float64", first_call=True),
    "c56": dict(flops=1000, bytes=8000, launches=2, transfer_each=16, type="float64"),
    # Histograms of 8 levels: each reads a byte a feature and 8 of gradients of every row.
    "c58": dict(card="l40", cpu="h200", flops=2 * 8 * 28 * 10.5e6, bytes=8 * (28 + 8) * 10.5e6, calls=500,
                launches=160, transfer=28 * 10.5e6),
    # 11,000 draws of some 31 leapfrog steps, each a gradient of some 1,000 operations in 20 kernels.
    "c60": dict(card="v100-16", flops=1000, sequential=1000, bytes=4000, calls=11000 * 31, launches=20),
    # Some 100 gates and noise of 1,024 shots, each over 1,024 complex amplitudes.
    "c64": dict(flops=14 * 1024, bytes=2 * 16 * 1024, calls=1024 * 100, memory=16 * 1024, type="float64"),
    # A token: 9e9 bytes of weights cross the bus, two operations a weight of half a byte.
    "c66": dict(card="rtx-3070-ti", cpu="h200", flops=2 * 18e9, bytes=9e9, transfer_each=9e9),
    # Four numbers to the card.
    "c68": dict(card="t4", flops=4, bytes=32, transfer_each=32, type="float64"),
}
# By the same rule as those of bench/reports: what the arrays are of.
FRAMEWORK = {"numpy": ("c36", "c38", "c40", "c42", "c44", "c68"), "torch": ("c08", "c10", "c12"), "jax": ("c02", "c60"),
             "pandas": ("c56",)}
# Times that cannot be: the option --measured finds them so, on this side.
IMPOSSIBLE = {
    # 8/3 n^3 operations for the singular values alone.
    "c22": ("CPU", dict(card="t4", flops=8 / 3 * 1e12, bytes=8e8, type="float64", measured=0.928)),
    "c24": ("gt-640m", dict(card="gt-640m", flops=5e7, bytes=8 * 25e6, type="float64", measured=0.000505)),
}


def ask(program, described, *more):
    options = dict(described)
    words = [program, "predict", "--quiet", f"--machine={options.pop('card', UNKNOWN_CARD)}",
             f"--cpu={options.pop('cpu', UNKNOWN_CPU)}", *more]
    for name, value in options.items():
        name = name.replace("_", "-")
        words.append(f"--{name}" if value is True else f"--{name}={value}")
    return subprocess.run(words, check=True, capture_output=True, encoding="utf-8").stdout


def seconds(value):
    return f"{float(value):.3g}" if value else "-"


def judge(report, p, first):
    """The row of a table, and whether the side was named right: 'right', 'likely right', ..."""
    ratio = float(report["cpu_s"]) / float(report["gpu_s"])
    likely = "GPU" if p["ratio"] > 1 else "CPU"
    faster = "GPU" if ratio > 1 else "CPU"
    sure = p["verdict"] in ("GPU", "CPU")
    how = ("" if sure else "likely ") + ("right" if likely == faster else "wrong")
    text = (f"| {first} | {report['computation']} | {faster} | {ratio:.3g} | "
            f"{p['verdict']}{'' if sure else ', likely ' + likely} | "
            f"{p['ratio']:.3g} ({p['ratio_lo']:.2g} to {p['ratio_hi']:.2g}) | {p['cause']} | {how} |")
    return text, how


def heading(first):
    names = first + ["computation", "faster", "CPU/GPU reported", "predicted", "CPU/GPU predicted", "cause", ""]
    print(f"| {' | '.join(names)} |".replace("|  |", "| |"))
    print("| --- |" + "".join(" ---: |" if name == "CPU/GPU reported" else " --- |" for name in names[1:]))


def summary(count):
    total = sum(count.values())
    right = count.get("right", 0) + count.get("likely right", 0)
    sure = count.get("right", 0) + count.get("wrong", 0)
    return (f"The faster side is named in {right} of {total} reports ({100 * right / max(total, 1):.0f} %), where "
            f"it is sure in {count.get('right', 0)} of {sure}: "
            + ", ".join(f"{n} {how}" for how, n in sorted(count.items())) + ".")


def known(program, reports):
    """Reports whose times the author of the descriptions had seen."""
    judged = {i: r for i, r in reports.items()
              if r["timing_ok"] in WAITED and r["class"] != "algorithm" and r["winner"] in ("cpu", "gpu")}
    missing = sorted(set(judged) - set(DESCRIBED))
    if missing:
        print(f"not described: {', '.join(missing)}", file=sys.stderr)
    heading(["report", "class"])
    count = {}
    for name, report in judged.items():
        if name in DESCRIBED:
            written = [f"--framework={word}" for word, names in FRAMEWORK.items() if name in names]
            answer = json.loads(ask(program, DESCRIBED[name], "--json", *written))
            text, how = judge(report, answer["predictions"][0], f"{report['id']} | {report['class']}")
            print(text)
            count[how] = count.get(how, 0) + 1
    print(f"\n{summary(count)}")
    for name, (side, described) in IMPOSSIBLE.items():
        said = any(line.startswith(f"{side}: ") and "IMPOSSIBLE" in line
                   for line in ask(program, described).splitlines())
        print(f"\n{name}, {reports[name]['computation']}, {described['measured']} s ({side}): "
              f"{'called impossible' if said else 'NOT called impossible'}.")


def fresh(program, letter, plain, again):
    """Those of fresh.csv whose id begins with that letter; plain: --framework is left out; again: as described now."""
    with FRESH.open() as file:
        reports = [r for r in csv.DictReader(file) if r["id"].startswith(letter)]
    heading(["report"])
    count, off, held = {}, [], 0
    for report in reports:
        words = [program, "predict", "--quiet", "--json", f"--machine={UNKNOWN_CARD}", f"--cpu={UNKNOWN_CPU}",
                 *shlex.split(again and report["again"] or report["described"])]
        if report["framework"] and not plain:
            words.append(f"--framework={report['framework']}")
        done = subprocess.run(words, capture_output=True, encoding="utf-8")
        if done.returncode:
            sys.exit(f"{report['id']}: {done.stderr}")
        p = json.loads(done.stdout)["predictions"][0]
        text, how = judge(report, p, f"[{report['id']}]({report['source']})")
        excused = {"defect": "a fault of the library", "another algorithm": "another algorithm"}.get(report["waited"])
        print(text if not excused else text.removesuffix(f"{how} |") + f"({excused}) {how} |")
        count[how] = count.get(how, 0) + (not excused)
        if report["framework"]:
            ratio = float(report["cpu_s"]) / float(report["gpu_s"])
            off.append(math.exp(abs(math.log(p["ratio"] / ratio))))
            held += p["ratio_lo"] <= ratio <= p["ratio_hi"]
    print(f"\n{summary(count)}")
    print(f"\nWhere a framework is known the predicted CPU/GPU is off by {statistics.median(off):.1f} times (median), and "
          f"{held} of {len(off)} lie in its interval.")


def main():
    parser = argparse.ArgumentParser(usage="predict_reports.py [--fresh=a|b|c|d|e] [--plain] [--again] PROGRAM [REPORTS.csv]",
                                     description=__doc__.split("\n\n")[0])
    parser.add_argument("--fresh", choices=list(LETTERS), help="only those of bench/reports/fresh.csv of this letter")
    parser.add_argument("--plain", action="store_true", help="leave --framework out, as the first was asked")
    parser.add_argument("--again", action="store_true", help="with --irregular, where that was made after it was described")
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("reports", nargs="?", type=pathlib.Path, default=REPORTS, metavar="REPORTS.csv")
    asked = parser.parse_args()
    if not asked.fresh and not asked.reports.is_file():
        sys.exit(f"{asked.reports}: not here: give the reports as REPORTS.csv, or --fresh=a")
    if not asked.fresh:
        with asked.reports.open() as file:
            known(asked.program, {r["id"]: r for r in csv.DictReader(file)})
    for letter in asked.fresh or LETTERS:
        print()
        fresh(asked.program, letter, asked.plain, asked.again)


if __name__ == "__main__":
    main()
