"""The array libraries that are here: how each puts an array on a device, takes it back, and is waited for.

A library is a table entry. It knows nothing of timing.
"""

import contextlib
import importlib
import sys
import typing

from ._library import BreakevenError


class Place(typing.NamedTuple):
    """A device as a library names it."""

    id: str  # "cpu", "cuda:0": as the program calls it
    kind: str  # "cpu", "gpu"
    name: str  # "NVIDIA H200"
    handle: object  # what the library calls it


CPU = Place("cpu", "cpu", "", None)

# Where array-api-compat may be: SciPy and scikit-learn bring a copy along.
COMPAT = ("array_api_compat", "scipy._lib.array_api_compat", "sklearn.externals.array_api_compat")


def leaves(value):
    """The arrays and numbers in a result: of tuples, lists and dicts, however deep."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def package_of(value):
    """The package that a value's type comes from: "torch", "numpy", "jaxlib"."""
    return type(value).__module__.partition(".")[0]


class Library:
    """NumPy, and what others have in common with it: arrays of the host, done when a call returns."""

    name, module, packages = "numpy", "numpy", ("numpy",)
    title = "NumPy"

    @property
    def copies(self):
        """Are its arrays others than NumPy's? If not there is nothing to copy."""
        return self.name not in ("numpy", "numba")

    def load(self):
        """The module; BreakevenError where it is not here or does not load."""
        try:
            return importlib.import_module(self.module)
        except ImportError as error:
            raise BreakevenError(f"{self.name}: not here: pip install {self.module} ({error})", "absent") from error
        except Exception as error:  # a library whose driver is not here may raise anything
            raise BreakevenError(f"{self.name}: does not load: {error}", "absent") from error

    def version(self):
        """ "NumPy 2.1.0" """
        return f"{self.title} {getattr(self.load(), '__version__', '')}".strip()

    def namespace(self):
        """The module that follows the array API standard, as far as the library has one."""
        for package in COMPAT if self.name in ("numpy", "cupy", "torch") else ():
            with contextlib.suppress(ImportError, AttributeError):
                return importlib.import_module(f"{package}.{self.name}")
        return self.load()

    def places(self):
        """Its devices that are here, the first of each kind."""
        self.load()
        return [CPU]

    def put(self, array, place):
        """A NumPy array, or a number, on a device."""
        return array

    def fetch(self, value):
        """One leaf of a result as a NumPy array."""
        import numpy
        return numpy.asarray(value)

    def waiter(self, place):
        """A function that waits for a result and all work before it; None: a call returns when it is done."""
        return None

    def prepare(self, function, place):
        """The function as users of the library run it."""
        return function

    def settings(self, float64):
        """What must hold while it computes, as a context."""
        return contextlib.nullcontext()


class Torch(Library):
    name, module, packages, title = "torch", "torch", ("torch",), "PyTorch"

    def places(self):
        torch, found = self.load(), [CPU._replace(handle="cpu")]
        if torch.cuda.is_available():
            found.append(Place("cuda:0", "gpu", torch.cuda.get_device_name(0), "cuda:0"))
        if getattr(torch, "xpu", None) and torch.xpu.is_available():
            found.append(Place("xpu:0", "gpu", torch.xpu.get_device_name(0), "xpu:0"))
        return found

    def put(self, array, place):
        torch = self.load()
        import numpy
        if not isinstance(array, numpy.ndarray):
            return array
        return torch.from_numpy(numpy.ascontiguousarray(array)).to(place.handle)

    def fetch(self, value):
        import numpy
        return value.detach().cpu().numpy() if hasattr(value, "detach") else numpy.asarray(value)

    def waiter(self, place):
        torch, kind = self.load(), str(place.handle).partition(":")[0]
        if kind == "cpu":
            return None
        synchronize = getattr(torch, kind).synchronize
        return lambda _value: synchronize(place.handle)


class Jax(Library):
    name, module, packages, title = "jax", "jax", ("jax", "jaxlib"), "JAX"

    def namespace(self):
        return importlib.import_module("jax.numpy")

    def places(self):
        jax, found = self.load(), []
        for kind in ("cpu", "gpu"):
            with contextlib.suppress(RuntimeError):  # JAX says so of a backend that is not here
                device = jax.devices(kind)[0]
                found.append(CPU._replace(handle=device) if kind == "cpu" else
                             Place("cuda:0", "gpu", getattr(device, "device_kind", ""), device))
        return found

    def put(self, array, place):
        import numpy
        return self.load().device_put(array, place.handle) if isinstance(array, numpy.ndarray) else array

    def waiter(self, place):
        return self.load().block_until_ready

    def prepare(self, function, place):
        """Compiled: that is how JAX is used."""
        return function if hasattr(function, "lower") else self.load().jit(function)

    @contextlib.contextmanager
    def settings(self, float64):
        """JAX computes in float32 unless it is told otherwise."""
        jax = self.load()
        before = jax.config.jax_enable_x64
        jax.config.update("jax_enable_x64", bool(float64 or before))
        try:
            yield
        finally:
            jax.config.update("jax_enable_x64", before)


class Cupy(Library):
    name, module, packages, title = "cupy", "cupy", ("cupy",), "CuPy"

    def places(self):
        cupy = self.load()
        try:
            properties = cupy.cuda.runtime.getDeviceProperties(0)
        except Exception as error:  # CUDARuntimeError: no device, no driver
            raise BreakevenError(f"cupy: no GPU: {error}", "absent") from error
        name = properties["name"]
        return [Place("cuda:0", "gpu", name.decode() if isinstance(name, bytes) else str(name), 0)]

    def put(self, array, place):
        import numpy
        cupy = self.load()
        with cupy.cuda.Device(place.handle):
            return cupy.asarray(array) if isinstance(array, numpy.ndarray) else array

    def fetch(self, value):
        return self.load().asnumpy(value)

    def waiter(self, place):
        device = self.load().cuda.Device(place.handle)
        return lambda _value: device.synchronize()


class Dpnp(Library):
    name, module, packages, title = "dpnp", "dpnp", ("dpnp", "dpctl"), "dpnp"

    def places(self):
        device = self.load().empty(1).sycl_device
        kind = "gpu" if device.is_gpu else "cpu"
        return [Place("cpu" if kind == "cpu" else "sycl:0", kind, device.name, device)]

    def put(self, array, place):
        import numpy
        return self.load().asarray(array, device=place.handle) if isinstance(array, numpy.ndarray) else array

    def fetch(self, value):
        return self.load().asnumpy(value)

    def waiter(self, place):
        def wait(value):
            for leaf in leaves(value):
                if hasattr(leaf, "sycl_queue"):
                    leaf.sycl_queue.wait()
        return wait


class Strict(Library):
    """The array API standard and nothing else: for tests, and where it is asked for."""

    name, module, packages, title = "array_api_strict", "array_api_strict", ("array_api_strict",), "array-api-strict"

    def namespace(self):
        return self.load()

    def put(self, array, place):
        import numpy
        return self.load().asarray(array) if isinstance(array, numpy.ndarray) else array

    def fetch(self, value):
        import numpy
        return numpy.asarray(getattr(value, "_array", value))


class Numba(Library):
    """Functions that Numba compiled: on NumPy's arrays. Those of numba.cuda are waited for."""

    name, module, packages, title = "numba", "numba", ("numba",), "Numba"

    def namespace(self):
        return importlib.import_module("numpy")


LIBRARIES = {library.name: library for library in (Library(), Torch(), Jax(), Cupy(), Dpnp(), Numba(), Strict())}
# Those that are tried where nobody names any; Numba needs a function that is compiled for it.
USUAL = ("numpy", "torch", "jax", "cupy", "dpnp")


def is_numba(function):
    """Is it a function that Numba compiled?"""
    return hasattr(function, "py_func") and package_of(function) == "numba"


def find(name):
    """The library of that name. BreakevenError: there is none, or it is not here."""
    if name not in LIBRARIES:
        raise BreakevenError(f"there is no library {name!r} known here: there are {', '.join(LIBRARIES)}")
    return LIBRARIES[name]


# ---- whatever was used -----------------------------------------------------------------------------------------


def _wait_torch(torch, _values):
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        return "cuda (torch)", lambda _value: torch.cuda.synchronize()
    xpu = getattr(torch, "xpu", None)
    if xpu and xpu.is_available():
        return "xpu (torch)", lambda _value: xpu.synchronize()
    return None


def _wait_jax(jax, values):
    if any(package_of(value) in ("jax", "jaxlib") for value in values):
        return "jax", jax.block_until_ready
    return None


def _wait_cupy(cupy, _values):
    try:
        device = cupy.cuda.Device()
    except Exception:  # no driver here: nothing was started
        return None
    return f"cuda:{device.id} (cupy)", lambda _value: device.synchronize()


def _wait_dpnp(_dpnp, values):
    if any(hasattr(value, "sycl_queue") for value in values):
        return "sycl (dpnp)", Dpnp.waiter(LIBRARIES["dpnp"], None)
    return None


def _wait_numba(cuda, _values):
    return ("cuda (numba)", lambda _value: cuda.synchronize()) if cuda.is_available() else None


_WAITS = {"torch": _wait_torch, "jax": _wait_jax, "cupy": _wait_cupy, "dpnp": _wait_dpnp, "numba.cuda": _wait_numba}


def _owns(name, values):
    """Does one of these values come from the library?"""
    packages = LIBRARIES[name.partition(".")[0]].packages
    return any(package_of(value) in packages for value in values)


def waiter_for(values):
    """What must be waited for after a call with these arguments and this result: names, one function of a result that waits
    for all, and one that waits for those that none of the values comes from, or None.

    Only libraries that are loaded can have started work; each waits for all that it has in flight. Those that the values
    come from are asked first: the others then find an idle device, and what asking them costs is no part of the call.
    """
    values = leaves(values)
    found = [(name, wait(sys.modules[name], values)) for name, wait in _WAITS.items() if sys.modules.get(name)]
    found = sorted(((not _owns(name, values), one) for name, one in found if one), key=lambda entry: entry[0])
    names, waits = [one[0] for _, one in found], [one[1] for _, one in found]
    needed = max(1, sum(not further for further, _ in found))
    return names, _all_of(waits), _all_of(waits[needed:])


def _all_of(waits):
    """One function of a result for several; None for none."""
    if len(waits) < 2:
        return waits[0] if waits else None

    def wait_all(value):
        for wait in waits:
            wait(value)
    return wait_all
