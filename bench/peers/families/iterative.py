"""Iterations on a sparse system, each of the one before: conjugate gradients.

Tolerance: |x - reference| / |reference|, 2e-13 in float64 and 1e-4 in float32 (roundings times the condition of the
matrix, 81). Reference: the same iterations by NumPy and SciPy in float64.
"""

import functools

import numpy as np

from problem import Peer, Problem, Workload, has_nan, relative, uniform


def five_points(n, dtype):
    """The matrix of a grid as wide as the root of n, whose last row may be shorter: 4.1 and -1."""
    from scipy.sparse import diags

    wide = int(np.sqrt(n))
    beside = np.where(np.arange(1, n) % wide, -1.0, 0.0)
    matrix = diags([np.full(n, 4.1)], [0])
    if n > 1:
        matrix += diags([beside, beside], [-1, 1])
    if n > wide:
        above = np.full(n - wide, -1.0)
        matrix += diags([above, above], [-wide, wide])
    matrix = matrix.tocsr().astype(dtype)
    matrix.eliminate_zeros()
    return matrix


def gradients(multiply, dot, b, iterations):
    """The loop of the book, on arrays of any library; `dot` may leave its number on the device."""
    x = b * 0
    r = b
    p = b
    square = dot(r, r)
    for _ in range(iterations):
        q = multiply(p)
        alpha = square / dot(p, q)
        x = x + alpha * p
        r = r - alpha * q
        before, square = square, dot(r, r)
        p = r + square / before * p
    return x


def build_cg(parameters, dtype, room):
    n, iterations = parameters["rows"], parameters["iterations"]
    matrix = five_points(n, dtype)
    b = uniform(room, n, dtype, low=-1.0)
    wide = matrix.astype(np.float64)
    exact = gradients(lambda p: wide @ p, np.dot, b.astype(np.float64), iterations)

    def residual(outputs):
        return np.nan if has_nan(outputs[0]) else relative(outputs[0], exact)

    inputs = (matrix.indptr, matrix.indices, matrix.data, b)
    tolerance = 2e-13 if dtype == "float64" else 1e-4
    return Problem("cg", parameters, dtype, inputs, (room(n, dtype),), residual, tolerance)


def scipy_matrix(p, env):
    from scipy.sparse import csr_matrix

    pointers, columns, values, b = env.inputs
    return csr_matrix((values, columns, pointers), shape=(p["rows"],) * 2), b


def scipy_cg(p, env):
    """SciPy's function, which does all of the iterations where no tolerance ends them."""
    from scipy.sparse.linalg import cg

    matrix, b = scipy_matrix(p, env)
    return lambda: (cg(matrix, b, rtol=0, atol=0, maxiter=p["iterations"])[0],)


def scipy_loop(p, env):
    matrix, b = scipy_matrix(p, env)
    return lambda: (gradients(lambda v: matrix @ v, np.dot, b, p["iterations"]),)


@functools.cache
def numba_cg_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel, fastmath=True)
    def iterate(pointers, columns, values, b, x, iterations):
        n = b.size
        r, p, q = b.copy(), b.copy(), np.empty_like(b)
        square = 0.0
        for i in prange(n):
            x[i] = 0
            square += b[i] * b[i]
        for _ in range(iterations):
            along = 0.0
            for i in prange(n):
                total = b.dtype.type(0)
                for j in range(pointers[i], pointers[i + 1]):
                    total += values[j] * p[columns[j]]
                q[i] = total
                along += total * p[i]
            alpha = b.dtype.type(square / along)
            before, square = square, 0.0
            for i in prange(n):
                x[i] += alpha * p[i]
                r[i] -= alpha * q[i]
                square += r[i] * r[i]
            beta = b.dtype.type(square / before)
            for i in prange(n):
                p[i] = r[i] + beta * p[i]

    return iterate


def numba_cg(p, env):
    (pointers, columns, values, b), (x,) = env.inputs, env.outputs
    pointers, columns = pointers.view(np.uint32), columns.view(np.uint32)
    loop = numba_cg_loop(env.threads > 1)
    return lambda: loop(pointers, columns, values, b, x, p["iterations"])


def torch_cg(p, env):
    pointers, columns, values, b = env.inputs
    torch = env.module
    matrix = torch.sparse_csr_tensor(pointers, columns, values, size=(p["rows"],) * 2)
    return lambda: (gradients(lambda v: matrix @ v, torch.dot, b, p["iterations"]),)


def jax_cg(p, env):
    from jax.experimental.sparse import BCSR

    jax = env.module

    def iterate(pointers, columns, values, b):
        matrix = BCSR((values, columns, pointers), shape=(p["rows"],) * 2)

        def step(_, state):
            x, r, v, square = state
            q = matrix @ v
            alpha = square / (v @ q)
            r = r - alpha * q
            after = r @ r
            return x + alpha * v, r, r + after / square * v, after

        return (jax.lax.fori_loop(0, p["iterations"], step, (b * 0, b, b, b @ b))[0],)

    return iterate


def cupy_cg(p, env):
    """The numbers stay on the device: no step waits for the host."""
    from cupyx.scipy.sparse import csr_matrix

    pointers, columns, values, b = env.inputs
    matrix = csr_matrix((values, columns, pointers), shape=(p["rows"],) * 2)
    return lambda: (gradients(lambda v: matrix @ v, env.module.dot, b, p["iterations"]),)


WORKLOADS = {
    "cg": Workload(
        {"rows": 100_000, "iterations": 100},
        ("float64", "float32"),
        build_cg,
        (
            Peer("scipy", scipy_cg, "cg", threads="one"),
            Peer("scipy", scipy_loop, "loop", threads="one"),
            Peer("numba", numba_cg),
            Peer("jax", jax_cg),
            Peer("torch", torch_cg),
            Peer("cupy", cupy_cg),
        ),
    ),
}
