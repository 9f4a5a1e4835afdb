"""Nearest points: of each query the k nearest of n points in d dimensions, with the squares of their distances.

Tolerances, on |found - reference| / |reference| over queries whose distances to all points are 1e7 at most, 1e-9 in
float64 and 1e-4 in float32 (x.x - 2 x.y + y.y loses digits where points are close), for the squares and for the
distances of the points that are named; a point named twice is wrong. Reference: NumPy, float64, differences.
"""

import functools

import numpy as np

from problem import Peer, Problem, Workload, has_nan, relative, uniform


def build_neighbours(parameters, dtype, room):
    n, count, k, d = (parameters[name] for name in ("points", "queries", "k", "dimension"))
    both = uniform(room, (n + count, d), dtype)  # two arrays of one shape would be the same
    x, q = both[:n], both[n:]
    some = np.unique(np.linspace(0, count - 1, min(count, max(1, 10_000_000 // n))).astype(int))
    exact = np.empty((len(some), k))
    for at, row in enumerate(some):
        squares = ((x - q[row]) ** 2).sum(axis=1, dtype=np.float64)
        exact[at] = np.sort(np.partition(squares, k - 1)[:k])

    def residual(outputs):
        squares, which = outputs
        named = ((x[which[some]] - q[some, None]) ** 2).sum(axis=2, dtype=np.float64)
        if has_nan(squares) or (np.diff(np.sort(which[some])) == 0).any():
            return np.nan
        return max(relative(squares[some], exact), relative(named, exact))

    outputs = (room((count, k), dtype), room((count, k), "int32"))
    tolerance = 1e-9 if dtype == "float64" else 1e-4
    return Problem("neighbours", parameters, dtype, (x, q), outputs, residual, tolerance)


def scipy_tree(p, env):
    """A tree in each call, as ours."""
    from scipy.spatial import cKDTree

    (x, q), k = env.inputs, p["k"]

    def run():
        length, which = cKDTree(x).query(q, k=[*range(1, k + 1)], workers=env.threads)
        return (length**2, which)

    return run


def sklearn_neighbours(p, env):
    from sklearn.neighbors import NearestNeighbors

    (x, q), k = env.inputs, p["k"]

    def run():
        length, which = NearestNeighbors(n_neighbors=k, n_jobs=env.threads).fit(x).kneighbors(q)
        return (length**2, which)

    return run


def torch_neighbours(p, env):
    """All distances, then the least of each row, as scripts on a GPU do; rows at a time, or they fit nowhere."""
    (x, q), torch = env.inputs, env.module
    rows = max(1, 2**28 // len(x))

    def run():
        parts = [torch.cdist(some, x).topk(p["k"], largest=False) for some in q.split(rows)]
        return (torch.cat([f.values for f in parts]) ** 2, torch.cat([f.indices for f in parts]))

    return run


@functools.cache
def numba_insertion():
    from numba import njit, prange

    @njit(parallel=True, fastmath=True)
    def nearest(x, q, squares, which):
        k = squares.shape[1]
        for i in prange(len(q)):
            for j in range(k):
                squares[i, j] = np.inf
            for point in range(len(x)):
                total = x.dtype.type(0)
                for axis in range(x.shape[1]):
                    total += (x[point, axis] - q[i, axis]) ** 2
                if total < squares[i, k - 1]:
                    at = k - 1
                    while at > 0 and squares[i, at - 1] > total:
                        squares[i, at] = squares[i, at - 1]
                        which[i, at] = which[i, at - 1]
                        at -= 1
                    squares[i, at] = total
                    which[i, at] = point

    return nearest


def numba_neighbours(p, env):
    loop = numba_insertion()
    return lambda: loop(*env.inputs, *env.outputs) is None


def cupy_neighbours(p, env):
    """|x|^2 + |q|^2 - 2 x.q, then the least of each row."""
    (x, q), lib, k = env.inputs, env.module, p["k"]
    rows = max(1, 2**27 // len(x))

    def run():
        squares, which = [], []
        for first in range(0, len(q), rows):
            some = q[first : first + rows]
            all_of = (some**2).sum(1)[:, None] + (x**2).sum(1) - 2 * some @ x.T
            found = lib.argpartition(all_of, k - 1, axis=1)[:, :k]
            value = lib.take_along_axis(all_of, found, 1)
            order = lib.argsort(value, axis=1)
            squares.append(lib.take_along_axis(value, order, 1))
            which.append(lib.take_along_axis(found, order, 1))
        return (lib.concatenate(squares), lib.concatenate(which))

    return run


WORKLOADS = {
    "neighbours": Workload(
        {"points": 100_000, "queries": 10_000, "k": 8, "dimension": 3},
        ("float64", "float32"),
        build_neighbours,
        (
            Peer("scipy", scipy_tree, "cKDTree"),
            Peer("sklearn", sklearn_neighbours),
            Peer("numba", numba_neighbours),
            Peer("torch", torch_neighbours, "cdist, topk"),
            Peer("cupy", cupy_neighbours, "argpartition"),
        ),
    ),
}
