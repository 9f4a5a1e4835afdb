"""Every list of bench/ that goes through the workloads has all that the program has, and no other.

usage: test_lists.py BUILD/breakeven [TEST...]"""
import copy
import importlib
import os
import pathlib
import sys
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench" / "peers")]
sys.modules.setdefault("numpy", mock.MagicMock())  # the peers' tables are read, and nothing is computed

import cases  # noqa: E402
import cost_run  # noqa: E402
import peers  # noqa: E402
import program  # noqa: E402
import workloads  # noqa: E402

LISTS = {
    "workloads.py": lambda known: {case[0] for case in workloads.cases(known)},
    "cost_run.py": lambda known: {run[0] for run in cost_run.runs(known)},
    "versus.py on a CPU": lambda known: {c.workload for c in cases.every(known) if "cpu" in c.where},
    "versus.py on a GPU": lambda known: {c.workload for c in cases.every(known) if "gpu" in c.where},
}


class Lists(unittest.TestCase):
    def setUp(self):
        self.known = program.workloads(PROGRAM)

    def test_they_have_all_workloads(self):
        for name, listed in LISTS.items():
            self.assertEqual(listed(self.known), set(self.known), name)

    def test_they_find_a_new_one(self):
        for like in ("axpy", "distance"):  # element by element, and with several parameters
            new = copy.deepcopy(self.known[like]) | {"name": "novel"}
            for name, listed in LISTS.items():
                self.assertIn("novel", listed(self.known | {"novel": new}), name)

    def test_they_refuse_one_that_is_gone(self):
        del self.known["solve"]
        for name, listed in LISTS.items():
            with self.assertRaisesRegex(SystemExit, "solve: no such workload", msg=name):
                listed(self.known)

    def test_usual_cases_are_what_the_program_takes(self):
        new = copy.deepcopy(self.known["distance"]) | {"name": "novel"}
        small, large = cases.usual(new)
        self.assertEqual(small.parameters, {"points": 1000, "dimension": 3, "bins": 256})
        self.assertEqual(large.parameters, {"points": 8192, "dimension": 3, "bins": 256})
        self.assertEqual((small.type, small.where, large.where), ("float64", ("cpu",), ("gpu",)))
        self.assertIn(("novel", "--points=8192", {}), workloads.cases(self.known | {"novel": new}))

    def test_more_sizes_are_of_what_is_computed_by_elements(self):
        self.assertEqual(cost_run.larger(self.known["axpy"]), "1e8")
        self.assertIsNone(cost_run.larger(self.known["sort"]))


class Peers(unittest.TestCase):
    def setUp(self):
        self.known, self.peers = program.workloads(PROGRAM), peers.workloads()

    def test_no_peer_is_of_an_unknown_workload(self):
        self.assertEqual(cases.strangers(self.peers, self.known), [])
        self.assertEqual(cases.strangers([*self.peers, "novel"], self.known), ["novel"])

    def test_each_case_is_one_that_its_peers_take(self):
        for case in cases.every(self.known):
            workload = self.peers.get(case.peer or case.workload)
            self.assertTrue(workload or not case.peer, f"no peers are called {case.peer}")
            if not workload:
                continue  # a row of versus.py says so
            self.assertIn(case.peer_type(), workload.dtypes, case.label())
            self.assertLessEqual(set(case.parameters), set(workload.parameters), case.label())

    def test_axpy_has_those_that_the_others_have(self):
        self.assertLessEqual(
            {"numpy", "numba", "torch", "jax", "cupy"}, {p.library for p in self.peers["axpy"].peers}
        )


class Expressions(unittest.TestCase):
    """The lists that elementwise.py derives from one line of its table."""

    def setUp(self):
        self.module = importlib.import_module("families.elementwise")

    def test_each_is_of_the_program_s_arrays(self):
        known = program.workloads(PROGRAM)
        for name, own in self.module.TABLE.items():
            self.assertTrue(known[name]["elementwise"], name)
            self.assertEqual(known[name]["inputs"], list(own.inputs), name)
            self.assertEqual(set(known[name]["types"]), set(own.dtypes), name)

    def test_loops(self):
        for name, sources, wanted in (("power", [[2.0, 3.0], [3.0, 2.0]], [8.0, 9.0]),
                                      ("add", [[1.0, 2.0]], [2.5, 3.5]),
                                      ("axpy", [[1.0, 2.0], [10.0, 20.0]], [26.0, 52.0])):
            self.assertEqual(self.computed(name, sources, False), wanted, name)
            self.assertEqual(self.computed(name, sources, True), wanted, f"{name} in place")
            constants = self.module.TABLE[name].constants.values()
            found = [self.module.whole(name)(*each, *constants) for each in zip(*sources)]
            self.assertEqual(found, wanted, f"{name} as a whole")

    def computed(self, name, sources, here):
        """The part of these lists that the loop for NumPy's and Numba's peers leaves."""
        body = ("    for i in range(len(z)):", "        {}")
        call = self.module.loop(name, here, (), body, {})
        z = list(sources[0]) if here else [0.0] * len(sources[0])
        call(*sources[1 if here else 0:], z, *self.module.TABLE[name].constants.values())
        return z

    def test_steps_into_one_array(self):
        times, plus = self.module.ast.Mult, self.module.ast.Add
        self.assertEqual(self.module.steps("a * x + y"), [(times, "a", "x"), (plus, "z", "y")])
        with self.assertRaisesRegex(ValueError, "write its peers by hand"):
            self.module.steps("a * x + b * y")


if __name__ == "__main__":
    if not PROGRAM:
        sys.exit(__doc__)
    unittest.main()
