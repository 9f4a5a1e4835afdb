#!/usr/bin/env python3
"""How right is the rule for matrix products and streams on a GPU it has not seen? Writes tables of docs/prediction.md.

usage: predict_gpus.py [--program=PROGRAM] [--every=N] [TIMES.csv]

TIMES.csv has measured times of single operations on five GPUs (predict_eval.py). The rule is that of
src/predict/shapes.c, from data sheets. Each GPU is left out of the fit of every constant, and then predicted. The
constants that all five give are printed last: those of the C code. With --program every N-th product is also foretold
by `PROGRAM predict`, which has to come to the same. A product in TIMES.csv is (m x n) times (n x k):
times are flat in k up to a tile's width, not in n.
"""

import argparse
import collections
import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import predict_eval as eval_of  # noqa: E402

# Tiles of the output that one multiprocessor computes at a time, by halvings of the largest area that is as good as any.
TILES = {0: ((256, 128), (128, 256), (128, 128)), 1: ((128, 64), (64, 128)), 2: ((64, 64), (128, 32), (32, 128)),
         3: ((64, 32), (32, 64)), 4: ((32, 32),)}
DEPTH = 8  # a tile goes over the sum in steps of so many
# watt: GFLOP/s of the sheet per watt up to which a GPU keeps its clock; power: how the clock falls beyond; start_s: a
# start through a framework; half: what a tile of half the area reaches.
Constants = collections.namedtuple("Constants", "watt power start_s half")
FIRST = Constants(57.0, 0.58, 24e-6, 0.9)
STEPS = (0.02, 0.02, 0.05, 0.01)  # in log
WIDE64 = 0.4  # float64 rate / float32 rate above which a GPU is one made for float64, with stacked memory (HBM)


class Gpu:
    """Numbers of a data sheet."""

    def __init__(self, name):
        sheet = json.loads((eval_of.ROOT / "share/profiles" / f"datasheet-{name}.json").read_text())
        value = {(f["what"], f["dtype"]): f["value"] for f in sheet["figures"]}
        fact = {f["name"]: f["number"] for f in sheet["facts"]}
        self.name = name
        self.units = sheet["machine"]["devices"][0]["units"]
        self.flops, self.bytes = value["fma", "float32"], value["read", None]
        self.stacked = value["fma", "float64"] / self.flops > WIDE64
        self.density = self.flops / 1e9 / fact["power_limit_max_w"]


def areas(gpu, m, n, batch):
    """Elements of tiles that the busiest multiprocessor computes, for each number of halvings."""
    return [min(math.ceil(math.ceil(m / a) * math.ceil(n / b) * batch / gpu.units) * a * b for a, b in tiles)
            for tiles in TILES.values()]


def read(path):
    """kind -> GPU -> list of (seconds, bytes, areas, depth, what else is equal, what grows); of streams the first two."""
    gpus = {device: Gpu(name) for device, name in eval_of.SHEET.items()}
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    with path.open() as file:
        for row in csv.DictReader(file):
            gpu, op, seconds = gpus[row["device"]], row["op"], float(row["seconds"])
            size = eval_of.demand(row)[1]
            if op in ("bmm", "linear"):
                batch, m, n, k = (float(row[name]) for name in ("batch", "m", "n", "k"))
                alike, grows = ((m, n, k), batch) if op == "bmm" else ((n, k), m)
                found[op][gpu].append((seconds, size, areas(gpu, m, k, batch), math.ceil(n / DEPTH) * DEPTH, alike, grows))
            else:
                found[op if op in ("softmax", "ln") else "elementwise"][gpu].append((seconds, size))
    return found


def share_of_clock(c, gpu):
    return min(1, (c.watt / gpu.density) ** c.power)


def product_s(c, memory, gpu, row):
    """Beyond its start: tiles and memory, whichever is longer, and some of the other."""
    _, size, area, depth, *_ = row
    tiles = min(a / c.half ** i for i, a in enumerate(area)) * 2 * depth * gpu.units / gpu.flops
    return math.hypot(tiles / share_of_clock(c, gpu), size / (gpu.bytes * memory[gpu.stacked]))


def loss(c, memory, products, gpus):
    """Mean distance in log time; each GPU and kind counts alike."""
    return statistics.fmean(
        statistics.fmean(abs(math.log((c.start_s + product_s(c, memory, gpu, row)) / row[0])) for row in of[gpu])
        for of in products for gpu in gpus)


def fit(memory, products, gpus):
    """Steps along each constant, halved where none helps."""
    best, least = FIRST, loss(FIRST, memory, products, gpus)
    scale = 4.0
    while scale > 0.3:
        moved = False
        for i, step in enumerate(STEPS):
            for sign in (1, -1):
                tried = best._replace(**{best._fields[i]: best[i] * math.exp(sign * step * scale)})
                if tried.half < 1 and (value := loss(tried, memory, products, gpus)) < least:
                    best, least, moved = tried, value, True
        scale = scale if moved else scale / 2
    return best


def memory_of(streams, gpus):
    """The share of its sheet that memory reaches, by its kind: the median of each GPU's times, GPUs alike."""
    share = {}
    for stacked in (True, False):
        medians = [statistics.median(size / seconds / gpu.bytes for seconds, size in streams[gpu])
                   for gpu in gpus if gpu.stacked == stacked and gpu in streams]
        share[stacked] = statistics.fmean(medians)
    return share


def percent(values):
    return f"{100 * statistics.fmean(values):.1f} %"


def spread(off):
    """5 %, median and 95 % of measured over foretold; each GPU counts alike."""
    pooled = sorted(eval_of.part(sorted(values), (i + 0.5) / 200) for values in off.values() for i in range(200))
    return " | ".join(f"{eval_of.part(pooled, share):.2f}" for share in (0.05, 0.5, 0.95))


def unrest(rows, foretold):
    """Mean distance of measured / foretold from that of the next smaller and the next larger product of equal sides,
    which a rule that is smooth in sizes cannot follow."""
    alike = collections.defaultdict(list)
    for row, f in zip(rows, foretold):
        alike[row[4]].append((row[5], math.log(row[0] / f)))
    return statistics.fmean(abs(math.expm1((before[1] + after[1]) / 2 - here[1]))
                            for group in map(sorted, alike.values())
                            for before, here, after in zip(group, group[1:], group[2:]))


IN_C = Constants(55.9, 0.58, 0, 0.909)  # of src/predict/shapes.c
MEMORY_IN_C = {True: 0.883, False: 0.766}
TYPICAL_IN_C = 1.02  # src/predict/times.c: the typical time over the foretold one


def hold_against(program, path, every):
    """The largest difference between this rule and the program's, over products; how many there were."""
    worst, count = 0, 0
    with path.open() as file:
        rows = [row for row in csv.DictReader(file) if row["op"] in ("bmm", "linear")][::every]
    for row in rows:
        gpu = Gpu(eval_of.SHEET[row["device"]])
        batch, m, n, k = (float(row[name]) for name in ("batch", "m", "n", "k"))
        mine = product_s(IN_C, MEMORY_IN_C, gpu, (0, eval_of.demand(row)[1], areas(gpu, m, k, batch),
                                                  math.ceil(n / DEPTH) * DEPTH))
        answer = subprocess.run([program, "predict", "--quiet", "--json", f"--machine={gpu.name}", "--cpu=cpu-2",
                                 f"--matmul={m:g},{k:g},{n:g}", f"--batch={batch:g}"], check=True,
                                capture_output=True, encoding="utf-8").stdout
        terms = json.loads(answer)["predictions"][0]["gpu"]["terms_s"]
        theirs = max(terms["operations"], terms["memory"]) / TYPICAL_IN_C
        worst, count = max(worst, abs(theirs / mine - 1)), count + 1
    return worst, count


def main():
    parser = argparse.ArgumentParser(usage="predict_gpus.py [--program=PROGRAM] [--every=N] [TIMES.csv]",
                                     description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", help="a breakeven whose answers are held against this rule")
    parser.add_argument("--every", type=int, default=50, help="every N-th product (default: 50)")
    parser.add_argument("times", nargs="?", type=pathlib.Path, default=eval_of.TIMES, metavar="TIMES.csv")
    asked = parser.parse_args()
    path = asked.times
    if not path.is_file():
        sys.exit(f"{path}: not here: give the measured times as TIMES.csv")
    times = read(path)
    products = [times["bmm"], times["linear"]]
    gpus = sorted(times["linear"], key=lambda gpu: gpu.name)
    off, restless = collections.defaultdict(dict), collections.defaultdict(list)
    print("| GPU that was left out | bmm | linear | elementwise | softmax | layer norm |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for gpu in gpus:
        others = [g for g in gpus if g != gpu]
        memory = memory_of(times["elementwise"], others)
        c = fit(memory, products, others)
        cells = []
        for kind in ("bmm", "linear", "elementwise", "softmax", "ln"):
            rows = times[kind].get(gpu, [])
            foretold = [c.start_s + (product_s(c, memory, gpu, row) if len(row) > 2
                                     else row[1] / (gpu.bytes * memory[gpu.stacked])) for row in rows]
            cells.append(percent(abs(f / row[0] - 1) for f, row in zip(foretold, rows)) + f" of {len(rows)}"
                         if rows else "-")
            if rows:
                off[kind][gpu] = [row[0] / f for f, row in zip(foretold, rows)]
            if rows and len(rows[0]) > 2:
                restless[gpu].append(f"{100 * unrest(rows, foretold):.1f} %")
        print(f"| {gpu.name} | " + " | ".join(cells) + " |")
    print("\n| measured / foretold, GPUs left out | 5 % | median | 95 % |\n| --- | ---: | ---: | ---: |")
    both = {gpu: off["bmm"][gpu] + off["linear"][gpu] for gpu in gpus}
    print(f"| products of matrices | {spread(both)} |\n| elementwise | {spread(off['elementwise'])} |")
    print("\n| measured / foretold beside that of its neighbours in size | bmm | linear |\n| --- | ---: | ---: |")
    for gpu in gpus:
        print(f"| {gpu.name} | " + " | ".join(restless[gpu]) + " |")
    memory = memory_of(times["elementwise"], gpus)
    c = fit(memory, products, gpus)
    print(f"\nOf all five: {c.watt:.3g} GFLOP/s per watt, power {c.power:.3g}, start {c.start_s * 1e6:.3g} us, half a tile "
          f"{c.half:.3g}; memory {memory[True]:.3g} (HBM), {memory[False]:.3g} (GDDR).")
    if asked.program:
        worst, count = hold_against(asked.program, path, max(asked.every, 1))
        print(f"\nThe program and this rule are at most {100 * worst:.2g} % apart, over {count} products.")


if __name__ == "__main__":
    main()
