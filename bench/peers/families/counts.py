"""Counts of elements in equal bins of [0, 1].

Tolerance: the counts are those of NumPy in float64, but for elements within a rounding of an edge: |found - reference| /
|reference| at most 1e-4 in float32, where such elements are many, and 1e-9 in float64; every element is in a bin.
"""

import functools

import numpy as np

from problem import Peer, Problem, Workload, relative, uniform


def build_histogram(parameters, dtype, room):
    n, bins = parameters["size"], parameters["bins"]
    x = uniform(room, n, dtype)
    exact = np.histogram(x.astype(np.float64), bins, (0, 1))[0]

    def residual(outputs):
        found = np.asarray(outputs[0]).astype(np.float64)
        return np.nan if found.sum() != n else relative(found, exact)

    tolerance = 1e-9 if dtype == "float64" else 1e-4
    return Problem("counts", parameters, dtype, (x,), (room(bins, "int64"),), residual, tolerance)


def library_histogram(p, env):
    (x,), lib = env.inputs, env.module
    return lambda: (lib.histogram(x, p["bins"], (0, 1))[0],)


def numpy_bincount(p, env):
    """What is faster than np.histogram, and much used."""
    (x,), bins = env.inputs, p["bins"]

    def run():
        at = (x * x.dtype.type(bins)).astype(np.int64)
        return (np.bincount(np.minimum(at, bins - 1), minlength=bins),)

    return run


@functools.cache
def numba_tables():
    from numba import get_num_threads, njit, prange

    @njit(parallel=True)
    def tables(x, counts):
        bins, parts = len(counts), get_num_threads()
        each = np.zeros((parts, bins + 16), np.int64)
        for part in prange(parts):
            for i in range(len(x) * part // parts, len(x) * (part + 1) // parts):
                each[part, min(int(x[i] * x.dtype.type(bins)), bins - 1)] += 1
        for b in range(bins):
            counts[b] = each[:, b].sum()

    return tables


def numba_histogram(p, env):
    loop = numba_tables()
    return lambda: loop(*env.inputs, *env.outputs) is None


def torch_histogram(p, env):
    (x,), torch = env.inputs, env.module
    return lambda: (torch.histc(x, p["bins"], 0, 1).long(),)


WORKLOADS = {
    "counts": Workload(
        {"size": 10_000_000, "bins": 256},
        ("float32", "float64"),
        build_histogram,
        (
            Peer("numpy", library_histogram, threads="one", as_written=True),
            Peer("numpy", numpy_bincount, "bincount", threads="one"),
            Peer("numba", numba_histogram, "a table a thread"),
            Peer("torch", torch_histogram, "histc"),
            Peer("cupy", library_histogram),
        ),
    ),
}
