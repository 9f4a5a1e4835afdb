"""Along one array: reduce, gather, sort.

reduce: a sum. gather: z[i] = x[index[i]]. sort: uint32 keys.
Tolerances, on |found - reference| / |reference|: reduce 1e-5 (float32). gather and
sort are to be exact. Reference: NumPy, float64.
"""

import functools

import numpy as np

from problem import (
    Peer,
    Problem,
    Workload,
    blocks,
    has_nan,
    in_threads,
    random,
    relative,
    slices,
    uniform,
)

SIZE = {"size": 10_000_000}


# ---- reduce -----------------------------------------------------------------------------------


def build_reduce(parameters, dtype, room):
    x = uniform(room, parameters["size"], dtype)
    exact = np.sum(x, dtype=np.float64)
    return Problem(
        "reduce",
        parameters,
        dtype,
        (x,),
        (np.empty(1, dtype),),
        lambda outputs: abs(float(outputs[0][0]) - exact) / exact,
        1e-5,
    )


def numpy_reduce(p, env):
    (x,), (s,) = env.inputs, env.outputs
    return lambda: np.sum(x, out=s.reshape(()))


def numpy_reduce_threads(p, env):
    (x,), (s,), sums = env.inputs, env.outputs, {}
    each = in_threads(env, x.size, lambda part: sums.update({part.start: np.sum(x[part])}))

    def run():
        each()
        s[0] = sum(sums.values())

    return run


@functools.cache
def numba_reduce_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel, fastmath=True)
    def reduce(x, s, pieces):
        sums = np.zeros(pieces)
        for piece in prange(pieces):
            # A view that starts at 0: an index that might be negative is not vectorised.
            part = x[x.size * piece // pieces : x.size * (piece + 1) // pieces]
            total = x.dtype.type(0)
            for i in range(part.size):
                total += part[i]
            sums[piece] = total
        s[0] = sums.sum()

    return reduce


def numba_reduce(p, env):
    (x,), (s,) = env.inputs, env.outputs
    loop, pieces = numba_reduce_loop(env.threads > 1), max(env.threads, x.size // 65536)
    return lambda: loop(x, s, pieces)


@functools.cache
def cuda_reduce():
    from numba import cuda

    return cuda.reduce(lambda a, b: a + b)


def numba_cuda_reduce(p, env):
    (x,), (s,), add = env.inputs, env.outputs, cuda_reduce()
    return lambda: add(x, res=s)


def torch_reduce(p, env):
    (x,), (s,) = env.inputs, env.outputs
    return lambda: env.module.sum(x, 0, keepdim=True, out=s)


def cupy_reduce(p, env):
    (x,), (s,) = env.inputs, env.outputs
    return lambda: env.module.sum(x, axis=0, keepdims=True, out=s)


# ---- gather -----------------------------------------------------------------------------------


def build_gather(parameters, dtype, room):
    n = parameters["size"]
    x, index = uniform(room, n, dtype), room(n, "int32")
    index[...] = random().integers(0, n, n, dtype=np.int32)

    def residual(outputs):
        return float(np.mean(outputs[0] != np.take(x, index)))  # NaN is never equal

    inputs, outputs = (x, index), (room(n, dtype),)
    return Problem("gather", parameters, dtype, inputs, outputs, residual, 0.0)


def numpy_gather(p, env):
    (x, index), (z,) = env.inputs, env.outputs
    return lambda: np.take(x, index, out=z, mode="clip")  # as documented: not buffered


def numpy_gather_threads(p, env):
    (x, index), (z,) = env.inputs, env.outputs
    return in_threads(env, z.size, lambda s: np.take(x, index[s], out=z[s], mode="clip"))


@functools.cache
def numba_gather_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel)
    def gather(x, index, z):
        for i in prange(z.size):
            z[i] = x[index[i]]

    return gather


def numba_gather(p, env):
    """An unsigned index: Numba need not ask whether it is negative."""
    (x, index), (z,) = env.inputs, env.outputs
    loop, index = numba_gather_loop(env.threads > 1), index.view(np.uint32)
    return lambda: loop(x, index, z)


@functools.cache
def cuda_gather():
    from numba import cuda

    @cuda.jit
    def gather(x, index, z):
        i = cuda.grid(1)
        if i < z.size:
            z[i] = x[index[i]]

    return gather


def numba_cuda_gather(p, env):
    kernel = cuda_gather()[blocks(env.outputs[0].size)]
    return lambda: kernel(*env.inputs, *env.outputs)


def torch_gather(p, env):
    (x, index), (z,) = env.inputs, env.outputs
    return lambda: env.module.index_select(x, 0, index, out=z)


def cupy_gather(p, env):
    (x, index), (z,) = env.inputs, env.outputs
    return lambda: env.module.take(x, index, out=z)


def jax_gather(p, env):
    return lambda x, index: (x.at[index].get(mode="promise_in_bounds"),)


# ---- sort -------------------------------------------------------------------------------------


def build_sort(parameters, dtype, room):
    n = parameters["size"]
    keys = room(n, dtype)
    keys[...] = random().integers(0, 2**32, n, dtype=np.uint32)
    exact = np.sort(keys)

    def residual(outputs):
        return float(np.mean(outputs[0] != exact))

    return Problem("sort", parameters, dtype, (keys,), (room(n, dtype),), residual, 0.0)


def in_place_sort(p, env):
    (keys,), (z,) = env.inputs, env.outputs

    def run():
        z[...] = keys
        z.sort()

    return run


@functools.cache
def numba_sorts():
    from numba import njit, prange

    @njit
    def sort(keys, z):
        z[:] = np.sort(keys)

    @njit
    def merge(a, b, z):
        i = j = 0
        for k in range(z.size):
            if j >= b.size or (i < a.size and a[i] <= b[j]):
                z[k] = a[i]
                i += 1
            else:
                z[k] = b[j]
                j += 1

    @njit(parallel=True)
    def merge_sort(keys, z, other, edges):
        """Pieces sorted side by side, then merged pair by pair, also side by side."""
        pieces = edges.size - 1
        for piece in prange(pieces):
            z[edges[piece] : edges[piece + 1]] = np.sort(keys[edges[piece] : edges[piece + 1]])
        width, swapped = 1, False
        while width < pieces:
            source, target = (other, z) if swapped else (z, other)
            for pair in prange((pieces + 2 * width - 1) // (2 * width)):
                lo = edges[pair * 2 * width]
                mid = edges[min(pieces, pair * 2 * width + width)]
                hi = edges[min(pieces, (pair + 1) * 2 * width)]
                merge(source[lo:mid], source[mid:hi], target[lo:hi])
            width, swapped = width * 2, not swapped
        if swapped:
            z[:] = other

    return sort, merge_sort


def numba_sort(p, env):
    (keys,), (z,) = env.inputs, env.outputs
    sort, merge_sort = numba_sorts()
    if env.threads == 1:
        return lambda: sort(keys, z)
    edges = np.array([0] + [s.stop for s in slices(z.size, env.threads)])
    other = np.empty_like(z)
    return lambda: merge_sort(keys, z, other, edges)


def torch_sort(p, env):
    """It has no unsigned sort: the keys are moved to where int32 sorts them, and back."""
    (keys,), (z,), torch = env.inputs, env.outputs, env.module
    keys, z, lowest = keys.view(torch.int32), z.view(torch.int32), -(2**31)

    def run():
        moved = torch.bitwise_xor(keys, lowest)
        torch.bitwise_xor(moved.sort().values, lowest, out=z)

    return run


# ---- tables -----------------------------------------------------------------------------------

WORKLOADS = {
    "reduce": Workload(
        SIZE,
        ("float32",),
        build_reduce,
        (
            Peer("numpy", numpy_reduce, threads="one"),
            Peer("numpy", numpy_reduce_threads, "in threads", threads="all"),
            Peer("numba", numba_reduce),
            Peer("jax", lambda p, env: lambda x: (x.sum(keepdims=True),)),
            Peer("torch", torch_reduce),
            Peer("cupy", cupy_reduce),
            Peer("numba-cuda", numba_cuda_reduce),
        ),
    ),
    "gather": Workload(
        SIZE,
        ("float32",),
        build_gather,
        (
            Peer("numpy", numpy_gather, threads="one"),
            Peer("numpy", numpy_gather_threads, "in threads", threads="all"),
            Peer("numba", numba_gather),
            Peer("jax", jax_gather),
            Peer("torch", torch_gather),
            Peer("cupy", cupy_gather),
            Peer("numba-cuda", numba_cuda_gather),
        ),
    ),
    "sort": Workload(
        SIZE,
        ("uint32",),
        build_sort,
        (
            Peer("numpy", in_place_sort, threads="one"),
            Peer("numba", numba_sort),
            Peer("jax", lambda p, env: lambda keys: (keys.sort(),)),
            Peer("torch", torch_sort),
            Peer("cupy", in_place_sort),
        ),
    ),
}
