#!/usr/bin/env python3
"""What recording calls of BLAS costs: small matrix products with and without the recorder, in turn, many times.
usage: bench/calls_cost.py BUILD/breakeven [--orders N,...] [--pairs N] [--library NAME]

One program calls dgemm by its name, where the recorder sees it, and by its address in the library, past the recorder,
in blocks of some milliseconds that take turns. The difference is in CPU time, so that other programs matter little. The
same program without the recorder says how much of the difference is chance. One thread."""
import argparse
import ctypes.util
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def pairs(binary, library, order, count, recorder):
    """[(by address, by name)] in nanoseconds of a call. `recorder`: what comes before the command."""
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
    done = subprocess.run([*recorder, binary, library, str(order), str(count)], env=environment,
                          stdout=subprocess.PIPE, text=True, check=True)
    return [tuple(map(float, line.split())) for line in done.stdout.splitlines()]


def report(name, order, measured):
    """A line: the median call, and the median of the pairs' differences with its quartiles."""
    differences = [after - before for before, after in measured]
    alone = statistics.median(before for before, _ in measured)
    low, middle, high = statistics.quantiles(differences, n=4)
    print(f"{order:4d} x {order:<4d} {name:9s} {alone:10.0f} ns  {middle:+8.1f} ns ({low:+.1f} to {high:+.1f})"
          f"  {100 * middle / alone:+6.2f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="breakeven, with libbreakeven_calls.so beside it")
    parser.add_argument("--orders", default="8,16,32,64,128", help="of the square matrices")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--library", default=ctypes.util.find_library("openblas") or ctypes.util.find_library("blas"))
    asked = parser.parse_args()
    if not os.access(asked.program, os.X_OK) or not asked.library:
        parser.error(f"{asked.program} cannot be run" if asked.library else "no BLAS is here: --library=NAME")
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "calls_cost")
        subprocess.run(["cc", "-O2", "-o", binary, os.path.join(HERE, "calls_cost.c"), f"-l:{asked.library}", "-ldl"],
                       check=True)
        watch = [asked.program, "run", "--calls", "--quiet", "--trace-file=none", "--"]
        print(f"{asked.library}, load average {os.getloadavg()[0]:.1f}, {asked.pairs} pairs: a call, and what it takes"
              " more by its name (median, quartiles)")
        for order in map(int, asked.orders.split(",")):
            report("alone", order, pairs(binary, asked.library, order, asked.pairs, []))
            report("recorded", order, pairs(binary, asked.library, order, asked.pairs, watch))
    return 0


if __name__ == "__main__":
    sys.exit(main())
