"""be.watch and the magics: a block is watched, a line is timed."""
import contextlib
import importlib.util
import io
import os
import time
import unittest

import breakeven as be


def busy(seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        sum(range(1000))


class Watch(unittest.TestCase):
    def test_a_block(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), be.watch(interval_s=0.1) as watch:
            self.assertIn("not ended", str(watch))
            busy(1.5)
        self.assertIn("watched", said.getvalue())
        self.assertIn("Python", str(watch))
        self.assertIn("1 process", str(watch))  # the watcher is none of it
        self.assertEqual(watch.record.command, "run")
        self.assertIsInstance(watch.findings, list)
        with self.assertRaises(ProcessLookupError):
            os.kill(watch._pid, 0)  # it is gone

    def test_too_short(self):
        with be.watch(show=False) as watch:
            pass
        self.assertIn("nothing was seen", str(watch))
        self.assertEqual(watch.findings, [])

    def test_an_exception_comes_through(self):
        with self.assertRaises(ZeroDivisionError), be.watch(show=False):
            1 / 0

    def test_wrong_use(self):
        with self.assertRaisesRegex(be.BreakevenError, "interval_s=0: a number above 0"):
            be.watch(interval_s=0)


@unittest.skipUnless(importlib.util.find_spec("IPython"), "IPython is not here")
class Magics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from IPython.core.interactiveshell import InteractiveShell
        cls.shell = InteractiveShell.instance()
        cls.shell.run_line_magic("load_ext", "breakeven")

    def said(self, magic, *words):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            result = getattr(self.shell, magic)(*words)
        return result, said.getvalue()

    def test_a_line(self):
        self.shell.user_ns["x"] = list(range(1000))
        timing, _ = self.said("run_line_magic", "be", "sorted(x)")
        self.assertGreater(timing.median_s, 1e-7)
        timing, _ = self.said("run_line_magic", "be", "y = sorted(x)")  # a statement
        self.assertGreater(timing.median_s, 1e-7)
        self.assertIn("%be f(x) times a call", self.said("run_line_magic", "be", "")[1])

    def test_a_cell(self):
        self.shell.user_ns["busy"] = busy
        _, text = self.said("run_cell_magic", "be", "", "busy(1)\nz = 7")
        self.assertEqual(self.shell.user_ns["z"], 7)
        self.assertRegex(text, r"^1[.0-9]* s, once")
        self.assertIn("watched", text)
        _, text = self.said("run_cell_magic", "be", "", "1/0")
        self.assertNotIn("once", text)


if __name__ == "__main__":
    unittest.main()
