"""The notebooks of examples/courses run on the libraries that are here, and each needs at most ten lines of a user."""
import functools
import importlib.util
import json
import pathlib
import unittest
from unittest import mock

import breakeven as be

COURSES = sorted(pathlib.Path(__file__).resolve().parents[2].glob("examples/courses/*.ipynb"))
LIBRARIES = [name for name in ("numpy", "array_api_strict") if importlib.util.find_spec(name)]


def cells(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]


def lines(code):
    """Lines of the user: neither blank nor the import."""
    return [line for line in code.splitlines() if line.strip() and not line.startswith("import breakeven")]


class Courses(unittest.TestCase):
    def test_there_are_some(self):
        self.assertGreaterEqual(len(COURSES), 3)

    def test_each_runs(self):
        for path in COURSES:
            found = []

            def brief(f, make, sizes, **named):
                named = dict(named, budget_s=1e-3, refine=False, libraries=LIBRARIES)
                found.append(be_compare(f, make, sizes[:2], **named))
                return found[-1]
            be_compare = be.compare
            with self.subTest(notebook=path.name), mock.patch.object(be, "compare", functools.wraps(be.compare)(brief)):
                names = {}
                for code in cells(path):
                    self.assertLessEqual(len(lines(code)), 10)
                    exec(compile(code, path.name, "exec"), names)
                self.assertEqual({one.status for r in found for one in r.results}, {"ok"},
                                 [one.note for r in found for one in r.results])

    def test_their_output_is_kept(self):
        for path in COURSES:
            with self.subTest(notebook=path.name):
                kept = path.read_text(encoding="utf-8")
                self.assertIn("<svg", kept)
                self.assertIn("stays ahead of", kept)


if __name__ == "__main__":
    unittest.main()
