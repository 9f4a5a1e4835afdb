"""Libraries with a device that nobody has: modules as cupy, torch, jax and dpnp, whose work is done only when waited for.

A call starts work that takes `Device.WORK_S`. Numbers can be read on the host only after the device was waited for in the
library's own way; reading them before is an AssertionError.
"""
import contextlib
import sys
import time
import types
from unittest import mock

import numpy

from breakeven import _libraries


class Device:
    """Work in its queue, and how often it was waited for."""

    WORK_S = 2e-3

    def __init__(self):
        self.done_at = self.waits = 0
        self.ready = True

    def launch(self):
        self.done_at = max(time.perf_counter(), self.done_at) + self.WORK_S
        self.ready = False

    def wait(self, *_):
        self.waits += 1
        time.sleep(max(0.0, self.done_at - time.perf_counter()))
        self.ready = True


def array_type(module, device):
    """An array of that module on that device."""

    class Array:
        sycl_queue = device

        def __init__(self, data):
            self.data, self.shape, self.dtype = numpy.asarray(data), numpy.shape(data), numpy.asarray(data).dtype

        def _work(self, data):
            device.launch()
            return Array(data)

        def __mul__(self, other):
            return self._work(self.data * getattr(other, "data", other))

        def sum(self):
            return self._work(self.data.sum())

        def read(self):
            assert device.ready, f"{module}: read before it was waited for"
            return self.data

        def to(self, _where):
            return self

        def detach(self):
            return self

        def cpu(self):
            device.wait()  # a copy to the host waits
            return self

        def numpy(self):
            return self.read()

    Array.__module__ = module
    if module != "dpnp":
        del Array.sycl_queue
    return Array


def _cupy(device, array):
    cuda = types.SimpleNamespace(
        Device=lambda *_: mock.MagicMock(id=0, synchronize=device.wait),
        runtime=types.SimpleNamespace(getDeviceProperties=lambda _: {"name": b"Pretend GPU"}))

    def asnumpy(value):
        device.wait()
        return value.read()
    return {"cuda": cuda, "asarray": array, "asnumpy": asnumpy}


def _torch(device, array):
    cuda = types.SimpleNamespace(is_available=lambda: True, is_initialized=lambda: True, synchronize=device.wait,
                                 get_device_name=lambda _: "Pretend GPU")
    return {"cuda": cuda, "from_numpy": array}


def _jax(device, array):
    def block_until_ready(value):
        device.wait()
        return value

    def devices(kind):
        if kind == "cpu":
            raise RuntimeError("no such backend")
        return [types.SimpleNamespace(device_kind="Pretend GPU")]
    config = types.SimpleNamespace(jax_enable_x64=False, update=lambda name, value: setattr(config, name, value))
    return {"block_until_ready": block_until_ready, "devices": devices, "jit": lambda f: f, "config": config,
            "device_put": lambda data, _: array(data)}


def _dpnp(device, array):
    def asnumpy(value):
        device.wait()
        return value.read()

    def empty(_):
        return types.SimpleNamespace(sycl_device=types.SimpleNamespace(is_gpu=True, name="Pretend GPU"))
    return {"asarray": lambda data, device: array(data), "asnumpy": asnumpy, "empty": empty}


MAKERS = {"cupy": _cupy, "torch": _torch, "jax": _jax, "dpnp": _dpnp}


@contextlib.contextmanager
def stand_in(name):
    """That library as the only one of its kind here; gives its device and its type of arrays."""
    device = Device()
    array = array_type(name, device)
    module = types.ModuleType(name)
    module.__version__ = "0"
    vars(module).update(MAKERS[name](device, array))

    def on_the_host(self, *_args, **_named):
        if name == "jax":  # whose arrays wait when the host asks for them
            device.wait()
        return self.read()
    array.__array__ = on_the_host
    compat = [f"{package}.{library}" for package in _libraries.COMPAT for library in ("cupy", "torch")]
    others = {other: None for other in [*MAKERS, *compat, "numba.cuda"]}
    modules = {**others, name: module, "jax.numpy": module if name == "jax" else None}
    with mock.patch.dict(sys.modules, modules):
        yield device, array
