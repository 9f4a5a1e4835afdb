"""A comparison as the C library made it: shown, read, saved. All that is shown is written by the C library."""

import io
import json
import pathlib

from . import _library, _records
from ._library import BreakevenError

FORMATS = {".json": _library.JSON, ".csv": _library.CSV, ".svg": _library.SVG, ".txt": _library.TEXT}


class Comparison:
    """Results and break-evens of one comparison; machine, environment, results, breakevens and remarks are data classes
    made from the fields of docs/json.md. As text it is the report; in a notebook also the chart."""

    def __init__(self, text, name="comparison"):
        self._json, self._name = text, name
        self._record = _records.kind("comparison").read(json.loads(text))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._record, name)

    def __dir__(self):
        return [*super().__dir__(), *vars(self._record)]

    @property
    def breakeven(self):
        """The break-evens: device, placement, status, from_ with its interval lo .. hi."""
        return self._record.breakevens

    def _as(self, form):
        return _library.saved(self._json, self._name, form)

    def to_json(self):
        """JSON of the schema breakeven/1, which `breakeven report` reads."""
        return self._json

    def to_csv(self):
        """One line a case."""
        return self._as(_library.CSV)

    def to_svg(self):
        """Time over size, as a picture."""
        return self._as(_library.SVG)

    def to_dataframe(self):
        """A pandas DataFrame, one row a case, with the columns of the CSV."""
        try:
            import pandas
        except ImportError as error:
            raise BreakevenError("to_dataframe: pandas is not here: pip install pandas, or use to_csv()",
                                 "absent") from error
        return pandas.read_csv(io.StringIO(self.to_csv()))

    def save(self, path):
        """Writes JSON, CSV, SVG or text, as the name ends: .json, .csv, .svg, .txt."""
        path = pathlib.Path(path)
        if path.suffix not in FORMATS:
            raise BreakevenError(f"save {path}: the name ends in none of {', '.join(FORMATS)}")
        text = self._json if path.suffix == ".json" else self._as(FORMATS[path.suffix])
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise BreakevenError(f"save {path}: {error.strerror}: name a file in a folder that is there", "file") from error

    def __str__(self):
        return self._as(_library.TEXT).rstrip("\n")

    __repr__ = __str__

    def _repr_pretty_(self, printer, _cycle):
        printer.text(str(self))

    def _repr_html_(self):
        escaped = str(self).replace("&", "&amp;").replace("<", "&lt;")
        return f'{self.to_svg()}<pre style="line-height:1.2">{escaped}</pre>'


def load(path) -> Comparison:
    """A comparison that was saved, by this package or by `breakeven compare --json=FILE`."""
    path = pathlib.Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BreakevenError(f"{path}: {error.strerror}: name a file that `save` or `breakeven compare --json` wrote",
                             "file") from error
    return Comparison(_library.saved(text, str(path), _library.JSON), str(path))
