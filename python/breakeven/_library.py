"""The C library: found beside this file, called through ctypes, its errors as exceptions.

It knows the few functions that this package needs. Structs of results never cross: they come as JSON.
"""

import ctypes
import json
import os
import pathlib
import threading

HERE = pathlib.Path(__file__).resolve().parent

# enum be_status (breakeven_error.h), in its order.
STATUS = ("ok", "absent", "usage", "no memory", "file", "driver", "build", "wrong", "timeout", "stopped")
# enum be_format (breakeven.h)
TEXT, JSON, CSV, PNG, SVG = range(5)


class BreakevenError(Exception):
    """What went wrong and what to do. `status` is one of "absent", "usage", "no memory", "file", "driver", "build",
    "wrong", "timeout", "stopped"."""

    def __init__(self, text, status="usage"):
        super().__init__(text)
        self.status = status


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 512)]


class _Summary(ctypes.Structure):
    """struct be_summary; tests/test_library.py holds it against the header."""

    _fields_ = [("n", ctypes.c_int), ("outliers", ctypes.c_int), ("stop", ctypes.c_int)] + [
        (name, ctypes.c_double) for name in ("median_s", "lo_s", "hi_s", "mad_s", "min_s", "max_s")]


_TIME_CALLS = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int, ctypes.c_long)
_CANCELLED = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p)


class _TurnOptions(ctypes.Structure):
    _fields_ = [("budget_s", ctypes.c_double), ("precision", ctypes.c_double), ("patience", ctypes.c_double),
                ("cancelled", _CANCELLED), ("context", ctypes.c_void_p)]


class _Taken(ctypes.Structure):
    _fields_ = [("seconds", ctypes.POINTER(ctypes.c_double)), ("samples", ctypes.c_int), ("batch", ctypes.c_long),
                ("failed", ctypes.c_bool), ("summary", _Summary)]


def _find(variable, names):
    """A file of ours: the one that the environment names, or one beside this package."""
    named = os.environ.get(variable)
    places = [pathlib.Path(named)] if named else [HERE / name for name in names]
    for place in places:
        if place.exists():
            return place
    raise BreakevenError(f"{' or '.join(map(str, places))} is not here: install the wheel of breakeven again"
                         + (f", or set {variable} to a file that exists" if named else ""), "absent")


def library_path():
    """Where libbreakeven is; BREAKEVEN_LIBRARY names another one."""
    return _find("BREAKEVEN_LIBRARY", ["lib/libbreakeven.so"])


def program_path():
    """Where the program is; BREAKEVEN_PROGRAM names another one."""
    return _find("BREAKEVEN_PROGRAM", ["bin/breakeven"])


_loaded = None


def _library():
    global _loaded
    if _loaded is None:
        lib = ctypes.CDLL(str(library_path()))
        string, error = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(_Error)
        signatures = {
            "be_machine_string": [string, error],
            "be_fields_string": [ctypes.c_char_p, string, error],
            "be_saved_string": [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, string, error],
            "be_samples_string": [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, string,
                                  ctypes.POINTER(ctypes.c_uint64), error],
            "be_asker_open": [string, error],
            "be_asker_string": [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, string, error],
            "be_time_in_turn": [_TIME_CALLS, ctypes.c_int, ctypes.POINTER(_TurnOptions), ctypes.POINTER(_Taken), error],
        }
        for name, arguments in signatures.items():
            getattr(lib, name).argtypes = arguments
            getattr(lib, name).restype = ctypes.c_int
        lib.be_string_free.argtypes = [ctypes.c_void_p]
        lib.be_string_free.restype = None
        lib.be_taken_free.argtypes = [ctypes.POINTER(_Taken), ctypes.c_int]
        lib.be_taken_free.restype = None
        _loaded = lib
    return _loaded


def _check(status, error):
    if status:
        raise BreakevenError(error.text.decode("utf-8", "replace"), STATUS[status])


def _string(function, *arguments, behind=()):
    """The text that `function(*arguments, &string, *behind, &error)` gives."""
    lib, error, string = _library(), _Error(), ctypes.c_void_p()
    status = getattr(lib, function)(*arguments, ctypes.byref(string), *behind, ctypes.byref(error))
    _check(status, error)
    try:
        return ctypes.string_at(string).decode("utf-8")
    finally:
        lib.be_string_free(string)


def machine():
    """This machine and its environment, as a dict."""
    return json.loads(_string("be_machine_string"))


def fields(kind):
    """The fields of saved results of a kind: "comparison" or "profile"."""
    return json.loads(_string("be_fields_string", kind.encode()))


def saved(text, name, form):
    """Saved results (JSON) in another format."""
    return _string("be_saved_string", text.encode(), name.encode(), form)


def samples(document, name):
    """Samples become a comparison: its JSON, and the size that would narrow a break-even most (0: none)."""
    narrows = ctypes.c_uint64()
    text = _string("be_samples_string", json.dumps(document, allow_nan=False).encode(), name.encode(), JSON,
                   behind=(ctypes.byref(narrows),))
    return text, narrows.value


_asking = threading.Lock()  # an asker is for one thread at a time
_asker = None


def answer(question, form=JSON):
    """The answer to a question (docs/json.md, "Questions"), as a text. Profiles that it reads are kept."""
    global _asker
    with _asking:
        if _asker is None:
            asker, error = ctypes.c_void_p(), _Error()
            _check(_library().be_asker_open(ctypes.byref(asker), ctypes.byref(error)), error)
            _asker = asker
        return _string("be_asker_string", _asker, json.dumps(question).encode(), question["ask"].encode(), form)


class Taken:
    """The samples of one way: seconds a call in the order of the rounds, and their summary."""

    def __init__(self, taken):
        self.seconds = taken.seconds[:taken.samples] if taken.samples else []
        self.batch, self.failed = taken.batch, taken.failed
        self.summary = {name: getattr(taken.summary, name) for name, _ in _Summary._fields_}


def time_in_turn(functions, budget_s=0, precision=0, patience=0):
    """Samples each of these in turn. functions[i](calls) makes so many calls, waits, and returns seconds.

    Returns the samples of each, and the exceptions that ended some ({index: exception}). KeyboardInterrupt ends the
    sampling; it is among the exceptions, under -1.
    """
    lib, error, ended = _library(), _Error(), {}
    taken = (_Taken * max(1, len(functions)))()

    def call(_context, way, calls):
        try:
            return functions[way](calls)
        except KeyboardInterrupt as interrupt:
            ended[-1] = interrupt
        except BaseException as exception:  # an exception cannot pass through C
            ended[way] = exception
        return -1.0

    options = _TurnOptions(budget_s, precision, patience, _CANCELLED(lambda _context: -1 in ended), None)
    status = lib.be_time_in_turn(_TIME_CALLS(call), len(functions), ctypes.byref(options), taken, ctypes.byref(error))
    _check(status, error)
    try:
        return [Taken(one) for one in taken][:len(functions)], ended
    finally:
        lib.be_taken_free(taken, len(functions))
