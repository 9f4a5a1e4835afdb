"""Every script that people call answers -h and --help with its usage, and says it where it is called wrongly."""
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCED = ("scripts/usage.sh",)
MODULES = ("bench/cost_chart.py", "bench/program.py")  # no programs


def scripts():
    """Those of scripts/, bench/, packaging/ and man/, and what people call of what lies deeper."""
    found = [path for folder in ("scripts", "bench", "packaging", "man") for path in (ROOT / folder).iterdir()
             if path.suffix in (".sh", ".py")]
    found += [ROOT / name for name in ("bench/faults/run.py", "bench/gpu_watch/table.py", "tests/cost.py",
                                       "tests/gpu.sh", "tests/layers.sh", "tests/slurm/start.sh", "tests/slurm/stop.sh")]
    names = sorted(str(path.relative_to(ROOT)) for path in found)
    return [name for name in names if name not in SOURCED + MODULES]


def called(name, *words):
    starter = ["bash"] if name.endswith(".sh") else [sys.executable, "-B"]
    environment = {**os.environ, "COLUMNS": "80"}
    return subprocess.run([*starter, name, *words], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=30, check=False)


class Usage(unittest.TestCase):
    def test_there_are_scripts(self):
        self.assertGreater(len(scripts()), 15)

    def test_asked_for(self):
        for name in scripts():
            for word in ("-h", "--help"):
                with self.subTest(script=name, word=word):
                    done = called(name, word)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertIn("usage: ", done.stdout)

    def test_called_wrongly(self):
        for name in scripts():
            with self.subTest(script=name):
                done = called(name, "--no-such-option", "--nor-this", "--nor", "--that")
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn("usage: ", done.stderr)

    def test_versus_has_the_options_of_what_it_starts(self):
        done = called("bench/versus.sh", sys.executable, "--help")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--rounds", done.stdout)

    def test_no_program(self):
        for name in ("claims", "gpu", "probe", "run", "versus"):
            done = called(f"bench/{name}.sh", "/nonexistent/breakeven")
            self.assertEqual(done.returncode, 2)
            self.assertIn("there is no program /nonexistent/breakeven", done.stderr)


if __name__ == "__main__":
    unittest.main()
