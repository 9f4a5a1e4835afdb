"""Results as data classes, which are made from the fields that the C library describes (be_fields_string).

A number that was not measured is NaN. A name that is a word of Python has a line behind it: `from_`, `in_`.
"""

import dataclasses
import functools
import json
import keyword
import typing

from . import _library

# What one record of a list is called.
SINGULAR = {"devices": "Device", "absent": "Absence", "results": "Result", "breakevens": "Breakeven", "passes": "Pass",
            "machines": "Machine", "predictions": "Prediction", "changes": "Change", "figures": "Figure", "fits": "Fit", "facts": "Fact", "findings": "Finding", "cpu": "Side", "gpu": "Side",
            "rows": "Row", "all": "Cell", "cells": "Cell",
            "spans": "Span", "rejected": "Reject", "partitions": "Partition", "cannot_run": "Held", "forecasts": "OneForecast",
            "files": "File", "edits": "Edit", "profiles": "Known", "times": "Times"}
PHASES = ("first", "in", "work", "out", "total")
NAN = float("nan")
SCALARS = {"text": (str, ""), "note": (typing.Optional[str], None), "real": (float, NAN), "int": (int, 0),
           "given": (typing.Optional[int], None), "whole": (int, 0), "word": (typing.Optional[str], None),
           "truth": (bool, False)}


def attribute(name):
    """The name of a field in Python."""
    return name + "_" if keyword.iskeyword(name) else name


def _class_name(field):
    if field["name"] in PHASES:
        return "Summary"
    return SINGULAR.get(field["name"], field["name"].title().replace("_", ""))


class Answer:
    """A whole answer: a data class, whose text is the program's. `to_dict()` is the JSON itself."""

    _node, _tell = None, None

    def to_dict(self):
        """The JSON, as Python has it."""
        return self._node

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"there is no {name}: there are "
                             f"{', '.join(field.name for field in dataclasses.fields(self))}")

    def __str__(self):
        if callable(self._tell):
            self._tell = self._tell().rstrip("\n")
        return self._tell

    def __repr__(self):
        return str(self)

    def _repr_pretty_(self, printer, _cycle):
        printer.text(str(self))


def answer(name, text, tell):
    """An answer of that kind from its JSON. tell: what it prints as, or a function that is asked for it then."""
    node = json.loads(text)
    made = kind(name).read(node)
    made._node, made._tell = node, tell
    return made


ANSWERS = {"predictions": "Predictions", "prediction": "Worth", "machines": "Machines", "lint": "Lint",
           "profile": "Profile", "waits": "Waits", "forecast": "Forecast", "forecasts": "Forecasts"}


class Kind:
    """A data class and how JSON becomes one."""

    def __init__(self, name, fields, known):
        self.fields = fields
        self.parts = {f["name"]: known(_class_name(f), f["of"]) for f in fields if "of" in f}
        whole = {"bases": (Answer,), "repr": False} if name in ANSWERS.values() else {}
        self.type = dataclasses.make_dataclass(name, [self._member(f) for f in fields], **whole)
        words = [f"{attribute(f['name'])}: {', '.join(str(w) for w in f['words'])}" for f in fields if "words" in f]
        self.type.__doc__ = "\n".join([f"{name}. Times are seconds; a number that was not measured is NaN."] + words)
        self.type.__module__ = "breakeven"

    def _member(self, field):
        kind, name = field["kind"], attribute(field["name"])
        if kind == "list":
            of = self.parts[field["name"]].type if "of" in field else str
            return name, typing.List[of], dataclasses.field(default_factory=list)
        if kind == "reals":
            return name, typing.List[float], dataclasses.field(default_factory=list)
        if kind == "part":
            return name, self.parts[field["name"]].type, None
        return (name, *SCALARS[kind])

    def read(self, node):
        """One record of this kind."""
        return self.type(**{attribute(f["name"]): self._value(f, node.get(f["name"])) for f in self.fields})

    def _value(self, field, value):
        kind, part = field["kind"], self.parts.get(field["name"])
        if kind == "list":
            return [part.read(item) if part else item for item in value or []]
        if kind == "reals":
            return [NAN if item is None else float(item) for item in value or []]
        if kind == "part":
            return part.read(value or {})
        if value is None:
            return SCALARS[kind][1]
        return float(value) if kind == "real" else int(value) if kind == "whole" else value


_made = {}  # kinds by class name and fields


@functools.lru_cache(maxsize=None)
def kind(name):
    """The kind "comparison", "profile", ...; classes of the same name and fields are one."""

    def known(class_name, fields):
        key = class_name, json.dumps(fields)
        if key not in _made:
            _made[key] = Kind(class_name, fields, known)
        return _made[key]

    return known(ANSWERS.get(name, name.title()), _library.fields(name))


def words(kind_name, *path):
    """The words of a field, by its path: words("comparison", "results", "status")."""
    fields = _library.fields(kind_name)
    for name in path[:-1]:
        fields = next(f for f in fields if f["name"] == name)["of"]
    return next(f for f in fields if f["name"] == path[-1])["words"]


class Record:
    """What the program wrote as JSON, by attribute: `p.predictions[0].ratio`. `to_dict()` is the JSON itself."""

    def __init__(self, node):
        self._node = node

    def to_dict(self):
        """The JSON, as Python has it."""
        return self._node

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        for key in (name, name[:-1] if name.endswith("_") else name):
            if key in self._node:
                return wrap(self._node[key])
        raise AttributeError(f"there is no {name}: there are {', '.join(map(attribute, self._node))}")

    def __dir__(self):
        return [*super().__dir__(), *map(attribute, self._node)]

    def __eq__(self, other):
        return isinstance(other, Record) and self._node == other._node

    __hash__ = None

    def __repr__(self):
        return f"Record({', '.join(f'{attribute(k)}={_short(v)}' for k, v in self._node.items())})"


def _short(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"<{len(value)} items>" if isinstance(value, list) else "<record>"


def wrap(value):
    """A node of JSON as Python users want it; null is NaN nowhere: it stays None, since a record has no table."""
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list):
        return [wrap(item) for item in value]
    return value
