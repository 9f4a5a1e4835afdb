"""Pairs of programs (bench/pairs) give the same in both versions, and bench/pairs.py counts what it says: rows are made up, and
NumPy stands for CuPy. Programs of other libraries are tried by `bench/pairs.py BREAKEVEN --stand-in --small`."""
import importlib.util
import io
import json
import math
import pathlib
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench" / "pairs")]
import program  # noqa: E402

SPEC = importlib.util.spec_from_file_location("pairs_script", ROOT / "bench" / "pairs.py")
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)


def row(verdict="yes", gain=(2.0, 4.0, 8.0), cpu_steps=101, gpu_steps=101, name="heat"):
    """CPU: 10 s, of them 2 s before the steps. GPU: 2 s, of them 1 s before them: 5 times as fast, in the long run 8 times."""
    lo, typical, hi = gain
    loop_s = 1.0 * (gpu_steps - 1) / 100
    return {"name": name, "libraries": ["numpy", "cupy"], "stand_in": False,
            "cpu": {"ready_s": 1, "loop_s": 8, "steps": cpu_steps, "numbers": [1.0, 2.0]},
            "gpu": {"ready_s": 1, "loop_s": loop_s, "steps": gpu_steps, "numbers": [1.0, 2.0], "elapsed_s": 1 + loop_s},
            "answer": {"run": {"elapsed_s": 12, "core_wait_s": 2}, "known_share": 0.95,
                       "parts": [{"what": "loops", "wall_s": 9}, {"what": "waits", "wall_s": 1}],
                       "machines": [{"verdict": verdict, "gain": typical, "gain_lo": lo, "gain_hi": hi, "long_verdict": "yes",
                                     "long_gain": 14.0, "long_lo": 6.0, "long_hi": 30.0}]}}


class Counts(unittest.TestCase):
    def test_ratios(self):
        whole, longer = script.timed(row())
        self.assertAlmostEqual(whole, 5)
        self.assertAlmostEqual(longer, 8)

    def test_steps_that_lack_count(self):
        whole, longer = script.timed(row(gpu_steps=51))
        self.assertAlmostEqual(whole, 5)
        self.assertAlmostEqual(longer, 8)

    def test_stand_ins_have_no_times(self):
        whole, longer = script.timed({**row(), "stand_in": True})
        self.assertTrue(math.isnan(whole) and math.isnan(longer))

    def test_verdicts(self):
        for verdict, gain, right, inside, typical in (
                ("yes", (2, 4, 8), True, True, True), ("no", (0.2, 0.5, 1.1), False, False, False),
                ("too close", (0.5, 2, 9), None, True, False), ("yes", (5.1, 7.4, 9), True, False, True)):
            found = script.judged(row(verdict, gain))[0][-1]
            self.assertEqual((found["right"], found["inside"], found["typical"]), (right, inside, typical), verdict)

    def test_the_long_answer_is_held_against_the_steps(self):
        long = script.judged(row("too close"))[1]
        self.assertEqual((long[0], long[1]), ("yes", [6.0, 14.0, 30.0]))
        self.assertAlmostEqual(long[2], 8)
        self.assertEqual(long[3], {"right": True, "inside": True, "typical": False})
        none = row()
        none["answer"]["machines"][0].update(long_verdict="not known", long_gain=None, long_lo=None, long_hi=None)
        self.assertEqual(script.judged(none)[1][3], {"right": None, "inside": None, "typical": None})

    def test_other_numbers_are_not_the_same(self):
        other = row()
        other["gpu"]["numbers"] = [1.0, 2.1]
        self.assertIs(script.agree(other), False)
        self.assertIs(script.agree(row()), True)
        self.assertIsNone(script.agree(row(gpu_steps=51)))
        other["gpu"]["numbers"] = [1.0, math.nan]
        self.assertIs(script.agree(other), False)

    def test_a_kept_file_gives_its_table_again(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
            lines = [row(), row("no", (0.2, 0.5, 1.1)), {"name": "blur", "libraries": ["scipy", "cupy"], "why": "cupy is not here"}]
            file.write("".join(json.dumps(one) + "\n" for one in lines))
            file.flush()
            out = io.StringIO()
            with mock.patch.object(sys, "argv", ["pairs.py", "--again", file.name]), redirect_stdout(out):
                script.main()
        self.assertIn("| heat | numpy, cupy | 90 % loops, 10 % waits | 95 % | yes, 4 (2 to 8) | 5 | right, inside, near "
                      "| yes, 14 (6 to 30) | 8 | right, inside, far | yes |", out.getvalue())
        self.assertIn("not tried: cupy is not here", out.getvalue())
        self.assertIn("the run: verdict right where it is not too close: 1 of 2; timed ratio in the interval: 1 of 2", out.getvalue())
        self.assertIn("a longer one: verdict right where it is not too close: 2 of 2", out.getvalue())

    def test_a_library_is_known_from_the_other_programs(self):
        """Three programs have starts of 1, 2 and 4 s more than on the CPU, and calls of 10, 20 and 40 us."""
        rows = []
        for name, start_s, call_s in (("heat", 1, 10e-6), ("blur", 2, 20e-6), ("string", 4, 40e-6)):
            one = row(name=name)
            one["answer"].update(own_s=10, prepare_s=0, run={"elapsed_s": 10, "core_wait_s": 0},
                                 parts=[{"kind": "calls", "what": "calls", "wall_s": 4, "later_s": 4}])
            one["gpu"].update(loop_s=call_s * 1e7 * 100 / 101, elapsed_s=start_s + 2 + call_s * 1e7 * 100 / 101)
            one["answer"]["machines"][0].update(start={key: 2 for key in ("typical_s", "lo_s", "hi_s")},
                                                all={"typical_s": 202, "lo_s": 3, "hi_s": 300}, long_gain=10 / 200,
                                                kinds={"calls": {"typical_s": 200}})
            rows.append(one)
        self.assertAlmostEqual(script.start_of(rows[1]), 2)
        self.assertAlmostEqual(script.call_of(rows[1]), 20e-6)
        found = script.left_out(rows, rows[2])["answer"]["machines"][0]
        self.assertAlmostEqual(10 / found["gain"], 1.5 + 200 * 15 / 20)
        self.assertAlmostEqual(10 / found["gain_hi"], 1 + 1)
        self.assertAlmostEqual(10 / found["gain_lo"], 298 + 2)
        self.assertAlmostEqual(10 / found["long_gain"], 200 * 15 / 20)
        self.assertIs(script.left_out(rows[:1], rows[0]), rows[0])  # nobody else has that library

    def test_the_measured_ones_are_there(self):
        with open(ROOT / "bench" / "pairs" / "h200-2026-11-28.jsonl", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        page = (ROOT / "docs" / "measurements" / "pairs.md").read_text(encoding="utf-8")
        for one in rows:
            self.assertIn(f"| {one['name']} | {', '.join(one['libraries'])} | {script.show(script.timed(one)[0])} |", page)

    def test_wrong_use(self):
        for words in ([], ["/nonexistent"], [sys.executable, "--part=3/2"], [sys.executable, "--only=nonsense"]):
            with self.assertRaises(SystemExit) as end, mock.patch.object(sys, "argv", ["pairs.py", *words]), redirect_stderr(io.StringIO()):
                script.main()
            self.assertEqual(end.exception.code, 2)

    def test_parts_are_all(self):
        names = []
        for part in ("1/3", "2/3", "3/3"):
            with mock.patch.object(sys, "argv", ["pairs.py", sys.executable, "--part", part]):
                names += script.options_of().names
        self.assertEqual(sorted(names), sorted(program.pairs()))
        self.assertGreaterEqual(len(names), 30)


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not here")
class Same(unittest.TestCase):
    def test_both_versions_give_the_same(self):
        for name in ("string", "heat", "many-solves", "eigen", "options", "walks", "reach", "quantiles", "levels"):
            pair = program.pairs()[name]
            said = [program.go(body, program.OPEN.get(library, program.open_numpy)(True), pair.small, 60, 2, 60)
                    for body, library in ((pair.on_cpu, pair.cpu), (pair.on_gpu, pair.gpu))]
            self.assertEqual([one["steps"] for one in said], [2, 2])
            self.assertTrue(program.are_close(said[0]["numbers"], said[1]["numbers"], pair.close), name)


if __name__ == "__main__":
    unittest.main()
