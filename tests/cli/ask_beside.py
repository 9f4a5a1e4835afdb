"""Does `breakeven run` of a program on CPUs say what a GPU would do for it: the short form of `ask`? Shares are held to
what so few samples allow, times to nothing.

usage: ask_beside.py BUILD/breakeven [TEST...]"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""

# A loop of the interpreter that takes so many seconds of CPU time.
LOOP = "import sys, time\ni = 0\nwhile time.process_time() < float(sys.argv[1]):\n    for k in range(20000): i += k"


class Beside(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.trace, cls.said = cls.run_loop("1.5")
        cls.kinds = cls.trace.get("kinds")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def run_loop(cls, seconds, *options, before=None):
        """The trace, and the report in one line."""
        path = os.path.join(cls.folder, "trace.json")
        done = subprocess.run([PROGRAM, "run", *options, f"--trace-file={path}", "--", sys.executable, "-c", LOOP, seconds],
                              capture_output=True, text=True, check=True, preexec_fn=before,
                              env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
        with open(path, encoding="utf-8") as file:
            return json.load(file), " ".join(done.stderr.split())

    def need_samples(self):
        if self.kinds["unsampled"]:
            self.skipTest(self.kinds["unsampled"])

    def test_the_interpreter_takes_most_and_no_gpu_is_worth_it(self):
        self.need_samples()
        cpu_s = {part["kind"]: part["cpu_s"] for part in self.kinds["parts"]}
        self.assertGreater(cpu_s["interpreter"], 0.75 * sum(cpu_s.values()))
        self.assertEqual(self.kinds["gpu"], "h100")
        self.assertLess(self.kinds["gain_at_most"], 1.6)  # 1.25 and what chance does to so few samples
        verdict = "no" if self.kinds["gain_at_most"] < 1.25 else self.kinds["verdict"]
        self.assertIn(verdict, ("no", "too close"))
        self.assertRegex(self.said, rf"verdict Worth a GPU: {verdict}\. \d+ % of the time is the Python interpreter")
        self.assertRegex(self.said, r"at most [\d.]+ x as fast with any GPU\. More: breakeven ask -- COMMAND")

    def test_that_it_is_not_known_is_said(self):
        if self.kinds["unsampled"]:
            self.assertIn("Worth a GPU: not known. Kinds of work were not sampled: ", self.said)

    def test_a_saved_trace_says_the_same(self):
        path = os.path.join(self.folder, "kept.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.trace, file)
        done = subprocess.run([PROGRAM, "report", path], capture_output=True, text=True, check=True)
        verdict = [" ".join(text.split()).split(" found ")[0].split("verdict ")[1] for text in (self.said, done.stdout)]
        self.assertEqual(*verdict)
        self.assertEqual([line for line in done.stdout.split("\n") if len(line) > 80], [])

    def test_no_verdict(self):
        trace, said = self.run_loop("1.05", "--no-verdict")
        self.assertNotIn("kinds", trace)
        self.assertNotIn("Worth a GPU", said)

    def test_a_short_run_has_none(self):
        trace, said = self.run_loop("0.1")
        self.assertNotIn("kinds", trace)
        self.assertNotIn("Worth a GPU", said)

    def test_few_files(self):
        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))

        trace, said = self.run_loop("1.05", before=few)
        self.assertIn("too few files may be open", trace["kinds"]["unsampled"])
        self.assertIn("Worth a GPU: not known. Kinds of work were not sampled: too few files", said)


if __name__ == "__main__":
    unittest.main()
