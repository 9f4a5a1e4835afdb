"""Linear algebra: solve, matmul, spmv.

solve: N systems A x = b of order M. matmul: C = A B, square; product: of other shapes, and batches of such.
spmv: y = A x, A in CSR with so many entries a row in a band around the diagonal.
Tolerances: solve, the backward error |A x - b| / (|A| |x|) of the worst system at most 1e-12;
matmul, |C - reference| / |reference| over 32 rows at most 1e-12 in float64 and 1e-5 in float32
(which TF32 does not reach); spmv the same over all rows, 1e-13. Reference: NumPy, float64.
"""

import functools

import numpy as np

from measure import TooSlow
from problem import (
    Peer,
    Problem,
    Workload,
    blas_threads,
    blocks,
    has_nan,
    in_threads,
    random,
    relative,
    uniform,
)

SMALL = 64  # order up to which a loop of one's own beats a call of a library for each system


# ---- solve ------------------------------------------------------------------------------------


def build_solve(parameters, dtype, room):
    n, m = parameters["systems"], parameters["order"]
    a, b = uniform(room, (n, m, m), dtype), room((n, m, 1), dtype)
    np.random.default_rng(2).random(out=b)

    def residual(outputs):
        worst = 0.0
        for x, matrix, right in zip(outputs[0], a, b):  # one at a time: no array as large as a
            error = np.linalg.norm(matrix @ x - right)
            error /= np.linalg.norm(matrix) * np.linalg.norm(x)
            if not error <= worst:  # NaN too
                worst = error
        return worst

    return Problem("solve", parameters, dtype, (a, b), (room((n, m, 1), dtype),), residual, 1e-12)


def library_solve(p, env):
    """The notebook's, which is as good as these libraries get."""
    a, b = env.inputs
    return lambda: (env.module.linalg.solve(a, b),)


def numpy_solve_threads(p, env):
    (a, b), (x,) = env.inputs, env.outputs
    if len(a) == 1:
        raise TooSlow("one system has no slices")
    env.stack.enter_context(blas_threads(1))

    def work(part):
        x[part] = np.linalg.solve(a[part], b[part])

    return in_threads(env, len(a), work)


@functools.cache
def numba_solve_loops(parallel):
    from numba import njit, prange

    @njit(parallel=parallel)
    def by_library(a, b, x):
        for s in prange(a.shape[0]):
            x[s] = np.linalg.solve(a[s], b[s])

    @njit(fastmath=True, error_model="numpy")
    def eliminate(a, x):
        n = a.shape[0]
        for k in range(n):
            pivot = k + np.argmax(np.abs(a[k:, k]))
            if pivot != k:
                for j in range(k, n):
                    a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
                x[k], x[pivot] = x[pivot], x[k]
            for i in range(k + 1, n):
                factor = a[i, k] / a[k, k]
                row, top = a[i, k + 1 :], a[k, k + 1 :]
                for j in range(row.size):
                    row[j] -= factor * top[j]
                x[i] -= factor * x[k]
        for k in range(n - 1, -1, -1):
            for j in range(k + 1, n):
                x[k] -= a[k, j] * x[j]
            x[k] /= a[k, k]

    @njit(parallel=parallel)
    def by_elimination(a, b, x):
        for s in prange(a.shape[0]):
            work = a[s].copy()
            x[s] = b[s]
            eliminate(work, x[s, :, 0])

    return by_library, by_elimination


def numba_solve(p, env):
    by_library, _ = numba_solve_loops(env.threads > 1 and p["systems"] > 1)
    if p["systems"] > 1:
        env.stack.enter_context(blas_threads(1))
    return lambda: by_library(*env.inputs, *env.outputs)


def numba_eliminate(p, env):
    if p["order"] > SMALL:
        raise TooSlow(f"elimination by hand: only up to order {SMALL}")
    _, by_elimination = numba_solve_loops(env.threads > 1)
    return lambda: by_elimination(*env.inputs, *env.outputs)


def cupy_solve(p, env):
    """One system is no batch: then cuSOLVER's blocked code is called."""
    (a, b), solve = env.inputs, env.module.linalg.solve
    if len(a) == 1:
        return lambda: (solve(a[0], b[0])[None],)
    return lambda: (solve(a, b),)


def torch_solve(p, env):
    (a, b), (x,) = env.inputs, env.outputs
    return lambda: env.module.linalg.solve(a, b, out=x)


def jax_solve(p, env):
    return lambda a, b: (env.module.numpy.linalg.solve(a, b),)


@functools.cache
def cuda_eliminate(order):
    """A block a system, a thread a row, all in shared memory."""
    from numba import cuda, float64, int32

    wide = order + 1

    @cuda.jit
    def eliminate(a, b, x):
        work = cuda.shared.array((order, wide), float64)
        chosen = cuda.shared.array(1, int32)
        s, i = cuda.blockIdx.x, cuda.threadIdx.x
        for k in range(order):
            work[k, i] = a[s, k, i]
        work[i, order] = b[s, i, 0]
        cuda.syncthreads()
        for k in range(order):
            if i == 0:
                chosen[0] = k
                for j in range(k + 1, order):
                    if abs(work[j, k]) > abs(work[chosen[0], k]):
                        chosen[0] = j
            cuda.syncthreads()
            pivot = chosen[0]
            if pivot != k:
                for j in range(i, wide, order):
                    work[k, j], work[pivot, j] = work[pivot, j], work[k, j]
            cuda.syncthreads()
            if i > k:
                factor = work[i, k] / work[k, k]
                for j in range(k + 1, wide):
                    work[i, j] -= factor * work[k, j]
            cuda.syncthreads()
        for back in range(order):
            k = order - 1 - back
            if i == k:
                work[k, order] /= work[k, k]
            cuda.syncthreads()
            if i < k:
                work[i, order] -= work[i, k] * work[k, order]
            cuda.syncthreads()
        x[s, i, 0] = work[i, order]

    return eliminate


def numba_cuda_solve(p, env):
    if p["order"] > SMALL:
        raise TooSlow(f"elimination by hand: only up to order {SMALL}")
    kernel = cuda_eliminate(p["order"])[p["systems"], p["order"]]
    return lambda: kernel(*env.inputs, *env.outputs)


# ---- matmul -----------------------------------------------------------------------------------


def build_matmul(parameters, dtype, room):
    n = parameters["order"]
    a, b = uniform(room, (2, n, n), dtype, low=-1.0)
    rows = np.unique(np.linspace(0, n - 1, min(n, 32)).astype(int))
    exact = a[rows].astype(np.float64) @ b.astype(np.float64)

    def residual(outputs):
        return np.nan if has_nan(outputs[0]) else relative(outputs[0][rows], exact)

    tolerance = 1e-12 if dtype == "float64" else 1e-5
    return Problem("matmul", parameters, dtype, (a, b), (room((n, n), dtype),), residual, tolerance)


def library_matmul(p, env):
    (a, b), (c,) = env.inputs, env.outputs
    return lambda: env.module.matmul(a, b, out=c)


@functools.cache
def numba_dot():
    from numba import njit

    return njit(lambda a, b, c: np.dot(a, b, c))


def numba_matmul(p, env):
    loop = numba_dot()
    return lambda: loop(*env.inputs, *env.outputs) is None


def jax_matmul(p, env):
    """Left alone, it would use TF32 for float32."""
    return lambda a, b: (env.module.numpy.matmul(a, b, precision="highest"),)


TILE = 16


@functools.cache
def cuda_matmul(dtype):
    """The tiled product of Numba's manual."""
    import numba
    from numba import cuda

    kind = getattr(numba, dtype)

    @cuda.jit
    def product(a, b, c):
        left = cuda.shared.array((TILE, TILE), kind)
        right = cuda.shared.array((TILE, TILE), kind)
        column, row = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = kind(0)
        for tile in range(cuda.gridDim.x):
            left[ty, tx] = kind(0)
            right[ty, tx] = kind(0)
            if row < a.shape[0] and tile * TILE + tx < a.shape[1]:
                left[ty, tx] = a[row, tile * TILE + tx]
            if column < b.shape[1] and tile * TILE + ty < b.shape[0]:
                right[ty, tx] = b[tile * TILE + ty, column]
            cuda.syncthreads()
            for k in range(TILE):
                total += left[ty, k] * right[k, tx]
            cuda.syncthreads()
        if row < c.shape[0] and column < c.shape[1]:
            c[row, column] = total

    return product


def numba_cuda_matmul(p, env):
    groups = blocks(p["order"], TILE)[0]
    kernel = cuda_matmul(p.dtype)[(groups, groups), (TILE, TILE)]
    return lambda: kernel(*env.inputs, *env.outputs)


# ---- products of other shapes, and batches ------------------------------------------------------


def build_product(parameters, dtype, room):
    batch = parameters["batch"]
    m, n, k = (parameters[name] or parameters["order"] for name in "mnk")
    a, b = uniform(room, (batch, m, k), dtype, low=-1.0), uniform(room, (batch, k, n), dtype, low=-1.0)
    some = np.unique(np.linspace(0, batch - 1, min(batch, 32)).astype(int))
    rows = np.unique(np.linspace(0, m - 1, min(m, 32)).astype(int))
    exact = a[some][:, rows].astype(np.float64) @ b[some].astype(np.float64)

    def residual(outputs):
        found = outputs[0].reshape(batch, m, n)
        return np.nan if has_nan(found) else relative(found[some][:, rows], exact)

    c = room((batch, m, n), dtype)
    if batch == 1:
        a, b, c = a[0], b[0], c[0]
    tolerance = 1e-12 if dtype == "float64" else 1e-5
    return Problem("product", parameters, dtype, (a, b), (c,), residual, tolerance)


@functools.cache
def numba_dots():
    from numba import njit, prange

    @njit(parallel=True)
    def dots(a, b, c):
        for i in prange(a.shape[0]):
            np.dot(a[i], b[i], c[i])

    return dots


def numba_product(p, env):
    """One call of the BLAS a thread."""
    loop = numba_dots() if p.inputs[0].ndim == 3 else numba_dot()
    return lambda: loop(*env.inputs, *env.outputs) is None


# ---- spmv -------------------------------------------------------------------------------------


def build_spmv(parameters, dtype, room):
    """An entry somewhere in each of so many equal pieces of a band around the diagonal."""
    n, each, band = parameters["rows"], parameters["nonzeros"], parameters["band"]
    band = min(band, n)
    each = min(each, band)
    pointers = np.arange(n + 1, dtype=np.int32) * np.int32(each)
    columns, values = room(n * each, "int32"), uniform(room, n * each, dtype, low=-1.0)
    edges = np.arange(each + 1, dtype=np.int64) * band // each
    left = np.clip(np.arange(n) - band // 2, 0, n - band)[:, None]
    columns[...] = (left + random().integers(edges[:-1], edges[1:], (n, each))).ravel()
    x = uniform(room, n, dtype, low=-1.0)
    exact = np.einsum("ij,ij->i", values.reshape(n, each), x[columns].reshape(n, each))

    def residual(outputs):
        return np.nan if has_nan(outputs[0]) else relative(outputs[0], exact)

    inputs = (pointers, columns, values, x)
    return Problem("spmv", parameters, dtype, inputs, (room(n, dtype),), residual, 1e-13)


def numpy_spmv(p, env):
    (pointers, columns, values, x), (y,) = env.inputs, env.outputs
    return lambda: np.add.reduceat(values * x[columns], pointers[:-1], out=y)


def scipy_spmv(p, env):
    from scipy.sparse import csr_matrix

    pointers, columns, values, x = env.inputs
    matrix = csr_matrix((values, columns, pointers), shape=(p["rows"],) * 2)
    return lambda: (matrix @ x,)


@functools.cache
def numba_spmv_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel)
    def spmv(pointers, columns, values, x, y):
        for row in prange(y.size):
            total = y.dtype.type(0)
            for entry in range(pointers[row], pointers[row + 1]):
                total += values[entry] * x[columns[entry]]
            y[row] = total

    return spmv


def numba_spmv(p, env):
    """Unsigned indices: Numba need not ask whether they are negative."""
    (pointers, columns, values, x), (y,) = env.inputs, env.outputs
    pointers, columns = pointers.view(np.uint32), columns.view(np.uint32)
    loop = numba_spmv_loop(env.threads > 1)
    return lambda: loop(pointers, columns, values, x, y)


def jax_spmv(p, env):
    from jax.experimental.sparse import BCSR

    shape = (p["rows"],) * 2
    return lambda pointers, columns, values, x: (
        BCSR((values, columns, pointers), shape=shape) @ x,
    )


def torch_spmv(p, env):
    pointers, columns, values, x = env.inputs
    matrix = env.module.sparse_csr_tensor(pointers, columns, values, size=(p["rows"],) * 2)
    return lambda: (matrix @ x,)


def cupy_spmv(p, env):
    from cupyx.scipy.sparse import csr_matrix

    pointers, columns, values, x = env.inputs
    matrix = csr_matrix((values, columns, pointers), shape=(p["rows"],) * 2)
    return lambda: (matrix @ x,)


@functools.cache
def cuda_spmv():
    """A warp a row."""
    from numba import cuda, float64

    @cuda.jit
    def spmv(pointers, columns, values, x, y):
        row, lane = cuda.grid(1) // 32, cuda.threadIdx.x % 32
        if row < y.size:  # the same for all of a warp
            total = float64(0)
            for entry in range(pointers[row] + lane, pointers[row + 1], 32):
                total += values[entry] * x[columns[entry]]
            step = 16
            while step:
                total += cuda.shfl_down_sync(0xFFFFFFFF, total, step)
                step //= 2
            if lane == 0:
                y[row] = total

    return spmv


def numba_cuda_spmv(p, env):
    kernel = cuda_spmv()[blocks(32 * p["rows"])]
    return lambda: kernel(*env.inputs, *env.outputs)


# ---- tables -----------------------------------------------------------------------------------

WORKLOADS = {
    "solve": Workload(
        {"systems": 10000, "order": 32},
        ("float64",),
        build_solve,
        (
            Peer("numpy", library_solve),
            Peer("numpy", numpy_solve_threads, "in threads", threads="all"),
            Peer("numba", numba_solve),
            Peer("numba", numba_eliminate, "elimination"),
            Peer("jax", jax_solve),
            Peer("torch", torch_solve),
            Peer("cupy", cupy_solve),
            Peer("cupy", library_solve, as_written=True),
            Peer("numba-cuda", numba_cuda_solve, "elimination"),
        ),
    ),
    "matmul": Workload(
        {"order": 2048},
        ("float32", "float64"),
        build_matmul,
        (
            Peer("numpy", library_matmul),
            Peer("numba", numba_matmul, "dot"),
            Peer("jax", jax_matmul),
            Peer("torch", library_matmul),
            Peer("cupy", library_matmul),
            Peer("numba-cuda", numba_cuda_matmul),
        ),
    ),
    "product": Workload(
        {"order": 32, "m": 0, "n": 0, "k": 0, "batch": 1},
        ("float32", "float64"),
        build_product,
        (
            Peer("numpy", library_matmul),
            Peer("numba", numba_product, "dot"),
            Peer("jax", jax_matmul),
            Peer("torch", library_matmul),
            Peer("cupy", library_matmul),
        ),
    ),
    "spmv": Workload(
        {"rows": 1_000_000, "nonzeros": 32, "band": 4096},
        ("float64",),
        build_spmv,
        (
            Peer("numpy", numpy_spmv, threads="one"),
            Peer("scipy", scipy_spmv, threads="one"),
            Peer("numba", numba_spmv),
            Peer("jax", jax_spmv),
            Peer("torch", torch_spmv),
            Peer("cupy", cupy_spmv),
            Peer("numba-cuda", numba_cuda_spmv),
        ),
    ),
}
