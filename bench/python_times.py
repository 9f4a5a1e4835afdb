#!/usr/bin/env python3
"""How the Python package times beside timeit, pyperf's loop and torch.utils.benchmark, in turn; and code against itself.

Each takes the median of batches of about a millisecond.

usage: python_times.py [gpu] [ROUNDS [PAIRS]]
  gpu     functions of PyTorch and CuPy on a GPU, beside a hand-written loop that waits for each call, CUDA events,
          torch.utils.benchmark and cupyx.profiler.benchmark
  ROUNDS  how often each way times each function, in turn; default 5
  PAIRS   how often a function is compared with itself; default 100
"""
import statistics
import sys
import timeit

try:
    import numpy

    import breakeven as be
except ImportError as missing:
    numpy, be = None, missing


def loads():
    with open("/proc/loadavg", encoding="ascii") as file:
        return file.read().split()[0]


BATCH_S, BATCHES = 1e-3, 101  # as be.time: on a busy machine a longer batch has the time of others in it


def batch(once):
    """Calls that take a millisecond; once(calls) -> seconds."""
    calls = 1
    while once(calls) < BATCH_S / 2:
        calls *= 2
    return calls


def median_of(once):
    calls = batch(once)
    return statistics.median(once(calls) for _ in range(BATCHES)) / calls


def by_timeit(function, argument):
    return median_of(timeit.Timer(lambda: function(argument)).timeit)


def by_pyperf(function, argument):
    """The loop that pyperf's Runner.bench_func runs, with its clock."""
    import pyperf

    def once(calls):
        loops, clock = range(calls), pyperf.perf_counter
        start = clock()
        for _ in loops:
            function(argument)
        return clock() - start
    return median_of(once)


def by_torch(function, argument):
    """torch.utils.benchmark; timeit() of it gives seconds a call."""
    from torch.utils.benchmark import Timer
    timer = Timer("function(argument)", globals={"function": function, "argument": argument})
    return median_of(lambda calls: timer.timeit(calls).mean * calls)


def functions():
    rng = numpy.random.default_rng(1)
    for n in (300, 3000, 30000, 300000):
        yield f"sort {n}", numpy.sort, rng.random(n)
    for n in (64, 256):
        yield f"solve {n}", numpy.linalg.inv, rng.random((n, n)) + n * numpy.eye(n)


# ---- on a GPU --------------------------------------------------------------------------------------------------


def by_hand(synchronize):
    """The clock is read after the device has finished, call by call: what be.time does."""
    def time(function, argument):
        import time as clock
        taken = []
        for _ in range(BATCHES):
            start = clock.perf_counter()
            function(argument)
            synchronize()
            taken.append(clock.perf_counter() - start)
        return statistics.median(taken)
    return time


def by_events(function, argument):
    """CUDA events around each call; the device is idle before it."""
    import torch
    taken = []
    for _ in range(BATCHES):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        function(argument)
        end.record()
        torch.cuda.synchronize()
        taken.append(start.elapsed_time(end) / 1e3)
    return statistics.median(taken)


def by_cupyx(function, argument):
    """cupyx.profiler.benchmark: its GPU times, by events."""
    from cupyx.profiler import benchmark
    return float(numpy.median(benchmark(function, (argument,), n_repeat=BATCHES, n_warmup=3).gpu_times))


def gpu_functions():
    """Of PyTorch, then of CuPy, each with the ways that fit."""
    try:
        import torch
        ways = {"by hand": by_hand(torch.cuda.synchronize), "events": by_events, "torch": by_torch}
        for n in (10**4, 10**6, 10**7):
            yield f"torch sort {n:.0e}", torch.sort, torch.rand(n, device="cuda"), ways
        for n in (256, 1024, 4096):
            yield f"torch matmul {n}", lambda a: a @ a, torch.rand(n, n, device="cuda"), ways
        yield "torch svd 128", torch.linalg.svdvals, torch.rand(128, 128, device="cuda"), ways
    except ImportError:
        print("PyTorch: not here")
    try:
        import cupy
        ways = {"by hand": by_hand(cupy.cuda.Device().synchronize), "cupyx": by_cupyx}
        for n in (10**4, 10**6, 10**7):
            yield f"cupy sort {n:.0e}", cupy.sort, cupy.random.rand(n), ways
        yield "cupy fft 1e+06", cupy.fft.fft, cupy.random.rand(10**6), ways
    except ImportError:
        print("CuPy: not here")


def on_gpu(rounds):
    for name, function, argument, ways in gpu_functions():
        ratios, ours = {way: [] for way in ways}, []
        for _ in range(20):
            function(argument)
        for _ in range(rounds):
            ours.append(be.time(function, argument).median_s)
            for way, time in ways.items():
                ratios[way].append(ours[-1] / time(function, argument))
        print(f"{name:18}{1e6 * statistics.median(ours):10.1f}us"
              + "".join(f"   / {way} {statistics.median(of):.3f}" for way, of in ratios.items()), flush=True)


# ---- on the CPU ------------------------------------------------------------------------------------------------


def side_by_side(rounds):
    ways = {"timeit": by_timeit, "pyperf": by_pyperf, "torch": by_torch}
    for name in list(ways):
        try:
            ways[name](len, [])
        except ImportError:
            print(f"{name}: not here")
            del ways[name]
    print(f"{'':14}{'be.time':>10}  " + "".join(f"{'/ ' + way:>11}" for way in ways) + "   load")
    for name, function, argument in functions():
        ratios, ours = {way: [] for way in ways}, []
        by_timeit(function, argument)  # the first is slower
        for _ in range(rounds):
            ours.append(be.time(function, argument).median_s)
            for way, time in ways.items():
                ratios[way].append(ours[-1] / time(function, argument))
        print(f"{name:14}{1e6 * statistics.median(ours):8.1f}us  "
              + "".join(f"{statistics.median(of):11.3f}" for of in ratios.values()) + f"   {loads()}")


def against_itself(pairs):
    """Is the second ahead of the first beyond doubt, where both are the same function?"""
    def function(x):
        return numpy.sort(x)
    ahead, medians = 0, []
    for _ in range(pairs):
        r = be.compare({"a": function, "b": function}, lambda rng, n: rng.random(n), [3000], placements=["resident"],
                       refine=False, budget_s=0.1)
        ahead += r.breakeven[0].status == "always"
        a, b = (one.phases.total.median_s for one in r.results)
        medians.append(abs(b / a - 1))
    print(f"against itself: {pairs} times, ahead beyond doubt {ahead}; medians differ by {100 * statistics.median(medians):.2f} % "
          f"(median), {100 * max(medians):.2f} % (most); load {loads()}")


def main(words):
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    gpu = words[:1] == ["gpu"]
    words = words[gpu:]
    if len(words) > 2 or not all(word.isdigit() and int(word) > 0 for word in words):
        print(__doc__, file=sys.stderr)
        return 2
    if numpy is None:
        print(f"python_times.py: {be}: run it with a Python that has the wheel (make wheel)", file=sys.stderr)
        return 1
    rounds, pairs = (int(word) for word in [*words, *["5", "100"][len(words):]])
    on_gpu(rounds) if gpu else side_by_side(rounds)
    against_itself(pairs)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
