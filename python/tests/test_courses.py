"""The notebooks of examples/courses run on the libraries that are here, and each needs at most ten lines of a user."""
import contextlib
import importlib.util
import io
import json
import pathlib
import tempfile
import unittest
from unittest import mock

import breakeven as be

ROOT = pathlib.Path(__file__).resolve().parents[2]
COURSES, RUNNER = sorted(ROOT.glob("examples/courses/*.ipynb")), ROOT / "scripts" / "notebooks.py"
LIBRARIES = [name for name in ("numpy", "array_api_strict") if importlib.util.find_spec(name)]


def cells(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]


def lines(code):
    """Lines of the user: neither blank nor the import."""
    return [line for line in code.splitlines() if line.strip() and not line.startswith("import breakeven")]


class Courses(unittest.TestCase):
    def test_there_are_some(self):
        self.assertGreaterEqual(len(COURSES), 6)

    def run_brief(self, path):
        """Its comparisons and timings, with as few samples as there can be; the printed text."""
        compare, time, found, said = be.compare, be.time, [], io.StringIO()

        def brief(f, make, sizes, **named):
            named = dict(named, budget_s=1e-3, refine=False, libraries=LIBRARIES)
            found.append(compare(f, make, sizes[:2], **named))
            return found[-1]

        def timed(f, *arguments):
            found.append(time(f, *arguments, budget_s=1e-3))
            return found[-1]
        with mock.patch.object(be, "compare", brief), mock.patch.object(be, "time", timed), contextlib.redirect_stdout(said):
            names = {}
            for code in cells(path):
                self.assertLessEqual(len(lines(code)), 10)
                exec(compile(code, path.name, "exec"), names)
        return found, said.getvalue()

    def test_each_runs(self):
        for path in COURSES:
            with self.subTest(notebook=path.name):
                found, said = self.run_brief(path)
                results = [one for r in found for one in getattr(r, "results", [])]
                self.assertEqual({one.status for one in results} - {"ok"}, set(), [one.note for one in results])
                self.assertTrue(results or "watched" in said)

    def test_their_output_is_kept(self):
        for path in COURSES:
            with self.subTest(notebook=path.name):
                kept = path.read_text(encoding="utf-8")
                self.assertTrue("<svg" in kept and "stays ahead of" in kept or "watched" in kept)

    def test_a_notebook_without_jupyter(self):
        """The runner keeps values, prints and the surroundings, once, and says which cell raised."""
        spec = importlib.util.spec_from_file_location("notebooks", RUNNER)
        runner = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(runner)
        code = ["x = 6\nprint('said')\nx * 7", "x = None", "1 / 0"]
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as said:
            path = pathlib.Path(folder, "a.ipynb")
            for last, right in ((2, True), (2, True), (3, False)):
                book = {"cells": [{"cell_type": "code", "metadata": {}, "source": [text]} for text in code[:last]]}
                if not path.exists() or not right:
                    path.write_text(json.dumps(book), encoding="utf-8")
                self.assertEqual(runner.run(path, None), right)
                if right:
                    kept = json.loads(path.read_text(encoding="utf-8"))["cells"]
                    self.assertEqual([one.get("text", one.get("data")) for one in kept[0]["outputs"]],
                                     [["said\n"], {"text/plain": ["42"]}])
                    self.assertEqual((kept[1]["outputs"], len(kept)), ([], 3))
                    self.assertRegex(kept[2]["source"][0], "^\\*Output of 20..-..-..: .*cores.*numpy")
            self.assertIn("a.ipynb, cell 3", said.getvalue())
            self.assertIn("ZeroDivisionError", said.getvalue())


if __name__ == "__main__":
    unittest.main()
