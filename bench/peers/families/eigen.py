"""Eigenvalues and vectors of many small symmetric matrices: eigen. Factors Q R of any: qr; ours calls them eigen --what=qr.
Singular values and vectors of any, tall ones in their thin form: svd; ours calls them eigen --what=svd.

N matrices of order M, uniform in (-1, 1). Tolerance, on the worst matrix: |A V - V l| / |A| and |V' V - I| / sqrt(M), or
|A - Q R| / |A| and |Q' Q - I| / sqrt(M), or |A - U s V'| / |A| and the same of U and V, at most 1e-12 in float64, 1e-4 in
float32. No reference is needed.
"""

import functools

import numpy as np

from measure import TooSlow
from problem import Peer, Problem, Workload, blas_threads, in_threads, uniform


def build(parameters, dtype, room):
    n, m = parameters["systems"], parameters["order"]
    a = uniform(room, (n, m, m), dtype, low=-1.0)
    rows, columns = np.tril_indices(m, -1)
    a[:, columns, rows] = a[:, rows, columns]

    def residual(outputs):
        values, vectors = outputs
        worst = 0.0
        for matrix, value, vector in zip(a, values, vectors):  # one at a time: no array as large as a
            matrix, vector = matrix.astype(np.float64), vector.astype(np.float64)
            error = np.linalg.norm(matrix @ vector - vector * value) / np.linalg.norm(matrix)
            turned = np.linalg.norm(vector.T @ vector - np.eye(m)) / np.sqrt(m)
            if not max(error, turned) <= worst or not np.all(np.diff(value) >= 0):  # NaN too
                worst = max(error, turned) if np.all(np.diff(value) >= 0) else np.nan
        return worst

    outputs = (room((n, m), dtype), room((n, m, m), dtype))
    tolerance = 1e-12 if dtype == "float64" else 1e-4
    return Problem("eigen", parameters, dtype, (a,), outputs, residual, tolerance)


def numpy_eigh(p, env):
    (a,) = env.inputs
    return lambda: tuple(np.linalg.eigh(a))


def numpy_eigh_threads(p, env):
    (a,), (values, vectors) = env.inputs, env.outputs
    env.stack.enter_context(blas_threads(1))

    def work(part):
        values[part], vectors[part] = np.linalg.eigh(a[part])

    return in_threads(env, len(a), work)


def scipy_eigh_loop(p, env):
    """A call of SciPy a matrix, as many write it."""
    from scipy.linalg import eigh

    (a,), (values, vectors) = env.inputs, env.outputs

    def run():
        for s in range(len(a)):
            values[s], vectors[s] = eigh(a[s], check_finite=False)

    return run


@functools.cache
def numba_eigh_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel)
    def by_library(a, values, vectors):
        for s in prange(a.shape[0]):
            values[s], vectors[s] = np.linalg.eigh(a[s])

    return by_library


def numba_eigh(p, env):
    loop = numba_eigh_loop(env.threads > 1)
    env.stack.enter_context(blas_threads(1))
    return lambda: loop(*env.inputs, *env.outputs)


def jax_eigh(p, env):
    return lambda a: tuple(env.module.numpy.linalg.eigh(a, symmetrize_input=False))


def library_eigh(p, env):
    """A batch as one call: PyTorch and CuPy."""
    (a,), eigh = env.inputs, env.module.linalg.eigh
    return lambda: tuple(eigh(a))


def looped_eigh(p, env):
    """A call a matrix, as published code has it."""
    (a,), eigh = env.inputs, env.module.linalg.eigh
    if len(a) > 10000:
        raise TooSlow("a call a matrix: only up to 10000")

    def run():
        found = [eigh(matrix) for matrix in a]
        stack = env.module.stack
        return stack([f[0] for f in found]), stack([f[1] for f in found])

    return run


def build_qr(parameters, dtype, room):
    n, m = parameters["systems"], parameters["order"]
    a = uniform(room, (n, m, m), dtype, low=-1.0)

    def residual(outputs):
        worst = 0.0
        for matrix, q, r in zip(a, *outputs):
            matrix, q, r = (x.astype(np.float64) for x in (matrix, q, r))
            error = np.linalg.norm(q @ r - matrix) / np.linalg.norm(matrix)
            turned = np.linalg.norm(q.T @ q - np.eye(m)) / np.sqrt(m)
            if not max(error, turned) <= worst or np.any(np.tril(r, -1)):  # NaN too
                worst = np.nan if np.any(np.tril(r, -1)) else max(error, turned)
        return worst

    outputs = (room((n, m, m), dtype), room((n, m, m), dtype))
    tolerance = 1e-12 if dtype == "float64" else 1e-4
    return Problem("qr", parameters, dtype, (a,), outputs, residual, tolerance)


def numpy_qr(p, env):
    (a,) = env.inputs
    return lambda: tuple(np.linalg.qr(a))


def numpy_qr_threads(p, env):
    (a,), (q, r) = env.inputs, env.outputs
    env.stack.enter_context(blas_threads(1))

    def work(part):
        q[part], r[part] = np.linalg.qr(a[part])

    return in_threads(env, len(a), work)


def scipy_qr_loop(p, env):
    """A call of SciPy a matrix, as many write it."""
    from scipy.linalg import qr

    (a,), (q, r) = env.inputs, env.outputs

    def run():
        for s in range(len(a)):
            q[s], r[s] = qr(a[s], check_finite=False)

    return run


def jax_qr(p, env):
    return lambda a: tuple(env.module.numpy.linalg.qr(a))


def library_qr(p, env):
    (a,), qr = env.inputs, env.module.linalg.qr
    return lambda: tuple(qr(a))


def build_svd(parameters, dtype, room):
    n, m = parameters["systems"], parameters["order"]
    rows = max(m, parameters["rows"])
    a = uniform(room, (n, rows, m), dtype, low=-1.0)

    def residual(outputs):
        worst = 0.0
        for matrix, u, s, v in zip(a, *outputs):
            matrix, u, s, v = (x.astype(np.float64) for x in (matrix, u, s, v))
            errors = [np.linalg.norm((u * s) @ v - matrix) / np.linalg.norm(matrix)]
            errors += [np.linalg.norm(x - np.eye(m)) / np.sqrt(m) for x in (u.T @ u, v @ v.T)]
            descends = np.all(np.diff(s) <= 0) and s[-1] >= 0
            if not max(errors) <= worst or not descends:  # NaN too
                worst = max(errors) if descends else np.nan
        return worst

    outputs = (room((n, rows, m), dtype), room((n, m), dtype), room((n, m, m), dtype))
    tolerance = 1e-12 if dtype == "float64" else 1e-4
    return Problem("svd", parameters, dtype, (a,), outputs, residual, tolerance)


def numpy_svd(p, env):
    (a,) = env.inputs
    return lambda: tuple(np.linalg.svd(a, full_matrices=False))


def numpy_svd_threads(p, env):
    (a,), (u, s, v) = env.inputs, env.outputs
    env.stack.enter_context(blas_threads(1))

    def work(part):
        u[part], s[part], v[part] = np.linalg.svd(a[part], full_matrices=False)

    return in_threads(env, len(a), work)


def scipy_svd_loop(p, env):
    """A call of SciPy a matrix, as many write it."""
    from scipy.linalg import svd

    (a,), (u, s, v) = env.inputs, env.outputs

    def run():
        for i in range(len(a)):
            u[i], s[i], v[i] = svd(a[i], full_matrices=False, check_finite=False)

    return run


def jax_svd(p, env):
    return lambda a: tuple(env.module.numpy.linalg.svd(a, full_matrices=False))


def library_svd(p, env):
    """A batch as one call: PyTorch and CuPy."""
    (a,), svd = env.inputs, env.module.linalg.svd
    return lambda: tuple(svd(a, full_matrices=False))


def looped_svd(p, env):
    """A call a matrix, as published code has it."""
    (a,), svd = env.inputs, env.module.linalg.svd
    if len(a) > 10000:
        raise TooSlow("a call a matrix: only up to 10000")

    def run():
        found = [svd(matrix, full_matrices=False) for matrix in a]
        return tuple(env.module.stack([f[i] for f in found]) for i in range(3))

    return run


WORKLOADS = {
    "svd": Workload(
        {"systems": 10000, "order": 16, "rows": 0},
        ("float64", "float32"),
        build_svd,
        (
            Peer("numpy", numpy_svd),
            Peer("numpy", numpy_svd_threads, "in threads", threads="all"),
            Peer("scipy", scipy_svd_loop, "looped", threads="one", as_written=True),
            Peer("jax", jax_svd),
            Peer("torch", library_svd),
            Peer("cupy", library_svd),
            Peer("torch", looped_svd, "looped", where="cuda", as_written=True),
        ),
    ),
    "qr": Workload(
        {"systems": 10000, "order": 16},
        ("float64", "float32"),
        build_qr,
        (
            Peer("numpy", numpy_qr),
            Peer("numpy", numpy_qr_threads, "in threads", threads="all"),
            Peer("scipy", scipy_qr_loop, "looped", threads="one", as_written=True),
            Peer("jax", jax_qr),
            Peer("torch", library_qr),
            Peer("cupy", library_qr),
        ),
    ),
    "eigen": Workload(
        {"systems": 10000, "order": 16},
        ("float64", "float32"),
        build,
        (
            Peer("numpy", numpy_eigh),
            Peer("numpy", numpy_eigh_threads, "in threads", threads="all"),
            Peer("scipy", scipy_eigh_loop, "looped", threads="one", as_written=True),
            Peer("numba", numba_eigh),
            Peer("jax", jax_eigh),
            Peer("torch", library_eigh),
            Peer("cupy", library_eigh),
            Peer("torch", looped_eigh, "looped", where="cuda", as_written=True),
        ),
    ),
}
