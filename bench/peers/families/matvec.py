"""matvec: so many steps of r <- f(J r + b), f(x) = x / (1 + |x|), from r = b, of a batch of vectors.

Tolerance: |found - reference| / |reference| at most 1e-5 in float32 and 1e-12 in float64, of up to 16 vectors: J's norm
is 0.8, so that errors do not grow. Reference: NumPy, float64.
"""

import numpy as np

from measure import TooSlow, estimate
from problem import Peer, Problem, Workload, has_nan, relative, uniform

LAUNCHES_MOST = 20_000  # steps of a loop in Python


def step(j, r, b):
    x = r @ j.T + b
    return x / (1 + abs(x))


def build(parameters, dtype, room):
    n, batch = parameters["order"], parameters["batch"]
    j = uniform(room, (n, n), dtype, low=-1.0)
    j *= 0.7 / np.sqrt(n)
    b = uniform(room, (batch, n), dtype, low=-1.0)
    some = np.unique(np.linspace(0, batch - 1, 16).astype(int))
    exact_j, exact_b = j.astype(np.float64), b[some].astype(np.float64)
    exact = exact_b
    for _ in range(min(parameters["steps"], 300)):  # it has come to rest by then
        exact = step(exact_j, exact, exact_b)

    def residual(outputs):
        return np.nan if has_nan(outputs[0]) else relative(outputs[0][some], exact)

    tolerance = 1e-12 if dtype == "float64" else 1e-5
    return Problem("matvec", parameters, dtype, (j, b), (room((batch, n), dtype),), residual, tolerance)


def few_launches(p):
    if p["steps"] > LAUNCHES_MOST:
        raise TooSlow(f"a loop in Python: not run above {LAUNCHES_MOST} steps")


def numpy_matvec(p, env):
    few_launches(p)
    (j, b), (out,) = env.inputs, env.outputs
    x, size = np.empty_like(out), np.empty_like(out)

    def run():
        r = b
        for _ in range(p["steps"]):
            np.matmul(r, j.T, out=x)
            np.add(x, b, out=x)
            np.abs(x, out=size)
            np.add(size, 1, out=size)
            r = np.divide(x, size, out=out)

    return run


def looped(p, env):
    """A Python loop over the steps, for PyTorch and CuPy."""
    few_launches(p)
    j, b = env.inputs

    def run(steps=p["steps"]):
        r = b
        for _ in range(steps):
            r = step(j, r, b)
        return (r,)

    part = max(1, p["steps"] // 50)
    estimate(lambda: run(part), part / p["steps"], env.longest)
    return run


def jax_matvec(p, env):
    jax, steps = env.module, p["steps"]
    return lambda j, b: (jax.lax.fori_loop(0, steps, lambda _, r: step(j, r, b), b),)


WORKLOADS = {
    "matvec": Workload(
        {"order": 1000, "steps": 100, "batch": 1},
        ("float32", "float64"),
        build,
        (
            Peer("numpy", numpy_matvec, threads="each"),
            Peer("jax", jax_matvec),
            Peer("torch", looped),
            Peer("cupy", looped),
        ),
    ),
}
