"""Linear algebra, dense and sparse. Bodies are as grids.py has them."""
from grids import random_numbers, scipy_of
from pair import Pair


def matrix(n):
    """Symmetric, far from singular, the same for both versions."""
    import numpy
    a = random_numbers((n, n), "float64")
    return (a + a.T) / 2 + n * numpy.eye(n)


def solve_numpy(np, n):
    """A system of equations, for changing right sides."""
    a, b = matrix(n), np.ones(n)
    while True:
        b = np.linalg.solve(a, b) * n
        yield b


def solve_torch(torch, n):
    a, b = torch.as_tensor(matrix(n), device=torch.get_default_device()), torch.ones(n, dtype=torch.float64)
    while True:
        b = torch.linalg.solve(a, b) * n
        yield b


def small_solves_numpy(np, n):
    """Systems of twelve equations, one after the other."""
    a = random_numbers((n, 12, 12), "float64") + 12 * np.eye(12)
    b = np.ones((n, 12))
    while True:
        for i in range(n):
            b[i] = np.linalg.solve(a[i], b[i]) * 18
        yield b


def small_solves_torch(torch, n):
    device = torch.get_default_device()
    a = torch.as_tensor(random_numbers((n, 12, 12), "float64"), device=device) + 12 * torch.eye(12, dtype=torch.float64)
    b = torch.ones((n, 12), dtype=torch.float64)
    while True:
        for i in range(n):
            b[i] = torch.linalg.solve(a[i], b[i]) * 18
        yield b


def many_solves(xp, n):
    """Thousands of systems of sixteen equations in one call."""
    a = xp.asarray(random_numbers((n, 16, 16), "float64")) + 16 * xp.eye(16)
    b = xp.ones((n, 16, 1))
    while True:
        b = xp.linalg.solve(a, b) * 24
        yield b


def eigen(xp, n):
    """The spectrum of a symmetric matrix that changes a little."""
    a = xp.asarray(matrix(n))
    while True:
        values, vectors = xp.linalg.eigh(a)
        a += 1e-3 * xp.diag(values)
        yield values


def components_sklearn(_, n):
    """The main components of a table."""
    from sklearn.decomposition import PCA
    x = random_numbers((n, n // 50 + 20), "float64")
    x[:, 0] *= 5
    while True:
        yield PCA(10, svd_solver="full").fit(x).explained_variance_


def components_torch(torch, n):
    x = torch.as_tensor(random_numbers((n, n // 50 + 20), "float64"), device=torch.get_default_device())
    x[:, 0] *= 5
    while True:
        _, s, _ = torch.linalg.svd(x - x.mean(0), full_matrices=False)
        yield s[:10] ** 2 / (n - 1)


def process_scipy(np, n):
    """A Gaussian process: kernel, factors, mean and likelihood."""
    from scipy.linalg import cho_factor, cho_solve
    x = np.sort(random_numbers(n, "float64")) * 100
    y, length = np.sin(x), 1.0
    while True:
        k = np.exp(-0.5 * ((x[:, None] - x[None]) / length) ** 2) + 0.1 * np.eye(n)
        factor = cho_factor(k, lower=True)
        yield np.array([y @ cho_solve(factor, y), np.log(np.diag(factor[0])).sum()])
        length *= 1.01


def process_torch(torch, n):
    x = torch.sort(torch.as_tensor(random_numbers(n, "float64"), device=torch.get_default_device()))[0] * 100
    y, length = torch.sin(x), 1.0
    while True:
        k = torch.exp(-0.5 * ((x[:, None] - x[None]) / length) ** 2) + 0.1 * torch.eye(n, dtype=torch.float64)
        factor = torch.linalg.cholesky(k)
        weights = torch.cholesky_solve(y[:, None], factor)[:, 0]
        yield torch.stack([y @ weights, torch.log(torch.diagonal(factor)).sum()])
        length *= 1.01


def plate(n):
    """The matrix of Poisson's equation on n x n points, as SciPy has it."""
    from scipy import sparse
    line = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n))
    return (sparse.kron(sparse.eye(n), line) + sparse.kron(line, sparse.eye(n))).tocsr()


def potential(xp, n):
    """Poisson's equation by conjugate gradients."""
    linalg = scipy_of(xp, "sparse.linalg")
    a = scipy_of(xp, "sparse").csr_matrix(plate(n))
    b = xp.ones(n * n)
    while True:
        x, _ = linalg.cg(a, b, maxiter=100)
        yield x
        b = b + 1e-3 * x


def links(n):
    """A graph of n pages with twelve links each, whose columns have sum 1."""
    import numpy
    from scipy import sparse
    to = (random_numbers(12 * n, "float64") ** 2 * n).astype(numpy.int32)
    came = numpy.repeat(numpy.arange(n, dtype=numpy.int32), 12)
    return sparse.csr_matrix((numpy.full(12 * n, 1 / 12), (to, came)), shape=(n, n))


def ranks_scipy(np, n):
    """The rank of pages, by products with a sparse matrix."""
    a, rank = links(n), np.full(n, 1 / n)
    while True:
        for _ in range(5):
            rank = 0.85 * (a @ rank) + 0.15 / n
        yield rank * n


def ranks_torch(torch, n):
    a = links(n)
    device = torch.get_default_device()
    a = torch.sparse_csr_tensor(*(torch.as_tensor(one, device=device) for one in (a.indptr, a.indices, a.data)), (n, n))
    rank = torch.full((n, 1), 1 / n, dtype=torch.float64)
    while True:
        for _ in range(5):
            rank = 0.85 * (a @ rank) + 0.15 / n
        yield rank * n


def fit_numpy(np, n):
    """Least squares with many rows."""
    x, y = random_numbers((n, 100), "float64"), np.arange(n) / n
    while True:
        found = np.linalg.lstsq(x, y, rcond=None)[0]
        yield found
        y = y + 0.01 * (x @ found)


def fit_jax(jax, n):
    jnp = jax.numpy
    x, y = jnp.asarray(random_numbers((n, 100), "float64")), jnp.arange(n) / n
    while True:
        found = jnp.linalg.lstsq(x, y)[0]
        yield found
        y = y + 0.01 * (x @ found)


def correlations_pandas(_, n):
    """How the columns of a table go together."""
    import pandas
    table = pandas.DataFrame(random_numbers((n, 100), "float64"))
    while True:
        table[0] = 0.5 * (table[0] + table[1])
        yield table.corr().to_numpy()


def correlations_cupy(cp, n):
    table = cp.asarray(random_numbers((n, 100), "float64"))
    while True:
        table[:, 0] = 0.5 * (table[:, 0] + table[:, 1])
        yield cp.corrcoef(table, rowvar=False)


PAIRS = [
    Pair("solve", "numpy", solve_numpy, "torch", solve_torch, 3000, 20),
    Pair("small-solves", "numpy", small_solves_numpy, "torch", small_solves_torch, 1000, 5),
    Pair("many-solves", "numpy", many_solves, "cupy", many_solves, 20_000, 5),
    Pair("eigen", "numpy", eigen, "cupy", eigen, 1000, 20),
    Pair("components", "sklearn", components_sklearn, "torch", components_torch, 15_000, 100),
    Pair("process", "scipy", process_scipy, "torch", process_torch, 2500, 30),
    Pair("potential", "scipy", potential, "cupy scipy", potential, 700, 10, close=1e-4),
    Pair("ranks", "scipy", ranks_scipy, "torch scipy", ranks_torch, 500_000, 50),
    Pair("fit", "numpy", fit_numpy, "jax", fit_jax, 50_000, 150),
    Pair("correlations", "pandas", correlations_pandas, "cupy", correlations_cupy, 100_000, 50),
]
