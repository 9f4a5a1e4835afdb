"""be.compare: the same computation on every library that is here, over sizes; the C library makes of the samples what it
makes of its own.

It finds the ways, makes the data, takes samples in turn. Medians, intervals and break-evens are not computed here.
"""

import contextlib
import math
import numbers
import typing

import numpy

from . import _comparison, _libraries, _library, _progress, _timing, _ways
from ._library import BreakevenError

UNNAMED = "computation"  # several functions, which have names of their own
REFINEMENTS = 4  # sizes that are added to narrow a break-even
PHASES_SHARE = 0.2  # of the budget, for the copies by themselves
LARGEST = 2 ** 53  # size: whole numbers are exact up to here


# ---- what is asked ---------------------------------------------------------------------------------------------


def _sizes_of(sizes):
    if isinstance(sizes, numbers.Integral):
        sizes = [sizes]
    try:
        asked = list(sizes if sizes is not None else ())
    except TypeError:
        raise BreakevenError(f"sizes={sizes!r}: a list of whole numbers is needed, as [64, 256, 1024]") from None
    whole = []
    for size in asked:
        if isinstance(size, bool) or not isinstance(size, numbers.Real) or not 1 <= size <= LARGEST or size != int(size):
            raise BreakevenError(f"sizes: {size!r} is no size: whole numbers of 1 and more, as [64, 256, 1024]")
        whole.append(int(size))
    if not whole:
        raise BreakevenError("sizes: there are none: give some, as sizes=[64, 256, 1024]")
    return sorted(set(whole))


def _placements_of(placements):
    asked = list(placements or _ways.PLACEMENTS)
    for placement in asked:
        if placement not in _ways.PLACEMENTS:
            raise BreakevenError(f"placements: {placement!r} is none: there are {', '.join(_ways.PLACEMENTS)}")
    return asked


def _function_of(f):
    """What a message, a table and a file call it."""
    return _timing.name_of(f) if callable(f) and not isinstance(f, dict) else UNNAMED


def _named_ways(functions, devices, remarks):
    """Ways of functions by name: that of a library gets its arrays, any other NumPy's."""
    ways = []
    for name, function in functions.items():
        library = None
        if name == "cpu":
            raise BreakevenError("a function called cpu: that is a device; call it another name")
        if isinstance(function, tuple) and len(function) == 2:
            library, function = _libraries.find(function[0]), function[1]
        _timing.check_function(function)
        library = library or _libraries.LIBRARIES.get(name)
        library = library or _libraries.LIBRARIES["numba" if _libraries.is_numba(function) else "numpy"]
        ways += _on_places(str(name), function, library, devices, remarks)
    return ways


def _on_places(name, function, library, devices, remarks, needed=False):
    """A way for each place of a library; why there is none becomes a remark, or an error where it was asked for."""
    try:
        places = library.places()
        namespace = library.namespace() if _ways.takes_namespace(function) else None
    except BreakevenError as error:
        if needed:
            raise
        remarks.append(str(error))
        return []
    if library.name == "torch" and namespace is library.load():
        remarks.append("torch: xp is PyTorch's own module, whose arguments differ from the array API standard's: "
                       "pip install array-api-compat")
    wanted = [place for place in places
              if not devices or place.id in devices or place.id.partition(":")[0] in devices]
    return [_ways.Way(name, function, library, place, namespace) for place in wanted]


def _ways_of(f, libraries, devices, remarks):
    if isinstance(f, dict):
        ways = _named_ways(f, devices, remarks)
    elif _libraries.is_numba(f):
        ways = _named_ways({"python": f.py_func, "numba": f}, devices, remarks)
    else:
        _timing.check_function(f)
        names = [libraries] if isinstance(libraries, str) else list(libraries or _libraries.USUAL)
        ways = [way for name in names
                for way in _on_places(name, f, _libraries.find(name), devices, remarks, bool(libraries))]
    if devices and not ways:
        raise BreakevenError(f"devices={devices!r}: no library has one here: {'; '.join(remarks) or 'they have the CPU'}",
                             "absent")
    if not ways:
        raise BreakevenError("there is nothing to run: " + "; ".join(remarks or ["no function was given"]), "absent")
    return ways


# ---- one size --------------------------------------------------------------------------------------------------


class Case:
    """A way in one placement at one size: what is written of it, and its samples."""

    def __init__(self, way, placement, base):
        self.way, self.placement = way, placement
        self.fields = dict(base, variant=way.name, status="ok", note=None)
        self.samples = {}
        self.stop = None
        self.loop = None

    def left(self, reason, status):
        self.fields.update(status=status, note=str(reason)[:300])

    def document(self):
        """As be_samples_string reads it."""
        phases = {"total": {"stop": self.stop}, "first": {"stop": "once"}}
        return dict(self.fields, placement=self.placement, samples=self.samples, phases=phases)


def _seconds(values):
    return [value for value in values if value > 0 and math.isfinite(value)]


class Run:
    """One comparison while it runs."""

    def __init__(self, ways, make, options):
        self.ways, self.make, self.options = ways, make, options
        self.cases, self.remarks, self.partial = [], [], False
        self.round = 0
        self.late = {}  # way -> (size, seconds of a call there)
        self.hosts = _hosts(ways)
        self.here = _library.machine()
        self.cache_bytes = self.here["machine"].get("cache_bytes") or 0

    def data(self, size):
        """The inputs of a size, the same each time."""
        rng = numpy.random.default_rng(self.options["seed"])
        try:
            made = self.make(rng, size)
        except MemoryError as error:
            raise _ways.Left(f"size {size} does not fit in memory: {error}", "skipped") from None
        arrays = list(made) if isinstance(made, (tuple, list)) else [made]
        if not arrays or any(array is None for array in arrays):
            raise BreakevenError(f"make(rng, {size}) returns nothing: return an array, or a tuple of arrays and numbers")
        for array in arrays:
            if _libraries.package_of(array) not in ("numpy", "builtins"):
                raise BreakevenError(f"make(rng, {size}) returns a {type(array).__name__}: return NumPy arrays and numbers; "
                                     "they are put on each device")
        return arrays

    def measure(self, size, refines=False):
        """All cases of a size; False: it does not fit."""
        try:
            arrays = self.data(size)
        except _ways.Left as left:
            self.remarks.append(str(left))
            return False
        self.round += 1
        kept = [array.copy() if isinstance(array, numpy.ndarray) else array for array in arrays]
        float64 = any(array.dtype in ("float64", "complex128", "int64") for array in kept
                      if isinstance(array, numpy.ndarray))
        base = {"workload": self.options["name"], "title": self.options["title"], "code": "library", "size": size,
                "size_name": "size", "round": self.round, "refines": int(refines), "cache": "hot"}
        cases, open_cases, reference = [], [], None
        for way in self.ways:
            mine = [Case(way, placement, base) for placement in self.placements(way)]
            cases += mine
            try:
                with way.library.settings(float64):
                    ready, reference = self.ready(way, size, arrays, kept, reference, mine)
                open_cases += [(case, ready) for case in mine]
            except _ways.Left as left:
                for case in mine:
                    case.left(left, left.status)
        with _settings(self.ways, float64):
            self.sample(open_cases)
        self.cases += cases
        return True

    def placements(self, way):
        if way in self.hosts:
            return ["host"]
        return self.options["placements"] if way.library.copies else ["resident"]

    def ready(self, way, size, arrays, kept, reference, cases):
        """Its data are there, it was called once, and its result held against the first way's."""
        self.progress(way, size)
        self.foreseen(way, size)
        name = way.name if self.options["name"] == UNNAMED else self.options["name"]
        _ways.check_takes(name, way.bound(), arrays, f"make(rng, {size}) returns {len(arrays)} "
                          f"{'inputs' if len(arrays) > 1 else 'input'}: return a tuple of as many as the function takes")
        try:
            ready = _ways.Ready(way, arrays)
            _ways.check_result(name, ready.result)
            found = ready.fetch(ready.result)
            _ways.check_arrays(name, found)
        except (BreakevenError, KeyboardInterrupt):
            raise
        except (Exception, SystemExit) as error:  # whatever a library or a function raises is the reason
            raise _ways.left_by(error, size) from None
        _ways.check_inputs(name, ready, kept)
        nbytes = sum(array.nbytes for array in [*kept, *found] if isinstance(array, numpy.ndarray))
        reference = reference if reference is not None else found
        tolerance = self.options["rtol"]
        tolerance = _ways.tolerance_of([*found, *reference]) if tolerance is None else tolerance
        for case in cases:
            case.fields.update(dtype=_ways.type_of(reference)[:60], bytes=float(nbytes), tolerance=tolerance,
                               cache="hot" if nbytes <= self.cache_bytes else "beyond",
                               device="cpu" if case.placement == "host" else self.device(way),
                               threads=self.here["machine"]["cores_allowed"] if case.placement == "host" else None)
            case.samples["first"] = _seconds([ready.first_s])
        residual = _ways.residual_of(found, reference)
        for case in cases:
            case.fields["residual"] = residual if math.isfinite(residual) else None
        if not residual <= tolerance:
            raise _ways.Left(f"its result is off by {residual:.2g} of the first way's, and {tolerance:.2g} is right "
                             f"(rtol); type {_ways.type_of(found)}", "wrong")
        if ready.first_s > self.options["patience_s"]:
            self.late[way] = size, ready.first_s
        return ready, reference

    def foreseen(self, way, size):
        """Left where a call would take longer than patience allows, after a smaller size."""
        smaller, seconds = self.late.get(way, (0, 0))
        if smaller and smaller < size and seconds * size / smaller > self.options["patience_s"]:
            raise _ways.Left(f"a call may take {_timing.seconds(seconds * size / smaller)}, after size {smaller}: more than "
                             f"patience_s ({_timing.seconds(self.options['patience_s'])})", "skipped")

    def device(self, way):
        """A GPU is one device for all libraries; another library on the CPU is one of its own."""
        return way.place.id if way.place.kind != "cpu" else way.name

    def sample(self, cases):
        """Samples of all in turn, then of the copies of those that copy."""
        budget_s, precision = self.options["budget_s"], self.options["precision"]
        loops = [_timing.timed_loop(*ready.calls("resident" if case.placement == "host" else case.placement))
                 for case, ready in cases]
        if not loops:
            return
        with _timing.undisturbed(), contextlib.redirect_stdout(_ways.Sink()):
            taken, ended = _library.time_in_turn(loops, budget_s, precision)
        for i, (case, ready) in enumerate(cases):
            case.stop = _timing.stop_words()[taken[i].summary["stop"]]
            case.samples["total"] = _seconds(taken[i].seconds)
            if i in ended:
                left = _ways.left_by(ended[i], case.fields["size"])
                case.left(left, left.status)
            elif not case.samples["total"]:
                case.left("ended before it was measured", "skipped")
            else:
                self.late[case.way] = case.fields["size"], min(case.samples["total"])
            if case.placement in ("host", "resident"):
                case.samples["work"] = case.samples["total"]
        self.partial |= -1 in ended
        copying = [(case, ready) for case, ready in cases if case.placement == "copy" and case.fields["status"] == "ok"]
        if copying and not self.partial:
            self.sample_copies(copying, budget_s * PHASES_SHARE, precision)

    def sample_copies(self, cases, budget_s, precision):
        phases = [(case, phase, loop) for case, ready in cases for phase, loop in zip(("in", "out"), ready.copies())]
        with _timing.undisturbed():
            taken, ended = _library.time_in_turn([_timing.timed_loop(*loop) for _, _, loop in phases], budget_s, precision)
        for (case, phase, _), one in zip(phases, taken):
            case.samples[phase] = _seconds(one.seconds)
        self.partial |= -1 in ended

    def progress(self, way, size):
        if self.options["progress"]:
            self.options["progress"](f"{self.options['name']} {size} with {way.name} on {way.place.id}")

    def document(self):
        """As be_samples_string reads it."""
        machine = dict(self.here["machine"], devices=_devices(self.here["machine"]["devices"], self.ways, self.hosts, self))
        versions = ", ".join(dict.fromkeys(way.library.version() for way in self.ways))
        environment = dict(self.here["environment"], libraries=versions[:300], order="rounds, forward and back",
                           seed=self.options["seed"])
        remarks = [*self.remarks, *_remarks(self.ways)]
        return {"machine": machine, "environment": environment, "partial": self.partial, "remarks": remarks,
                "results": [case.document() for case in self.cases if "device" in case.fields or self.fill(case)]}

    def fill(self, case):
        """A case that was left out before it had a device: the table has its reason all the same."""
        case.fields.update(device="cpu" if case.placement == "host" else self.device(case.way), dtype=self.dtype(),
                           threads=self.here["machine"]["cores_allowed"] if case.placement == "host" else None)
        return True

    def dtype(self):
        return next((case.fields["dtype"] for case in self.cases if "dtype" in case.fields), "")


def _hosts(ways):
    """The ways that are the CPU's side: all on the CPU where there is a GPU, else the first one."""
    cpu = [way for way in ways if way.place.kind == "cpu"]
    return cpu if len(cpu) < len(ways) else cpu[:1]


def _devices(listed, ways, hosts, run):
    """The machine's devices, and those that only these ways have."""
    known, devices = {device["id"] for device in listed}, list(listed)
    for way in ways:
        if way not in hosts and run.device(way) not in known:
            known.add(run.device(way))
            name = way.title if way.place.kind == "cpu" else way.place.name
            devices.append({"id": run.device(way), "backend": "python", "name": name[:120], "kind": way.place.kind})
    return devices


def _settings(ways, float64):
    stack = contextlib.ExitStack()
    for library in dict.fromkeys(way.library for way in ways):
        stack.enter_context(library.settings(float64))
    return stack


def _remarks(ways):
    remarks = [f"{way.name}: {way.eager}" for way in ways if way.eager]
    if any(way.printed for way in ways):
        remarks.append("the function prints: that is not shown here, and the time it takes is in its times")
    cost = _timing.seconds(_timing.loop_cost())
    remarks.append(f"timed from Python: the loop around a call takes {cost}, which is taken off each time")
    return remarks


# ---- all sizes -------------------------------------------------------------------------------------------------


def _refine(run, sizes, document):
    """Sizes between those asked for that narrow a break-even."""
    text, narrows = _library.samples(document, run.options["name"])
    for _ in range(REFINEMENTS):
        if not narrows or narrows in sizes or run.partial:
            break
        sizes = [*sizes, narrows]
        try:
            run.measure(narrows, refines=True)
        except KeyboardInterrupt:
            run.partial = True
        text, narrows = _library.samples(run.document(), run.options["name"])
    return text


def compare(f: typing.Union[typing.Callable, dict], make: typing.Callable, sizes: typing.Iterable[int], *,
            libraries: typing.Optional[typing.Sequence[str]] = None, devices: typing.Optional[typing.Sequence[str]] = None,
            placements: typing.Optional[typing.Sequence[str]] = None, name: typing.Optional[str] = None,
            rtol: typing.Optional[float] = None, budget_s: float = 0.25, precision: float = 0.02, patience_s: float = 10.0,
            refine: bool = True, seed: int = 1, progress=None) -> _comparison.Comparison:
    """Runs a computation with every library that is here and says from which size which one stays ahead.

    f: a function of arrays. Its first parameter may be called xp: it gets the library's namespace. Or functions by name,
    {"numpy": f, "cupy": g, "mine": h}: one called as a library gets its arrays, any other NumPy's; (library, function)
    says it.
    make(rng, n): the inputs of size n, a NumPy array or a tuple of arrays and numbers; rng: numpy.random.Generator.
    sizes: whole numbers. libraries, devices: only these ("torch"; "cuda"). placements: of "copy" (to the device and back
    in every call), "preload" (inputs are there), "resident" (all is there).
    rtol: largest max |z - reference| / max |reference| that is right; default: half of the digits of the type.
    budget_s: seconds of samples a case. patience_s: longest call that is made. refine: measure sizes in between, to
    narrow a break-even. Returns a Comparison.
    """
    sizes = _sizes_of(sizes)
    if not callable(make):
        raise BreakevenError("make: a function of rng and n is needed: make=lambda rng, n: rng.random((n, 3))")
    _ways.check_takes("make", make, (None, sizes[0]), "it is called as make(rng, n)")
    _timing.check_above_0(budget_s=budget_s, precision=precision, patience_s=patience_s)
    if rtol is not None:
        _timing.check_above_0(rtol=rtol)
    remarks, shown = [], _progress.shown(progress)
    title = name or _function_of(f)
    options = {"name": "".join(c if c.isalnum() or c in "-_." else "-" for c in title)[:60] or "computation",
               "title": "" if not name else name[:60], "placements": _placements_of(placements), "rtol": rtol,
               "budget_s": budget_s, "precision": precision, "patience_s": patience_s, "seed": seed, "progress": shown}
    run = Run(_ways_of(f, libraries, devices, remarks), make, options)
    run.remarks += remarks
    try:
        for size in sizes:
            if run.partial or not run.measure(size):
                break
    except KeyboardInterrupt:
        run.partial = True
    finally:
        if hasattr(shown, "clear"):
            shown.clear()
    if not any(case.samples.get("total") for case in run.cases):
        _nothing(run)
    document = run.document()
    text = _refine(run, sizes, document) if refine and not run.partial else _library.samples(document, title)[0]
    if hasattr(shown, "clear"):
        shown.clear()
    return _comparison.Comparison(text)


def _nothing(run):
    """There is no time at all: why."""
    if run.partial:
        raise KeyboardInterrupt
    reasons = dict.fromkeys(f"{case.way.name}: {case.fields['note']}" for case in run.cases if case.fields["note"])
    raise BreakevenError("nothing could be measured: " + "; ".join([*reasons, *run.remarks][:6]), "wrong")
