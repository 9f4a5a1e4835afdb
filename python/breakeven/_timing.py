"""be.time: one call, timed as breakeven times its own: waited for, in batches, until the median is known.

The statistics are those of the C library; here are the loops, which cost less in Python than a callback a call.
"""

import contextlib
import dataclasses
import functools
import gc
import inspect
import itertools
import numbers
import time as clock
import typing

from . import _libraries, _library, _records
from ._library import BreakevenError

now = clock.perf_counter


@functools.lru_cache(maxsize=None)
def loop_cost():
    """Seconds that one turn of an empty loop takes: the least of many looks."""
    calls, best = 20000, float("inf")
    for _ in range(20):
        start = now()
        for _ in itertools.repeat(None, calls):
            pass
        best = min(best, (now() - start) / calls)
    return best


def idle_cost(wait, result, calls=50, looks=5):
    """Seconds that it takes to ask for what has finished: the least of some looks. The result has been waited for."""
    best = float("inf")
    for _ in range(looks):
        start = now()
        for _ in itertools.repeat(None, calls):
            wait(result)
        best = min(best, (now() - start) / calls)
    return best


def timed_loop(function, arguments, wait=None, further_s=0.0):
    """A function of a number of calls: makes them, each waited for, and returns seconds without the loop's own.

    further_s: seconds a call of asking libraries that the call did not use.
    """
    cost = loop_cost() + further_s

    def without(calls):
        turns = itertools.repeat(None, calls)
        start = now()
        for _ in turns:
            function(*arguments)
        return now() - start - calls * cost

    def waiting(calls):
        turns = itertools.repeat(None, calls)
        start = now()
        for _ in turns:
            wait(function(*arguments))
        return now() - start - calls * cost

    loop = waiting if wait else without
    return lambda calls: max(loop(calls), 1e-12)  # a clock that stood still is no failure


@contextlib.contextmanager
def undisturbed():
    """No garbage collection meanwhile."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def check_function(function):
    """BreakevenError with what to do where it cannot be timed."""
    if not callable(function):
        raise BreakevenError(f"{function!r} is no function: give the function itself and its arguments, f, x, not f(x)")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise BreakevenError(f"{name_of(function)} is a generator: calling it computes nothing; return the whole result")
    if inspect.iscoroutinefunction(function):
        raise BreakevenError(f"{name_of(function)} is a coroutine: calling it computes nothing; give a plain function")


def check_above_0(**named):
    """BreakevenError where one of these is no number above 0."""
    for name, value in named.items():
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not value > 0:
            raise BreakevenError(f"{name}={value!r}: a number above 0 is needed")


def name_of(function):
    """How a message calls it."""
    return getattr(function, "__name__", None) or type(function).__name__


@dataclasses.dataclass
class Timing:
    """How long one call takes, in seconds: median and its 95 % interval (lo_s, hi_s)."""

    median_s: float
    lo_s: float
    hi_s: float
    mad_s: float
    min_s: float
    max_s: float
    n: int  # samples
    batch: int  # calls of each sample
    outliers: int
    stop: str  # why sampling ended
    first_s: float  # the first call, which may compile or load
    waited_for: list  # devices, by the library that was asked
    remarks: list  # what is to be known about it

    def __str__(self):
        return "\n".join([
            f"{seconds(self.median_s)} a call ({seconds(self.lo_s)} - {seconds(self.hi_s)}, 95 %)",
            f"{self.n} samples of {self.batch} call{'s' * (self.batch > 1)}; first call {seconds(self.first_s)}"
            + (f"; waited for {', '.join(self.waited_for)}" if self.waited_for else ""), *self.remarks])

    __repr__ = __str__

    def _repr_pretty_(self, printer, _cycle):
        printer.text(str(self))


def seconds(value):
    """ "1.79 ms" """
    if value != value:
        return "not measured"
    for unit, factor in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if value >= factor:
            return f"{value / factor:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


@functools.lru_cache(maxsize=None)
def stop_words():
    """enum be_stop by its values."""
    return _records.words("comparison", "results", "phases", "total", "stop")


def time(f: typing.Callable, *args, budget_s: float = 0.25, precision: float = 0.02,
         limit_s: typing.Optional[float] = None, **kwargs) -> Timing:
    """Times f(*args, **kwargs), each call waited for on whatever device it used.

    budget_s: seconds for the samples. precision: width of the interval / median that suffices. limit_s: the least time
    that the hardware allows, if you know it: a faster call is said to be impossible. Returns a Timing.
    """
    check_function(f)
    check_above_0(budget_s=budget_s, precision=precision)
    function = functools.partial(f, **kwargs) if kwargs else f
    loaded = set(_modules())
    start = now()
    result = function(*args)
    called = now()
    if inspect.isgenerator(result) or inspect.iscoroutine(result):
        raise BreakevenError(f"{name_of(f)} returns a {type(result).__name__}, which has computed nothing yet: return the "
                             "whole result")
    names, wait, further = _libraries.waiter_for([args, list(kwargs.values()), result])
    if wait:
        wait(result)
    first_s = (now() if wait else called) - start
    further_s = idle_cost(further, result) if further else 0.0
    del result
    with undisturbed():
        (taken,), ended = _library.time_in_turn([timed_loop(function, args, wait, further_s)], budget_s, precision)
    for exception in ended.values():
        if not isinstance(exception, KeyboardInterrupt) or taken.summary["n"] < 1:
            raise exception
    summary = taken.summary
    remarks = _remarks(summary["median_s"], limit_s, loaded)
    if further:
        remarks.append(f"asking libraries that no value here comes from takes {seconds(further_s)} a call, which is taken off")
    return Timing(stop=stop_words()[summary.pop("stop")], batch=taken.batch, first_s=first_s, waited_for=names,
                  remarks=remarks, **summary)


def _modules():
    return [name for name in _libraries._WAITS if name in _libraries.sys.modules]


def _remarks(median_s, limit_s, loaded):
    remarks = []
    if limit_s and median_s < 0.95 * limit_s:
        remarks.append(f"impossible: faster than the hardware allows ({seconds(limit_s)}): the clock stopped before the "
                       "work did, or a call does less than you think")
    new = set(_modules()) - loaded
    if new:
        remarks.append(f"the first call loaded {', '.join(sorted(new))}, and its time has that")
    if median_s < 20 * loop_cost():
        remarks.append(f"the loop around it takes {seconds(loop_cost())} a call, which is taken off: a call as short as "
                       "this is known no better")
    return remarks
