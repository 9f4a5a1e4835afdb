"""How many pairs of points are how far apart: histogram. Ours calls it distance --consumer=histogram.

Each pair i < j is counted once, in bins equally wide in distance from 0 to the diagonal of the unit
cube. Tolerance, on |found - reference| / |reference|: 1e-5, since a root may round to the next bin.
Reference: NumPy, float64, squared distances among the squares of the edges.
"""

import functools

import numpy as np

from problem import Peer, Problem, Workload, relative, slices, uniform

AT_ONCE = 2**17  # distances of a block of NumPy's that stays in a core's cache
LENGTH = 512  # of a row's piece, whose bins Numba finds in vectors before it counts them


def differences(columns, rows, later):
    """Squared distances of some rows to all points from `later` on."""
    square = 0
    for column in columns:
        difference = column[rows, None] - column[None, later:]
        square += difference * difference
    return square


def pairs_of(columns, start, count):
    """Of rows start .. start + count with all points behind each: one array."""
    n = len(columns[0])
    stop = min(n, start + count)
    square = differences(columns, slice(start, stop), start)
    return square[np.triu_indices(stop - start, 1, n - start)]


def build(parameters, dtype, room):
    n, d, bins = parameters["points"], parameters["dimension"], parameters["bins"]
    x = uniform(room, (n, d), dtype)
    edges = np.arange(bins + 1, dtype=np.float64) ** 2 * (d / bins**2)
    columns, exact = list(np.ascontiguousarray(x.T)), np.zeros(bins + 2, np.int64)
    for start in range(0, n, 64):
        found = np.searchsorted(edges, pairs_of(columns, start, 64), side="right")
        exact += np.bincount(found, minlength=bins + 2)
    exact = exact[1 : bins + 1].astype(np.float64)
    outputs = (room(bins, "int64"),)
    return Problem(
        "histogram", parameters, dtype, (x,), outputs, lambda o: relative(o[0], exact), 1e-5
    )


def histogram_written(p, env):
    """SciPy's pdist, all distances in memory, then np.histogram."""
    from scipy.spatial.distance import pdist

    (x,), bins, width = env.inputs, p["bins"], float(np.sqrt(p["dimension"]))
    return lambda: (np.histogram(pdist(x), bins, (0.0, width))[0],)


def numpy_counts(columns, bins, rows, counts):
    """Some rows in blocks: the diagonal part of a block among itself, the rest at once."""
    n, scale = len(columns[0]), bins / np.sqrt(len(columns))
    start = rows.start
    while start < rows.stop:
        stop = min(rows.stop, start + max(1, AT_ONCE // (n - start)))
        square = differences(columns, slice(start, stop), start)
        np.sqrt(square, out=square)
        square *= scale
        square += 1.0
        for row in range(stop - start):
            square[row, : row + 1] = 0.0  # of each pair one, and no point with itself
        counts += np.bincount(square.astype(np.intp).ravel(), minlength=bins + 2)[1 : bins + 1]
        start = stop


def numpy_histogram(p, env):
    (x,), (z,) = env.inputs, env.outputs
    columns = list(np.ascontiguousarray(x.T))

    def run():
        z.fill(0)
        numpy_counts(columns, p["bins"], slice(0, len(x)), z)

    return run


def numpy_histogram_threads(p, env):
    """Rows grow shorter, so threads take them in many pieces, as they come to them."""
    from concurrent.futures import ThreadPoolExecutor

    (x,), (z,) = env.inputs, env.outputs
    columns = list(np.ascontiguousarray(x.T))
    pool = env.stack.enter_context(ThreadPoolExecutor(env.threads))
    parts = slices(len(x), 16 * env.threads)

    def piece(rows):
        counts = np.zeros(p["bins"], np.int64)
        numpy_counts(columns, p["bins"], rows, counts)
        return counts

    def run():
        z[...] = sum(pool.map(piece, parts))

    return run


@functools.cache
def numba_loop(parallel, d):
    from numba import njit, prange

    @njit(parallel=parallel, fastmath=True)
    def histogram(columns, scale, pieces, z):
        n, bins = columns.shape[1], z.size
        counts = np.zeros((pieces, bins + 1), np.int64)
        for piece in prange(pieces):
            mine = counts[piece]
            found = np.empty(LENGTH, np.int32)
            square = np.empty(LENGTH, columns.dtype)
            for i in range(piece, n - 1, pieces):  # rows grow shorter: each takes some of all
                for first in range(i + 1, n, LENGTH):
                    length = min(LENGTH, n - first)
                    # Views that start at 0: an index that might be negative is not vectorised.
                    square_, found_ = square[:length], found[:length]
                    square_[:] = 0
                    for axis in range(d):
                        x, x0 = columns[axis, first : first + length], columns[axis, i]
                        for k in range(x.size):
                            square_[k] += (x[k] - x0) ** 2
                    for k in range(found_.size):
                        found_[k] = np.int32(np.sqrt(square_[k]) * scale)
                    for k in range(found_.size):
                        mine[found_[k]] += 1
        for k in range(bins):
            total = 0
            for piece in range(pieces):
                total += counts[piece, k]
            z[k] = total

    return histogram


def numba_histogram(p, env):
    """Bins of a piece of a row in vectors, then the counts; each coordinate in an array of its own."""
    (x,), (z,) = env.inputs, env.outputs
    loop = numba_loop(env.threads > 1, p["dimension"])
    columns, scale = np.ascontiguousarray(x.T), p["bins"] / np.sqrt(p["dimension"])
    pieces = 1 if env.threads == 1 else 4 * env.threads
    return lambda: loop(columns, scale, pieces, z)


WORKLOADS = {
    "histogram": Workload(
        {"points": 8192, "dimension": 3, "bins": 256},
        ("float64",),
        build,
        (
            Peer("numpy", histogram_written, threads="one", as_written=True),
            Peer("numpy", numpy_histogram, "in blocks", threads="one"),
            Peer("numpy", numpy_histogram_threads, "in threads", threads="all"),
            Peer("numba", numba_histogram),
        ),
    ),
}
