"""be.time: what was started is waited for, and what cannot be timed is said."""
import contextlib
import math
import sys
import unittest
from unittest import mock

import numpy
from stand_ins import MAKERS, Device, stand_in

import breakeven as be
from breakeven import _libraries


class Waiting(unittest.TestCase):
    def test_each_library_is_waited_for(self):
        for name in MAKERS:
            with self.subTest(library=name), stand_in(name) as (device, array):
                timing = be.time(lambda x: x * 2, array(numpy.ones(3)), budget_s=0.05)
                self.assertGreaterEqual(timing.median_s, 0.99 * Device.WORK_S)
                self.assertGreaterEqual(timing.first_s, 0.99 * Device.WORK_S)
                self.assertTrue(timing.waited_for)
                self.assertIn(name, str(timing))
                self.assertGreaterEqual(device.waits, timing.n * timing.batch)

    def test_work_on_arguments_is_waited_for(self):
        """A function may return nothing and have changed an array on a device."""
        for name in ("cupy", "torch"):
            with self.subTest(library=name), stand_in(name) as (_, array):
                x = array(numpy.ones(3))
                timing = be.time(lambda: (x * 2, None)[1], budget_s=0.05)
                self.assertGreaterEqual(timing.median_s, 0.99 * Device.WORK_S)

    def test_the_library_of_the_values_is_asked_first(self):
        """And what asking the others takes, which find an idle device, is no part of the call."""
        for mine, other in (("cupy", "torch"), ("torch", "cupy")):
            with self.subTest(library=mine), contextlib.ExitStack() as stack:
                idle, _ = stack.enter_context(stand_in(other))
                loaded = {other: sys.modules[other]}
                device, array = stack.enter_context(stand_in(mine))
                stack.enter_context(mock.patch.dict(sys.modules, loaded))
                x = array(numpy.ones(3))
                names, wait, further = _libraries.waiter_for([x])
                self.assertIn(mine, names[0])
                self.assertIn(other, names[1])
                further(x)
                self.assertEqual((device.waits, idle.waits), (0, 1))
                wait(x)
                self.assertEqual((device.waits, idle.waits), (1, 2))
                timing = be.time(lambda x: x * 2, x, budget_s=0.02)
                self.assertIn("which is taken off", str(timing))
                self.assertGreaterEqual(timing.median_s, 0.9 * Device.WORK_S)

    def test_the_host_waits_for_nobody(self):
        timing = be.time(numpy.sort, numpy.arange(1000.0), budget_s=0.02)
        self.assertEqual(timing.waited_for, [])
        self.assertTrue(timing.lo_s <= timing.median_s <= timing.hi_s)
        self.assertGreaterEqual(timing.n, 10)
        self.assertIn(timing.stop, ("precise", "stable", "budget"))


class Answers(unittest.TestCase):
    def test_faster_than_the_hardware_allows(self):
        timing = be.time(sum, [1, 2], budget_s=0.01, limit_s=1.0)
        self.assertIn("impossible", str(timing))
        self.assertIn("the clock stopped before the work did", str(timing))
        self.assertNotIn("impossible", str(be.time(sum, [1, 2], budget_s=0.01, limit_s=1e-12)))

    def test_a_short_call_says_what_its_loop_takes(self):
        self.assertIn("the loop around it takes", str(be.time(len, [], budget_s=0.01)))

    def test_named_arguments(self):
        seen = []
        be.time(lambda x, y: seen.append((x, y)), 1, y=2, budget_s=0.005)
        self.assertEqual(set(seen), {(1, 2)})

    def test_wrong_use(self):
        def steps():
            yield 1

        async def later():
            return 1
        for function, words in ((3, "no function"), (steps, "is a generator"), (later, "is a coroutine"),
                                (lambda: steps(), "returns a generator")):
            with self.subTest(words=words), self.assertRaisesRegex(be.BreakevenError, words):
                be.time(function)

        with self.assertRaisesRegex(be.BreakevenError, "budget_s=-1: a number above 0"):
            be.time(len, [], budget_s=-1)

    def test_what_it_raises_comes_through(self):
        calls = []

        def fails():
            calls.append(1)
            if len(calls) > 3:
                raise ZeroDivisionError("the fourth")
        with self.assertRaisesRegex(ZeroDivisionError, "the fourth"):
            be.time(fails)

    def test_interrupted(self):
        calls = []

        def stops():
            calls.append(1)
            if len(calls) > 100:
                raise KeyboardInterrupt
            numpy.sort(numpy.arange(100000.0))
        timing = be.time(stops, budget_s=60, precision=1e-9)
        self.assertEqual(timing.stop, "cancelled")
        self.assertTrue(math.isfinite(timing.median_s))


if __name__ == "__main__":
    unittest.main()
