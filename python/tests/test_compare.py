"""be.compare: every library, in every placement, held against the others; what is wrong gets a sentence."""
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

import numpy
from stand_ins import MAKERS, stand_in

import breakeven as be
from breakeven import _libraries, _library

BRIEF = {"budget_s": 0.01, "refine": False}


def vector(rng, n):
    return rng.random(n)


def double(x):
    return x * 2


def twice(xp, x):
    return x * 2


class Libraries(unittest.TestCase):
    def test_a_device_of_each_library(self):
        for name in MAKERS:
            with self.subTest(library=name), stand_in(name):
                r = be.compare(twice, vector, [10, 1000], libraries=["numpy", name], **BRIEF)
                gpu = [one for one in r.results if one.device != "cpu"]
                self.assertEqual({one.placement for one in gpu}, {"copy", "preload", "resident"})
                self.assertEqual({one.status for one in r.results}, {"ok"}, str(r))
                self.assertTrue(all(one.phases.total.median_s >= 1.9e-3 for one in gpu), str(r))
                self.assertTrue(all(one.phases.first.n == 1 for one in r.results))
                self.assertEqual({even.placement for even in r.breakeven}, {"copy", "preload", "resident"})
                self.assertEqual({even.status for even in r.breakeven}, {"never"})
                self.assertEqual({device.kind for device in r.machine.devices if device.id == gpu[0].device}, {"gpu"})
                self.assertIn("never up to 1e3", str(r))

    def test_with_a_gpu_all_cpu_libraries_are_its_other_side(self):
        with stand_in("cupy"):
            r = be.compare({"numpy": double, "mine": double, "cupy": double}, vector, [10], **BRIEF)
        self.assertEqual({(one.variant, one.device) for one in r.results},
                         {("numpy", "cpu"), ("mine", "cpu"), ("cupy", "cuda:0")})

    def test_without_a_gpu_the_first_is_the_other_side(self):
        r = be.compare({"mine": double, "other": lambda x: x + x}, vector, [10, 100], **BRIEF)
        self.assertEqual({even.device for even in r.breakeven}, {"other"})
        self.assertEqual({one.placement for one in r.results}, {"host", "resident"})  # there is nothing to copy
        self.assertEqual({one.variant for one in r.results if one.device == "cpu"}, {"mine"})

    def test_a_library_that_is_not_here(self):
        with stand_in("cupy"):
            r = be.compare(twice, vector, [10], **BRIEF)  # no torch, jax, dpnp
            self.assertTrue(any(remark.startswith("torch: not here") for remark in r.remarks), r.remarks)
            with self.assertRaisesRegex(be.BreakevenError, "torch: not here: pip install torch"):
                be.compare(twice, vector, [10], libraries=["numpy", "torch"], **BRIEF)

    def test_where_the_standard_comes_from(self):
        """SciPy's copy of array-api-compat serves where that is not installed; without both it is said."""
        torch, standard = _libraries.find("torch"), types.ModuleType("scipy._lib.array_api_compat.torch")
        with stand_in("torch"):
            self.assertIs(torch.namespace(), torch.load())
            r = be.compare(twice, vector, [10], **BRIEF)
            self.assertTrue(any("pip install array-api-compat" in remark for remark in r.remarks), r.remarks)
            with mock.patch.dict(sys.modules, {standard.__name__: standard}):
                self.assertIs(torch.namespace(), standard)

    def test_a_gpu_that_is_not_here(self):
        with self.assertRaisesRegex(be.BreakevenError, "no library has one here"):
            be.compare({"numpy": double}, vector, [10], devices=["cuda"], **BRIEF)

    def test_array_api_strict(self):
        try:
            import array_api_strict  # noqa: F401
        except ImportError:
            self.skipTest("array-api-strict is not here")
        r = be.compare(lambda xp, x: xp.sum(x * x), vector, [10], libraries=["numpy", "array_api_strict"], **BRIEF)
        self.assertEqual({one.status for one in r.results}, {"ok"}, str(r))


class Checks(unittest.TestCase):
    def bad(self, words, f, make=vector, sizes=(10,), **named):
        with self.subTest(words=words), self.assertRaisesRegex(be.BreakevenError, words):
            be.compare(f, make, sizes, **{**BRIEF, **named})

    def test_sentences(self):
        def changes(x):
            x += 1
            return x

        def steps(x):
            yield x
        self.bad("^a returns nothing: return the result", {"a": lambda x: None})
        self.bad("^a returns nothing: an empty tuple", {"a": lambda x: ()})
        self.bad("^a returns something that is no array and no number .*Stack", {"a": lambda x: contextlib.ExitStack()})
        self.bad("^a returns something that is no array and no number .*said", {"a": lambda x: "said"})
        self.bad("^a changes its input", {"a": changes})
        self.bad("is a generator", {"a": steps})
        self.bad("no function", {"a": 3})
        self.bad("sizes: there are none", {"a": double}, sizes=[])
        self.bad("'x' is no size", {"a": double}, sizes=["x"])
        self.bad("0 is no size", {"a": double}, sizes=[0])
        self.bad("2.5 is no size", {"a": double}, sizes=[2.5])
        self.bad("1e\\+300 is no size", {"a": double}, sizes=[1e300])
        for name in ("budget_s", "precision", "patience_s", "rtol"):
            for value in (-1, 0, "1", float("nan")):
                self.bad(f"{name}={value!r}: a number above 0", {"a": double}, **{name: value})
        self.bad("make: a function of rng and n", {"a": double}, make=None)
        self.bad("make: too many positional arguments: it is called as make", {"a": double}, make=lambda n: n)
        self.bad("a: too many .*make\\(rng, 10\\) returns 2 inputs: return a tuple", {"a": double},
                 make=lambda rng, n: [1.0, 2.0])
        self.bad("a: missing a required argument: 'y': .*returns 1 input:", {"a": lambda x, y: x})
        self.bad("make.*returns nothing", {"a": double}, make=lambda rng, n: None)
        self.bad("placements: 'here' is none", {"a": double}, placements=["here"])
        self.bad("there is no library 'nmpy'", double, libraries=["nmpy"])
        self.bad("call it another name", {"a": double, "cpu": double})
        self.bad("nothing could be measured: a: ValueError: never", {"a": raises})

    def test_left_out_with_the_reason(self):
        r = be.compare({"numpy": double, "bad": raises, "off": lambda x: x * 2.001, "other": lambda x: x[:-1]},
                       vector, [10], **BRIEF)
        notes = {one.variant: (one.status, one.note) for one in r.results}
        self.assertEqual(notes["bad"], ("failed", "ValueError: never"))
        self.assertEqual(notes["off"][0], "wrong")
        self.assertIn("off by 0.0005", notes["off"][1])
        self.assertEqual(notes["other"], ("wrong", "a result of shape (9,), and the first has (10,)"))
        self.assertEqual(notes["numpy"][0], "ok")
        self.assertEqual({one.variant for one in r.results if one.phases.total.n}, {"numpy"})

    def test_the_tolerance_is_said(self):
        for dtype, tolerance in (("float64", 2.0 ** -26), ("float32", 2.0 ** -11.5)):
            r = be.compare({"a": double}, lambda rng, n: rng.random(n).astype(dtype), [10], **BRIEF)
            self.assertAlmostEqual(r.results[0].tolerance, tolerance, places=12)
            self.assertEqual(r.results[0].dtype, dtype)
            self.assertEqual(r.results[0].bytes, 20 * numpy.dtype(dtype).itemsize)
        r = be.compare({"a": double, "b": lambda x: x * 2.001}, vector, [10], rtol=0.01, **BRIEF)
        self.assertEqual({one.status for one in r.results}, {"ok"})

    def test_a_size_that_does_not_fit(self):
        r = be.compare({"a": double}, lambda rng, n: numpy.empty(n if n < 100 else 1 << 50), [10, 1 << 50], **BRIEF)
        self.assertEqual({one.size for one in r.results}, {10})
        self.assertTrue(any("does not fit in memory" in remark for remark in r.remarks))

    def test_a_device_whose_memory_is_full(self):
        class OutOfMemoryError(RuntimeError):
            """As those of PyTorch and CuPy, which are no MemoryError."""

        class XlaRuntimeError(RuntimeError):
            """JAX has one error for all."""

        def full(error):
            def f(x):
                if len(x) > 10:
                    raise error
                return x * 2
            return f
        r = be.compare({"a": double, "b": full(OutOfMemoryError("Tried to allocate 2 GiB")),
                        "c": full(XlaRuntimeError("RESOURCE_EXHAUSTED: 2 GiB"))}, vector, [10, 100], **BRIEF)
        late = {one.variant: (one.status, one.note) for one in r.results if one.size == 100}
        self.assertEqual(late["a"][0], "ok")
        for name in "bc":
            self.assertEqual(late[name][0], "skipped")
            self.assertRegex(late[name][1], "^size 100 does not fit in memory: .*2 GiB")

    def test_what_ends_the_program_is_left_out(self):
        r = be.compare({"a": double, "b": lambda x: sys.exit(3)}, vector, [10], **BRIEF)
        self.assertEqual({one.variant: one.note for one in r.results}, {"a": None, "b": "SystemExit: 3"})

    def test_a_call_beyond_patience(self):
        import time
        r = be.compare({"a": lambda x: time.sleep(0.02 * len(x)) or x, "b": double}, vector, [1, 100], patience_s=0.5,
                       rtol=9, **BRIEF)
        late = [one for one in r.results if one.size == 100 and one.variant == "a"]
        self.assertEqual({one.status for one in late}, {"skipped"})
        self.assertIn("patience_s", late[0].note)

    def test_what_it_prints_is_said_once(self):
        r = be.compare({"a": lambda x: print("said", end="") or x * 2}, vector, [10], budget_s=1e-3, refine=False)
        self.assertTrue(any("the function prints" in remark for remark in r.remarks))

    def test_interrupted(self):
        calls = []

        def stops(x):
            calls.append(1)
            if len(x) == 100 and len(calls) > 200:
                raise KeyboardInterrupt
            return x * 2
        r = be.compare({"a": stops}, vector, [10, 100, 1000], budget_s=5, precision=1e-9, refine=False)
        self.assertTrue(r.partial)
        self.assertEqual({one.size for one in r.results if one.status == "ok"} - {100}, {10})


def raises(x):
    raise ValueError("never")


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.r = be.compare({"a": double, "b": lambda x: x + x}, vector, [10, 1000], **BRIEF)

    def test_what_is_shown_fits_a_terminal(self):
        self.assertLessEqual(max(map(len, str(self.r).splitlines())), 80)
        self.assertIn("2 x", str(be.compare({"a": double}, vector, [10], name="2 x", **BRIEF)))

    def test_saved_and_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            for ending, words in ((".json", '"schema":"breakeven/1"'), (".csv", "workload,"), (".svg", "<svg"), (".txt", "CPU")):
                path = pathlib.Path(folder, "r" + ending)
                self.r.save(path)
                self.assertIn(words, path.read_text(encoding="utf-8"))
            path = pathlib.Path(folder, "r.json")
            self.assertEqual(be.load(path).to_json(), self.r.to_json())
            told = subprocess.run([str(_library.program_path()), "report", str(path)], capture_output=True, text=True,
                                  check=False)
            self.assertEqual((told.returncode, told.stdout.rstrip("\n")), (0, str(self.r)), told.stderr)
            with self.assertRaisesRegex(be.BreakevenError, "No such file or directory: name a file in a folder"):
                self.r.save(pathlib.Path(folder, "nowhere", "r.json"))
            with self.assertRaisesRegex(be.BreakevenError, "ends in none of"):
                self.r.save(pathlib.Path(folder, "r.png"))
            path.write_text("{}", encoding="utf-8")
            with self.assertRaisesRegex(be.BreakevenError, "schema"):
                be.load(path)
            with self.assertRaisesRegex(be.BreakevenError, "No such file"):
                be.load(pathlib.Path(folder, "nothing.json"))

    def test_in_a_notebook(self):
        html = self.r._repr_html_()
        self.assertTrue(html.startswith("<svg"))
        self.assertIn("<pre", html)

    def test_progress_where_somebody_looks(self):
        """In a terminal a line, in a notebook one output that is replaced, elsewhere nothing."""
        class Shown:
            texts = []

            def update(self, said, raw):
                self.texts.append(said["text/plain"])

        def display(said, raw, display_id):
            Shown.texts.append(said["text/plain"])
            return Shown()
        notebook = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})()
        terminal = type("Terminal", (io.StringIO,), {"isatty": lambda _: True})()
        page = types.SimpleNamespace(display=display)
        with mock.patch.dict(sys.modules, {"IPython": types.SimpleNamespace(display=page), "IPython.display": page}):
            for stream in (io.StringIO(), terminal, notebook):
                with mock.patch.object(sys, "stderr", stream):
                    be.compare({"a": double}, lambda rng, n: rng.random(n), [3], budget_s=1e-3, name="twice")
        self.assertIn("twice 3 with a on cpu", terminal.getvalue())
        self.assertEqual((Shown.texts[0], Shown.texts[-1]), ("twice 3 with a on cpu", ""))
        self.assertEqual(notebook.getvalue(), "")

    def test_records_are_the_json(self):
        node = json.loads(self.r.to_json())
        self.assertEqual(len(self.r.results), len(node["results"]))
        for record, plain in zip(self.r.results, node["results"]):
            self.assertEqual(record.phases.total.median_s, plain["phases"]["total"]["median_s"])
            self.assertEqual(record.placement, plain["placement"])
            self.assertTrue(record.joules != record.joules)  # not measured

    def test_frame(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(be.BreakevenError, "pip install pandas"):
                self.r.to_dataframe()
            return
        frame = self.r.to_dataframe()
        self.assertEqual(len(frame), len(self.r.results))
        self.assertIn("total_median_s", frame.columns)


if __name__ == "__main__":
    unittest.main()
