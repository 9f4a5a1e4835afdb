"""The program's other answers as functions: predict, worth, machines, queue, lint. Each returns what the command's JSON
says, as a record, and prints as the command does."""

import json
import os
import tempfile

import numpy

from . import _library, _program, _records
from ._library import BreakevenError


def _said(arguments, stdin=None, kind=None):
    """One run of a command: its JSON as a data class, or as a record where the library describes no fields of it."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "said.json")
        text = _program.run([*arguments, f"--json={file}"], stdin).rstrip("\n")
        with open(file, encoding="utf-8") as said:
            return _records.answer(kind, said.read(), text) if kind else _program.Said(json.load(said), text)


def _options(named):
    return [word for name, value in named.items() for word in _program.option(name, value)]


def machine():
    """This machine: its cores, memory and devices, and why a backend has none."""
    return _records.kind("comparison").parts["machine"].read(_library.machine()["machine"])


def machines(name=None):
    """The machines that are known: profiles and data sheets that `machine=` and `cpu=` take (`.profiles`), and measured
    times (`.times`). With a name: that profile."""
    if name is None:
        return _said(["machines"], kind="machines")
    text = _program.run(["machines", name, "--json"])
    return _records.kind("profile").read(json.loads(text))


FORMULAS = ("flops", "bytes", "sequential", "transfer", "transfer_each", "memory", "calls", "launches", "batch", "matmul", "factor", "irregular")
NUMBERS = (int, float, numpy.integer, numpy.floating)


def _formula(name, value):
    """As a question has it: Python's ** is ^ there."""
    if isinstance(value, str):
        return value.replace("**", "^")
    if isinstance(value, NUMBERS) and not isinstance(value, bool):
        return repr(float(value))
    raise BreakevenError(f"{name}={value!r}: a number is needed, or a formula of n, as \"2*n**3\"")


def _names(value):
    """A list of names or paths, which may be given as one text."""
    if value is None or isinstance(value, str):
        return value.split(",") if value else []
    try:
        return [os.fspath(name) for name in (value if isinstance(value, (list, tuple)) else [value])]
    except TypeError:
        raise BreakevenError(f"machine={value!r}: a name, a file or a list of them is needed: be.machines() has some") from None


def _question(ask, machine, cpu, type, matrix, elementwise, first_call, framework, work):
    """The question about a computation, with all of it but its sizes."""
    question = {"ask": ask, "machines": _names(machine)}
    for name, value in work.items():
        if name not in FORMULAS:
            raise BreakevenError(f"{ask}: there is no {name}: there are {', '.join(FORMULAS)}")
        if name == "sequential" and isinstance(value, bool):
            question["all_sequential"] = value
        elif value is not None:
            question[name] = _formula(name, value)
    said = {"cpu": ",".join(_names(cpu)), "type": type, "matrix": matrix, "elementwise": elementwise, "first_call": first_call,
            "framework": framework}
    question.update((name, value) for name, value in said.items() if value)
    return question


def _sizes(sizes):
    """Sizes as a question has them: a number, a list, "100,1000" or "1e2..1e4"."""
    try:
        if isinstance(sizes, str) and ".." in sizes:
            return dict(zip(("size_from", "size_to"), map(float, sizes.split(".."))))
        several = sizes.split(",") if isinstance(sizes, str) else [sizes] if isinstance(sizes, NUMBERS) else sizes
        return {"sizes": [float(size) for size in several]}
    except (TypeError, ValueError):
        raise BreakevenError(f"sizes={sizes!r}: numbers are needed, as [100, 1000] or \"1e2..1e4\"") from None


def predict(*, sizes=None, machine=None, cpu=None, type=None, matrix=False, elementwise=False, first_call=False,
            framework=None, measured=None, **work):
    """What a computation would take on CPUs and GPUs, also on those that are not here; nothing is run.

    The computation by numbers, or as formulas of n ("2*n**3"): flops and bytes of a call, transfer (bytes over the bus
    once), transfer_each (with every call), sequential (operations that wait for each other; True: all), memory, calls,
    launches, batch; or matmul="n,n,64" or factor="svd,n" or irregular="hash,n" in place of flops and bytes. sizes: values of n, a list or "1e2..1e4". machine:
    names of GPUs' profiles (be.machines()). cpu: likewise; default: measured here. type: "float32" or "float64".
    elementwise: it goes over whole arrays. framework: "numpy", "torch", "jax" or "pandas", whose calls take time. measured: seconds, asks whether they are possible. Times have an interval of
    90 %.
    """
    question = _question("predict", machine, cpu, type, matrix, elementwise, first_call, framework, work)
    question.update(_sizes(sizes) if sizes is not None else {})
    if measured is not None:
        question["measured_s"] = measured
    return _records.answer("predictions", _library.answer(question), lambda: _library.answer(question, _library.TEXT))


def worth(n=None, *, machine=None, cpu=None, type=None, matrix=False, elementwise=False, first_call=False, framework=None,
          **work):
    """Is a GPU worth it for this computation (see predict) at size n? Takes microseconds from the second question about the
    same machine and cpu on: a program can ask at run time.

    verdict ("GPU", "CPU", "too close", "not known"); ratio of the CPU's time to the GPU's with its interval of 90 %
    (ratio_lo, ratio_hi); cause; changes that would turn it; cpu and gpu with their times (typical_s, lo_s, hi_s, limit_s).
    """
    question = _question("worth", machine, cpu, type, matrix, elementwise, first_call, framework, work)
    if n is not None:
        if not isinstance(n, NUMBERS):
            raise BreakevenError(f"worth: n={n!r} is no size: a number is needed, as worth(1000, flops=\"2*n**3\")")
        question["size"] = float(n)

    def tell():
        table = {name: value for name, value in question.items() if name != "size"}
        return _library.answer(dict(table, ask="predict", machines=[said.machine], **_sizes(n if n is not None else [])),
                               _library.TEXT)
    said = _records.answer("prediction", _library.answer(question), tell)
    return said


def queue(*files, **options):
    """How long jobs waited in a batch system, or with forecast=True how long one would wait: the options of `breakeven
    queue`, with _ for -: partition="gpu", gpus=1, time="2:00:00", deadline="2026-12-01 09:00". Without a file sacct is
    asked."""
    return _said(["queue", *_options(options), *files])


def lint(text, **options):
    """Faults in a job script, given as its text: findings, each with line, severity, text and advice. The options of
    `breakeven lint`, with _ for -: cluster="narval", slurm="22.05"."""
    if not isinstance(text, str):
        raise BreakevenError("lint: the text of a job script is needed: pathlib.Path(FILE).read_text()")
    return _said(["lint", *_options(options), "--fail-on=never", "-"], stdin=text, kind="lint")
