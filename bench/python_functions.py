#!/usr/bin/env python3
"""Twelve functions, written once, on every array library that is here: do the results agree, and from which size does a
GPU stay ahead? Prints a Markdown table, also where it is interrupted; each row goes to standard error as soon as it is
known.

usage: python_functions.py [--only NAME,...] [--limit SECONDS] [--budget SECONDS] [--out FOLDER]
       python_functions.py --table FOLDER
  --only    these functions, in this order; --only help lists them
  --limit   seconds for all of it. A function whose share is used up ends with the sizes that it has; default 150
  --budget  most seconds of samples of each case; default 0.05
  --out     where NAME.json of each comparison goes; default: nowhere
  --table   measures nothing: the table of what --out kept there, of several runs
"""
import argparse
import contextlib
import pathlib
import signal
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


LONG, SQUARE = [10**3, 10**5, 3 * 10**6], [30, 300, 1000]
# What is computed, data of size n, what the size counts, sizes, and what may differ where not half of the digits. JAX
# compiles for each size and device, and long calls set the time of the largest size: three sizes each, of which the
# largest has 24 MB to 70 MB.
FUNCTIONS = {
    "fft": (fft, lambda rng, n: rng.random(n) + 0j, "numbers", [2**10, 2**16, 2**21], None),
    "sort": (sort, lambda rng, n: rng.random(n), "numbers", LONG, None),
    "cumsum": (cumsum, lambda rng, n: rng.random(n), "numbers", LONG, None),
    "gather": (gather, lambda rng, n: (rng.random(n), rng.permutation(n)), "numbers", LONG, None),
    "conv": (conv, lambda rng, n: rng.random((n, n)), "width", [30, 300, 2000], None),
    "knn": (knn, lambda rng, n: rng.random((n, 8)), "points", [100, 1000, 3000], None),
    "softmax": (softmax, lambda rng, n: rng.random((n, 1000)), "rows", [1, 100, 3000], None),
    "mandelbrot": (mandelbrot, plane, "width", [30, 300, 1000], None),
    "elementwise": (elementwise, lambda rng, n: (rng.random(n), rng.random(n)), "numbers", LONG, None),
    "reductions": (reductions, lambda rng, n: rng.random(n), "numbers", LONG, None),
    "solve": (solve, lambda rng, n: (well_behaved(rng, n), rng.random((n, 1))), "order", SQUARE, None),
    "svd": (svd, lambda rng, n: rng.random((n, n)), "order", SQUARE, None),
}
HEAD = """| function | size | results | fastest on the CPU | fastest on the GPU, data there | copy | preload | resident |
| --- | --- | --- | --- | --- | --- | --- | --- |"""


def said(r, placement):
    """A break-even in a few characters."""
    for one in r.breakeven:
        if one.placement == placement and getattr(one, "kind", "best") in ("best", "all", None):
            if one.status == "from":
                return f"{one.from_:.3g} ({one.lo:.3g} - {one.hi:.3g})"
            return one.status
    return "-"


def row(name, r):
    """One line of the table: at the largest size that has times, who agrees, and who is fastest on either side."""
    top = max((result.size for result in r.results if result.status == "ok"), default=0)
    there = [result for result in r.results if result.size == top]
    ok = [result for result in there if result.status == "ok" and result.phases.total.median_s]
    gone = sorted({f"{result.variant}: {result.status}" for result in there if result.status != "ok"})
    gone += ["ended at its share of the time"] if r.partial else []

    def fastest(gpu):
        of = [result for result in ok if result.placement == ("resident" if gpu else "host") and (":" in result.device) == gpu]
        if not of:
            return "-"
        best = min(of, key=lambda result: result.phases.total.median_s)
        total = best.phases.total
        half = 50 * (total.hi_s - total.lo_s) / total.median_s
        return f"{best.variant} {short(total.median_s)}{', once' if half != half else f' ± {half:.0f} %'}"

    worst = max((result.residual for result in ok if result.residual is not None), default=float("nan"))
    libraries = len({result.variant for result in ok})
    return (f"| {name} | {top:.3g} | {libraries} agree, {worst:.1e}{'; ' + ', '.join(gone) if gone else ''} | "
            f"{fastest(False)} | {fastest(True)} | {' | '.join(said(r, p) for p in PLACEMENTS)} |")


def short(seconds):
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


@contextlib.contextmanager
def at_most(seconds):
    """Interrupts what is measured after so long, which keeps what it has."""
    def stop(_signal, _frame):
        raise KeyboardInterrupt
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def measured(name, share_s, budget_s):
    """The comparison of one function; None: nothing of it was reached in its share of the time."""
    function, make, _, sizes, rtol = FUNCTIONS[name]
    with contextlib.suppress(KeyboardInterrupt), at_most(share_s):
        return be.compare(function, make, sizes, budget_s=budget_s, refine=False, patience_s=1, rtol=rtol)
    return None


def loaded():
    """Imports the libraries before the clock of the first function runs."""
    for library in be._libraries.LIBRARIES.values():
        with contextlib.suppress(be.BreakevenError):
            library.places()


def all_of(names, options, rows):
    """Adds a row a function to rows; what one leaves of its share the later ones have. Returns the libraries."""
    until, versions = time.perf_counter() + options.limit, ""
    loaded()
    for i, name in enumerate(names):
        begin = time.perf_counter()
        r = measured(name, (until - begin) / (len(names) - i), options.budget)
        if r is None:
            rows.append(f"| {name} | - | its share of {options.limit:g} s did not suffice | - | - | - | - | - |")
        else:
            versions = r.environment.libraries
            if options.out:
                r.save(options.out / f"{name}.json")
            rows.append(row(name, r))
        print(f"{time.perf_counter() - begin:.0f} s  {rows[-1]}", file=sys.stderr, flush=True)
    return versions


def kept(folder, rows):
    """Adds a row for each function that was saved there. Returns the libraries."""
    versions = ""
    for name in FUNCTIONS:
        if (folder / f"{name}.json").exists():
            r = be.load(folder / f"{name}.json")
            versions = r.environment.libraries
            rows.append(row(name, r))
    if not rows:
        sys.exit(f"python_functions.py: {folder} has no comparison: name the folder of an earlier --out")
    return versions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=150)
    parser.add_argument("--budget", type=float, default=0.05)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    options = parser.parse_args()
    names = [word for word in options.only.split(",") if word] or list(FUNCTIONS)
    unknown = [name for name in names if name not in FUNCTIONS]
    if unknown:
        parser.error(f"--only {unknown[0]}: there are {', '.join(FUNCTIONS)}")
    if not options.limit > 0 or not options.budget > 0:
        parser.error("--limit and --budget: seconds above 0")
    if numpy is None:
        sys.exit(f"python_functions.py: {be}: run it with a Python that has the wheel (make wheel)")
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    rows, versions = [], ""
    try:
        versions = kept(options.table, rows) if options.table else all_of(names, options, rows)
    except KeyboardInterrupt:
        print("interrupted: the table has what was measured", file=sys.stderr)
    print("\n".join([HEAD, *rows, "", versions]))


if __name__ == "__main__":
    main()
