"""Over a grid: mandelbrot, stencil.

mandelbrot: for each of w x w points c of a window, how often |z| < 2 held in so many steps of
z <- z^2 + c from z = c. stencil: one Jacobi sweep, each inner point of n x n
the mean of its four neighbours.
Tolerances: mandelbrot, the share of counts that differ at most 1e-3 (a rounding more or less moves
a point at the edge of the set), at up to 40,000 places; stencil |found - reference| / |reference|
over the inner points of up to 256 rows, 1e-6 in float32. Reference: NumPy, float64.
"""

import functools

import numpy as np

from measure import estimate
from problem import Peer, Problem, Workload, has_nan, in_threads, relative, uniform

# x from, x to, y from, y to: all of it; the valleys of the seahorses and of the elephants; deep.
WINDOWS = (
    (-2.0, 1.0, -1.5, 1.5),
    (-0.80, -0.70, 0.05, 0.15),
    (0.26, 0.29, -0.015, 0.015),
    (
        -0.743643887037151,
        -0.743643887037151 + 2e-10,
        0.131825904205330,
        0.131825904205330 + 2e-10,
    ),
)
AT_ONCE = 2**15  # points of a block of NumPy's


# ---- mandelbrot -------------------------------------------------------------------------------


def axes(p):
    """x and y of the points, both ends of the window included."""
    x_from, x_to, y_from, y_to = WINDOWS[p["window"]]
    return np.linspace(x_from, x_to, p["width"]), np.linspace(y_from, y_to, p["width"])


def masks(module, c, c0, steps):
    """The slides' loop, for NumPy and CuPy."""
    iterations = module.zeros_like(c, dtype=module.uint)
    for _ in range(steps):
        mask = module.abs(c) < 2.0
        c[mask] = c[mask] ** 2 + c0[mask]
        iterations[mask] += 1
    return iterations


def build_mandelbrot(parameters, dtype, room):
    width, steps = parameters["width"], parameters["steps"]
    if parameters["window"] >= len(WINDOWS):
        raise ValueError(f"windows are 0 to {len(WINDOWS) - 1}")
    x, y = axes(parameters)
    some = np.unique(np.linspace(0, width - 1, min(width, 200)).astype(int))
    c = x[some] + 1j * y[some, None]
    with np.errstate(all="ignore"):
        exact = masks(np, c.copy(), c, steps)

    def residual(outputs):
        return float(np.mean(outputs[0][np.ix_(some, some)] != exact))

    outputs = (room((width, width), "int32"),)
    return Problem("mandelbrot", parameters, dtype, (), outputs, residual, 1e-3)


def mandelbrot_written(p, env):
    """CuPy's of the slides: the axes made, computed, and .get()."""
    lib, steps, width = env.module, p["steps"], p["width"]
    x_from, x_to, y_from, y_to = WINDOWS[p["window"]]

    def calculate(width):
        x, y = lib.linspace(x_from, x_to, width), lib.linspace(y_from, y_to, width)
        c = x + y[:, None] * 1j
        return masks(lib, c, c.copy(), steps)

    if lib is np:
        part = max(1, width // 8)
        estimate(lambda: calculate(part), (part / width) ** 2, env.longest)
        return lambda: (calculate(width),)
    return lambda: (calculate(width).get(),)


def numpy_rows(p, x, y, counts, part):
    """In blocks, with the points that have left taken out, so that the rest stay in the cache."""
    rows = max(1, AT_ONCE // x.size)
    for start in range(part.start, part.stop, rows):
        here = slice(start, min(part.stop, start + rows))
        c = (x + 1j * y[here, None]).ravel()
        z, index = c.copy(), np.arange(c.size)
        found = np.full(c.size, p["steps"], np.int32)
        for step in range(p["steps"]):
            left = z.real * z.real + z.imag * z.imag >= 4.0
            if left.any():
                found[index[left]] = step
                stay = ~left
                z, c, index = z[stay], c[stay], index[stay]
            if not z.size:
                break
            z *= z
            z += c
        counts[here] = found.reshape(-1, x.size)


def numpy_mandelbrot(p, env):
    x, y = axes(p)
    return lambda: numpy_rows(p, x, y, env.outputs[0], slice(0, y.size))


def numpy_mandelbrot_threads(p, env):
    x, y = axes(p)
    return in_threads(env, y.size, lambda part: numpy_rows(p, x, y, env.outputs[0], part))


@functools.cache
def numba_mandelbrot_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel, fastmath=True)
    def mandelbrot(x, y, steps, counts):
        for row in prange(y.size):
            for column in range(x.size):
                re, im = x[column], y[row]
                count = 0
                while count < steps:
                    re2, im2 = re * re, im * im
                    if re2 + im2 >= 4.0:
                        break
                    im = 2 * re * im + y[row]
                    re = re2 - im2 + x[column]
                    count += 1
                counts[row, column] = count

    return mandelbrot


def numba_mandelbrot(p, env):
    """Chunks of few rows: those inside the set take far longer."""
    (counts,), (x, y), numba = env.outputs, axes(p), env.module
    loop = numba_mandelbrot_loop(env.threads > 1)

    def run():
        with numba.parallel_chunksize(4):
            loop(x, y, p["steps"], counts)

    return run


def jax_mandelbrot(p, env):
    """Points that have left go on to infinity, and NaN is never inside: no mask is needed."""
    jax = env.module
    x_axis, y_axis = axes(p)

    def mandelbrot():
        shape = (p["width"],) * 2
        x = jax.numpy.broadcast_to(x_axis[None, :], shape)
        y = jax.numpy.broadcast_to(y_axis[:, None], shape)

        def step(_, state):
            re, im, count = state
            re2, im2 = re * re, im * im
            return re2 - im2 + x, 2 * re * im + y, count + (re2 + im2 < 4.0)

        start = x, y, jax.numpy.zeros(shape, "int32")
        return (jax.lax.fori_loop(0, p["steps"], step, start, unroll=10)[2],)

    return mandelbrot


def torch_mandelbrot(p, env):
    torch, (counts,) = env.module, env.outputs
    x, y = (torch.from_numpy(axis).to(counts.device) for axis in axes(p))
    c = torch.complex(*torch.meshgrid(x, y, indexing="xy"))

    def run():
        """Points that have left go on to infinity, and NaN is never inside: no mask is needed."""
        z = c.clone()
        counts.zero_()
        for _ in range(p["steps"]):
            counts.add_(z.abs() < 2.0)
            z.mul_(z).add_(c)

    return run


def torch_mandelbrot_compiled(p, env):
    torch, (counts,) = env.module, env.outputs
    x_axis, y_axis = (torch.from_numpy(axis).to(counts.device) for axis in axes(p))
    x, y = torch.meshgrid(x_axis, y_axis, indexing="xy")
    several = 10  # steps a call of compiled code

    def steps(re, im, count):
        for _ in range(several):
            re2, im2 = re * re, im * im
            count = count + (re2 + im2 < 4.0).to(count.dtype)
            re, im = re2 - im2 + x, 2 * re * im + y
        return re, im, count

    call, whole = torch.compile(steps), p["steps"] // several
    if p["steps"] % several:
        raise ValueError(f"steps in tens only: {several} are compiled at a time")

    def run():
        state = x, y, torch.zeros_like(counts)
        for _ in range(whole):
            state = call(*state)
        return (state[2],)

    return run


MANDELBROT_BODY = """
    double x0 = x[i % w], y0 = y[i / w], re = x0, im = y0;
    int held = 0;
    for (; held < steps; held++) {
        double re2 = re * re, im2 = im * im;
        if (re2 + im2 >= 4.0)
            break;
        im = 2 * re * im + y0;
        re = re2 - im2 + x0;
    }
    count = held;
"""


def cupy_mandelbrot(p, env):
    cupy, (counts,) = env.module, env.outputs
    x, y = map(cupy.asarray, axes(p))
    kernel = cupy.ElementwiseKernel(
        "raw float64 x, raw float64 y, int64 w, int32 steps",
        "int32 count",
        MANDELBROT_BODY,
        "mandel",
    )
    return lambda: kernel(x, y, p["width"], p["steps"], counts)


@functools.cache
def cuda_mandelbrot():
    from numba import cuda, int32

    @cuda.jit
    def mandelbrot(x, y, steps, counts):
        column, row = cuda.grid(2)
        if row < counts.shape[0] and column < counts.shape[1]:
            x0, y0 = x[column], y[row]
            re, im, count = x0, y0, int32(0)
            while count < steps:
                re2, im2 = re * re, im * im
                if re2 + im2 >= 4.0:
                    break
                im = 2 * re * im + y0
                re = re2 - im2 + x0
                count += int32(1)
            counts[row, column] = count

    return mandelbrot


def numba_cuda_mandelbrot(p, env):
    cuda, (counts,), width = env.module, env.outputs, p["width"]
    x, y = map(cuda.to_device, axes(p))
    kernel = cuda_mandelbrot()[(-(-width // 32), -(-width // 8)), (32, 8)]
    steps = np.int32(p["steps"])
    return lambda: kernel(x, y, steps, counts)


# ---- stencil ----------------------------------------------------------------------------------


def build_stencil(parameters, dtype, room):
    n = parameters["side"]
    u = uniform(room, (n, n), dtype)
    rows = np.unique(np.linspace(1, n - 2, min(n - 2, 256)).astype(int))
    wide = u.astype(np.float64) if n < 1024 else None
    take = (lambda index: wide[index]) if wide is not None else (lambda i: u[i].astype(np.float64))
    middle = take(rows)
    exact = 0.25 * (take(rows - 1) + take(rows + 1) + 0)[:, 1:-1]
    exact += 0.25 * (middle[:, :-2] + middle[:, 2:])

    def residual(outputs):
        found = outputs[0][1:-1, 1:-1]
        return np.nan if has_nan(found) else relative(found[rows - 1], exact)

    inputs, outputs = (u,), (room((n, n), dtype),)
    return Problem("stencil", parameters, dtype, inputs, outputs, residual, 1e-6)


def numpy_sweep(u, z, part):
    """Rows of the inside, in blocks that stay in the cache."""
    rows = max(1, 2**16 // u.shape[1])
    for start in range(part.start, part.stop, rows):
        stop = min(part.stop, start + rows)
        inside = z[start + 1 : stop + 1, 1:-1]
        np.add(u[start:stop, 1:-1], u[start + 2 : stop + 2, 1:-1], out=inside)
        np.add(inside, u[start + 1 : stop + 1, :-2], out=inside)
        np.add(inside, u[start + 1 : stop + 1, 2:], out=inside)
        np.multiply(inside, u.dtype.type(0.25), out=inside)


def numpy_stencil(p, env):
    (u,), (z,) = env.inputs, env.outputs
    return lambda: numpy_sweep(u, z, slice(0, len(u) - 2))


def numpy_stencil_threads(p, env):
    (u,), (z,) = env.inputs, env.outputs
    return in_threads(env, len(u) - 2, lambda part: numpy_sweep(u, z, part))


@functools.cache
def numba_stencil_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel, fastmath=True)
    def sweep(u, z):
        quarter = np.float32(0.25)
        for i in prange(1, u.shape[0] - 1):
            above, here, below, out = u[i - 1], u[i], u[i + 1], z[i]
            for j in range(1, u.shape[1] - 1):
                out[j] = quarter * (above[j] + below[j] + here[j - 1] + here[j + 1])

    return sweep


def numba_stencil(p, env):
    loop = numba_stencil_loop(env.threads > 1)
    return lambda: loop(*env.inputs, *env.outputs)


def jax_stencil(p, env):
    quarter = np.float32(0.25)

    def sweep(u):
        inside = quarter * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        return (env.module.numpy.pad(inside, 1),)  # faster than u.at[...].set(inside)

    return sweep


def torch_stencil(p, env):
    torch, (u,), (z,) = env.module, env.inputs, env.outputs

    def run():
        inside = z[1:-1, 1:-1]
        torch.add(u[:-2, 1:-1], u[2:, 1:-1], out=inside)
        inside.add_(u[1:-1, :-2]).add_(u[1:-1, 2:]).mul_(0.25)

    return run


def cupy_stencil(p, env):
    (u,), (z,) = env.inputs, env.outputs
    kernel = env.module.ElementwiseKernel(
        "T above, T below, T left, T right",
        "T z",
        "z = (T)0.25 * (above + below + left + right)",
        "sweep",
    )
    inside = z[1:-1, 1:-1]
    return lambda: kernel(u[:-2, 1:-1], u[2:, 1:-1], u[1:-1, :-2], u[1:-1, 2:], inside)


@functools.cache
def cuda_stencil():
    from numba import cuda, float32

    @cuda.jit
    def sweep(u, z):
        j, i = cuda.grid(2)
        if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:
            around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
            z[i, j] = float32(0.25) * around

    return sweep


def numba_cuda_stencil(p, env):
    n = p["side"]
    kernel = cuda_stencil()[(-(-n // 64), -(-n // 4)), (64, 4)]
    return lambda: kernel(*env.inputs, *env.outputs)


# ---- tables -----------------------------------------------------------------------------------

WORKLOADS = {
    "mandelbrot": Workload(
        {"width": 1024, "steps": 200, "window": 0},
        ("float64",),
        build_mandelbrot,
        (
            Peer("numpy", mandelbrot_written, threads="one", as_written=True),
            Peer("numpy", numpy_mandelbrot, threads="one"),
            Peer("numpy", numpy_mandelbrot_threads, "in threads", threads="all"),
            Peer("numba", numba_mandelbrot),
            Peer("jax", jax_mandelbrot),
            Peer("torch", torch_mandelbrot),
            Peer("torch", torch_mandelbrot_compiled, "compiled", where="cuda"),
            Peer("cupy", mandelbrot_written, takes_host=True, as_written=True),
            Peer("cupy", cupy_mandelbrot, "kernel"),
            Peer("numba-cuda", numba_cuda_mandelbrot),
        ),
    ),
    "stencil": Workload(
        {"side": 8192},
        ("float32",),
        build_stencil,
        (
            Peer("numpy", numpy_stencil, threads="one"),
            Peer("numpy", numpy_stencil_threads, "in threads", threads="all"),
            Peer("numba", numba_stencil),
            Peer("jax", jax_stencil),
            Peer("torch", torch_stencil),
            Peer("cupy", cupy_stencil, "kernel"),
            Peer("numba-cuda", numba_cuda_stencil),
        ),
    ),
}
