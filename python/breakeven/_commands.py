"""The program's other answers as functions: predict, worth, machines, queue, lint. Each returns what the command's JSON
says, as a record, and prints as the command does."""

import json
import os
import tempfile

from . import _library, _program, _records
from ._library import BreakevenError


def _said(arguments, stdin=None, fine=(0,)):
    """One run of a command: its JSON as a record, its text beside it."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "said.json")
        text = _program.run([*arguments, f"--json={file}"], stdin, fine)
        with open(file, encoding="utf-8") as said:
            return _program.Said(json.load(said), text.rstrip("\n"))


def _options(named):
    return [word for name, value in named.items() for word in _program.option(name, value)]


def machine():
    """This machine: its cores, memory and devices, and why a backend has none."""
    return _records.kind("comparison").parts["machine"].read(_library.machine()["machine"])


def machines(name=None):
    """The machines that are known: profiles and data sheets that `machine=` and `cpu=` take (`.profiles`), and measured
    times (`.times`). With a name: that profile."""
    if name is None:
        return _said(["machines"])
    text = _program.run(["machines", name, "--json"])
    return _records.kind("profile").read(json.loads(text))


def _formula(value):
    """Python's ** is ^ there; a number stands as it is."""
    return value.replace("**", "^") if isinstance(value, str) else value


FORMULAS = ("flops", "bytes", "sequential", "transfer", "transfer_each", "memory", "calls", "launches", "batch")


def predict(*, sizes=None, machine=None, cpu=None, type=None, matrix=False, first_call=False, measured=None, **work):
    """What a computation would take on CPUs and GPUs, also on those that are not here; nothing is run.

    The computation by numbers, or as formulas of n ("2*n**3"): flops and bytes of a call, transfer (bytes over the bus
    once), transfer_each (with every call), sequential (operations that wait for each other), memory, calls, launches,
    batch. sizes: values of n, a list or "1e2..1e4". machine: names of GPUs' profiles (be.machines()). cpu: likewise.
    type: "float32" or "float64". measured: seconds, asks whether they are possible. Times have an interval of 90 %.
    """
    for name in work:
        if name not in FORMULAS:
            raise BreakevenError(f"predict: there is no {name}: there are {', '.join(FORMULAS)}")
    named = {name: _formula(value) for name, value in work.items()}
    return _said(["predict", "--quiet", *_options(dict(named, size=sizes, machine=machine, cpu=cpu, type=type, matrix=matrix,
                                                       first_call=first_call, measured=measured))])


def worth(n=None, *, machine=None, cpu=None, **work):
    """Is a GPU worth it for this computation (see predict) at size n? A record: verdict ("GPU", "CPU", "too close"),
    ratio of the CPU's time to the GPU's with its interval (ratio_lo, ratio_hi), cause, changes that would turn it."""
    if isinstance(machine, (list, tuple)):
        raise BreakevenError("worth: one machine: be.predict takes several")
    told = predict(sizes=[n] if n is not None else None, machine=machine, cpu=cpu, **work)
    return _program.Said(told.to_dict()["predictions"][0], str(told))


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
    return _said(["lint", *_options(options), "--fail-on=never", "-"], stdin=text)
