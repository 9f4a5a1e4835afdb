"""The program's other answers as functions: predict, worth, machines, queue, lint. Each returns what the command's JSON
says, as a data class, and prints as the command does."""

import json
import os
import tempfile

import numpy

from . import _library, _program, _records
from ._library import BreakevenError


def _said(arguments, kind_of):
    """One run of a command: its JSON as a data class of the kind that kind_of(node) names."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "said.json")
        text = _program.run([*arguments, f"--json={file}"]).rstrip("\n")
        with open(file, encoding="utf-8") as said:
            json_text = said.read()
        return _records.answer(kind_of(json.loads(json_text)), json_text, text)


def _options(named):
    return [word for name, value in named.items() for word in _program.option(name, value)]


def _answered(kind, question):
    """The library's answer to a question, as a data class; as a text it is what the program prints."""
    return _records.answer(kind, _library.answer(question), lambda: _library.answer(question, _library.TEXT))


def machine():
    """This machine: its cores, memory and devices, and why a backend has none."""
    return _records.kind("comparison").parts["machine"].read(_library.machine()["machine"])


def machines(name=None):
    """The machines that are known: profiles and data sheets that `machine=` and `cpu=` take (`.profiles`), and measured
    times (`.times`). With a name, or the file of a profile: that profile."""
    question = {"ask": "machines"} if name is None else {"ask": "machine", "name": _path(name)}
    return _answered("machines" if name is None else "profile", question)


def _path(name):
    try:
        return os.fspath(name)
    except TypeError:
        raise BreakevenError(f"machines: {name!r} is no name and no file: be.machines() has those there are") from None


FORMULAS = ("flops", "bytes", "sequential", "transfer", "transfer_each", "memory", "calls", "launches", "batch", "matmul", "factor", "irregular")
LISTS = ("matmul", "factor", "irregular")  # several of them, with commas between
NUMBERS = (int, float, numpy.integer, numpy.floating)


def _formula(name, value):
    """As a question has it: Python's ** is ^ there."""
    if name in LISTS and isinstance(value, (tuple, list)) and value:
        return ",".join(_formula(name, part) for part in value)
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
    return _answered("predictions", question)


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
    """How long jobs waited in a batch system (`rows`, each with a cell a size), or with forecast=True how long one would wait
    (`partitions`): the options of `breakeven queue`, with _ for -: partition="gpu", gpus=1, time="2:00:00",
    deadline="2026-12-01 09:00". Several values, as cpus=[1, 4], give `forecasts`. Without a file sacct is asked.

    It starts the program, which Ctrl-C ends: millions of records take a while.
    """
    def kind_of(node):
        return "forecasts" if "forecasts" in node else "forecast" if node.get("forecast") else "waits"
    return _said(["queue", *_options(options), *files], kind_of)


LINT = ("cluster", "catalogue", "slurm", "lsf", "with_", "select", "ignore", "show")


def lint(text, **options):
    """Faults in a job script, given as its text: findings, each with line, severity, text and advice.

    cluster: "narval", against whose partitions and limits it is held; catalogue: a folder with more clusters. slurm:
    "22.05", the site's version. lsf=True: it is for bsub. with_: options that sbatch gets on its command line. select,
    ignore: names of rules, a list or "no-time,no-mail". show: "warning", findings from this level on.
    """
    if not isinstance(text, str):
        raise BreakevenError("lint: the text of a job script is needed: pathlib.Path(FILE).read_text()")
    question = {"ask": "lint", "text": text}
    for name, value in options.items():
        if name not in LINT:
            raise BreakevenError(f"lint: there is no {name}: there are {', '.join(LINT)}")
        if value is not None:
            question[name.rstrip("_")] = value if isinstance(value, bool) else ",".join(_names(value))
    return _answered("lint", question)
