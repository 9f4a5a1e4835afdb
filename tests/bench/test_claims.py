"""The requests of bench/claims.sh, and bench/claims.py with results that are known. Measures nothing."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import claims  # noqa: E402


def result(size, seconds, **more):
    total = {"n": 9, "median_s": seconds, "lo_s": 0.9 * seconds, "hi_s": 1.1 * seconds}
    return {"variant": "serial", "size": size, "size_name": "size", "device": "cpu", "threads": 1,
            "placement": "host", "status": "ok", "phases": {"total": total}, **more}


def even(status, **more):
    return {"device": "cuda:0", "placement": "copy", "as_written": True, "threads": 16, "status": status,
            "from": 350, "lo": 316, "hi": 380, "until": None, "smallest": 100, "largest": 4096, **more}


WHOLE = {
    "machine": {"cpu": "a CPU", "cores": 64, "cores_allowed": 16,
                "devices": [{"id": "cpu", "name": "a CPU", "driver": ""},
                            {"id": "cuda:0", "name": "a GPU", "driver": "580"}]},
    "environment": {"date": "2026-11-20T00:00:00Z", "load_average": 0.5},
    "remarks": ["sizes left out, to end in 9 s: recurrence from 1e7", "something else"],
    "breakevens": [even("never", as_written=False), even("from")],
    "results": [
        result(1000000, 1e-3), result(1000000, 0.25, variant="as-written", device="cuda:0",
                                      threads=None, placement="resident"),
        result(500000, 1e-3, refines=1),
        result(10000000, 1e-2, status="wrong"),
    ],
}

# Writes to --json what it was asked for, in the shape of results.
STAND_IN = """#!{python}
import json, sys
path = next(word[7:] for word in sys.argv if word.startswith("--json="))
json.dump(dict({whole!r}, asked=sys.argv[1:]), open(path, "w"))
sys.exit({code})
"""


class Tables(unittest.TestCase):
    def test_where_it_is_ahead(self):
        self.assertEqual(list(claims.answers(WHOLE)),
                         ["cuda:0, copy, as written, against 16 cores: ahead from 350 on (316 - 380)"])
        for status, words in (("always", "at all sizes, from 100 to 4096"), ("never", "behind up to 4096"),
                              ("between", "only between 350 and nan"), ("close", "too close to call at 4096")):
            self.assertIn(words, next(claims.answers({"breakevens": [even(status)]})))

    def test_every_time(self):
        self.assertEqual(claims.table(WHOLE["results"]), [
            "| size | variant | 1 core | cuda:0 resident |",
            "| ---: | --- | ---: | ---: |",
            "| 1e+06 | as-written |  | 250 ms ± 10 % |",
            "| 1e+06 | serial | 1 ms ± 10 % |  |",
            "| 1e+07 | serial | - (wrong) |  |"])

    def test_the_whole(self):
        text = claims.document([("one-thread", "breakeven compare recurrence", WHOLE)])
        self.assertIn("a CPU, 16 of 64 cores; cuda:0 a GPU (580); 2026-11-20T00:00:00Z; load before 0.5", text)
        self.assertIn("## one-thread\n\n`breakeven compare recurrence`\n", text)
        self.assertIn("- sizes left out, to end in 9 s: recurrence from 1e7\n", text)
        self.assertNotIn("something else", text)


class Script(unittest.TestCase):
    def called(self, code, **environment):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "breakeven"
            program.write_text(STAND_IN.format(python=sys.executable, whole=WHOLE, code=code), encoding="utf-8")
            program.chmod(0o755)
            done = subprocess.run(
                ["bash", str(ROOT / "bench/claims.sh"), str(program)], text=True, capture_output=True,
                env={**os.environ, "OUT": f"{folder}/out", **environment}, timeout=60, check=False)
            saved = {path.stem.removeprefix("claims-"): json.loads(path.read_text(encoding="utf-8"))["asked"]
                     for path in pathlib.Path(folder, "out").glob("claims-*.json")}
        return done, saved

    def test_what_it_asks_for(self):
        done, saved = self.called(4, LIMIT_S="60", DEVICE="opencl:0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(saved), {"one-core", "all-cores", "one-thread", "generate", "two-features"})
        for name, words in saved.items():
            self.assertIn("--device=opencl:0", words)
            self.assertIn(f"## {name}\n", done.stdout)
            total = next(int(word[8:]) for word in words if word.startswith("--total="))
            self.assertTrue(0 < total <= 60, total)
        self.assertIn("--features=2", saved["two-features"])
        self.assertEqual(done.stdout.count("`breakeven compare "), 5)

    def test_no_device(self):
        done, saved = self.called(3)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(set(saved), {"one-core"})


if __name__ == "__main__":
    unittest.main()
