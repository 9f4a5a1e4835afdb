#!/usr/bin/env python3
"""Which file `breakeven report` takes, and what it says of those that it does not.
usage: report.py BUILD/breakeven [TEST...]"""
import glob
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
GOLDEN = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../golden")


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.data = os.path.join(self.folder, "data")
        self.here = os.path.join(self.folder, "here")
        os.mkdir(self.here)

    def ask(self, *words):
        done = subprocess.run([PROGRAM, *words], cwd=self.here, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False, timeout=240,
                              env={**os.environ, "HOME": self.folder, "XDG_DATA_HOME": self.data})
        for line in done.stderr.splitlines():
            self.assertLessEqual(len(line.replace(self.folder, "")), 80, line)
        return done.returncode, done.stdout, " ".join(done.stderr.split())

    def run_it(self, name, *words):
        """The command of a run is its name in the trace."""
        path = os.path.join(self.here, name)
        os.symlink("/bin/true", path)
        code, _, err = self.ask("run", *words, "--", path)
        os.remove(path)
        self.assertEqual(code, 0, err)
        return err

    def command(self, *words):
        code, out, err = self.ask("report", "--json", *words)
        self.assertEqual(code, 0, err)
        return json.loads(out)["run"]["command"], err

    # ---- without a name -------------------------------------------------------------------------

    def test_the_last_run(self):
        self.assertEqual(self.ask("report")[0], 2)
        self.assertIn("which file?", self.ask("report")[2])
        self.run_it("first", "-q")
        self.run_it("second", "-q")
        name, err = self.command()
        kept = sorted(glob.glob(self.data + "/breakeven/runs/*.json"), key=os.path.getmtime)
        self.assertEqual((name, err), ("second", "breakeven: the trace written last: " + kept[-1]))
        code, out, _ = self.ask("report")
        self.assertEqual(code, 0)
        self.assertTrue(out.startswith("ran "), out)

    def test_one_of_this_folder(self):
        """By when it was written, not by name; and other files of that kind of name are none."""
        self.run_it("kept", "-q")
        self.run_it("here", "-q", "--trace-file=a.json")
        for name, text in (("b.json", "{}"), ("c.json", '{"schema":"breakeven/1",\n"command":"compare"}'),
                           ("d.json", ""), ("e.txt", "x")):
            with open(os.path.join(self.here, name), "w") as out:
                out.write(text)
        os.mkfifo(os.path.join(self.here, "f.json"))  # nobody will ever write to it
        os.mkdir(os.path.join(self.here, "g.json"))
        self.assertEqual(self.command(), ("here", "breakeven: the trace written last: ./a.json"))
        then = time.time() - 1000
        os.utime(os.path.join(self.here, "a.json"), (then, then))
        self.assertEqual(self.command()[0], "kept")

    # ---- several --------------------------------------------------------------------------------

    def test_goes_on_behind_a_bad_file(self):
        good = os.path.join(GOLDEN, "report-cpu.json")
        whole = self.ask("report", good)[1]
        code, out, err = self.ask("report", good, "no-such.json", os.path.join(GOLDEN, "report-cpu.txt"), good)
        self.assertEqual((code, out), (2, whole + whole))
        self.assertIn("no-such.json: No such file", err)
        self.assertIn("report-cpu.txt: is a comparison as text", err)

    # ---- what is no result ----------------------------------------------------------------------

    def test_each_table_of_ours_is_known(self):
        """By what it is, with the file to give instead."""
        names = sorted(glob.glob(GOLDEN + "/*.txt") + glob.glob(GOLDEN + "/*.csv"))
        self.assertGreater(len(names), 20)
        for name in names:
            profile = "profile" in name or "diff" in name
            short = os.path.basename(name)  # a line is as long as a path given: not the test's subject
            os.symlink(name, os.path.join(self.here, short))
            code, out, err = self.ask("report", short)
            self.assertEqual((code, out), (2, ""))
            self.assertIn("the CSV of" if name.endswith(".csv") else "as text", err)
            self.assertIn("breakeven probe --output=FILE" if profile else "compare --json=FILE", err)

    def test_text_of_a_run_names_its_trace(self):
        """Also where it stands below what the command wrote; of several the last. Followed, it works."""
        self.run_it("first", "-o", "report.txt")
        self.run_it("second", "-o", "report.txt")
        with open(os.path.join(self.here, "report.txt")) as file:
            report = file.read()
        with open(os.path.join(self.here, "slurm-12.out"), "w") as log:
            log.write("step 1\n{loss: 0.5}\n" + report)
        for name in ("report.txt", "slurm-12.out"):
            code, out, err = self.ask("report", name)
            self.assertEqual((code, out), (2, ""))
            advice = err.split("Its trace: breakeven report ")[1]
            self.assertEqual(self.command(advice)[0], "second")
        os.remove(advice)
        self.assertIn("which is not here: give it", self.ask("report", "report.txt")[2])

    def test_csv_and_text_of_a_trace(self):
        self.run_it("first", "-q")
        for name, words in (("a.csv", ["--csv"]), ("a.txt", [])):
            with open(os.path.join(self.here, name), "w") as out:
                out.write(self.ask("report", *words)[1])
            code, _, err = self.ask("report", name)
            self.assertEqual(code, 2)
            self.assertIn("the CSV of a trace" if words else "the report of a run, as text", err)
            self.assertIn("`breakeven report` without a name", err)

    def test_what_is_not_ours_is_not_said_to_be(self):
        for text in ("hello\n", "{", "a,b\n1,2\n", '{"a": "--- CPU ---"', "{\ntrace    /etc/passwd\n"):
            with open(os.path.join(self.here, "x"), "w") as out:
                out.write(text)
            code, _, err = self.ask("report", "x")
            self.assertEqual(code, 2)
            self.assertRegex(err, "not JSON|cut short|line ")
            self.assertNotIn(" is the ", err)


if __name__ == "__main__":
    if not PROGRAM:
        sys.exit(__doc__)
    unittest.main()
