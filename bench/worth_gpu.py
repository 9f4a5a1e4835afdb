#!/usr/bin/env python3
"""Does `breakeven run` name right who is worth a GPU? Ten programs that are not, and ten that are (bench/worth), run on
the GPU under it; then the same programs run on the CPU for a moment, which tells the true ratio. For a machine with one
GPU, PyTorch, CuPy and JAX; a program whose packages are missing is named and left out.

    worth_gpu.py BREAKEVEN [--only NAME,...] [--seconds S] [--cpu-seconds S] [--limit S] [--out FOLDER]

CPU / GPU is the time of the whole run without a GPU over that with it. "Timed": the GPU's run, with its loop taken as long as
as many steps take on the CPU. "Its start too": the CPU's run, with so many steps; it lacks the start of the GPU. Right: the
verdict is the known answer. `too close` counts as right only by what it says is likely, which is counted apart. The foretold
interval reaches from all cores used well to how the CPU's side of the program's library works.
"""
import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "worth"))
from programs import ANSWERS  # noqa: E402

PROGRAM = os.path.join(HERE, "worth", "programs.py")
WORTH = 1.25  # a GPU that brings less is not worth it: as in src/ask/verdict.c
LONGEST_S = 60


def missing(name):
    return "" if importlib.util.find_spec(name.split("-", maxsplit=1)[0]) else "its package is not here"


def last_json(text):
    lines = [line for line in text.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else None


def start(words, environment=None):
    """What the program says of itself, with the time that it took; None and why: it failed."""
    begin = time.monotonic()
    try:
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False,
                              timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        return None, f"did not end in {LONGEST_S} s"
    said = last_json(done.stdout)
    if done.returncode != 0 or not said:
        return None, (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1][:100]
    said["elapsed_s"] = time.monotonic() - begin
    return said, ""


def on_gpu(options, name, folder):
    trace_file = os.path.join(folder, name + ".json")
    said, why = start([options.breakeven, "run", "--trace-file", trace_file,
                       "--output", os.path.join(folder, name + ".txt"), "--",
                       sys.executable, "-B", PROGRAM, name, "gpu", str(options.seconds)])
    if not said:
        return None, None, why
    with open(trace_file, encoding="utf-8") as file:
        return said, json.load(file), ""


def on_cpu(options, name):
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES="", JAX_PLATFORMS="cpu")
    return start([sys.executable, "-B", PROGRAM, name, "cpu", str(options.cpu_seconds)], environment)


def true_ratios(gpu, cpu, elapsed_s):
    """Of the whole run: with the GPU's start, with the CPU's."""
    loop_s = gpu["steps"] * cpu["loop_s"] / cpu["steps"]
    return ((elapsed_s - gpu["loop_s"] + loop_s) / elapsed_s, (cpu["elapsed_s"] - cpu["loop_s"] + loop_s) / elapsed_s)


def show(value, form="{:.3g}"):
    return "-" if value is None else form.format(value)


def one(options, name, folder):
    """A row, and whether it is right, likely right, within its interval."""
    why = missing(name)
    gpu, trace, why = (None, None, why) if why else on_gpu(options, name, folder)
    if not gpu:
        return f"| {name} | {ANSWERS[name]} | not tried: {why} | | | | |", None
    worth = trace.get("worth_a_gpu") or {"verdict": "not there"}
    cpu, why = on_cpu(options, name) if options.cpu_seconds > 0 else (None, "")
    ratio, whole = true_ratios(gpu, cpu, trace["run"]["elapsed_s"]) if cpu else (None, None)
    gain, lo, hi = (worth.get(word) for word in ("gain", "gain_lo", "gain_hi"))
    verdict = worth["verdict"]
    likely = verdict if gain is None else "yes" if gain >= WORTH else "no"
    found = {"sure": verdict == ANSWERS[name], "likely": likely == ANSWERS[name],
             "wrong": verdict in ("yes", "no") and verdict != ANSWERS[name],
             "inside": None if ratio is None or lo is None else lo <= ratio <= hi,
             "whole": None if whole is None or lo is None else lo <= whole <= hi,
             "truth": None if ratio is None else ("yes" if ratio >= WORTH else "no") == ANSWERS[name]}
    told = verdict if verdict != "too close" else f"too close, likely {likely}"
    row = (f"| {name} | {ANSWERS[name]} | {told} | {show(gain)} ({show(lo)} to {show(hi)}) "
           f"| {show(ratio)}{' ' + why if why else ''} | {show(whole)} | {trace['run']['elapsed_s']:.1f} s |")
    return row, found


def options_of():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("breakeven", metavar="BREAKEVEN")
    parser.add_argument("--only", default="", metavar="NAME,...", help="these programs, in this order")
    parser.add_argument("--seconds", type=float, default=3.5, metavar="S", help="each works on the GPU (3.5)")
    parser.add_argument("--cpu-seconds", type=float, default=1, metavar="S",
                        help="each works on the CPU, at least a step (1); 0: it does not run there")
    parser.add_argument("--limit", type=float, default=270, metavar="S", help="none starts after that (270)")
    parser.add_argument("--out", metavar="FOLDER", help="traces and reports are kept there")
    options = parser.parse_args()
    options.breakeven = os.path.abspath(options.breakeven)
    options.names = options.only.split(",") if options.only else list(ANSWERS)
    strange = set(options.names) - set(ANSWERS)
    if strange:
        parser.error(f"no such program: {', '.join(sorted(strange))}; there are {', '.join(ANSWERS)}")
    return options


def count(found, word):
    known = [one[word] for one in found if one[word] is not None]
    return f"{sum(known)} of {len(known)}"


def main():
    options = options_of()
    begin = time.monotonic()
    found = []
    print("| program | known | verdict | CPU / GPU foretold | CPU / GPU timed | its start too | run |\n"
          "| --- | --- | --- | --- | ---: | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory(prefix="worth-") as scratch:
        folder = options.out or scratch
        os.makedirs(folder, exist_ok=True)
        for name in options.names:
            if time.monotonic() - begin > options.limit:
                print(f"| {name} | {ANSWERS[name]} | not tried: no time left | | | | |", flush=True)
                continue
            row, outcome = one(options, name, folder)
            found += [outcome] if outcome else []
            print(row, flush=True)
    print(f"\nright: {count(found, 'sure')}; wrong: {count(found, 'wrong')}; right or likely right: "
          f"{count(found, 'likely')}; the timed ratio is in the interval: {count(found, 'inside')}, with the CPU's start "
          f"{count(found, 'whole')}; known answers that the timed ratio bears out: {count(found, 'truth')}; {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
