#!/usr/bin/env python3
"""Twelve functions, written once, on every array library that is here: do the results agree, and from which size does a
GPU stay ahead? Prints a Markdown table; the comparisons go to a folder.

usage: python_functions.py [--only NAME,...] [--budget SECONDS] [--out FOLDER]
  --only    these functions; --only help lists them
  --budget  seconds of samples of each size; default 0.3
  --out     where NAME.json of each comparison goes; default: nowhere
"""
import argparse
import pathlib
import sys
import time

try:
    import numpy

    import breakeven as be
except ImportError as missing:
    numpy, be = None, missing

PLACEMENTS = ("copy", "preload", "resident")


def elementwise(xp, x, y):
    return xp.sqrt(xp.exp(x) + 0.5 * y)


def reductions(xp, x):
    return xp.sum(x), xp.max(x), xp.mean(x * x)


def solve(xp, a, b):
    return xp.linalg.solve(a, b)


def svd(xp, a):
    return xp.linalg.svdvals(a) if hasattr(xp.linalg, "svdvals") else xp.linalg.svd(a, compute_uv=False)


def fft(xp, x):
    return xp.real(xp.fft.ifft(xp.fft.fft(x) * 0.5))


def sort(xp, x):
    return xp.sort(x)


def cumsum(xp, x):
    return xp.cumulative_sum(x) if hasattr(xp, "cumulative_sum") else xp.cumsum(x)


def gather(xp, x, i):
    return xp.take(x, i, axis=0)


def conv(xp, x):
    """A 3 x 3 filter of an image, by shifted views."""
    total = 0.0
    for i in range(3):
        for j in range(3):
            total = total + (1.0 + i + 2 * j) / 36 * x[i:x.shape[0] - 2 + i, j:x.shape[1] - 2 + j]
    return total


def knn(xp, x):
    """The squared distance to the 5th nearest point."""
    squares = xp.sum(x * x, axis=1)
    distance = squares[:, None] + squares[None, :] - 2 * xp.matmul(x, x.T)
    return xp.sort(distance, axis=1)[:, 5]


def softmax(xp, x):
    e = xp.exp(x - xp.max(x, axis=1)[:, None])
    return e / xp.sum(e, axis=1)[:, None]


def mandelbrot(xp, cx, cy):
    x, y, steps = cx * 0, cx * 0, cx * 0
    for _ in range(50):
        x2, y2 = x * x, y * y
        inside = xp.where(x2 + y2 <= 4.0, 1.0, 0.0)
        steps = steps + inside
        x, y = xp.where(inside > 0, x2 - y2 + cx, x), xp.where(inside > 0, 2 * x * y + cy, y)
    return steps


def well_behaved(rng, n):
    return rng.random((n, n)) + n * numpy.eye(n)


def plane(rng, n):
    """Points in between those of a grid: on none does rounding decide."""
    cx, cy = numpy.meshgrid(numpy.linspace(-2.01, 0.53, n), numpy.linspace(-1.17, 1.13, n))
    return cx, cy


LONG, SQUARE = [10**3, 10**4, 10**5, 10**6, 10**7], [30, 100, 300, 1000]
# What is computed, data of size n, what the size counts, sizes, and what may differ where not half of the digits.
FUNCTIONS = {
    "elementwise": (elementwise, lambda rng, n: (rng.random(n), rng.random(n)), "numbers", LONG, None),
    "reductions": (reductions, lambda rng, n: rng.random(n), "numbers", LONG, None),
    "solve": (solve, lambda rng, n: (well_behaved(rng, n), rng.random((n, 1))), "order", SQUARE, None),
    "svd": (svd, lambda rng, n: rng.random((n, n)), "order", SQUARE, None),
    "fft": (fft, lambda rng, n: rng.random(n) + 0j, "numbers", [2**10, 2**14, 2**17, 2**20, 2**23], None),
    "sort": (sort, lambda rng, n: rng.random(n), "numbers", LONG, None),
    "cumsum": (cumsum, lambda rng, n: rng.random(n), "numbers", LONG, None),
    "gather": (gather, lambda rng, n: (rng.random(n), rng.permutation(n)), "numbers", LONG, None),
    "conv": (conv, lambda rng, n: rng.random((n, n)), "width", [30, 100, 300, 1000, 3000], None),
    "knn": (knn, lambda rng, n: rng.random((n, 8)), "points", [100, 300, 1000, 3000, 10000], None),
    "softmax": (softmax, lambda rng, n: rng.random((n, 1000)), "rows", [1, 10, 100, 1000, 10000], None),
    "mandelbrot": (mandelbrot, plane, "width", [30, 100, 300, 1000], None),
}


def said(r, placement):
    """A break-even in a few characters."""
    for one in r.breakeven:
        if one.placement == placement and getattr(one, "kind", "best") in ("best", "all", None):
            if one.status == "from":
                return f"{one.from_:.3g} ({one.lo:.3g} - {one.hi:.3g})"
            return one.status
    return "-"


def row(name, r):
    """One line of the table: at the largest size, who agrees, and who is fastest on either side."""
    top = max(result.size for result in r.results)
    there = [result for result in r.results if result.size == top]
    ok = [result for result in there if result.status == "ok" and result.phases.total.median_s]
    gone = sorted({f"{result.variant}: {result.status}" for result in there if result.status != "ok"})

    def fastest(placements):
        of = [result for result in ok if result.placement in placements]
        if not of:
            return "-"
        best = min(of, key=lambda result: result.phases.total.median_s)
        total = best.phases.total
        return f"{best.variant} {short(total.median_s)} ± {50 * (total.hi_s - total.lo_s) / total.median_s:.0f} %"

    worst = max((result.residual for result in ok if result.residual is not None), default=float("nan"))
    libraries = len({result.variant for result in ok})
    return (f"| {name} | {top:.3g} | {libraries} agree, {worst:.1e}{'; ' + ', '.join(gone) if gone else ''} | "
            f"{fastest(['host'])} | {fastest(['resident'])} | {' | '.join(said(r, p) for p in PLACEMENTS)} |")


def short(seconds):
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--budget", type=float, default=0.3)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    names = [word for word in options.only.split(",") if word] or list(FUNCTIONS)
    unknown = [name for name in names if name not in FUNCTIONS]
    if unknown:
        parser.error(f"--only {unknown[0]}: there are {', '.join(FUNCTIONS)}")
    if numpy is None:
        sys.exit(f"python_functions.py: {be}: run it with a Python that has the wheel (make wheel)")
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    print("| function | size | results | fastest on the CPU | fastest on the GPU, data there | copy | preload | resident |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    versions = ""
    for name in names:
        function, make, _, sizes, rtol = FUNCTIONS[name]
        begin = time.perf_counter()
        r = be.compare(function, make, sizes, budget_s=options.budget, refine=False, patience_s=1, rtol=rtol)
        versions = r.environment.libraries
        if options.out:
            r.save(options.out / f"{name}.json")
        print(row(name, r), flush=True)
        print(f"{name}: {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    print(f"\n{versions}")


if __name__ == "__main__":
    main()
