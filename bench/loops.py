#!/usr/bin/env python3
"""Does `breakeven ask` know how fast a GPU would run a loop of the program's own? Thirteen loops (bench/loops), each once for one
core and once for a GPU: the first runs under `ask`, the second is compiled by nvcc and timed.

usage: loops.py BREAKEVEN [--machine NAME] [--seconds S] [--flags FLAGS] [--only NAME,...] [--out FILE] [--cpu-only]
       loops.py --again FILE...
  --machine   the GPU that is asked about, and that is here (h200)
  --flags     of the C compiler; default: -O2
  --out       keeps all numbers, a line of JSON each
  --again     measures nothing: the table of such files

Foretold and timed are the ratio of one core's time to the GPU's for the loop alone, with its data there.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "loops"


def loops():
    return sorted(path.stem for path in FOLDER.glob("*.h") if path.stem != "loop")


def numbers(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()[-300:]}")
    return [float(word) for word in done.stdout.split()]


def compile_one(name, options, folder):
    define = f'-DLOOP="{name}.h"'
    program = [os.environ.get("CC", "gcc"), *options.flags.split(), define, f"-I{FOLDER}", FOLDER / "cpu.c",
               "-o", folder / name, "-lm"]
    subprocess.run([str(word) for word in program], check=True)
    if not options.cpu_only:
        program = ["nvcc", "-O3", "-arch=native", define, f"-I{FOLDER}", FOLDER / "gpu.cu", "-o", folder / f"{name}-gpu"]
        return subprocess.Popen([str(word) for word in program])
    return None


def ask(name, options, folder):
    answer = folder / f"{name}.json"
    command = [options.breakeven, "ask", f"--machine={options.machine}", f"--json={answer}", "--", str(folder / name),
               str(options.seconds)]
    sweep_s, total = numbers(command)
    return sweep_s, total, json.loads(answer.read_text())


def measure(options):
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        names = [name for name in loops() if not options.only or name in options.only.split(",")]
        for compiler in [compile_one(name, options, folder) for name in names]:
            if compiler and compiler.wait():
                sys.exit("loops: nvcc failed")
        for name in names:
            sweep_s, total, answer = ask(name, options, folder)
            row = {"name": name, "flags": options.flags, "machine": options.machine, "cpu_s": sweep_s, "sum": total,
                   "own": answer["own"], "run_s": answer["own_s"],
                   "there": answer["machines"][0]["own"] if answer["machines"] else None}
            if not options.cpu_only:
                row["gpu_s"], row["gpu_sum"] = numbers([str(folder / f"{name}-gpu")])
            rows.append(row)
            if options.out:
                with open(options.out, "a", encoding="utf-8") as out:
                    out.write(json.dumps(row) + "\n")
    return rows


def ratios(row):
    """Foretold at least, typically, at most; and timed."""
    own, there = row["own"], row["there"]
    if not own or own["why"] or not there or there["typical_s"] is None:
        return None
    return [own["cpu_s"] / there[key] for key in ("hi_s", "typical_s", "lo_s")]


def table(rows):
    print("| loop | instructions, of arithmetic, values at a time | foretold (90 %) | timed | | same |")
    print("| --- | --- | ---: | ---: | --- | --- |")
    inside, near, timed = 0, 0, 0
    for row in rows:
        foretold, own = ratios(row), row["own"] or {}
        loop = own.get("loop") or {}
        text = f"{foretold[1]:.3g} ({foretold[0]:.3g} to {foretold[2]:.3g})" if foretold else own.get("why", "-")
        what = f"{loop.get('instructions')}, {loop.get('arithmetic')}, {loop.get('lanes')}"
        held, same, ratio = "", "", ""
        if row.get("gpu_s"):
            true = row["cpu_s"] / row["gpu_s"]
            ratio = f"{true:.3g}"
            same = "yes" if abs(row["sum"] - row["gpu_sum"]) <= 1e-3 * abs(row["sum"]) + 1e-12 else "no"
            if foretold:
                timed += 1
                is_in, is_near = foretold[0] <= true <= foretold[2], abs(math.log(foretold[1] / true)) <= math.log(3)
                inside, near = inside + is_in, near + is_near
                held = f"{'inside' if is_in else 'outside'}, {'within 3' if is_near else 'far'}"
        print(f"| {row['name']} {row['flags']} | {what} | {text} | {ratio} | {held} | {same} |")
    if timed:
        print(f"\ninside: {inside} of {timed}; typical within a factor of 3: {near} of {timed}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("breakeven", nargs="?", metavar="BREAKEVEN")
    parser.add_argument("--machine", default="h200")
    parser.add_argument("--seconds", type=float, default=1, metavar="S")
    parser.add_argument("--flags", default="-O2")
    parser.add_argument("--only", default="", metavar="NAME,...")
    parser.add_argument("--out", metavar="FILE")
    parser.add_argument("--cpu-only", action="store_true")
    parser.add_argument("--again", nargs="+", metavar="FILE")
    options = parser.parse_args()
    if options.again:
        rows = [json.loads(line) for name in options.again for line in open(name, encoding="utf-8")]
    elif options.breakeven and os.access(options.breakeven, os.X_OK):
        options.breakeven = os.path.abspath(options.breakeven)
        rows = measure(options)
    else:
        parser.error("BREAKEVEN: the program of a build, or --again FILE")
    table(rows)


if __name__ == "__main__":
    main()
