"""spmv --steps: products with one sparse matrix, each of the result of the one before divided by its norm.

Tolerance: |found - reference| / |reference| at most 1e-13 a step, in float64. Reference: NumPy, float64.
"""

import functools
from dataclasses import replace

import numpy as np

from families.linear import build_spmv
from problem import Peer, Workload, has_nan, relative


def build_products(parameters, dtype, room):
    """x / |x| of a product is the x of the next one; the last product is the result."""
    p = build_spmv(parameters, dtype, room)
    pointers, columns, values, x = p.inputs
    each = int(pointers[1])
    matrix, at, exact = values.astype(np.float64).reshape(-1, each), columns.reshape(-1, each), x
    for step in range(parameters["steps"]):
        exact = exact / np.linalg.norm(exact) if step else exact
        exact = np.einsum("ij,ij->i", matrix, exact[at])

    def residual(outputs):
        return np.nan if has_nan(outputs[0]) else relative(outputs[0], exact)

    return replace(p, workload="products", residual=residual, tolerance=1e-13 * parameters["steps"])


def looped_products(make):
    """A loop over the products of `make`'s matrix: of SciPy, PyTorch, CuPy."""

    def peer(p, env):
        matrix, lib = make(p, env)
        norm = lib.linalg.norm

        def run():
            y = matrix @ env.inputs[3]
            for _ in range(p["steps"] - 1):
                y = matrix @ (y / norm(y))
            return (y,)

        return run

    return peer


def scipy_matrix(p, env):
    from scipy.sparse import csr_matrix

    pointers, columns, values, _ = env.inputs
    return csr_matrix((values, columns, pointers), shape=(p["rows"],) * 2), np


def torch_matrix(p, env):
    pointers, columns, values, _ = env.inputs
    shape = (p["rows"],) * 2
    return env.module.sparse_csr_tensor(pointers, columns, values, size=shape), env.module


def cupy_matrix(p, env):
    from cupyx.scipy.sparse import csr_matrix

    pointers, columns, values, _ = env.inputs
    return csr_matrix((values, columns, pointers), shape=(p["rows"],) * 2), env.module


@functools.cache
def numba_products_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel, fastmath=True)
    def products(pointers, columns, values, x, y, between, steps):
        between[:] = x
        for step in range(steps):
            for row in prange(y.size):
                total = y.dtype.type(0)
                for entry in range(pointers[row], pointers[row + 1]):
                    total += values[entry] * between[columns[entry]]
                y[row] = total
            if step + 1 < steps:
                square = 0.0
                for row in prange(y.size):
                    square += y[row] * y[row]
                scale = 1 / np.sqrt(square)
                for row in prange(y.size):
                    between[row] = scale * y[row]

    return products


def numba_products(p, env):
    (pointers, columns, values, x), (y,) = env.inputs, env.outputs
    pointers, columns = pointers.view(np.uint32), columns.view(np.uint32)
    loop, between = numba_products_loop(env.threads > 1), np.empty_like(x)
    return lambda: loop(pointers, columns, values, x, y, between, p["steps"]) is None


def jax_products(p, env):
    from jax.experimental.sparse import BCSR

    shape, lax, lib = (p["rows"],) * 2, env.module.lax, env.module.numpy

    def products(pointers, columns, values, x):
        matrix = BCSR((values, columns, pointers), shape=shape)
        more = lambda _, y: matrix @ (y / lib.linalg.norm(y))  # noqa: E731
        return (lax.fori_loop(0, p["steps"] - 1, more, matrix @ x),)

    return products


WORKLOADS = {
    "products": Workload(
        {"rows": 100_000, "nonzeros": 32, "band": 4096, "steps": 100},
        ("float64",),
        build_products,
        (
            Peer("scipy", looped_products(scipy_matrix), threads="one"),
            Peer("numba", numba_products),
            Peer("jax", jax_products),
            Peer("torch", looped_products(torch_matrix)),
            Peer("cupy", looped_products(cupy_matrix)),
        ),
    ),
}
