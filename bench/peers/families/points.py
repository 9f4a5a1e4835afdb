"""Every point with every other: distance, nbody.

distance: squared distances of n points in d dimensions, n x n. nbody: accelerations by all other
bodies, a[i] = sum over j of m[j] (r[j] - r[i]) / (|r[j] - r[i]|^2 + 1e-4)^(3/2).
Tolerances, on |found - reference| / |reference|: distance 1e-12 in float64, over up to a million
places (x.x - 2 x.y + y.y loses digits where points are close, which this norm forgives); nbody 1e-4
in float32, over 256 bodies. Reference: NumPy, float64, differences.
"""

import functools

import numpy as np

from problem import Peer, Problem, Workload, blocks, has_nan, in_threads, relative, slices, uniform

SOFTENING = 1e-4
AT_ONCE = 2**17  # elements of a block of NumPy's that stay in a core's cache


# ---- distance ---------------------------------------------------------------------------------


def build_distance(parameters, dtype, room):
    n, d = parameters["points"], parameters["dimension"]
    x = uniform(room, (n, d), dtype)
    rows = np.unique(np.linspace(0, n - 1, min(n, max(1, 1_000_000 // n))).astype(int))
    exact = np.zeros((len(rows), n))
    for axis in range(d):
        exact += (x[rows, axis, None].astype(np.float64) - x[None, :, axis]) ** 2

    def residual(outputs):
        return np.nan if has_nan(outputs[0]) else relative(outputs[0][rows], exact)

    inputs, outputs = (x,), (room((n, n), dtype),)
    return Problem("distance", parameters, dtype, inputs, outputs, residual, 1e-12)


def distance_written(p, env):
    """The course's distance_matrix for NumPy and CuPy: einsum, matmul, x_2 - 2 x_y + y_2."""
    (x,), lib = env.inputs, env.module

    def run():
        x_2 = lib.einsum("ij,ij->i", x, x)[:, None]
        y_2 = x_2.T
        x_y = lib.matmul(x, x.T)
        return (x_2 - 2 * x_y + y_2,)

    return run


def numpy_rows(x, z, part):
    """Some rows, in blocks that stay in the cache, by differences."""
    count = part.stop - part.start
    difference = np.empty((max(1, min(count, AT_ONCE // len(x))), len(x)), x.dtype)
    for start in range(part.start, part.stop, len(difference)):
        rows = slice(start, min(part.stop, start + len(difference)))
        work = difference[: rows.stop - rows.start]
        for axis in range(x.shape[1]):
            np.subtract(x[rows, axis, None], x[None, :, axis], out=work)
            if axis == 0:
                np.multiply(work, work, out=z[rows])
            else:
                np.multiply(work, work, out=work)
                np.add(z[rows], work, out=z[rows])


def numpy_distance(p, env):
    (x,), (z,) = env.inputs, env.outputs
    columns = np.asfortranarray(x)
    return lambda: numpy_rows(columns, z, slice(0, len(x)))


def numpy_distance_threads(p, env):
    (x,), (z,) = env.inputs, env.outputs
    columns = np.asfortranarray(x)
    return in_threads(env, len(x), lambda part: numpy_rows(columns, z, part))


def scipy_distance(p, env):
    from scipy.spatial.distance import cdist

    (x,), (z,) = env.inputs, env.outputs
    return lambda: cdist(x, x, "sqeuclidean", out=z)


@functools.cache
def numba_distance_loop(parallel, d):
    from numba import njit, prange

    @njit(parallel=parallel, fastmath=True)
    def distance(x, z):
        n = x.shape[0]
        for i in prange(n):
            row = z[i]
            for j in range(n):
                total = z.dtype.type(0)
                for axis in range(d):
                    total += (x[i, axis] - x[j, axis]) ** 2
                row[j] = total

    return distance


def numba_distance(p, env):
    loop = numba_distance_loop(env.threads > 1, p["dimension"])
    return lambda: loop(*env.inputs, *env.outputs)


def jax_distance(p, env):
    """Added axis by axis: a sum over a last axis of 3 is slow on a CPU."""
    return lambda x: (sum((x[:, None, k] - x[None, :, k]) ** 2 for k in range(x.shape[1])),)


def torch_distance(p, env):
    torch, (x,), (z,) = env.module, env.inputs, env.outputs

    def run():
        squares = (x * x).sum(1)
        torch.addmm(squares[None, :], x, x.T, alpha=-2, out=z)
        z.add_(squares[:, None])

    return run


def torch_cdist(p, env):
    (x,), cdist = env.inputs, env.module.cdist
    return lambda: (cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist").square_(),)


def torch_distance_compiled(p, env):
    (x,) = env.inputs
    call = env.module.compile(lambda x: ((x[:, None, :] - x[None, :, :]) ** 2).sum(-1))
    return lambda: (call(x),)


def cupy_distance(p, env):
    cupy, (x,), (z,) = env.module, env.inputs, env.outputs
    kernel = cupy.ElementwiseKernel(
        "raw T x, int64 count, int64 axes",
        "T z",
        """
        long long row = i / count, column = i - row * count;
        T total = 0;
        for (long long axis = 0; axis < axes; axis++) {
            T difference = x[row * axes + axis] - x[column * axes + axis];
            total += difference * difference;
        }
        z = total;
        """,
        "distance",
    )
    return lambda: kernel(x, p["points"], p["dimension"], z)


@functools.cache
def cuda_distance(d):
    from numba import cuda, float64

    @cuda.jit
    def written(x, z):
        """The course's: a thread an entry, row and column by its place in the grid."""
        row, col = cuda.grid(2)
        if row < z.shape[0] and col < z.shape[1]:
            z[row, col] = 0.0
            for axis in range(d):
                z[row, col] += (x[row, axis] - x[col, axis]) ** 2

    @cuda.jit
    def better(x, z):
        """Neighbouring threads write neighbouring columns; the sum is kept in a register."""
        col, row = cuda.grid(2)
        if row < z.shape[0] and col < z.shape[1]:
            total = float64(0)
            for axis in range(d):
                difference = x[row, axis] - x[col, axis]
                total += difference * difference
            z[row, col] = total

    return written, better


def numba_cuda_written(p, env):
    """One thread a block, as in the course. On the device: the copies are measured beside it."""
    n = p["points"]
    kernel = cuda_distance(p["dimension"])[0][(n, n), (1, 1)]
    return lambda: kernel(*env.inputs, *env.outputs)


def numba_cuda_distance(p, env):
    n = p["points"]
    kernel = cuda_distance(p["dimension"])[1][(-(-n // 64), -(-n // 4)), (64, 4)]
    return lambda: kernel(*env.inputs, *env.outputs)


# ---- nbody ------------------------------------------------------------------------------------


def build_nbody(parameters, dtype, room):
    n = parameters["bodies"]
    bodies = uniform(room, (n, 4), dtype)  # x y z mass
    some = np.unique(np.linspace(0, n - 1, min(n, 256)).astype(int))
    exact = accelerations(bodies.astype(np.float64), bodies[some].astype(np.float64))

    def residual(outputs):
        return np.nan if has_nan(outputs[0]) else relative(outputs[0][some], exact)

    inputs, outputs = (bodies,), (room((n, 3), dtype),)
    return Problem("nbody", parameters, dtype, inputs, outputs, residual, 1e-4)


def accelerations(bodies, targets):
    """Of some bodies by all, in NumPy."""
    difference = bodies[None, :, :3] - targets[:, None, :3]
    square = np.einsum("ijk,ijk->ij", difference, difference) + bodies.dtype.type(SOFTENING)
    weight = bodies[None, :, 3] / (square * np.sqrt(square))
    return np.einsum("ij,ijk->ik", weight, difference)


def numpy_bodies(bodies, result, part):
    """Blocks of targets that stay in the cache, each coordinate in an array of its own."""
    *places, mass = np.ascontiguousarray(bodies.T)
    count, n = max(1, AT_ONCE // len(bodies)), part.stop - part.start
    for piece in slices(n, -(-n // count)):
        rows = slice(part.start + piece.start, part.start + piece.stop)
        differences = [place[None, :] - place[rows, None] for place in places]
        square = differences[0] * differences[0]
        for difference in differences[1:]:
            square += difference * difference
        square += square.dtype.type(SOFTENING)
        weight = np.sqrt(square)
        weight *= square
        np.divide(mass, weight, out=weight)
        for axis, difference in enumerate(differences):
            np.einsum("ij,ij->i", weight, difference, out=result[rows, axis])


def numpy_nbody(p, env):
    (bodies,), (result,) = env.inputs, env.outputs
    return lambda: numpy_bodies(bodies, result, slice(0, len(bodies)))


def numpy_nbody_threads(p, env):
    (bodies,), (result,) = env.inputs, env.outputs
    return in_threads(env, len(bodies), lambda part: numpy_bodies(bodies, result, part))


@functools.cache
def numba_nbody_loop(parallel):
    from numba import njit, prange

    # Numba's own error model asks before each division whether it is by zero.
    @njit(parallel=parallel, fastmath=True, error_model="numpy")
    def nbody(x, y, z, mass, softening, result):
        one = np.float32(1)
        for i in prange(x.size):
            ax = ay = az = np.float32(0)
            x0, y0, z0 = x[i], y[i], z[i]
            for j in range(x.size):
                dx, dy, dz = x[j] - x0, y[j] - y0, z[j] - z0
                square = dx * dx + dy * dy + dz * dz + softening
                weight = mass[j] * (one / (square * np.sqrt(square)))
                ax += weight * dx
                ay += weight * dy
                az += weight * dz
            result[i, 0], result[i, 1], result[i, 2] = ax, ay, az

    return nbody


def numba_nbody(p, env):
    """Each coordinate in an array of its own, as vector code wants it; told apart in each call."""
    (bodies,), (result,) = env.inputs, env.outputs
    loop, softening = numba_nbody_loop(env.threads > 1), np.float32(SOFTENING)
    return lambda: loop(*np.ascontiguousarray(bodies.T), softening, result)


def jax_nbody(p, env):
    jnp, softening = env.module.numpy, np.float32(SOFTENING)

    def nbody(bodies):
        *places, mass = bodies.T
        differences = [place[None, :] - place[:, None] for place in places]
        square = sum(difference * difference for difference in differences) + softening
        weight = mass / (square * jnp.sqrt(square))
        return (jnp.stack([(weight * difference).sum(1) for difference in differences], 1),)

    return nbody


def torch_nbody(p, env):
    """Blocks of targets, so that no n x n array is made, each coordinate by itself."""
    (bodies,), (result,) = env.inputs, env.outputs
    n = len(bodies)
    count = max(1, (2**26 if bodies.is_cuda else 2**20) // n)

    def run():
        *places, mass = bodies.T.contiguous().unbind(0)
        for start in range(0, n, count):
            rows = slice(start, min(n, start + count))
            differences = [place[None, :] - place[rows, None] for place in places]
            square = differences[0] * differences[0]
            for difference in differences[1:]:
                square.addcmul_(difference, difference)
            square.add_(SOFTENING)
            weight = square.rsqrt().div_(square).mul_(mass)
            for axis, difference in enumerate(differences):
                result[rows, axis] = (weight * difference).sum(1)

    return run


def torch_nbody_compiled(p, env):
    torch, (bodies,) = env.module, env.inputs

    def nbody(bodies):
        *places, mass = bodies.unbind(1)
        differences = [place[None, :] - place[:, None] for place in places]
        square = sum(difference * difference for difference in differences) + SOFTENING
        weight = mass / (square * square.sqrt())
        return torch.stack([(weight * difference).sum(1) for difference in differences], 1)

    call = torch.compile(nbody)
    return lambda: (call(bodies),)


NBODY_SOURCE = """
extern "C" __global__ void nbody(const float4 *bodies, float *result, int n, float softening)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = bodies[i < n ? i : n - 1];
    float ax = 0, ay = 0, az = 0;
    for (int start = 0; start < n; start += 256) {
        int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
        #pragma unroll 16
        for (int k = 0; k < 256; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            float weight = tile[k].w * inverse * inverse * inverse;
            ax += weight * dx;
            ay += weight * dy;
            az += weight * dz;
        }
        __syncthreads();
    }
    if (i < n) {
        result[3 * i] = ax;
        result[3 * i + 1] = ay;
        result[3 * i + 2] = az;
    }
}
"""


def cupy_nbody(p, env):
    (bodies,), (result,), n = env.inputs, env.outputs, p["bodies"]
    kernel = env.module.RawKernel(NBODY_SOURCE, "nbody")
    grid, size, softening = (blocks(n)[0],), np.int32(n), np.float32(SOFTENING)
    return lambda: kernel(grid, (256,), (bodies, result, size, softening))


@functools.cache
def cuda_nbody():
    import math

    from numba import cuda, float32

    @cuda.jit(fastmath=True)
    def nbody(bodies, result, softening):
        tile = cuda.shared.array((256, 4), float32)
        i, lane, n = cuda.grid(1), cuda.threadIdx.x, bodies.shape[0]
        me = min(i, n - 1)
        x, y, z = bodies[me, 0], bodies[me, 1], bodies[me, 2]
        ax = ay = az = float32(0)
        for start in range(0, n, 256):
            j = start + lane
            for part in range(4):
                tile[lane, part] = bodies[j, part] if j < n else float32(0)
            cuda.syncthreads()
            for k in range(256):
                dx, dy, dz = tile[k, 0] - x, tile[k, 1] - y, tile[k, 2] - z
                inverse = float32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + softening)
                weight = tile[k, 3] * inverse * inverse * inverse
                ax += weight * dx
                ay += weight * dy
                az += weight * dz
            cuda.syncthreads()
        if i < n:
            result[i, 0], result[i, 1], result[i, 2] = ax, ay, az

    return nbody


def numba_cuda_nbody(p, env):
    (bodies,), (result,), softening = env.inputs, env.outputs, np.float32(SOFTENING)
    kernel = cuda_nbody()[blocks(p["bodies"])]
    return lambda: kernel(bodies, result, softening)


# ---- tables -----------------------------------------------------------------------------------

WORKLOADS = {
    "distance": Workload(
        {"points": 4096, "dimension": 3},
        ("float64",),
        build_distance,
        (
            Peer("numpy", distance_written, as_written=True),
            Peer("numpy", numpy_distance, "in blocks", threads="one"),
            Peer("numpy", numpy_distance_threads, "in threads", threads="all"),
            Peer("scipy", scipy_distance, "cdist", threads="one"),
            Peer("numba", numba_distance),
            Peer("jax", jax_distance),
            Peer("torch", torch_distance),
            Peer("torch", torch_cdist, "cdist"),
            Peer("torch", torch_distance_compiled, "compiled", where="cuda"),
            Peer("cupy", distance_written, as_written=True),
            Peer("cupy", cupy_distance, "kernel"),
            Peer("numba-cuda", numba_cuda_written, as_written=True),
            Peer("numba-cuda", numba_cuda_distance),
        ),
    ),
    "nbody": Workload(
        {"bodies": 16384},
        ("float32",),
        build_nbody,
        (
            Peer("numpy", numpy_nbody, threads="one"),
            Peer("numpy", numpy_nbody_threads, "in threads", threads="all"),
            Peer("numba", numba_nbody),
            Peer("jax", jax_nbody),
            Peer("torch", torch_nbody),
            Peer("torch", torch_nbody_compiled, "compiled", where="cuda"),
            Peer("cupy", cupy_nbody, "kernel"),
            Peer("numba-cuda", numba_cuda_nbody),
        ),
    ),
}
