"""Each library: how it is opened, how many threads it takes, and the cases that follow from that.

What does not import, or has no device, raises when it is opened, and is left out.
"""

import functools
import importlib
import importlib.util
import os
from contextlib import contextmanager

import numpy as np

from measure import nothing, sample, sample_unsynchronised
from problem import Case, Env, blas_threads

# ---- on the CPU -------------------------------------------------------------------------------


@contextmanager
def of_numpy(n):
    with blas_threads(n):
        yield np


@contextmanager
def of_numba(n):
    import numba

    # Numba calls SciPy's BLAS, which is to be there before its threads are limited.
    if importlib.util.find_spec("scipy"):
        import scipy.linalg.cython_blas
        import scipy.linalg.cython_lapack  # noqa: F401

    numba.set_num_threads(min(n, numba.config.NUMBA_NUM_THREADS))
    with blas_threads(n):
        yield numba


@contextmanager
def of_scipy(n):
    import scipy

    with blas_threads(n):
        yield scipy


@contextmanager
def of_sklearn(n):
    import sklearn

    with blas_threads(n):
        yield sklearn


@contextmanager
def of_torch(n):
    import torch

    torch.set_num_threads(n)
    yield torch


@contextmanager
def of_cv2(n):
    import cv2

    cv2.setNumThreads(n)
    yield cv2


@contextmanager
def of_pyfftw(n):
    import pyfftw

    yield pyfftw


@contextmanager
def of_python(n):
    yield None


HOST = {
    "python": of_python,
    "numpy": of_numpy,
    "scipy": of_scipy,
    "sklearn": of_sklearn,
    "numba": of_numba,
    "torch": of_torch,
    "cv2": of_cv2,
    "pyfftw": of_pyfftw,
}


def host_version(library, module):
    if library == "python":
        return ".".join(str(part) for part in importlib.import_module("sys").version_info[:3])
    version = str(module.__version__)
    # Without Intel's vector library, which only conda's Numba can use, pow() is called for each
    # element.
    if library == "numba" and module.config.USING_SVML:
        version += " with SVML"
    if library in ("numpy", "scipy") and not importlib.util.find_spec("threadpoolctl"):
        version += " (threads of its BLAS not limited)"
    return version


def host_name(peer, threads):
    name = {"torch": "torch cpu"}.get(peer.library, peer.library)
    if peer.library == "numba" and threads > 1 and not peer.detail:
        name += " prange"
    return " ".join([name] + [peer.detail] * bool(peer.detail) + ["as written"] * peer.as_written)


def host_cases(peer, problem, options):
    each = [1] * (not options.no_fewer) + [options.threads]
    counts = {"one": [1], "all": [options.threads], "each": each}[peer.threads]
    if peer.threads == "all" and options.threads == 1:
        return
    for threads in dict.fromkeys(counts):
        with HOST[peer.library](threads) as module:
            yield from host_case(peer, problem, options, threads, module)


def host_case(peer, problem, options, threads, module):
    inputs, outputs = problem.inputs, problem.outputs
    in_place = problem.in_place or peer.in_place
    if in_place:
        inputs = outputs[:in_place] + inputs[in_place:]
    if peer.library == "torch":
        inputs, outputs = (tuple(map(module.from_numpy, a)) for a in (inputs, outputs))
    env = Env(module, inputs, outputs, threads, options.longest)
    last = [None]

    def reset():
        for array, original in zip(problem.outputs, problem.inputs[:in_place]):
            array[...] = original

    def call():
        last[0] = run()

    def result():
        return elsewhere(last[0], problem.outputs)

    with env.stack:
        reset()
        run = made(peer, problem, env)
        name, version = host_name(peer, threads), host_version(peer.library, module)
        yield Case(
            name,
            version,
            "host",
            threads,
            call,
            result,
            reset=reset,
            as_written=peer.as_written,
            tolerance=peer.tolerance,
        )


def made(peer, problem, env):
    """The peer's run(); when the peer cannot be had, one that says so when it is called."""
    try:
        return peer.make(problem, env)
    except Exception as error:
        kept = error

    def refuse():
        raise kept

    return refuse


def elsewhere(found, outputs):
    """The results of a run: what it returned, or the outputs it was given."""
    return tuple(map(np.asarray, found)) if isinstance(found, tuple) else outputs


# ---- on the GPU -------------------------------------------------------------------------------
# Each has: module, version, put (array to the device), empty (room like an array there), load
# (array into such room), fetch (back into an array), wait.


class Cupy:
    name = "cupy"

    def __init__(self):
        import cupy

        cupy.cuda.Device(0).use()
        cupy.zeros(1)
        self.module, self.version = cupy, cupy.__version__
        self.wait = cupy.cuda.Device(0).synchronize
        self.put = cupy.asarray

    def empty(self, array):
        return self.module.empty(array.shape, array.dtype)

    def load(self, buffer, array):
        buffer.set(array)

    def fetch(self, buffer, array):
        return buffer.get(out=array)

    def release(self):
        self.module.get_default_memory_pool().free_all_blocks()


class NumbaCuda:
    name = "numba-cuda"

    def __init__(self):
        import numba

        if not hasattr(np, "row_stack"):  # NumPy 2.5 left the old name out, numba-cuda asks for it
            np.row_stack = np.vstack
        from numba import cuda

        if not cuda.is_available():
            raise RuntimeError("no device")
        try:
            self.version = importlib.import_module("numba_cuda").__version__
        except ImportError:
            self.version = numba.__version__
        self.module, self.wait, self.put = cuda, cuda.synchronize, cuda.to_device

    def empty(self, array):
        return self.module.device_array(array.shape, array.dtype)

    def load(self, buffer, array):
        buffer.copy_to_device(array)

    def fetch(self, buffer, array):
        buffer.copy_to_host(array)
        return array

    def release(self):
        """What was let go of is kept for later until there is much of it."""
        pending = getattr(self.module.current_context(), "memory_manager", None)
        if hasattr(pending, "deallocations"):
            pending.deallocations.clear()


class TorchCuda:
    name = "torch cuda"

    def __init__(self):
        import torch

        if not torch.cuda.is_available():
            raise RuntimeError("no device")
        self.module, self.version, self.wait = torch, torch.__version__, torch.cuda.synchronize

    def put(self, array):
        return self.module.from_numpy(array).to("cuda:0")

    def empty(self, array):
        return self.module.empty_like(self.module.from_numpy(array), device="cuda:0")

    def load(self, buffer, array):
        buffer.copy_(self.module.from_numpy(array))

    def fetch(self, buffer, array):
        self.module.from_numpy(array).copy_(buffer)
        return array

    def release(self):
        self.module.cuda.empty_cache()


DEVICES = {"cupy": Cupy, "numba-cuda": NumbaCuda, "torch": TorchCuda}


@functools.cache
def opened(library):
    """The library's device, opened once; that it has none is said each time."""
    try:
        return DEVICES[library](), None
    except Exception as error:
        return None, error


def device_cases(peer, problem, options):
    device, error = opened(peer.library)
    if error:
        raise error
    name = " ".join(
        [device.name] + [peer.detail] * bool(peer.detail) + ["as written"] * peer.as_written
    )
    make_cases = own_copies if peer.takes_host else placed
    for case in make_cases(peer, problem, options, device):
        case.peer, case.version, case.wait = name, device.version, device.wait
        case.as_written, case.tolerance = peer.as_written, peer.tolerance
        yield case
    device.release()


def own_copies(peer, problem, options, device):
    """The peer's own code takes NumPy arrays and copies them."""
    env = Env(device.module, problem.inputs, problem.outputs, longest=options.longest)
    last = [None]

    def call():
        last[0] = run()

    def result():
        return elsewhere(last[0], problem.outputs)

    with env.stack:
        run = made(peer, problem, env)
        yield Case("", "", "copy", None, call, result)


def placed(peer, problem, options, device):
    """The same work with the data in other places before and after a call."""
    buffers = tuple(device.put(array) for array in problem.inputs)
    outs = buffers[: problem.in_place]
    outs += tuple(device.empty(array) for array in problem.outputs[problem.in_place :])
    env = Env(device.module, buffers, outs, longest=options.longest)
    last = [outs]

    def load():
        for buffer, array in zip(buffers, problem.inputs):
            device.load(buffer, array)

    def work():
        found = run()
        last[0] = found if isinstance(found, tuple) else outs

    def fetch():
        return tuple(device.fetch(d, array) for d, array in zip(last[0], problem.outputs))

    def copy():
        load()
        work()
        fetch()

    def preload():
        work()
        fetch()

    calls = {"copy": copy, "preload": preload, "resident": work, "unsynchronised": work}
    results = {"resident": fetch, "unsynchronised": fetch}
    with env.stack:
        run = made(peer, problem, env)
        for placement in placements(peer, problem, options):
            yield Case(
                "",
                "",
                placement,
                None,
                calls[placement],
                results.get(placement, lambda: problem.outputs),
                reset=load if problem.in_place else nothing,
                sampler=sample_unsynchronised if placement == "unsynchronised" else sample,
            )


def placements(peer, problem, options):
    """Those asked for. Without inputs there is nothing to preload."""
    asked = [p for p in peer.placements if not options.placement or p in options.placement.split(",")]
    return [p for p in asked if p != "preload" or problem.inputs]


# ---- JAX, on either ---------------------------------------------------------------------------

compiled = {}  # pure functions, by what they depend on


def open_jax(backend):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax, jax.devices(backend)[0]


def jax_function(peer, problem, jax, options):
    key = (problem.workload, peer, problem.dtype, tuple(problem.parameters.items()))
    if key not in compiled:
        env = Env(jax, (), (), longest=options.longest)
        function = peer.make(problem, env)
        compiled[key] = jax.jit(function) if peer.jitted else function
    return compiled[key]


def jax_cases(peer, problem, options, backend):
    jax, device = open_jax("gpu" if backend == "cuda" else "cpu")
    function = jax_function(peer, problem, jax, options)
    last = [None]

    def put():
        return [jax.device_put(array, device) for array in problem.inputs]

    def work(arrays):
        with jax.default_device(device):
            last[0] = jax.block_until_ready(function(*arrays))

    def fetch():
        return tuple(np.asarray(array) for array in last[0])

    arrays = put()
    calls = {
        "host": lambda: work(arrays),
        "resident": lambda: work(arrays),
        "preload": lambda: (work(arrays), fetch()),
        "copy": lambda: (work(put()), fetch()),
    }
    name = " ".join(
        ["jax", backend] + [peer.detail] * bool(peer.detail) + ["as written"] * peer.as_written
    )
    for placement in ["host"] if backend == "cpu" else placements(peer, problem, options):
        yield Case(
            name,
            jax.__version__,
            placement,
            options.threads if backend == "cpu" else None,
            calls[placement],
            fetch,
            as_written=peer.as_written,
            tolerance=peer.tolerance,
        )


# ---- all of them ------------------------------------------------------------------------------


def ways(peer, options):
    """The cases of a peer: (name of the library there, cases(peer, problem, options))."""
    both = ("cpu",) if options.cpu_only else ("cuda",) if options.gpu_only else ("cpu", "cuda")
    for where in both:
        if peer.where not in ("", where):
            continue
        if peer.library == "jax":
            yield f"jax {where}", functools.partial(jax_cases, backend=where)
        elif where == "cpu" and peer.library in HOST:
            yield "torch cpu" if peer.library == "torch" else peer.library, host_cases
        elif where == "cuda" and peer.library in DEVICES:
            yield DEVICES[peer.library].name, device_cases
