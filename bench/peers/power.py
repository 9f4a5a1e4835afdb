"""z = x**y and z = x*y on float32 arrays, by other programs: one JSON line a case.

Each peer is written as its good user would write it: arrays there before the clock starts, outputs
reused where the library allows it, warmed up, and waited for before the clock is read. What is not
installed, or has no device, is left out. Only "numba-cuda as published" does as NREL's page did.
"""
import argparse
import concurrent.futures
import gc
import importlib
import json
import math
import os
import sys
import time

import numpy as np

WORKLOADS = ("power", "multiply")
TOLERANCE = 1e-5
FEWEST = 3  # samples of a case, however slow


# ---- measuring --------------------------------------------------------------------------------


def interval(ordered):
    """95 % interval of the median: the ranks that enclose it (binomial). None below 6 samples."""
    n = len(ordered)
    if n < 6:
        return None, None
    if n > 100:
        rank = int((n - 1.96 * math.sqrt(n)) / 2)
    else:
        rank, below = 0, 0.0
        while below + math.comb(n, rank) / 2**n <= 0.025:
            below += math.comb(n, rank) / 2**n
            rank += 1
    return ordered[rank - 1], ordered[n - rank]


def middle(ordered):
    n = len(ordered)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def sample(call, wait, budget):
    """Seconds of each call, until the budget is used up or the median is known to 1 %."""
    start = time.perf_counter()
    for _ in range(2):  # compiling, loading, first touch
        call()
        wait()
        if time.perf_counter() - start > 1 + budget:
            break
    samples, start = [], time.perf_counter()
    while True:
        before = time.perf_counter()
        call()
        wait()
        after = time.perf_counter()
        samples.append(after - before)
        n, spent = len(samples), after - start
        if n >= FEWEST and spent >= budget:
            return samples
        if n >= 16 and n & (n - 1) == 0 and spent >= budget / 4:
            ordered = sorted(samples)
            lo, hi = interval(ordered)
            if hi - lo <= 0.01 * middle(ordered):
                return samples


def sample_unsynchronised(call, wait, budget):
    """As published: ten calls, and the clock is read before the device is done."""
    call()
    wait()
    samples, start = [], time.perf_counter()
    while len(samples) < FEWEST or time.perf_counter() - start < budget:
        before = time.perf_counter()
        for _ in range(10):
            call()
        samples.append((time.perf_counter() - before) / 10)
        wait()
    return samples


class Reference:
    """The result in double precision, at up to a million places spread over the array."""

    def __init__(self, workload, x, y):
        self.step = max(1, x.size // 1_000_000)
        a, b = x[:: self.step].astype(np.float64), y[:: self.step].astype(np.float64)
        self.z = a**b if workload == "power" else a * b

    def residual(self, z):
        """|z - reference| / |reference|; NaN when any element of z is."""
        if math.isnan(float(np.sum(z))):
            return math.nan
        difference = z[:: self.step].astype(np.float64) - self.z
        return float(np.linalg.norm(difference) / np.linalg.norm(self.z))


# ---- peers on the CPU -------------------------------------------------------------------------
# A case: peer, version, placement, threads, call, wait, result (fetches z as a NumPy array).


def nothing():
    pass


def case(peer, version, placement, threads, call, result, wait=nothing, sampler=sample):
    return {
        "peer": peer,
        "version": version,
        "placement": placement,
        "threads": threads,
        "call": call,
        "result": result,
        "wait": wait,
        "sampler": sampler,
    }


def numpy_cases(workload, x, y, z, threads):
    function = np.power if workload == "power" else np.multiply
    version = np.__version__
    yield case("numpy", version, "host", 1, lambda: function(x, y, out=z), lambda: z)
    if threads == 1:
        return
    # NumPy lets go of the interpreter's lock, so slices run side by side.
    edges = [x.size * i // threads for i in range(threads + 1)]
    parts = [slice(a, b) for a, b in zip(edges, edges[1:])]
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:

        def call():
            list(pool.map(lambda part: function(x[part], y[part], out=z[part]), parts))

        yield case("numpy in threads", version, "host", threads, call, lambda: z)


def numba_loops(numba):
    prange = numba.prange

    def power(x, y, z):
        for i in prange(z.size):
            z[i] = x[i] ** y[i]

    def multiply(x, y, z):
        for i in prange(z.size):
            z[i] = x[i] * y[i]

    return {"power": power, "multiply": multiply}


def scalar(workload):
    return (lambda a, b: a**b) if workload == "power" else (lambda a, b: a * b)


def numba_cases(workload, x, y, z, threads):
    import numba

    # Without Intel's vector library, which only conda's Numba can use, pow() is called for each
    # element.
    version = numba.__version__ + (" with SVML" if numba.config.USING_SVML else "")
    loop = numba_loops(numba)[workload]
    one = numba.njit(fastmath=True)(loop)
    yield case("numba", version, "host", 1, lambda: one(x, y, z), lambda: z)
    if threads == 1:
        return
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    every = numba.njit(parallel=True, fastmath=True)(loop)
    yield case("numba prange", version, "host", threads, lambda: every(x, y, z), lambda: z)
    ufunc = numba.vectorize(["float32(float32, float32)"], target="parallel", fastmath=True)(
        scalar(workload)
    )
    yield case("numba vectorize", version, "host", threads, lambda: ufunc(x, y, z), lambda: z)


def torch_cases(workload, x, y, z, threads):
    import torch

    torch.set_num_threads(threads)
    function = torch.pow if workload == "power" else torch.mul
    a, b, c = (torch.from_numpy(array) for array in (x, y, z))
    yield case(
        "torch cpu",
        torch.__version__,
        "host",
        threads,
        lambda: function(a, b, out=c),
        lambda: z,
    )


# ---- peers on the GPU -------------------------------------------------------------------------
# Each opens as: version, put (array to the device), get (back, into z where it can), run (on
# device arrays), run_into (the same into an array on the device) or None, wait.


def open_cupy(workload):
    import cupy

    cupy.cuda.Device(0).use()
    function = cupy.power if workload == "power" else cupy.multiply
    return {
        "version": cupy.__version__,
        "put": cupy.asarray,
        "get": lambda d, z: d.get(out=z),
        "run": function,
        "run_into": lambda a, b, c: function(a, b, out=c),
        "wait": cupy.cuda.Device(0).synchronize,
    }


def open_numba_cuda(workload):
    import numba
    from numba import cuda

    if not cuda.is_available():
        raise RuntimeError("no device")
    try:
        version = importlib.import_module("numba_cuda").__version__
    except ImportError:
        version = numba.__version__
    function = numba.vectorize(["float32(float32, float32)"], target="cuda")(scalar(workload))

    def get(d, z):
        d.copy_to_host(z)
        return z

    return {
        "version": version,
        "put": cuda.to_device,
        "get": get,
        "run": function,
        "run_into": lambda a, b, c: function(a, b, out=c),
        "wait": cuda.synchronize,
        "as_published": True,
    }


def open_jax(workload):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax

    device = jax.devices("gpu")[0]
    function = jax.jit(scalar(workload))
    return {
        "version": jax.__version__,
        "put": lambda array: jax.device_put(array, device),
        "get": lambda d, z: np.asarray(d),
        "run": lambda a, b: function(a, b).block_until_ready(),
        "run_into": None,
        "wait": nothing,
    }


def open_torch(workload):
    import torch

    if not torch.cuda.is_available():
        raise RuntimeError("no device")
    function = torch.pow if workload == "power" else torch.mul

    def get(d, z):
        torch.from_numpy(z).copy_(d)
        return z

    return {
        "version": torch.__version__,
        "put": lambda array: torch.from_numpy(array).to("cuda:0"),
        "get": get,
        "run": function,
        "run_into": lambda a, b, c: function(a, b, out=c),
        "wait": torch.cuda.synchronize,
    }


def device_cases(peer, device, x, y, z):
    put, get, run, wait = (device[name] for name in ("put", "get", "run", "wait"))
    version = device["version"]
    a, b = put(x), put(y)
    kept = {"z": None}

    def copy():
        kept["z"] = get(run(put(x), put(y)), z)

    def preload():
        kept["z"] = get(run(a, b), z)

    c = run(a, b)
    into = device["run_into"]

    def resident():
        if into:
            into(a, b, c)
        else:
            kept["c"] = run(a, b)

    def fetch():
        return get(kept.get("c", c), z)

    yield case(peer, version, "copy", None, copy, lambda: kept["z"], wait)
    yield case(peer, version, "preload", None, preload, lambda: kept["z"], wait)
    yield case(peer, version, "resident", None, resident, fetch, wait)
    if device.get("as_published"):

        def copy_each():
            kept["z"] = run(x, y)

        name = peer + " as published"
        yield case(name, version, "copy", None, copy_each, lambda: kept["z"], wait)
        yield case(
            name, version, "unsynchronised", None, resident, fetch, wait, sample_unsynchronised
        )


# ---- all of them ------------------------------------------------------------------------------

HOST = {"numpy": numpy_cases, "numba": numba_cases, "torch cpu": torch_cases}
DEVICE = {
    "numba-cuda": open_numba_cuda,
    "cupy": open_cupy,
    "jax": open_jax,
    "torch cuda": open_torch,
}


def all_cases(workload, x, y, z, options, left_out):
    """Cases of every library that is here and asked for. Why one is not is said once, on stderr."""
    for library in list(HOST) + ([] if options.cpu_only else list(DEVICE)):
        if options.only not in library:
            continue
        try:
            if library in HOST:
                yield from HOST[library](workload, x, y, z, options.threads)
            else:
                yield from device_cases(library, DEVICE[library](workload), x, y, z)
        except Exception as error:  # each library has its own ways to say that it cannot
            if library not in left_out:
                print(f"peers: {library}: left out: {first_line(error)}", file=sys.stderr)
            left_out.add(library)
        gc.collect()


def first_line(error):
    return (str(error) or type(error).__name__).splitlines()[0]


def measure(each, reference, z, budget):
    try:
        samples = sorted(each["sampler"](each["call"], each["wait"], budget))
        z.fill(np.nan)
        each["call"]()
        each["wait"]()
        residual = reference.residual(each["result"]())
    except Exception as error:
        return {"ok": False, "error": first_line(error)}
    lo, hi = interval(samples)
    return {
        "median_s": middle(samples),
        "lo_s": lo,
        "hi_s": hi,
        "min_s": samples[0],
        "n": len(samples),
        "residual": None if math.isnan(residual) else residual,
        "ok": residual <= TOLERANCE,  # never true of NaN
    }


def fill(n, threads):
    """x and y in [0, 1), z; each part first touched by the thread that will use it."""
    x, y, z = (np.empty(n, np.float32) for _ in range(3))
    try:
        import numba

        @numba.njit(parallel=True)
        def touch(array):
            for i in numba.prange(array.size):
                array[i] = 0

        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        for array in (x, y, z):
            touch(array)
    except ImportError:
        pass
    random = np.random.default_rng(1)
    random.random(out=x, dtype=np.float32)
    random.random(out=y, dtype=np.float32)
    return x, y, z


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="1e5,1e7", help="elements: a list with commas")
    parser.add_argument("--budget", type=float, default=0.5, help="seconds a case")
    parser.add_argument(
        "--only",
        default="",
        metavar="SUBSTRING",
        help=f"libraries whose name has this in it: {', '.join([*HOST, *DEVICE])}",
    )
    parser.add_argument("--cpu-only", action="store_true", help="no GPU")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    left_out = set()
    for size in (int(float(word)) for word in options.size.split(",")):
        x, y, z = fill(size, options.threads)
        for workload in WORKLOADS:
            reference = Reference(workload, x, y)
            for each in all_cases(workload, x, y, z, options, left_out):
                line = {name: each[name] for name in ("peer", "version", "placement", "threads")}
                line |= {"workload": workload, "size": size}
                line |= measure(each, reference, z, options.budget)
                print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
