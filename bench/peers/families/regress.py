"""regress: linear regression by gradient descent, n samples of k features, so many steps.

beta <- beta - rate * 2/n X'(X beta - y), from 0, rate 0.1 as in the notebook. One feature is 1; the
first is in [0, 1) as there, the rest are in [-1, 1), so that this rate converges for any k.
"steps" goes through X in each step. "gram" computes X'X and X'y once, after which a step is k x k:
the same beta for far less work.
Tolerance: |beta - reference| / |reference| at most 1e-3 in float32, since each of thousands of
steps rounds; as written 1e-2, because JAX left alone may multiply in TF32. Reference: NumPy, gram,
float64.
"""

import functools

import numpy as np

from measure import estimate
from problem import Peer, Problem, Workload, relative, slices

RATE = 0.1
SHARE = 50  # steps by which a whole run is estimated
GRAPH = 100  # steps of a CUDA graph


def build(parameters, dtype, room):
    n, k, steps = (parameters[name] for name in ("samples", "features", "steps"))
    x, y, generator = room((n, k), dtype), room(n, dtype), np.random.default_rng(1)
    truth = np.linspace(2, 5, k)
    for part in slices(n, max(1, n // 65536)):
        block = generator.random((part.stop - part.start, k))
        block[:, 1:] = 2 * block[:, 1:] - 1
        block[:, -1] = 1
        x[part] = block
        y[part] = block @ truth + 0.1 * generator.standard_normal(len(block))
    exact = reference(x, y, steps)

    def residual(outputs):
        return relative(outputs[0].reshape(-1), exact)

    outputs = (np.empty(k, dtype),)
    return Problem("regress", parameters, dtype, (x, y), outputs, residual, 1e-3)


def reference(x, y, steps):
    gram, right = np.zeros((x.shape[1],) * 2), np.zeros(x.shape[1])
    for part in slices(len(x), max(1, len(x) // 65536)):
        block = x[part].astype(np.float64)
        gram += block.T @ block
        right += block.T @ y[part]
    beta = np.zeros_like(right)
    for _ in range(steps):
        beta -= RATE * 2 / len(x) * (gram @ beta - right)
    return beta


def watched(p, env, descend, wait=lambda: None):
    """descend(steps), as many as asked for, unless a few of them show it to be too slow."""
    few = min(SHARE, p["steps"])
    estimate(lambda: descend(few), few / p["steps"], env.longest, wait)
    return lambda: descend(p["steps"])


# ---- on the CPU -------------------------------------------------------------------------------


def numpy_steps(p, env):
    (x, y), (beta,) = env.inputs, env.outputs
    factor = x.dtype.type(RATE * 2 / len(x))
    error, gradient = np.empty_like(y), np.empty_like(beta)

    def descend(steps):
        beta.fill(0)
        for _ in range(steps):
            np.matmul(x, beta, out=error)
            np.subtract(error, y, out=error)
            np.matmul(error, x, out=gradient)
            np.subtract(beta, factor * gradient, out=beta)

    return watched(p, env, descend)


def numpy_gram(p, env):
    (x, y), (beta,) = env.inputs, env.outputs
    factor = x.dtype.type(RATE * 2 / len(x))

    def run():
        gram, right = factor * (x.T @ x), factor * (x.T @ y)
        beta.fill(0)
        for _ in range(p["steps"]):
            np.subtract(beta, gram @ beta - right, out=beta)

    return run


@functools.cache
def numba_loops(parallel):
    from numba import njit, prange

    @njit(fastmath=True)
    def one_pass(x, y, beta, gradient):
        """X'(X beta - y) of some rows, each row read once."""
        gradient[:] = 0
        for i in range(x.shape[0]):
            row = x[i]
            error = -y[i]
            for j in range(row.size):
                error += row[j] * beta[j]
            for j in range(row.size):
                gradient[j] += error * row[j]

    @njit(parallel=parallel, fastmath=True)
    def descend(x, y, beta, factor, steps, pieces):
        n, k = x.shape
        gradients = np.zeros((pieces, k + 16), x.dtype)  # a cache line apart
        beta[:] = 0
        for _ in range(steps):
            for piece in prange(pieces):
                lo, hi = n * piece // pieces, n * (piece + 1) // pieces
                one_pass(x[lo:hi], y[lo:hi], beta, gradients[piece, :k])
            for piece in range(pieces):
                for j in range(k):
                    beta[j] -= factor * gradients[piece, j]

    @njit(fastmath=True)
    def descend_gram(gram, right, beta, steps):
        step = np.empty_like(beta)
        beta[:] = 0
        for _ in range(steps):
            for i in range(beta.size):
                total = -right[i]
                row = gram[i]
                for j in range(row.size):
                    total += row[j] * beta[j]
                step[i] = total
            for i in range(beta.size):
                beta[i] -= step[i]

    return descend, descend_gram


def numba_steps(p, env):
    (x, y), (beta,) = env.inputs, env.outputs
    loop, _ = numba_loops(env.threads > 1)
    factor = x.dtype.type(RATE * 2 / len(x))
    return watched(p, env, lambda steps: loop(x, y, beta, factor, steps, env.threads))


def numba_gram(p, env):
    """X'X by NumPy's BLAS, the loop over k x k compiled."""
    (x, y), (beta,) = env.inputs, env.outputs
    _, loop = numba_loops(False)
    factor = x.dtype.type(RATE * 2 / len(x))
    return lambda: loop(factor * (x.T @ x), factor * (x.T @ y), beta, p["steps"])


# ---- JAX --------------------------------------------------------------------------------------


def once(p, env):
    """estimated(descend): the first time, whether a few steps show the whole to be too slow."""
    done = []

    def estimated(descend):
        few = min(SHARE, p["steps"])
        if not done:
            estimate(lambda: descend(few), few / p["steps"], env.longest)
        done.append(True)

    return estimated


def jax_written(p, env):
    """The notebook's: jax.grad of the mean square, a loop in Python over a compiled step."""
    jax = env.module
    jnp = jax.numpy

    def model(beta, x):
        return (x @ beta).T

    def loss(beta, x, y):
        return jnp.mean((model(beta, x) - y) ** 2)

    @jax.jit
    def update(beta, x, y, rate):
        return beta - rate * jax.grad(loss)(beta, x, y)

    def fit(x, y, steps):
        beta = jnp.zeros([x.shape[1], 1], x.dtype)
        for _ in range(steps):
            beta = update(beta, x, y, RATE)
        return beta

    def run(x, y):
        estimated(lambda steps: jax.block_until_ready(fit(x, y, steps)))
        return (fit(x, y, p["steps"]),)

    estimated = once(p, env)
    return run


def jax_steps(p, env):
    jax = env.module

    @functools.partial(jax.jit, static_argnums=2)
    def descend(x, y, steps):
        factor = np.float32(RATE * 2 / len(x))

        def step(_, beta):
            error = jax.numpy.matmul(x, beta, precision="highest") - y
            return beta - factor * jax.numpy.matmul(error, x, precision="highest")

        return jax.lax.fori_loop(0, steps, step, jax.numpy.zeros(x.shape[1], x.dtype))

    def run(x, y):
        estimated(lambda steps: jax.block_until_ready(descend(x, y, steps)))
        return (descend(x, y, p["steps"]),)

    estimated = once(p, env)
    return run


def jax_gram(p, env):
    jax = env.module

    def descend(x, y):
        factor = np.float32(RATE * 2 / len(x))
        product = functools.partial(jax.numpy.matmul, precision="highest")
        gram, right = factor * product(x.T, x), factor * product(x.T, y)

        def step(_, beta):
            return beta - (product(gram, beta) - right)

        beta = jax.numpy.zeros(x.shape[1], x.dtype)
        return (jax.lax.fori_loop(0, p["steps"], step, beta),)

    return descend


# ---- PyTorch, CuPy, numba-cuda ----------------------------------------------------------------


def torch_descend(p, env, step):
    """Many times step(): on a GPU as a CUDA graph of a hundred, which spares their launches."""
    torch, beta = env.module, env.outputs[0]
    if not beta.is_cuda:

        def descend(steps):
            beta.zero_()
            for _ in range(steps):
                step()

        return descend
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(GRAPH):
            step()

    def replay(steps):
        beta.zero_()
        for _ in range(steps // GRAPH):
            graph.replay()
        for _ in range(steps % GRAPH):
            step()

    return replay


def waits(env):
    return env.module.cuda.synchronize if env.outputs[0].is_cuda else (lambda: None)


def torch_steps(p, env):
    torch, (x, y), (beta,) = env.module, env.inputs, env.outputs
    factor, error = RATE * 2 / len(x), torch.empty_like(y)

    def step():
        torch.addmv(y, x, beta, beta=-1, out=error)
        beta.addmv_(x.T, error, alpha=-factor)

    return watched(p, env, torch_descend(p, env, step), waits(env))


def torch_gram(p, env):
    torch, (x, y), (beta,) = env.module, env.inputs, env.outputs
    factor, k = RATE * 2 / len(x), x.shape[1]
    gram, right, change = x.new_empty(k, k), x.new_empty(k), x.new_empty(k)

    def step():
        torch.addmv(right, gram, beta, beta=-1, out=change)
        beta.sub_(change)

    gram.zero_()
    right.zero_()
    descend = torch_descend(p, env, step)

    def run():
        torch.mm(x.T, x, out=gram).mul_(factor)
        torch.mv(x.T, y, out=right).mul_(factor)
        descend(p["steps"])

    return run


def cupy_steps(p, env):
    cupy, (x, y), (beta,) = env.module, env.inputs, env.outputs
    factor = np.float32(RATE * 2 / len(x))
    subtract = cupy.ElementwiseKernel("T f, T g", "T b", "b -= f * g", "descend")
    error, gradient = cupy.empty_like(y), cupy.empty_like(beta)

    def descend(steps):
        beta.fill(0)
        for _ in range(steps):
            cupy.matmul(x, beta, out=error)
            cupy.subtract(error, y, out=error)
            cupy.matmul(error, x, out=gradient)
            subtract(factor, gradient, beta)

    return watched(p, env, descend, cupy.cuda.Device().synchronize)


GROUPS, THREADS = 528, 128


@functools.cache
def cuda_step(k):
    """A thread takes rows, one pass through X; the gradient is summed in the block, then across."""
    from numba import cuda, float32

    @cuda.jit
    def gradient(x, y, beta, sums):
        mine = cuda.local.array(k, float32)
        shared = cuda.shared.array(k, float32)
        lane = cuda.threadIdx.x
        for j in range(k):
            mine[j] = 0
        for j in range(lane, k, cuda.blockDim.x):
            shared[j] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
            error = -y[i]
            for j in range(k):
                error += x[i, j] * beta[j]
            for j in range(k):
                mine[j] += error * x[i, j]
        for j in range(k):
            cuda.atomic.add(shared, j, mine[j])
        cuda.syncthreads()
        for j in range(lane, k, cuda.blockDim.x):
            cuda.atomic.add(sums, j, shared[j])

    @cuda.jit
    def update(beta, sums, factor):
        j = cuda.threadIdx.x
        if j < k:
            beta[j] -= factor * sums[j]
            sums[j] = 0

    @cuda.jit
    def clear(array):
        array[cuda.threadIdx.x] = 0

    return gradient, update, clear


def numba_cuda_steps(p, env):
    cuda, (x, y), (beta,) = env.module, env.inputs, env.outputs
    k, factor = p["features"], np.float32(RATE * 2 / p["samples"])
    gradient, update, clear = cuda_step(k)
    groups = min(GROUPS, -(-p["samples"] // THREADS))
    sums = cuda.device_array(k, np.float32)

    def descend(steps):
        clear[1, k](beta)
        clear[1, k](sums)
        for _ in range(steps):
            gradient[groups, THREADS](x, y, beta, sums)
            update[1, k](beta, sums, factor)

    return watched(p, env, descend, cuda.synchronize)


WORKLOADS = {
    "regress": Workload(
        {"samples": 10000, "features": 51, "steps": 10000},
        ("float32",),
        build,
        (
            Peer("numpy", numpy_steps, "steps"),
            Peer("numpy", numpy_gram, "gram"),
            Peer("numba", numba_steps, "steps"),
            Peer("numba", numba_gram, "gram"),
            Peer("jax", jax_steps, "steps", jitted=False),
            Peer("jax", jax_gram, "gram"),
            Peer("jax", jax_written, jitted=False, as_written=True, tolerance=1e-2),
            Peer("torch", torch_steps, "steps"),
            Peer("torch", torch_gram, "gram"),
            Peer("cupy", cupy_steps, "steps"),
            Peer("numba-cuda", numba_cuda_steps, "steps"),
        ),
    ),
}
