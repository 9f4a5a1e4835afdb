"""The program's other answers as functions, and the errors of the library."""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy

import breakeven as be
from breakeven import _library, _records


class Commands(unittest.TestCase):
    def test_this_machine(self):
        here = be.machine()
        self.assertGreaterEqual(here.cores, here.cores_allowed)
        self.assertIn("cpu", [device.id for device in here.devices])

    def test_machines(self):
        known = be.machines()
        self.assertIn("datasheet-a100-80", [profile.name for profile in known.profiles])
        self.assertIn("datasheet-a100-80", str(known))
        self.assertEqual({profile.source for profile in known.profiles}, {"measured", "data sheet"})
        self.assertTrue(all(one.times > 0 for one in known.times))
        with self.assertRaisesRegex(AttributeError, "there is no profile: there are profiles, times"):
            known.profile
        sheet = be.machines("datasheet-a100-80")
        self.assertTrue(any(figure.what == "triad" or figure.value > 0 for figure in sheet.figures))
        self.assertIn("A100", str(sheet))
        with self.assertRaisesRegex(be.BreakevenError, "nowhere"):
            be.machines("nowhere")

    def test_the_library_answers_and_no_program_is_started(self):
        with mock.patch("subprocess.run", side_effect=OSError), mock.patch("subprocess.Popen", side_effect=OSError):
            self.assertTrue(be.machines().profiles)
            self.assertTrue(be.machines("h200").figures)
            self.assertTrue(be.lint("#!/bin/bash\n#SBATCH --tim=5\n").findings)

    def test_predictions(self):
        told = be.predict(flops="2*n**3", transfer="24*n**2", sizes=[100, 10000], machine="h200", cpu="cpu-2")
        self.assertEqual([p.size for p in told.predictions], [100, 10000])
        self.assertEqual(told.predictions[1].verdict, "GPU")
        self.assertGreater(told.predictions[1].cpu.limit_s, 0)
        worth = be.worth(10000, flops="2*n**3", transfer="24*n**2", machine="h200", cpu="cpu-2")
        self.assertEqual(worth.ratio, told.predictions[1].ratio)
        self.assertEqual(type(worth.cpu), type(told.predictions[1].cpu))
        self.assertIsNone(worth.gpu.threads)
        self.assertIn("NVIDIA H200", str(worth))
        self.assertIn("not measured", str(told))
        self.assertEqual(told.to_dict()["predictions"][1]["ratio"], worth.to_dict()["ratio"])
        with self.assertRaisesRegex(be.BreakevenError, "there is no flop: there are flops"):
            be.predict(flop=1)
        with self.assertRaisesRegex(AttributeError, "there is no verdicts: there are machine"):
            worth.verdicts

    def test_formulas_and_numbers_are_the_same(self):
        there = {"machine": "h200", "cpu": "cpu-2"}
        by_formula = be.worth(300, flops="2*n**3", bytes="24*n**2", sequential=True, type="float64", **there)
        n = numpy.int64(300)
        by_number = be.worth(300, flops=2 * n**3, bytes=24.0 * n**2, sequential=2 * n**3, type="float64", **there)
        self.assertEqual(by_formula, by_number)
        self.assertEqual(by_formula.cause, "sequential")
        self.assertNotEqual(by_formula.ratio, be.worth(300, flops="2*n**3", bytes="24*n**2", **there).ratio)
        self.assertTrue(be.worth(64, matmul="n,n,n", batch=1000, **there).ratio > 1)
        self.assertEqual(be.worth(64, matmul=("n", "n", 64), **there).ratio, be.worth(64, matmul="n,n,64", **there).ratio)
        self.assertEqual(be.worth(64, irregular=("hash", 1e6), **there).ratio, be.worth(64, irregular="hash,1e6", **there).ratio)
        self.assertTrue(be.worth(10, factor="svd,n", calls=100, framework="torch", **there).ratio < 1)

    def test_sizes(self):
        for sizes, expected in (("1e2..1e3", [100, 300, 1000]), ("7,5", [5, 7]), (3, [3]), ([numpy.int32(4)], [4])):
            with self.subTest(sizes=sizes):
                told = be.predict(bytes="n", sizes=sizes, machine="h200", cpu="cpu-2")
                self.assertEqual([p.size for p in told.predictions], expected)

    def test_a_program_that_asks_at_run_time_reads_no_file(self):
        there = {"machine": "h200", "cpu": "cpu-2"}
        be.worth(flops=1e9, **there)
        with mock.patch.dict(os.environ, {"HOME": "/nonexistent"}), mock.patch("subprocess.run", side_effect=OSError):
            before = resource.getrusage(resource.RUSAGE_SELF)
            answers = {be.worth(flops=10.0 ** i, **there).verdict for i in range(14)}
            after = resource.getrusage(resource.RUSAGE_SELF)
        self.assertTrue({"CPU", "GPU"} <= answers, answers)
        self.assertEqual(before.ru_inblock, after.ru_inblock)

    def test_wrong_questions(self):
        def bad(words, n=None, **named):
            with self.subTest(words=words), self.assertRaisesRegex(be.BreakevenError, words):
                be.worth(n, **dict({"machine": "h200", "cpu": "cpu-2"}, **named))
        bad("neither flops nor bytes", 3)
        bad("'2\\*n\\^\\^3', character 5: ", 3, flops="2*n^^3")
        bad("flops has n in it: say the size", flops="n")
        bad("n='x' is no size", "x", flops=1)
        bad("size -1: a whole number", -1, flops="n")
        bad("flops=\\[1\\]: a number is needed", 3, flops=[1])
        bad("has no value at n = 1", 1, flops="1/(n-1)")
        bad("there are float32, float64", 1, flops=1, type="int8")
        bad("machine nowhere: .*there are: cpu-2", 1, flops=1, machine="nowhere")
        bad("machine=3: a name, a file or a list", 1, flops=1, machine=3)
        bad("machine=\\[3\\]: a name", 1, flops=1, machine=[3])
        bad("nowhere: no profile", 1, flops=1, cpu=pathlib.Path("nowhere"))
        bad("one is asked about; predict has several", 1, flops=1, machine=["a", "b"])
        bad("at least 0 is needed", flops=-1)
        bad("matmul: three numbers", 1, matmul="n,n")
        bad("matmul=None: a number is needed", 1, matmul=(64, None, 64))
        bad("irregular: a kind of work and its items", 1, irregular="heap,3")
        bad("framework: there is no 'keras'", 1, flops=1, framework="keras")
        with self.assertRaisesRegex(be.BreakevenError, "sizes='x': numbers are needed"):
            be.predict(flops=1, sizes="x", machine="h200", cpu="cpu-2")

    def test_lint(self):
        found = be.lint("#!/bin/bash\n#SBATCH --tim=5\n")
        self.assertIn("ambiguous-option", [finding.rule for finding in found.findings])
        self.assertIn("error", str(found))
        self.assertEqual((found.files[0].file, found.files[0].errors), ("-", 1))
        (mended,) = [finding for finding in found.findings if finding.rule == "ambiguous-option"]
        self.assertEqual((mended.line, mended.severity, type(mended.edits)), (2, "error", list))
        with self.assertRaisesRegex(be.BreakevenError, "the text of a job script"):
            be.lint(b"x")
        with self.assertRaisesRegex(be.BreakevenError, "there is no cluter: there are cluster"):
            be.lint("x", cluter="narval")

    def test_lint_for_a_site(self):
        script = "#!/bin/bash\n#SBATCH --gpus=a100:99 --mem=1G\n#SBATCH -t 5\nsrun ./a\nif\n"
        rules = {finding.rule for finding in be.lint(script, cluster="narval").findings}
        self.assertIn("bash-syntax", rules)
        self.assertTrue(rules > {finding.rule for finding in be.lint(script).findings}, rules)
        self.assertEqual({f.rule for f in be.lint(script, select=["bash-syntax"]).findings}, {"bash-syntax"})
        self.assertEqual({f.severity for f in be.lint("#!/bin/bash\n#SBATCH --tim=5 -J\n", show="error").findings},
                         {"error"})
        with self.assertRaisesRegex(be.BreakevenError, "no rule"):
            be.lint(script, ignore="nonsense")

    def test_queue(self):
        with self.assertRaisesRegex(be.BreakevenError, "nothing.txt"):
            be.queue("nothing.txt")

    def test_waits_and_forecasts(self):
        """Jobs of one CPU that waited 60 s each, as a log in Standard Workload Format."""
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "jobs.swf")
            pathlib.Path(log).write_text("".join(
                f"{i + 1} {600 * i} 60 300 1 -1 -1 1 3600 -1 1 1 1 -1 1 1 -1 -1\n" for i in range(200)), encoding="ascii")
            waits = be.queue(log)
            self.assertEqual((type(waits).__name__, waits.by, waits.edges), ("Waits", "partition", [4, 16, 64]))
            self.assertEqual((waits.rows[0].all.n, waits.rows[0].cells[0].wait_s, waits.counts.counted), (200, 60, 200))
            self.assertNotEqual(waits.rows[0].cells[3].wait_s, waits.rows[0].cells[3].wait_s)  # no job: not measured
            self.assertIn("60.0 s", str(waits).replace("1.0 m", "60.0 s"))
            job = {"cpus": 1, "time": "1:00:00", "forecast": True}
            told = be.queue(log, **job)
            self.assertEqual((type(told).__name__, told.live, told.limit_s), ("Forecast", False, 3600))
            (partition,) = told.partitions
            self.assertTrue(partition.enough and 0 <= partition.q50_s <= partition.q90_s)
            self.assertEqual((partition.cannot_run.held, partition.beyond), (0, None))
            several = be.queue(log, **dict(job, cpus=[1, 1], time=["1:00:00", "0:30:00"]))
            self.assertEqual([one.limit_s for one in several.forecasts][:2], [3600, 1800])

    def test_what_the_program_says_is_one_line(self):
        with self.assertRaises(be.BreakevenError) as caught:
            be.lint("#!/bin/bash\n", cluster="nowhere")
        self.assertRegex(str(caught.exception), "^cluster nowhere: not in the catalogue; there are: [^\n]*$")


class Library(unittest.TestCase):
    def test_without_numpy(self):
        said = subprocess.run([sys.executable, "-c", "import sys; sys.modules['numpy'] = None; import breakeven"],
                              env=dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(be.__file__))),
                              capture_output=True, text=True, check=False).stderr
        self.assertIn("breakeven needs NumPy: pip install numpy", said)

    def test_errors_have_their_status(self):
        with self.assertRaises(be.BreakevenError) as caught:
            _library.samples({"results": 3}, "a test")
        self.assertEqual(caught.exception.status, "usage")
        self.assertIn("a test: results", str(caught.exception))

    def test_a_library_that_is_not_there(self):
        with mock.patch.dict(os.environ, {"BREAKEVEN_LIBRARY": "/nonexistent/libbreakeven.so"}), \
                self.assertRaisesRegex(be.BreakevenError, "set BREAKEVEN_LIBRARY"):
            _library.library_path()

    def test_summary_has_the_layout_of_the_header(self):
        """All numbers of a summary that is known: no field is in another's place."""
        (taken,), ended = _library.time_in_turn([lambda calls: 0.25 * calls], budget_s=1e-3)
        self.assertEqual((ended, taken.batch), ({}, 1))
        summary = taken.summary
        self.assertEqual(summary["n"], len(taken.seconds))
        self.assertEqual({summary[name] for name in ("median_s", "lo_s", "hi_s", "min_s", "max_s")}, {0.25})
        self.assertEqual((summary["mad_s"], summary["outliers"]), (0, 0))

    def test_classes_are_made_from_the_fields(self):
        kind = _records.kind("comparison")
        names = [field["name"] for field in kind.parts["breakevens"].fields]
        self.assertIn("from", names)
        even = kind.parts["breakevens"].read({"from": 7, "why": None})
        self.assertEqual(even.from_, 7.0)
        self.assertNotEqual(even.lo, even.lo)  # not measured
        self.assertIsNone(even.why)
        self.assertIn("status: always, from, never", kind.parts["breakevens"].type.__doc__)


if __name__ == "__main__":
    unittest.main()
