"""Chance, chains and equations of motion. Bodies are as grids.py has them. Results that chance decides agree only within what
chance allows, so that they are means of much.
"""
from grids import random_numbers
from pair import Pair


def options(xp, n):
    """The price of an option by paths of fifty days; the mean over all steps."""
    random = xp.random.default_rng(1)
    prices = []
    while True:
        paths = 100 * xp.exp(xp.cumsum(0.01 * random.standard_normal((n, 50)), axis=1))
        prices.append(xp.maximum(paths.mean(1) - 98, 0).mean())
        yield sum(prices) / len(prices)


def chain_numpy(np, n):
    """One chain of Metropolis for three numbers behind n measurements; how often it moves."""
    random = np.random.default_rng(1)
    x = np.linspace(0, 1, n)
    y = 1 + 2 * x

    def log_odds(p):
        return -0.5 * np.sum((y - p[0] - p[1] * x) ** 2) / np.exp(2 * p[2]) - n * p[2]

    p = np.zeros(3)
    now, moves, tries = log_odds(p), 0, 0
    while True:
        for _ in range(500):
            other = p + 0.05 * random.standard_normal(3)
            other[2] = max(other[2], -1)
            then = log_odds(other)
            tries += 1
            if np.log(random.random()) < then - now:
                p, now, moves = other, then, moves + 1
        yield moves / tries


def chain_torch(torch, n):
    torch.manual_seed(1)
    x = torch.linspace(0, 1, n)
    y = 1 + 2 * x

    def log_odds(p):
        return -0.5 * torch.sum((y - p[0] - p[1] * x) ** 2) / torch.exp(2 * p[2]) - n * p[2]

    p = torch.zeros(3)
    now, moves, tries = log_odds(p), 0, 0
    while True:
        for _ in range(500):
            other = p + 0.05 * torch.randn(3)
            other[2] = max(other[2], torch.tensor(-1.0))
            then = log_odds(other)
            tries += 1
            if torch.log(torch.rand(())) < then - now:
                p, now, moves = other, then, moves + 1
        yield float(moves / tries)


def chains_numpy(np, n):
    """Metropolis for n chains at a time; the mean square of where they are."""
    random = np.random.default_rng(1)
    p = random.standard_normal((n, 5))

    def log_odds(p):
        return -0.5 * (p ** 2).sum(1) - 0.1 * (p ** 4).sum(1)

    now = log_odds(p)
    while True:
        for _ in range(5):
            other = p + 0.5 * random.standard_normal((n, 5))
            then = log_odds(other)
            taken = np.log(random.random(n)) < then - now
            p, now = np.where(taken[:, None], other, p), np.where(taken, then, now)
        yield (p ** 2).mean()


def chains_jax(jax, n):
    jnp = jax.numpy

    def log_odds(p):
        return -0.5 * (p ** 2).sum(1) - 0.1 * (p ** 4).sum(1)

    @jax.jit
    def advance(p, now, key):
        key, first, second = jax.random.split(key, 3)
        other = p + 0.5 * jax.random.normal(first, p.shape)
        then = log_odds(other)
        taken = jnp.log(jax.random.uniform(second, now.shape)) < then - now
        return jnp.where(taken[:, None], other, p), jnp.where(taken, then, now), key

    p = jax.random.normal(jax.random.PRNGKey(1), (n, 5))
    state = p, log_odds(p), jax.random.PRNGKey(2)
    while True:
        for _ in range(5):
            state = advance(*state)
        yield (state[0] ** 2).mean()


def orbit_scipy(np, n):
    """A pendulum of two parts, by a solver of SciPy, n seconds at a time."""
    from scipy.integrate import solve_ivp

    def slope(_, s):
        a, b, v, w = s
        c, e = np.cos(a - b), np.sin(a - b)
        below = 2 - c * c
        return [v, w, (9.8 * np.sin(b) * c - e * (v * v * c + w * w) - 19.6 * np.sin(a)) / below,
                (2 * (v * v * e - 9.8 * np.sin(b) + 9.8 * np.sin(a) * c) + w * w * e * c) / below]

    while True:
        s = np.array([0.3, 0.2, 0.0, 0.0])
        s = solve_ivp(slope, (0, n), s, rtol=1e-8, atol=1e-10).y[:, -1]
        yield s


def orbit_jax(jax, n):
    jnp = jax.numpy

    def slope(s):
        a, b, v, w = s
        c, e = jnp.cos(a - b), jnp.sin(a - b)
        below = 2 - c * c
        return jnp.stack([v, w, (9.8 * jnp.sin(b) * c - e * (v * v * c + w * w) - 19.6 * jnp.sin(a)) / below,
                          (2 * (v * v * e - 9.8 * jnp.sin(b) + 9.8 * jnp.sin(a) * c) + w * w * e * c) / below])

    def advance(_, s):
        h = 0.002
        k1 = slope(s)
        k2 = slope(s + h / 2 * k1)
        k3 = slope(s + h / 2 * k2)
        return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + slope(s + h * k3))

    run = jax.jit(lambda s: jax.lax.fori_loop(0, 500 * n, advance, s))
    while True:
        yield run(jnp.array([0.3, 0.2, 0.0, 0.0]))


def orbits_numpy(np, n):
    """Hunters and prey in n places, by the method of Runge and Kutta."""
    x, y = random_numbers(n, "float64") + 0.5, np.ones(n)

    def slope(x, y):
        return x * (1 - y), y * (x - 1)

    while True:
        for _ in range(5):
            h = 0.01
            a, b = slope(x, y)
            c, d = slope(x + h / 2 * a, y + h / 2 * b)
            e, f = slope(x + h / 2 * c, y + h / 2 * d)
            g, i = slope(x + h * e, y + h * f)
            x, y = x + h / 6 * (a + 2 * c + 2 * e + g), y + h / 6 * (b + 2 * d + 2 * f + i)
        yield x


def orbits_jax(jax, n):
    jnp = jax.numpy

    def slope(x, y):
        return x * (1 - y), y * (x - 1)

    @jax.jit
    def advance(x, y):
        h = 0.01
        a, b = slope(x, y)
        c, d = slope(x + h / 2 * a, y + h / 2 * b)
        e, f = slope(x + h / 2 * c, y + h / 2 * d)
        g, i = slope(x + h * e, y + h * f)
        return x + h / 6 * (a + 2 * c + 2 * e + g), y + h / 6 * (b + 2 * d + 2 * f + i)

    x, y = jnp.asarray(random_numbers(n, "float64")) + 0.5, jnp.ones(n)
    while True:
        for _ in range(5):
            x, y = advance(x, y)
        yield x


def resamples(xp, n):
    """How far a median may be off: samples drawn again from n numbers."""
    random = xp.random.default_rng(1)
    x = xp.asarray(random_numbers(n, "float64"))
    found = []
    while True:
        again = x[random.integers(0, n, (20, n))]
        found.append(xp.mean(again ** 2))
        yield sum(found) / len(found)


def walks(xp, n):
    """n walkers on a graph, each step to a neighbour by chance; the mean place."""
    random = xp.random.default_rng(1)
    to = xp.asarray((random_numbers((n, 8), "float64") * n).astype("int64"))
    at = xp.arange(n)
    while True:
        for _ in range(5):
            at = to[at, random.integers(0, 8, n)]
        yield xp.mean(at / n)


PAIRS = [
    Pair("options", "numpy", options, "cupy", options, 100_000, 20_000, close=0.02),
    Pair("chain", "numpy", chain_numpy, "torch", chain_torch, 100, 100, close=0.2),
    Pair("chains", "numpy", chains_numpy, "jax", chains_jax, 100_000, 20_000, close=0.03),
    Pair("orbit", "scipy", orbit_scipy, "jax", orbit_jax, 20, 1, close=1e-4),
    Pair("orbits", "numpy", orbits_numpy, "jax", orbits_jax, 500_000, 50),
    Pair("resamples", "numpy", resamples, "cupy", resamples, 200_000, 20_000, close=0.01),
    Pair("walks", "numpy", walks, "cupy", walks, 1_000_000, 50_000, close=0.03),
]
