"""recurrence: r[i] = r[i-1] + (o[i] even ? d[i] : a[i]), r[-1] = 0, of float32 a and d, int32 o.

Tolerance: |r - reference| / |reference| at most 1e-3, since float32 rounds at each of n steps.
a and d are in [-1, 1), so that r stays where float32 can count. Reference: NumPy, float64.
"""

import functools

import numpy as np

from measure import TooSlow
from problem import Peer, Problem, Workload, blocks, random, sampled, stride, uniform

PYTHON_MOST = 1_000_000  # elements of a loop in Python
SCAN_THREADS, SCAN_EACH = 256, 16
SCAN_TILE = SCAN_THREADS * SCAN_EACH


def build(parameters, dtype, room):
    n = parameters["size"]
    o = room(n, "int32")
    o[...] = random().integers(0, 2**31 - 1, n, dtype=np.int32)
    a, d = uniform(room, (2, n), dtype, low=-1.0)
    exact = np.cumsum(np.where(o & 1, a, d), dtype=np.float64)[:: stride(n)]
    check = sampled(exact, n)
    return Problem("recurrence", parameters, dtype, (o, a, d), (room(n, dtype),), check, 1e-3)


def python_recurrence(p, env):
    (o, a, d), (r,) = env.inputs, env.outputs
    if r.size > PYTHON_MOST:
        raise TooSlow(f"a loop in Python: not run above {PYTHON_MOST} elements")

    def run():
        r[0] = d[0] if o[0] % 2 == 0 else a[0]
        for i in range(1, r.size):
            r[i] = d[i] + r[i - 1] if o[i] % 2 == 0 else a[i] + r[i - 1]

    return run


def numpy_recurrence(p, env):
    (o, a, d), (r,) = env.inputs, env.outputs
    return lambda: np.cumsum(np.where(o & 1, a, d), out=r)


@functools.cache
def numba_recurrence_loops():
    from numba import njit, prange

    @njit
    def serial(o, a, d, r):
        value = r.dtype.type(0)
        for i in range(r.size):
            odd, even = a[i], d[i]  # both loaded: chosen without a branch
            value += odd if o[i] & 1 else even
            r[i] = value

    @njit(parallel=True, fastmath=True)
    def scan(o, a, d, r, pieces):
        """Sums of the pieces, then each piece from where the one before it ends."""
        sums = np.zeros(pieces + 1, r.dtype)
        for piece in prange(pieces):
            # Views that start at 0: an index that might be negative is not vectorised.
            lo, hi = r.size * piece // pieces, r.size * (piece + 1) // pieces
            o_, a_, d_ = o[lo:hi], a[lo:hi], d[lo:hi]
            value = r.dtype.type(0)
            for i in range(o_.size):
                odd, even = a_[i], d_[i]
                value += odd if o_[i] & 1 else even
            sums[piece + 1] = value
        for piece in range(pieces):
            sums[piece + 1] += sums[piece]
        for piece in prange(pieces):
            lo, hi = r.size * piece // pieces, r.size * (piece + 1) // pieces
            o_, a_, d_, r_ = o[lo:hi], a[lo:hi], d[lo:hi], r[lo:hi]
            value = sums[piece]
            for i in range(o_.size):
                odd, even = a_[i], d_[i]
                value += odd if o_[i] & 1 else even
                r_[i] = value

    return serial, scan


def numba_recurrence(p, env):
    serial, scan = numba_recurrence_loops()
    if env.threads == 1:
        return lambda: serial(*env.inputs, *env.outputs)
    return lambda: scan(*env.inputs, *env.outputs, env.threads)


def jax_recurrence(p, env):
    jnp = env.module.numpy
    return lambda o, a, d: (jnp.cumsum(jnp.where(o & 1 == 0, d, a)),)


def torch_recurrence(p, env):
    (o, a, d), (r,), torch = env.inputs, env.outputs, env.module
    return lambda: torch.cumsum(torch.where(o & 1 == 0, d, a), 0, out=r)


def cupy_recurrence(p, env):
    (o, a, d), (r,), cupy = env.inputs, env.outputs, env.module
    choose = cupy.ElementwiseKernel("int32 o, T a, T d", "T r", "r = o & 1 ? a : d", "choose")

    def run():
        choose(o, a, d, r)
        cupy.cumsum(r, out=r)

    return run


# numba-cuda: sums of the tiles; one block scans these; each tile from where the one before it ends.


@functools.cache
def cuda_inclusive():
    from numba import cuda, float32

    @cuda.jit(device=True)
    def inclusive(shared, lane, value):
        """Of all threads of the block: the sum up to this one."""
        shared[lane] = value
        cuda.syncthreads()
        reach = 1
        while reach < SCAN_THREADS:
            other = shared[lane - reach] if lane >= reach else float32(0)
            cuda.syncthreads()
            shared[lane] += other
            cuda.syncthreads()
            reach *= 2
        return shared[lane]

    return inclusive


@functools.cache
def cuda_sums():
    from numba import cuda, float32

    inclusive = cuda_inclusive()

    @cuda.jit
    def tiles(o, a, d, sums):
        shared = cuda.shared.array(SCAN_THREADS, float32)
        lane, value = cuda.threadIdx.x, float32(0)
        for step in range(SCAN_EACH):
            i = cuda.blockIdx.x * SCAN_TILE + step * SCAN_THREADS + lane
            if i < o.size:
                value += a[i] if o[i] & 1 else d[i]
        whole = inclusive(shared, lane, value)
        if lane == SCAN_THREADS - 1:
            sums[cuda.blockIdx.x] = whole

    @cuda.jit
    def across(sums):
        shared = cuda.shared.array(SCAN_THREADS, float32)
        lane, carry = cuda.threadIdx.x, float32(0)
        for start in range(0, sums.size, SCAN_THREADS):
            i = start + lane
            value = sums[i] if i < sums.size else float32(0)
            upto = inclusive(shared, lane, value)
            if i < sums.size:
                sums[i] = carry + upto - value
            carry += shared[SCAN_THREADS - 1]
            cuda.syncthreads()

    return tiles, across


@functools.cache
def cuda_within():
    from numba import cuda, float32

    inclusive = cuda_inclusive()

    @cuda.jit
    def within(o, a, d, sums, r):
        shared = cuda.shared.array(SCAN_THREADS, float32)
        lane, carry = cuda.threadIdx.x, sums[cuda.blockIdx.x]
        for step in range(SCAN_EACH):
            i = cuda.blockIdx.x * SCAN_TILE + step * SCAN_THREADS + lane
            value = float32(0)
            if i < o.size:
                value = a[i] if o[i] & 1 else d[i]
            upto = inclusive(shared, lane, value)
            if i < o.size:
                r[i] = carry + upto
            carry += shared[SCAN_THREADS - 1]
            cuda.syncthreads()

    return within


def numba_cuda_recurrence(p, env):
    (o, a, d), (r,) = env.inputs, env.outputs
    (tiles, across), within = cuda_sums(), cuda_within()
    count = blocks(r.size, SCAN_TILE)[0]
    sums = env.module.device_array(count, r.dtype)

    def run():
        tiles[count, SCAN_THREADS](o, a, d, sums)
        across[1, SCAN_THREADS](sums)
        within[count, SCAN_THREADS](o, a, d, sums, r)

    return run


WORKLOADS = {
    "recurrence": Workload(
        {"size": 10_000_000},
        ("float32",),
        build,
        (
            Peer("python", python_recurrence, threads="one", as_written=True),
            Peer("numpy", numpy_recurrence, threads="one"),
            Peer("numba", numba_recurrence),
            Peer("jax", jax_recurrence),
            Peer("torch", torch_recurrence),
            Peer("cupy", cupy_recurrence),
            Peer("numba-cuda", numba_cuda_recurrence),
        ),
    ),
}
