"""generate: so many uniform random float64 numbers in [0, 1).

There is no reference for random numbers. Checked: each is in [0, 1] (CuPy's and PyTorch's ends may
differ), and mean, variance and the correlation of neighbours are within 6 standard errors of a
uniform distribution's. The residual is the largest of these, in standard errors; tolerance 6.
"""

import functools

import numpy as np

from problem import Peer, Problem, Workload, blocks, in_threads

STATES = 256 * 1024  # threads of the numba-cuda kernel, each with a generator of its own


def build(parameters, dtype, room):
    return Problem("generate", parameters, dtype, (), (room(parameters["size"], dtype),), odd, 6.0)


def odd(outputs):
    z = outputs[0]
    if not (z.min() >= 0 and z.max() <= 1):  # also when there is a NaN
        return np.nan
    n, centred = z.size, z - 0.5
    mean = abs(np.mean(centred)) * np.sqrt(12 * n)
    variance = abs(np.mean(centred**2) - 1 / 12) * np.sqrt(180 * n)
    neighbours = abs(np.mean(centred[1:] * centred[:-1])) * 12 * np.sqrt(n)
    return max(mean, variance, neighbours)


def numpy_generator(p, env):
    generator, (z,) = np.random.default_rng(1), env.outputs
    return lambda: generator.random(out=z)


def numpy_threads(p, env):
    """A generator for each thread, as NumPy's manual has it."""
    (z,) = env.outputs
    seeds = np.random.SeedSequence(1).spawn(env.threads)
    starts = [z.size * i // env.threads for i in range(env.threads)]
    generators = dict(zip(starts, map(np.random.default_rng, seeds)))
    return in_threads(env, z.size, lambda part: generators[part.start].random(out=z[part]))


def rand(p, env):
    """The notebook's: np.random.rand or cp.random.rand, a new array each time."""
    return lambda: (env.module.random.rand(p["size"]),)


@functools.cache
def numba_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel)
    def fill(z):
        for i in prange(z.size):
            z[i] = np.random.random()

    return fill


def numba_fill(p, env):
    loop = numba_loop(env.threads > 1)
    return lambda: loop(*env.outputs)


def jax_uniform(p, env):
    """A new key each call: the counter of the last one, split."""
    jax = env.module
    from itertools import count

    counter = count()
    numbers = jax.jit(lambda i: jax.random.uniform(jax.random.key(i), p["size"], "float64"))
    return lambda: (numbers(next(counter)),)


def torch_rand(p, env):
    (z,) = env.outputs
    return lambda: z.uniform_()


def cupy_generator(p, env):
    generator, (z,) = env.module.random.default_rng(1), env.outputs
    return lambda: generator.random(out=z)


@functools.cache
def cuda_fill():
    from numba import cuda
    from numba.cuda.random import xoroshiro128p_uniform_float64

    @cuda.jit
    def fill(states, z):
        thread = cuda.grid(1)
        for i in range(thread, z.size, cuda.gridsize(1)):
            z[i] = xoroshiro128p_uniform_float64(states, thread)

    return fill


def numba_cuda_fill(p, env):
    from numba.cuda.random import create_xoroshiro128p_states

    (z,) = env.outputs
    groups, threads = blocks(min(STATES, z.size))
    states = create_xoroshiro128p_states(groups * threads, seed=1)
    kernel = cuda_fill()[groups, threads]
    return lambda: kernel(states, z)


WORKLOADS = {
    "generate": Workload(
        {"size": 10_000_000},
        ("float64",),
        build,
        (
            Peer("numpy", numpy_generator, threads="one"),
            Peer("numpy", numpy_threads, "in threads", threads="all"),
            Peer("numpy", rand, threads="one", as_written=True),
            Peer("numba", numba_fill),
            Peer("jax", jax_uniform, jitted=False),
            Peer("torch", torch_rand),
            Peer("cupy", cupy_generator),
            Peer("cupy", rand, as_written=True),
            Peer("numba-cuda", numba_cuda_fill),
        ),
    ),
}
