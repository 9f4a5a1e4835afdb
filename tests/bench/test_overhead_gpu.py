"""That bench/overhead_gpu.py measures what it says, with a loop on the CPU for the training. The figures are not
checked: what watching costs is not for a test to say.

usage: test_overhead_gpu.py BUILD/breakeven [TEST...]"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""


class Overhead(unittest.TestCase):
    def test_runs_and_turns(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = os.path.join(folder, "all.json")
            done = subprocess.run(
                [sys.executable, "-B", ROOT / "bench" / "overhead_gpu.py", PROGRAM, "--budget=2", "--seconds=0.2",
                 "--turn=0.02", "--train", ROOT / "bench" / "gpu_watch" / "loop.py", "--json", kept],
                env={**os.environ, "HOME": folder}, capture_output=True, text=True, timeout=240, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(kept, encoding="utf-8") as file:
                all_times = json.load(file)
        lines = done.stdout.splitlines()
        for name in ("control", "default", "10 Hz"):
            runs, turns = [line for line in lines if line.startswith(f"| {name} |")]
            self.assertRegex(runs, r"[+-][\d.]+ % \(.*\) \| [+-][\d.]+ % \(")
            self.assertRegex(turns, r"\| \d+ \| [+-][\d.]+ % \(")
            self.assertEqual(" MB | " in runs, name != "control")
            self.assertEqual(len(all_times["turns"][name]["on"]), len(all_times["turns"][name]["off"]))
        self.assertGreater(all_times["steps"], 0)
        self.assertEqual(set(all_times["rounds"][0]), {"plain", "control", "default", "10 Hz"})


if __name__ == "__main__":
    if not PROGRAM:
        sys.exit(__doc__)
    unittest.main()
