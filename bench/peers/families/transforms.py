"""Forward Fourier transforms by NumPy's names: fft, rfft, fft2, rfft2; `batch` of them side by side.

`rows` is of an image; 0: as many as it has numbers in a row. Tolerance: |found - reference| / |reference|, 1e-5, of
float32 and complex64. Reference: NumPy, float64.
"""

import numpy as np

from problem import Peer, Problem, Workload, has_nan, relative, uniform


def builder(name):
    """Of the problem `name`: the shapes, and the function of that name for the reference."""
    real, image = name.startswith("r"), name.endswith("2")

    def build(parameters, dtype, room):
        n, batch = parameters["size"], parameters["batch"]
        rows = (parameters["rows"] or n,) if image else ()
        before = (batch,) * (batch > 1) + rows
        width = n // 2 + 1 if real else n
        x = room((*before, n), dtype)
        x.view(np.float32)[...] = uniform(room, x.view(np.float32).shape, "float32", low=-1.0)
        exact = getattr(np.fft, name)(x.astype(np.float64 if real else np.complex128))

        def residual(outputs):
            return np.nan if has_nan(outputs[0]) else relative(outputs[0], exact)

        outputs = (room((*before, width), "complex64"),)
        return Problem(name, parameters, dtype, (x,), outputs, residual, 1e-5)

    return build


def into(p, env):
    """NumPy and PyTorch write where they are told."""
    (x,), (z,) = env.inputs, env.outputs
    transform = getattr(env.module.fft, p.workload)
    return lambda: transform(x, out=z) is None


def returned(p, env):
    """JAX and CuPy return an array."""
    lib = env.module.numpy if hasattr(env.module, "jit") else env.module
    transform = getattr(lib.fft, p.workload)
    return (lambda x: (transform(x),)) if not env.inputs else (lambda: (transform(*env.inputs),))


def scipy_transform(p, env):
    """Lines are shared out among workers; one line is not."""
    import scipy.fft

    transform = getattr(scipy.fft, p.workload)
    return lambda: (transform(*env.inputs, workers=env.threads),)


def fftw(p, env):
    """A plan that was tried out beforehand, as FFTW's documentation advises."""
    (x,), (z,), lib = env.inputs, env.outputs, env.module
    axes = (-2, -1) if p.workload.endswith("2") else (-1,)
    trial = [lib.empty_aligned(a.shape, a.dtype) for a in (x, z)]
    plan = lib.FFTW(*trial, axes=axes, flags=("FFTW_MEASURE",), threads=env.threads)
    return lambda: plan(x, z) is None


PEERS = (
    Peer("numpy", into, threads="one"),
    Peer("scipy", scipy_transform),
    Peer("pyfftw", fftw),
    Peer("jax", returned),
    Peer("torch", into),
    Peer("cupy", returned),
)

LINE = {"size": 2**22, "batch": 1}
IMAGE = {"size": 1024, "rows": 0, "batch": 1}

WORKLOADS = {
    "fft": Workload(LINE, ("complex64",), builder("fft"), PEERS),
    "rfft": Workload(LINE, ("float32",), builder("rfft"), PEERS),
    "fft2": Workload(IMAGE, ("complex64",), builder("fft2"), PEERS),
    "rfft2": Workload(IMAGE, ("float32",), builder("rfft2"), PEERS),
}
