"""How long a call takes, and whether what it left is right. Knows no library and no workload."""

import math
import time

import numpy as np

from medians import interval, middle

FEWEST = 3  # samples of a case; one is enough of a call that takes longer than SLOW_S
SLOW_S = 1.0


class TooSlow(Exception):
    """A peer is known to take longer than anybody wants to wait: so many seconds, or None."""

    def __init__(self, text, seconds=None):
        super().__init__(text)
        self.seconds = seconds


def nothing():
    pass


def warm_up(call, wait, budget):
    """Compiling, loading, first touch: two calls, or one that takes long."""
    start = time.perf_counter()
    for _ in range(2):
        call()
        wait()
        if time.perf_counter() - start > SLOW_S + budget:
            break


def sample(call, wait, budget):
    """Seconds of each call, until the budget is used up or the median is known to 1 %."""
    warm_up(call, wait, budget)
    samples, start = [], time.perf_counter()
    while True:
        before = time.perf_counter()
        call()
        wait()
        after = time.perf_counter()
        samples.append(after - before)
        n, spent = len(samples), after - start
        fewest = 1 if samples[0] > SLOW_S else FEWEST
        if n >= fewest and spent >= budget:
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


def estimate(call, share, longest, wait=nothing):
    """Raises TooSlow where the whole, of which `call` is this share, would take too long."""
    call()
    wait()
    start = time.perf_counter()
    call()
    wait()
    whole = (time.perf_counter() - start) / share
    if whole > longest:
        raise TooSlow(f"about {whole:.3g} s a call, estimated from a part of it: not run", whole)


def poison(arrays):
    """So that a call which writes nothing does not pass for one that did."""
    for array in arrays:
        array.fill(np.nan if array.dtype.kind in "fc" else np.iinfo(array.dtype).max)


def first_line(error):
    return (str(error) or type(error).__name__).splitlines()[0]


def measure(case, problem, budget):
    """What one line of the output says of a case: times, or why there are none."""
    try:
        samples = sorted(case.sampler(case.call, case.wait, budget))
        poison(problem.outputs)
        case.reset()
        case.call()
        case.wait()
        residual = float(problem.residual(case.result()))
    except Exception as error:  # each library has its own ways to fail
        estimated = getattr(error, "seconds", None)
        return {"ok": False, "error": first_line(error), "estimate_s": estimated}
    lo, hi = interval(samples)
    tolerance = case.tolerance or problem.tolerance
    return {
        "median_s": middle(samples),
        "lo_s": lo,
        "hi_s": hi,
        "min_s": samples[0],
        "n": len(samples),
        "residual": residual if math.isfinite(residual) else None,
        "tolerance": tolerance,
        "ok": residual <= tolerance,  # never true of NaN
    }
