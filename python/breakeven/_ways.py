"""One function on one library and device: its calls in each placement, its first call, and whether it is right.

It knows libraries and data, and nothing of sizes beside its own, samples or reports.
"""

import contextlib
import functools
import inspect
import io

import numpy

from . import _libraries, _timing
from ._library import BreakevenError

PLACEMENTS = ("copy", "preload", "resident")


class Left(Exception):
    """A way that is left out at a size: its status and the reason."""

    def __init__(self, reason, status="failed"):
        super().__init__(reason)
        self.status = status


class Way:
    """A function under a name, on a library's place. `title`: what a reader is told of it."""

    def __init__(self, name, function, library, place, namespace):
        self.name, self.library, self.place = name, library, place
        self.function, self.namespace = function, namespace
        self.eager = None  # why it is not compiled although its library would
        self.printed = False

    @property
    def title(self):
        where = f" on {self.place.name or 'the CPU'}"
        version = self.library.version()
        return version + where if self.name == self.library.name else f"{self.name}, {version}{where}"

    def bound(self):
        """The function with its namespace, as it is called with arrays."""
        return functools.partial(self.function, self.namespace) if self.namespace else self.function


def takes_namespace(function):
    """Is its first parameter called xp?"""
    try:
        return next(iter(inspect.signature(function).parameters), None) == "xp"
    except (TypeError, ValueError):  # of a built-in
        return False


class Sink(io.TextIOBase):
    """Takes what a function prints, so that a thousand calls do not fill the screen."""

    used = False

    def write(self, text):
        self.used |= bool(text)
        return len(text)


class Ready:
    """A way with the data of one size on its place, called once."""

    def __init__(self, way, arrays):
        self.way, self.arrays = way, arrays
        self.put = lambda array: way.library.put(array, way.place)
        self.wait = way.library.waiter(way.place)
        self.inputs = [self.put(array) for array in arrays]
        self.done(self.inputs)
        self.call = way.library.prepare(way.bound(), way.place)
        self.result, self.first_s = self._first()

    def done(self, value):
        if self.wait:
            self.wait(value)
        return value

    def _once(self):
        said = Sink()
        start = _timing.now()
        with contextlib.redirect_stdout(said):
            result = self.done(self.call(*self.inputs))
        seconds = _timing.now() - start
        self.way.printed |= said.used
        return result, seconds

    def _first(self):
        try:
            return self._once()
        except Exception as error:
            plain = self.way.bound()
            if self.call is plain or not type(error).__module__.startswith("jax"):
                raise
            self.way.eager = f"{type(error).__name__}: JAX cannot compile it, so it runs call by call"
            self.call = plain
            return self._once()

    def fetch(self, value):
        """A result's arrays on the host, in its order."""
        return [self.way.library.fetch(leaf) for leaf in _libraries.leaves(value)]

    def calls(self, placement):
        """The function and arguments of one call with its data so placed, and what it is waited for with."""
        put, fetch, call = self.put, self.fetch, self.call
        if placement == "copy":
            return lambda *arrays: fetch(call(*[put(array) for array in arrays])), self.arrays, None
        if placement == "preload":
            return lambda *inputs: fetch(call(*inputs)), self.inputs, None
        return call, self.inputs, self.wait

    def copies(self):
        """The copies in and out, each as calls() has it."""
        put, fetch = self.put, self.fetch
        return ((lambda *arrays: [put(array) for array in arrays], self.arrays, self.wait),
                (fetch, (self.result,), None))


# ---- is it a result, and the right one? ------------------------------------------------------------------------


def check_result(name, result):
    """BreakevenError where no library's result could be compared."""
    if result is None:
        raise BreakevenError(f"{name} returns nothing: return the result, so that it can be waited for and checked")
    if inspect.isgenerator(result) or inspect.iscoroutine(result):
        raise BreakevenError(f"{name} returns a {type(result).__name__}, which has computed nothing yet: return the whole "
                             "result")


def check_arrays(name, found):
    """BreakevenError where a result holds nothing that could be compared."""
    for array in found:
        if array.dtype.kind not in "biufcmMSU" or (array.dtype.kind == "U" and not array.shape):
            raise BreakevenError(f"{name} returns something that is no array and no number ({str(array.ravel()[:1])[:60]}): "
                                 "return what is to be compared")
    if not found:
        raise BreakevenError(f"{name} returns nothing: an empty tuple; return the result")


def check_takes(name, function, arguments, what):
    """BreakevenError where it cannot be called with so many arguments, as far as that is known."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of a built-in
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        raise BreakevenError(f"{name}: {error}: {what}") from None


def left_by(error, size):
    """Left for what a call raised."""
    told = f"{type(error).__name__}: {error}"
    full = isinstance(error, MemoryError) or any(word in told for word in ("OutOfMemory", "out of memory",
                                                                          "RESOURCE_EXHAUSTED"))
    return Left(f"size {size} does not fit in memory: {error}", "skipped") if full else Left(told)


def same(array, kept):
    """Are they the same, NaN included?"""
    array, kept = numpy.asarray(array), numpy.asarray(kept)
    with contextlib.suppress(TypeError):  # of what has no NaN
        return array.shape == kept.shape and bool(numpy.array_equal(array, kept, equal_nan=True))
    return bool(numpy.array_equal(array, kept))


def check_inputs(name, ready, kept):
    """BreakevenError where a call changed its inputs: a second call would compute something else."""
    for i, (array, before) in enumerate(zip(ready.inputs, kept)):
        if isinstance(before, numpy.ndarray) and not same(ready.way.library.fetch(array), before):
            raise BreakevenError(f"{name} changes its input (argument {i + 1}) with {ready.way.name}: each call would "
                                 "compute something else; work on a copy, or return a new array")


def tolerance_of(arrays):
    """Half of the digits that the coarsest type has: 1.5e-8 of float64, 3.5e-4 of float32."""
    kinds = [array.dtype for array in arrays if array.dtype.kind in "fc"]
    return max((float(numpy.finfo(kind).eps) ** 0.5 for kind in kinds), default=0.0)


def residual_of(arrays, reference):
    """max |z - reference| / max |reference| over all arrays; infinite where one of the two is not a number.

    Left: they have other shapes, or there are more of them.
    """
    if len(arrays) != len(reference):
        raise Left(f"{len(arrays)} arrays, and the first has {len(reference)}", "wrong")
    worst = 0.0
    for array, ref in zip(arrays, reference):
        if array.shape != ref.shape:
            raise Left(f"a result of shape {array.shape}, and the first has {ref.shape}", "wrong")
        if array.dtype.kind not in "biufc" or ref.dtype.kind not in "biufc":
            worst = max(worst, 0.0 if same(array, ref) else float("inf"))
            continue
        wide = numpy.complex128 if "c" in array.dtype.kind + ref.dtype.kind else numpy.float64
        array, ref = array.astype(wide), ref.astype(wide)
        if not numpy.array_equal(numpy.isfinite(array), numpy.isfinite(ref)):
            worst = float("inf")
            continue
        finite = numpy.isfinite(ref)
        off = float(numpy.max(numpy.abs(array[finite] - ref[finite]), initial=0.0))
        size = float(numpy.max(numpy.abs(ref[finite]), initial=0.0))
        worst = max(worst, off / size if size else off)
    return worst


def type_of(arrays):
    """The types of a result: "float64", or "float64, int64"."""
    return ", ".join(dict.fromkeys(str(array.dtype) for array in arrays))
