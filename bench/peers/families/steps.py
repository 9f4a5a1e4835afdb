"""steps: so many steps of a map in independent chains, each step a function of the one before.

map 0, logistic: x <- a x (1 - x), a in [2.5, 3.4), where it settles: peers round differently, and where it is
chaotic no two of them would agree. map 1, lorenz: a Runge-Kutta step over 1/256, rho in [2, 12), where it comes
to rest. map 2, metropolis: a step of MCMC whose target is Student's t with 3 degrees of freedom, with the
random numbers of each library.
Tolerances: logistic and lorenz, |found - reference| / |reference| over up to 256 chains, 1e-6 in float64 and 1e-3 in
float32. metropolis: half of the chains lie within 0.764892, within 4.5 binomial deviations, from 300 steps
on. Reference: NumPy, float64.
"""

import functools

import numpy as np

from measure import TooSlow, estimate
from problem import Peer, Problem, Workload, blocks, has_nan, in_threads, relative, uniform

LOGISTIC, LORENZ, METROPOLIS = range(3)
VALUES = (1, 3, 1)
AT_ONCE = 4096  # chains of a block of NumPy's
SETTLED = 300  # steps after which metropolis has forgotten its start
QUARTILE = 0.764892
LAUNCHES_MOST = 20_000  # steps of a loop in Python


# ---- a step of arrays, for NumPy, JAX, PyTorch and CuPy -------------------------------------------


def logistic(state, a, _):
    (x,) = state
    return (a * x * (1 - x),)


def slope(x, y, z, rho):
    return 10 * (y - x), x * (rho - z) - y, x * y - (8 / 3) * z


def lorenz(state, rho, _):
    h = 1 / 256

    def beside(k, far):
        return slope(*(s + far * d for s, d in zip(state, k)), rho)

    k1 = slope(*state, rho)
    k2 = beside(k1, h / 2)
    k3 = beside(k2, h / 2)
    k4 = beside(k3, h)
    every = zip(state, k1, k2, k3, k4)
    return tuple(s + (h / 6) * (a + 2 * (b + c) + d) for s, a, b, c, d in every)


def rarity(x):
    q = 1 + x * x * (1 / 3)
    return q * q


def metropolis(state, width, random):
    (x,) = state
    where, (u, v) = random
    proposal = x + width * (2 * u - 1)
    return (where(v * rarity(proposal) < rarity(x), proposal, x),)


STEP = (logistic, lorenz, metropolis)


# ---- the problem ------------------------------------------------------------------------------------


def build(parameters, dtype, room):
    n, steps, which = parameters["chains"], parameters["steps"], parameters["map"]
    start = uniform(room, (VALUES[which], n), dtype)
    parameter = uniform(room, (n,), dtype)
    start += np.array(((0.1,), (1, 1, 20), (-0.5,))[which], dtype)[:, None]
    if which == LOGISTIC:
        start *= 0.8
    low, high = ((2.5, 3.4), (2, 12), (2, 4))[which]
    parameter *= high - low
    parameter += low
    if which == METROPOLIS:
        residual, tolerance = quartiles(n, steps), 1.0
    else:
        residual = against(start, parameter, which, steps)
        tolerance = 1e-6 if dtype == "float64" else 1e-3
    outputs = (room((VALUES[which], n), dtype),)
    return Problem("steps", parameters, dtype, (start, parameter), outputs, residual, tolerance)


def against(start, parameter, which, steps):
    some = np.unique(np.linspace(0, start.shape[1] - 1, 256).astype(int))
    state, p = tuple(start[:, some].astype(np.float64)), parameter[some].astype(np.float64)
    for _ in range(steps):
        state = STEP[which](state, p, None)
    exact = np.stack(state)
    return lambda outputs: np.nan if has_nan(outputs[0]) else relative(outputs[0][:, some], exact)


def quartiles(n, steps):
    def residual(outputs):
        if has_nan(outputs[0]):
            return np.nan
        share = np.mean(np.abs(outputs[0]) < QUARTILE)
        return abs(share - 0.5) / (4.5 * 0.5 / np.sqrt(n)) if steps >= SETTLED else 0.0

    return residual


# ---- NumPy ------------------------------------------------------------------------------------------


def numpy_chains(p, env, part, random):
    (start, parameter), (end,) = env.inputs, env.outputs
    step = STEP[p["map"]]
    for at in range(part.start, part.stop, AT_ONCE):
        here = slice(at, min(part.stop, at + AT_ONCE))
        state, own = tuple(start[:, here]), parameter[here]
        for _ in range(p["steps"]):
            draw = None
            if p["map"] == METROPOLIS:
                draw = np.where, random.random((2, own.size), dtype=own.dtype)
            state = step(state, own, draw)
        end[:, here] = state


def numpy_steps(p, env):
    few_launches(p)
    random = np.random.default_rng(2)
    return lambda: numpy_chains(p, env, slice(0, p["chains"]), random)


def numpy_steps_threads(p, env):
    few_launches(p)
    return in_threads(
        env,
        p["chains"],
        lambda part: numpy_chains(p, env, part, np.random.default_rng(part.start)),
    )


def few_launches(p):
    if p["steps"] > LAUNCHES_MOST:
        raise TooSlow(f"a loop in Python: not run above {LAUNCHES_MOST} steps")


# ---- Numba ------------------------------------------------------------------------------------------


@functools.cache
def scalar_steps(jit, number):
    """A step of one chain, for Numba on either side."""
    third, ten, eight_thirds = number(1 / 3), number(10), number(8 / 3)
    one, two, sixth, half, whole = (number(x) for x in (1, 2, 1 / 1536, 1 / 512, 1 / 256))

    @jit
    def one_logistic(x, a):
        return a * x * (one - x)

    @jit
    def one_slope(x, y, z, rho):
        return ten * (y - x), x * (rho - z) - y, x * y - eight_thirds * z

    @jit
    def one_lorenz(x, y, z, rho):
        a, b, c = one_slope(x, y, z, rho)
        d, e, f = one_slope(x + half * a, y + half * b, z + half * c, rho)
        g, h, i = one_slope(x + half * d, y + half * e, z + half * f, rho)
        j, k, m = one_slope(x + whole * g, y + whole * h, z + whole * i, rho)
        x += sixth * (a + two * (d + g) + j)
        y += sixth * (b + two * (e + h) + k)
        z += sixth * (c + two * (f + i) + m)
        return x, y, z

    @jit
    def one_metropolis(x, r, width, u, v):
        proposal = x + width * (two * u - one)
        q = one + proposal * proposal * third
        q *= q
        return (proposal, q) if v * q < r else (x, r)

    return one_logistic, one_lorenz, one_metropolis


@functools.cache
def numba_loops(parallel, name):
    from numba import njit, prange

    number = np.dtype(name).type
    one_logistic, one_lorenz, one_metropolis = scalar_steps(njit(fastmath=True), number)

    @njit(parallel=parallel, fastmath=True)
    def all_logistic(start, parameter, end, steps):
        for i in prange(parameter.size):
            x, a = start[0, i], parameter[i]
            for _ in range(steps):
                x = one_logistic(x, a)
            end[0, i] = x

    @njit(parallel=parallel, fastmath=True)
    def all_lorenz(start, parameter, end, steps):
        for i in prange(parameter.size):
            x, y, z, rho = start[0, i], start[1, i], start[2, i], parameter[i]
            for _ in range(steps):
                x, y, z = one_lorenz(x, y, z, rho)
            end[0, i], end[1, i], end[2, i] = x, y, z

    @njit(parallel=parallel, fastmath=True)
    def all_metropolis(start, parameter, end, steps):
        for i in prange(parameter.size):
            x, width = start[0, i], parameter[i]
            r = number((1 + x * x / 3) ** 2)
            for _ in range(steps):
                u, v = number(np.random.random()), number(np.random.random())
                x, r = one_metropolis(x, r, width, u, v)
            end[0, i] = x

    return all_logistic, all_lorenz, all_metropolis


def numba_steps(p, env):
    loop = numba_loops(env.threads > 1, str(env.outputs[0].dtype))[p["map"]]
    return lambda: loop(*env.inputs, *env.outputs, p["steps"])


@functools.cache
def numba_block_loops(parallel, name):
    """Blocks of chains, steps outside: LLVM makes vectors of the loop inside."""
    from numba import njit, prange

    block = 256
    number = np.dtype(name).type
    one_logistic, one_lorenz, _ = scalar_steps(njit(fastmath=True), number)

    @njit(parallel=parallel, fastmath=True)
    def all_logistic(start, parameter, end, steps):
        for b in prange((parameter.size + block - 1) // block):
            x = start[0, b * block : (b + 1) * block].copy()
            a = parameter[b * block : (b + 1) * block]
            for _ in range(steps):
                for i in range(x.size):
                    x[i] = one_logistic(x[i], a[i])
            end[0, b * block : (b + 1) * block] = x

    @njit(parallel=parallel, fastmath=True)
    def all_lorenz(start, parameter, end, steps):
        for b in prange((parameter.size + block - 1) // block):
            x = start[0, b * block : (b + 1) * block].copy()
            y = start[1, b * block : (b + 1) * block].copy()
            z = start[2, b * block : (b + 1) * block].copy()
            rho = parameter[b * block : (b + 1) * block]
            for _ in range(steps):
                for i in range(x.size):
                    x[i], y[i], z[i] = one_lorenz(x[i], y[i], z[i], rho[i])
            end[0, b * block : (b + 1) * block] = x
            end[1, b * block : (b + 1) * block] = y
            end[2, b * block : (b + 1) * block] = z

    return all_logistic, all_lorenz


def numba_blocks(p, env):
    if p["map"] == METROPOLIS:
        raise ValueError("metropolis in blocks: Numba's generator makes one number at a time")
    loop = numba_block_loops(env.threads > 1, str(env.outputs[0].dtype))[p["map"]]
    return lambda: loop(*env.inputs, *env.outputs, p["steps"])


# ---- JAX, PyTorch, CuPy -----------------------------------------------------------------------------


def jax_steps(p, env):
    jax, which, steps = env.module, p["map"], p["steps"]

    def run(start, parameter):
        key = jax.random.key(2)

        def step(k, state):
            draw = None
            if which == METROPOLIS:
                shape = (2, parameter.size)
                numbers = jax.random.uniform(jax.random.fold_in(key, k), shape, parameter.dtype)
                draw = jax.numpy.where, numbers
            return STEP[which](state, parameter, draw)

        return (jax.numpy.stack(jax.lax.fori_loop(0, steps, step, tuple(start))),)

    return run


def looped(p, env, stack, draw):
    """A Python loop over the steps, an array operation or a launch for each of its parts."""
    few_launches(p)
    (start, parameter), which = env.inputs, p["map"]

    def run(steps=p["steps"]):
        state = tuple(start)
        for _ in range(steps):
            state = STEP[which](state, parameter, draw() if which == METROPOLIS else None)
        return (stack(state),)

    part = max(1, p["steps"] // 50)
    estimate(lambda: run(part), part / p["steps"], env.longest)
    return run


def torch_steps(p, env):
    torch, parameter = env.module, env.inputs[1]
    shape = (2, p["chains"])

    def draw():
        return torch.where, torch.rand(shape, dtype=parameter.dtype, device=parameter.device)

    return looped(p, env, torch.stack, draw)


def cupy_steps(p, env):
    cupy, parameter = env.module, env.inputs[1]
    shape = (2, p["chains"])
    return looped(
        p, env, cupy.stack, lambda: (cupy.where, cupy.random.random(shape, parameter.dtype))
    )


# ---- numba-cuda -------------------------------------------------------------------------------------


@functools.cache
def cuda_loops(name):
    from numba import cuda

    number = np.dtype(name).type
    device = functools.partial(cuda.jit, device=True)
    one_logistic, one_lorenz, _ = scalar_steps(device, number)

    @cuda.jit
    def all_logistic(start, parameter, end, steps):
        i = cuda.grid(1)
        if i < parameter.size:
            x, a = start[0, i], parameter[i]
            for _ in range(steps):
                x = one_logistic(x, a)
            end[0, i] = x

    @cuda.jit
    def all_lorenz(start, parameter, end, steps):
        i = cuda.grid(1)
        if i < parameter.size:
            x, y, z, rho = start[0, i], start[1, i], start[2, i], parameter[i]
            for _ in range(steps):
                x, y, z = one_lorenz(x, y, z, rho)
            end[0, i], end[1, i], end[2, i] = x, y, z

    return all_logistic, all_lorenz


def numba_cuda_steps(p, env):
    if p["map"] == METROPOLIS:
        raise ValueError("metropolis is not written for numba-cuda")
    kernel = cuda_loops(str(env.outputs[0].dtype))[p["map"]][blocks(p["chains"], 64)]
    return lambda: kernel(*env.inputs, *env.outputs, p["steps"])


WORKLOADS = {
    "steps": Workload(
        {"chains": 10_000, "steps": 1000, "map": 0},
        ("float64", "float32"),
        build,
        (
            Peer("numpy", numpy_steps, threads="one"),
            Peer("numpy", numpy_steps_threads, "in threads", threads="all"),
            Peer("numba", numba_steps),
            Peer("numba", numba_blocks, "in blocks"),
            Peer("jax", jax_steps),
            Peer("torch", torch_steps, as_written=True),
            Peer("cupy", cupy_steps, as_written=True),
            Peer("numba-cuda", numba_cuda_steps),
        ),
    ),
}
