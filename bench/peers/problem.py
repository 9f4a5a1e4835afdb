"""What is computed, and by whom: the words that the families of workloads are written in."""

import functools
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import ModuleType

import numpy as np

from measure import nothing, sample


@dataclass
class Problem:
    """One computation on given data. A call updates the first `in_place` inputs: outputs too."""

    workload: str
    parameters: dict  # by the names of the command line; the first is the size
    dtype: str
    inputs: tuple  # NumPy arrays; nobody writes to them
    outputs: tuple  # NumPy arrays that a call fills
    residual: Callable  # of a tuple like outputs; NaN when any element of it is
    tolerance: float
    in_place: int = 0
    constants: dict = field(default_factory=dict)

    def __getitem__(self, name):
        return self.parameters[name] if name in self.parameters else self.constants[name]


@dataclass
class Env:
    """What a peer works with: its own library, and arrays of that library where the work is."""

    module: ModuleType
    inputs: tuple
    outputs: tuple
    threads: int = 1
    longest: float = 20.0  # seconds that a call may take
    stack: ExitStack = field(default_factory=ExitStack)  # left when the case is over


@dataclass(frozen=True)
class Peer:
    """One way to compute it. make(problem, env) returns run(), which returns its results as a
    tuple, or anything else when they are in env.outputs. Of JAX, make returns a pure function of
    the inputs instead, to a tuple; it must not hold on to arrays, since it is compiled once."""

    library: str
    make: Callable
    detail: str = ""  # the library may compute it in several ways
    threads: str = "each"  # on a CPU: "one", "all", or "each": a row for each
    where: str = ""  # "cpu" or "cuda" of a library that has both; empty: both
    placements: tuple = ("copy", "preload", "resident")
    takes_host: bool = False  # run() takes and gives NumPy arrays, copying itself
    as_written: bool = False
    jitted: bool = True  # of JAX: what make returns is to be compiled
    tolerance: float | None = None  # where the way itself allows less
    in_place: int = 0  # on a CPU: overwrites so many inputs, as the problem may ask of all peers


@dataclass
class Case:
    """One peer in one placement, ready to be called."""

    peer: str
    version: str
    placement: str
    threads: int | None
    call: Callable
    result: Callable  # what the last call left, as NumPy arrays
    wait: Callable = nothing
    reset: Callable = nothing  # before the call that is checked
    sampler: Callable = sample
    as_written: bool = False
    tolerance: float | None = None


@dataclass(frozen=True)
class Workload:
    """build(parameters, dtype, room) returns the Problem; room(shape, dtype) an array for it."""

    parameters: dict  # names and presets, in order; the first is the size
    dtypes: tuple  # the first is the preset
    build: Callable
    peers: tuple


# ---- data -------------------------------------------------------------------------------------


def random():
    return np.random.default_rng(1)


@functools.cache
def toucher():
    import numba

    @numba.njit(parallel=True)
    def touch(array):
        for i in numba.prange(array.size):
            array[i] = 0

    return numba, touch


def room_for(threads):
    """room(shape, dtype): an array, each part first touched by the thread that will use it."""

    def room(shape, dtype):
        array = np.empty(shape, dtype)
        try:
            numba, touch = toucher()
        except ImportError:
            return array
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        flat = array.reshape(-1)
        touch(flat.view(np.float32) if array.dtype.kind == "c" else flat)
        return array

    return room


def uniform(room, shape, dtype, low=0.0):
    """Random numbers from low (0 or -1) to 1."""
    array = room(shape, dtype)
    random().random(out=array, dtype=array.dtype)
    if low:
        array *= 2
        array -= 1
    return array


# ---- checks -----------------------------------------------------------------------------------


def relative(found, reference):
    """|found - reference| / |reference|; NaN when any element found is."""
    difference = found.astype(np.result_type(reference, np.float64)) - reference
    return np.linalg.norm(difference.ravel()) / np.linalg.norm(reference.ravel())


def has_nan(array):
    """Looks at every element, without an array of its own: NaN survives a sum, inf - inf is NaN."""
    return bool(np.isnan(np.sum(array)))


def stride(n, most=1_000_000):
    """Every so many of n elements are looked at, at most so many of them."""
    return max(1, -(-n // most))


def sampled(reference, n):
    """residual(outputs) against the reference of every step-th element of the first output."""
    step = stride(n)

    def residual(outputs):
        found = outputs[0]
        return np.nan if has_nan(found) else relative(found[::step], reference)

    return residual


# ---- ways to compute that several families use --------------------------------------------------


def slices(n, parts):
    edges = [n * i // parts for i in range(parts + 1)]
    return [slice(a, b) for a, b in zip(edges, edges[1:]) if b > a]


def in_threads(env, n, work):
    """run() that calls work(slice) for a slice of range(n) on each thread, side by side: NumPy lets
    go of the interpreter's lock."""
    from concurrent.futures import ThreadPoolExecutor

    pool = env.stack.enter_context(ThreadPoolExecutor(env.threads))
    parts = slices(n, env.threads)

    def run():
        list(pool.map(work, parts))

    return run


def blas_threads(n):
    """A context in which NumPy's and SciPy's BLAS use so many threads, where that can be said."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return ExitStack()
    return threadpool_limits(n, user_api="blas")


def blocks(n, threads=256):
    """Grid and block of a numba-cuda kernel with one thread for each of n elements."""
    return max(1, -(-n // threads)), threads
