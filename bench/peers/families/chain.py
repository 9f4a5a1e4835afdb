"""chain: d += c; o += d; m += o, then the sum s of all three.

Tolerance, on |found - reference| / |reference|, the largest of d, o, m and s: 1e-5. Reference: NumPy,
float64, at up to a million places.
"""

import functools

import numpy as np

from measure import TooSlow
from problem import (
    Peer,
    Problem,
    Workload,
    blocks,
    has_nan,
    in_threads,
    relative,
    slices,
    stride,
    uniform,
)

CHAINED = 1.25
PYTHON_MOST = 1_000_000  # elements of a loop in Python
BLOCK = 16384  # elements that stay in a core's cache from one NumPy call to the next


def build_chain(parameters, dtype, room):
    n = parameters["size"]
    inputs = tuple(uniform(room, (3, n), dtype))
    whole = exact_sum(inputs)
    step = stride(n)
    d = inputs[0][::step].astype(np.float64) + CHAINED
    o = inputs[1][::step] + d
    m = inputs[2][::step] + o
    exact = (d, o, m)

    def residual(outputs):
        if any(has_nan(array) for array in outputs):
            return np.nan
        parts = [relative(found[::step], e) for found, e in zip(outputs, exact)]
        return max(*parts, abs(float(outputs[3][0]) - whole) / whole)

    outputs = tuple(room(n, dtype) for _ in inputs) + (np.empty(1, dtype),)
    return Problem("chain", parameters, dtype, inputs, outputs, residual, 1e-5, in_place=3)


def exact_sum(arrays):
    """Of d + o + m after the chain, which is 3 d + 2 o + m of before and 3 c, every element counted."""
    weights = (3, 2, 1)
    whole = sum(w * float(np.sum(a, dtype=np.float64)) for w, a in zip(weights, arrays))
    return whole + 3 * CHAINED * arrays[0].size


def numpy_chain(p, env):
    d, o, m, s = env.outputs
    c = d.dtype.type(CHAINED)

    def run():
        np.add(d, c, out=d)
        np.add(o, d, out=o)
        np.add(m, o, out=m)
        s[0] = np.sum(d) + np.sum(o) + np.sum(m)

    return run


def numpy_chain_blocks(p, env):
    """Slices in threads, each in blocks that stay in the cache from one line to the next."""
    d, o, m, s = env.outputs
    c, sums = d.dtype.type(CHAINED), {}

    def work(part):
        whole = 0.0
        for piece in slices(part.stop - part.start, max(1, (part.stop - part.start) // BLOCK)):
            here = slice(part.start + piece.start, part.start + piece.stop)
            np.add(d[here], c, out=d[here])
            np.add(o[here], d[here], out=o[here])
            np.add(m[here], o[here], out=m[here])
            whole += float(np.sum(d[here]) + np.sum(o[here]) + np.sum(m[here]))
        sums[part.start] = whole

    each = in_threads(env, d.size, work)

    def run():
        each()
        s[0] = sum(sums.values())

    return run


def python_chain(p, env):
    d, o, m, s = env.outputs
    if d.size > PYTHON_MOST:
        raise TooSlow(f"a loop in Python: not run above {PYTHON_MOST} elements")

    def run():
        for i in range(d.size):
            d[i] = d[i] + CHAINED
            o[i] = o[i] + d[i]
            m[i] = m[i] + o[i]
        s[0] = sum(d + o + m)

    return run


@functools.cache
def numba_chain_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel, fastmath=True)
    def chain(d, o, m, s, c, pieces):
        sums = np.zeros(pieces)
        for piece in prange(pieces):
            # Views that start at 0: an index that might be negative is not vectorised.
            lo, hi = d.size * piece // pieces, d.size * (piece + 1) // pieces
            d_, o_, m_ = d[lo:hi], o[lo:hi], m[lo:hi]
            total = np.float32(0)
            for i in range(d_.size):
                a = d_[i] + c
                b = o_[i] + a
                e = m_[i] + b
                d_[i], o_[i], m_[i] = a, b, e
                total += a + b + e
            sums[piece] = total
        s[0] = sums.sum()

    return chain


def numba_chain(p, env):
    loop, c = numba_chain_loop(env.threads > 1), np.float32(CHAINED)
    pieces = max(env.threads, env.outputs[0].size // 65536)
    return lambda: loop(*env.outputs, c, pieces)


@functools.cache
def numba_chain_apart_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel, fastmath=True)
    def chain(d, o, m, d2, o2, m2, s, c, pieces):
        sums = np.zeros(pieces)
        for piece in prange(pieces):
            lo, hi = d.size * piece // pieces, d.size * (piece + 1) // pieces
            d_, o_, m_ = d[lo:hi], o[lo:hi], m[lo:hi]
            d2_, o2_, m2_ = d2[lo:hi], o2[lo:hi], m2[lo:hi]
            total = np.float32(0)
            for i in range(d_.size):
                a = d_[i] + c
                b = o_[i] + a
                e = m_[i] + b
                d2_[i], o2_[i], m2_[i] = a, b, e
                total += a + b + e
            sums[piece] = total
        s[0] = sums.sum()

    return chain


def numba_chain_apart(p, env):
    """The inputs kept, the results in arrays of their own, as our `fused` has it."""
    loop, c = numba_chain_apart_loop(env.threads > 1), np.float32(CHAINED)
    pieces = max(env.threads, p["size"] // 65536)
    return lambda: loop(*p.inputs, *env.outputs, c, pieces)


def torch_chain(p, env):
    d, o, m, s = env.outputs

    def run():
        d.add_(CHAINED)
        o.add_(d)
        m.add_(o)
        s.copy_(d.sum() + o.sum() + m.sum())

    return run


def torch_chain_compiled(p, env):
    d, o, m, _ = env.outputs

    def chain(d, o, m):
        d.add_(CHAINED)
        o.add_(d)
        m.add_(o)
        return (d + o + m).sum(0, keepdim=True)

    call = env.module.compile(chain)
    return lambda: (d, o, m, call(d, o, m))


def jax_chain(p, env):
    c = np.float32(CHAINED)

    def chain(d, o, m):
        d = d + c
        o = o + d
        m = m + o
        return d, o, m, (d + o + m).sum(keepdims=True)

    return chain


def cupy_chain(p, env):
    d, o, m, s = env.outputs
    module, c = env.module, np.float32(CHAINED)
    kernel = module.ElementwiseKernel("T c", "T d, T o, T m", "d += c; o += d; m += o", "chain")
    total = module.ReductionKernel(
        "T d, T o, T m", "T s", "d + o + m", "a + b", "s = a", "0", "total"
    )

    def run():
        kernel(c, d, o, m)
        total(d, o, m, out=s[0:1].reshape(()))

    return run


@functools.cache
def cuda_chain():
    from numba import cuda, float32

    @cuda.jit
    def clear(s):
        s[0] = 0

    @cuda.jit
    def chain(d, o, m, s, c):
        shared = cuda.shared.array(256, float32)
        total = float32(0)
        for i in range(cuda.grid(1), d.size, cuda.gridsize(1)):
            d[i] += c
            o[i] += d[i]
            m[i] += o[i]
            total += d[i] + o[i] + m[i]
        lane = cuda.threadIdx.x
        shared[lane] = total
        width = 128
        while width:
            cuda.syncthreads()
            if lane < width:
                shared[lane] += shared[lane + width]
            width //= 2
        if lane == 0:
            cuda.atomic.add(s, 0, shared[0])

    return clear, chain


def numba_cuda_chain(p, env):
    d, o, m, s = env.outputs
    clear, chain = cuda_chain()
    groups, c = min(2048, blocks(d.size)[0]), np.float32(CHAINED)

    def run():
        clear[1, 1](s)
        chain[groups, 256](d, o, m, s, c)

    return run


CHAIN = (
    Peer("numpy", numpy_chain, "in place", threads="one"),
    Peer("numpy", numpy_chain_blocks, "in place in threads", threads="all"),
    Peer("python", python_chain, threads="one", as_written=True, tolerance=1e-3),
    Peer("numba", numba_chain, "in place"),
    Peer("numba", numba_chain_apart),
    Peer("torch", torch_chain, "in place"),
    Peer("torch", torch_chain_compiled, "compiled", where="cuda"),
    Peer("jax", jax_chain),
    Peer("cupy", cupy_chain),
    Peer("numba-cuda", numba_cuda_chain),
)
WORKLOADS = {"chain": Workload({"size": 10_000_000}, ("float32",), build_chain, CHAIN)}
