"""Neighbours, clusters, mixtures, regressions and nets. Bodies are as grids.py has them."""
from grids import random_numbers
from pair import Pair


def neighbours_sklearn(_, n):
    """The ten nearest of n points in 64 dimensions, for a thousand at a time."""
    from sklearn.neighbors import NearestNeighbors
    known = random_numbers((n, 64), "float32")
    asked = known[:n // 20 + 5] + 0.01
    model = NearestNeighbors(n_neighbors=10, algorithm="brute").fit(known)
    while True:
        distance, _ = model.kneighbors(asked)
        yield distance
        asked = asked * 0.99


def neighbours_torch(torch, n):
    known = torch.as_tensor(random_numbers((n, 64), "float32"), device=torch.get_default_device())
    asked = known[:n // 20 + 5] + 0.01
    while True:
        yield torch.cdist(asked, known).topk(10, largest=False)[0]
        asked = asked * 0.99


def near_tree(np, n):
    """The eight nearest of points in space, by a tree."""
    from scipy.spatial import cKDTree
    points = random_numbers((n, 3), "float64")
    while True:
        distance, _ = cKDTree(points).query(points[:n // 5], k=8)
        yield distance
        points = (points * 1.01) % 1


def near_torch(torch, n):
    points = torch.as_tensor(random_numbers((n, 3), "float64"), device=torch.get_default_device())
    while True:
        yield torch.cat([torch.cdist(some, points).topk(8, largest=False)[0] for some in points[:n // 5].split(2000)])
        points = (points * 1.01) % 1


def clusters_sklearn(_, n):
    """k-means, twenty rounds from the same centres."""
    from sklearn.cluster import KMeans
    x = random_numbers((n, 16), "float64")
    while True:
        model = KMeans(32, init=x[:32], n_init=1, max_iter=20, tol=0).fit(x)
        yield model.inertia_
        x = x * 1.01


def clusters_torch(torch, n):
    x = torch.as_tensor(random_numbers((n, 16), "float64"), device=torch.get_default_device())
    while True:
        centres = x[:32].clone()
        for _ in range(20):
            nearest = torch.cdist(x, centres).argmin(1)
            count = torch.bincount(nearest, minlength=32).clamp(min=1)
            centres = torch.zeros_like(centres).index_add_(0, nearest, x) / count[:, None]
        yield (torch.cdist(x, centres).min(1)[0] ** 2).sum()
        x = x * 1.01


def mixture_numpy(np, n):
    """A mixture of ten bells in six dimensions, by expectation and maximization."""
    x = random_numbers((n, 6), "float64")
    mean, spread, weight = x[:10].copy(), np.ones((10, 6)), np.full(10, 0.1)
    while True:
        log = -0.5 * (((x[:, None] - mean) ** 2 / spread) + np.log(spread)).sum(2) + np.log(weight)
        log -= log.max(1, keepdims=True)
        share = np.exp(log)
        share /= share.sum(1, keepdims=True)
        total = share.sum(0)
        mean = share.T @ x / total[:, None]
        spread = share.T @ x ** 2 / total[:, None] - mean ** 2 + 1e-6
        weight = total / n
        yield mean


def mixture_jax(jax, n):
    jnp = jax.numpy

    @jax.jit
    def improve(x, mean, spread, weight):
        log = -0.5 * (((x[:, None] - mean) ** 2 / spread) + jnp.log(spread)).sum(2) + jnp.log(weight)
        share = jax.nn.softmax(log, axis=1)
        total = share.sum(0)
        mean = share.T @ x / total[:, None]
        return mean, share.T @ x ** 2 / total[:, None] - mean ** 2 + 1e-6, total / n

    x = jnp.asarray(random_numbers((n, 6), "float64"))
    state = x[:10], jnp.ones((10, 6)), jnp.full(10, 0.1)
    while True:
        state = improve(x, *state)
        yield state[0]


def net_numpy(np, n, rows=64, rate=0.01):
    """A net of one hidden layer, its gradients written out."""
    x, y = random_numbers((rows, 20), "float32"), random_numbers((rows, 1), "float32")
    a, b = (random_numbers((20, n), "float32") - 0.5) / 4, (random_numbers((n, 1), "float32") - 0.5) / n ** 0.5
    while True:
        for _ in range(50):
            hidden = np.maximum(x @ a, 0)
            off = (hidden @ b - y) * (2 / rows)
            down = off @ b.T * (hidden > 0)
            a, b = a - np.float32(rate) * (x.T @ down), b - np.float32(rate) * (hidden.T @ off)
        yield np.maximum(x @ a, 0) @ b


def net_torch(torch, n, rows=64, rate=0.01):
    device = torch.get_default_device()
    x, y, a, b = (torch.as_tensor(one, device=device) for one in (
        random_numbers((rows, 20), "float32"), random_numbers((rows, 1), "float32"),
        (random_numbers((20, n), "float32") - 0.5) / 4, (random_numbers((n, 1), "float32") - 0.5) / n ** 0.5))
    a.requires_grad, b.requires_grad = True, True
    optimizer = torch.optim.SGD([a, b], lr=rate)
    while True:
        for _ in range(50):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(torch.relu(x @ a) @ b, y).backward()
            optimizer.step()
        yield (torch.relu(x @ a) @ b).detach()


def deep_numpy(np, n):
    """A net of three layers of n units on batches of n rows."""
    x, y = random_numbers((n, n), "float32"), random_numbers((n, n), "float32") - np.float32(0.5)
    layers = [((random_numbers((n, n), "float32") - 0.5) * (3 / n ** 0.5)).astype(np.float32) for _ in range(3)]
    while True:
        values = [x]
        for w in layers:
            values.append(np.tanh(values[-1] @ w))
        down = (values[-1] - y) * np.float32(2 / n)
        for i in (2, 1, 0):
            down = down * (1 - values[i + 1] ** 2)
            layers[i], down = layers[i] - np.float32(0.01) * (values[i].T @ down), down @ layers[i].T
        yield values[-1]


def deep_torch(torch, n):
    device = torch.get_default_device()
    x = torch.as_tensor(random_numbers((n, n), "float32"), device=device)
    y = torch.as_tensor(random_numbers((n, n), "float32"), device=device) - 0.5
    layers = [((torch.as_tensor(random_numbers((n, n), "float32"), device=device) - 0.5) * (3 / n ** 0.5)
               ).requires_grad_() for _ in range(3)]
    optimizer = torch.optim.SGD(layers, lr=0.01)
    while True:
        optimizer.zero_grad()
        value = x
        for w in layers:
            value = torch.tanh(value @ w)
        ((value - y) ** 2).sum().div(n).backward()
        optimizer.step()
        yield value.detach()


def odds_numpy(np, n):
    """Logistic regression by gradient descent on all rows."""
    x = random_numbers((n, 30), "float64")
    y = (x @ np.linspace(-1, 1, 30) > 0).astype(float)
    w = np.zeros(30)
    while True:
        for _ in range(5):
            w -= x.T @ (1 / (1 + np.exp(-x @ w)) - y) / n
        yield w


def odds_jax(jax, n):
    jnp = jax.numpy
    x = jnp.asarray(random_numbers((n, 30), "float64"))
    y = (x @ jnp.linspace(-1, 1, 30) > 0).astype(float)

    @jax.jit
    def improve(w):
        def loss(w):
            z = x @ w
            return jnp.mean(jnp.logaddexp(0, z) - y * z)
        return w - jax.grad(loss)(w)

    w = jnp.zeros(30)
    while True:
        for _ in range(5):
            w = improve(w)
        yield w


def distances_numba(_, n):
    """Forces of bodies on each other, compiled by Numba."""
    import math
    import numba
    import numpy as np

    @numba.njit(parallel=True, fastmath=True)
    def force(p, f):
        for i in numba.prange(n):
            x = y = z = 0.0
            for j in range(n):
                dx, dy, dz = p[j, 0] - p[i, 0], p[j, 1] - p[i, 1], p[j, 2] - p[i, 2]
                r2 = dx * dx + dy * dy + dz * dz + 0.01
                scale = 1 / (r2 * math.sqrt(r2))
                x, y, z = x + dx * scale, y + dy * scale, z + dz * scale
            f[i, 0], f[i, 1], f[i, 2] = x, y, z

    p, f = random_numbers((n, 3), "float64"), np.zeros((n, 3))
    while True:
        force(p, f)
        p = p + 1e-7 * f
        yield p


def distances_cupy(cp, n):
    p = cp.asarray(random_numbers((n, 3), "float64"))
    while True:
        d = p[None] - p[:, None]
        r2 = (d * d).sum(2) + 0.01
        p = p + 1e-7 * (d / (r2 * cp.sqrt(r2))[..., None]).sum(1)
        yield p


PAIRS = [
    Pair("neighbours", "sklearn", neighbours_sklearn, "torch", neighbours_torch, 30_000, 60, close=1e-3),
    Pair("near", "scipy", near_tree, "torch", near_torch, 100_000, 60),
    Pair("clusters", "sklearn", clusters_sklearn, "torch", clusters_torch, 100_000, 200, close=1e-3),
    Pair("mixture", "numpy", mixture_numpy, "jax", mixture_jax, 100_000, 60),
    Pair("small-net", "numpy", net_numpy, "torch", net_torch, 32, 8, close=1e-3),
    Pair("deep-net", "numpy", deep_numpy, "torch", deep_torch, 1500, 16, close=1e-2),
    Pair("odds", "numpy", odds_numpy, "jax", odds_jax, 300_000, 50),
    Pair("bodies", "numba", distances_numba, "cupy", distances_cupy, 4000, 20),
]
