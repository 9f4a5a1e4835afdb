"""bench/cost.py with results that are known. Measures nothing."""

import contextlib
import io
import pathlib
import sys
import unittest
from unittest import mock
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import cost  # noqa: E402
import cost_chart  # noqa: E402
import cost_run  # noqa: E402


def result(size, seconds, each=1, **more):
    return {"workload": "add", "dtype": "float32", "size": size, "size_name": "size", "device": "cpu", "threads": 1,
            "placement": "host", "cache": "hot", "status": "ok", "bytes": 8 * size,
            "operations": size * each, "phases": {"total": {"n": 5, "median_s": seconds}}, **more}


def printed(results, past):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        cost.table("add", results, past)
    return out.getvalue()


class Cost(unittest.TestCase):
    def test_the_fastest_of_a_size_counts(self):
        text = printed([result(1000, 8e-6), result(1000, 16e-6), result(2000, 32e-6)], 0)
        self.assertIn("ns for each byte", text)
        self.assertIn("| 1000 | 1 |", text)
        self.assertIn("| 2000 | 2 |", text)
        self.assertIn("| 2.00 of 2 |", text)

    def test_what_failed_or_was_cold_does_not_count(self):
        text = printed([result(1000, 8e-6), result(1000, 1e-9, status="wrong"),
                        result(1000, 1e-9, cache="cold"),
                        result(1000, 1e-9, phases={"total": {"n": 0, "median_s": None}})], 0)
        self.assertIn("| 1000 | 1 |", text)

    def test_operations_that_grow_faster_set_the_cost(self):
        text = printed([result(10, 1e-6, each=10), result(100, 1e-4, each=100)], 0)
        self.assertIn("ns for each operation", text)
        self.assertIn("| 10 | 10 |", text)

    def test_flatness_is_of_sizes_past_the_caches(self):
        rows = [result(1000, 80e-6), result(2000, 32e-6), result(4000, 32e-6)]
        self.assertIn("| 2.00 of 2 |", printed(rows, 16000))
        self.assertNotIn(" of ", printed(rows, 32000))

    def test_a_panel_has_a_line_a_place(self):
        several = [result(1000, 8e-6), result(2000, 32e-6), result(1000, 2e-6, threads=4)]
        found = cost_run.panel("add", several)
        self.assertEqual(found["places"], {"1 core": [(8000, 1.0), (16000, 2.0)],
                                           "4 cores": [(8000, 0.25)]})
        self.assertEqual((found["title"], found["unit"]), ("add", "byte"))

    def test_the_shortest_call_counts(self):
        whole = {"results": [result(10, 5.0, phases={"total": {"n": 3, "median_s": 5, "min_s": 2}}),
                             result(10, 5.0, phases={"total": {"n": 0, "median_s": None}})]}
        self.assertEqual(cost.median(cost_run.least(whole)["results"][0]), 2)
        self.assertIsNone(cost.median(whole["results"][1]))

    def test_memory_is_held_against_what_is_allowed(self):
        rows = [["add", "size 10", "plain", 1e8, 1.05e8], ["fft", "size 8", "own", 1e8, 1.5e8]]
        lines = cost_run.memory_table(rows).splitlines()
        self.assertEqual(lines[2], "| add size 10 | plain | 100.0 MB | 105.0 MB | 1.05 | yes |")
        self.assertEqual(lines[3], "| fft size 8 | own | 100.0 MB | 150.0 MB | 1.50 | no |")


class OfADevice(unittest.TestCase):
    """cost_run.py --device=cuda:0"""

    def setUp(self):
        self.options = cost_run.arguments().parse_args(["build", "--device=cuda:0", "--limit=150"])
        self.options.command, self.options.stem = "cost_run.py", "cost"
        there = {"device": "cuda:0", "threads": None, "placement": "resident"}
        self.whole = {
            "machine": {"cpu": "a CPU", "cores": 4, "cache_bytes": 1e6,
                        "devices": [{"id": "cpu", "cache_bytes": 1e6},
                                    {"id": "cuda:0", "name": "a GPU", "cache_bytes": 5e7}]},
            "remarks": ["sizes left out, to end in 9 s (--total=18 gives twice that): add from 1e8",
                        "something else: is said"],
            "results": [result(10000000, 3.2e-4), result(10000000, 8e-5, **there),
                        result(20000000, 1.6e-4, **there)],
        }

    def test_the_cpu_beside_it_is_left_out(self):
        text = cost_run.document(self.options, {"add": self.whole}, [], 0.5)
        self.assertIn("# Cost with size, on cuda:0, a GPU", text)
        self.assertIn("| size | cuda:0 resident |", text)
        self.assertNotIn("core |", text)
        self.assertNotIn("## Memory", text)
        self.assertIn("from 100 MB on", text)
        self.assertIn("Sizes left out, to end in 150 s: add from 1e8.", text)

    def test_past_its_cache_twice_over(self):
        text = cost_run.tables({"add": self.whole}, "cuda:0")
        self.assertNotIn(" of 2 |", text)  # 80 MB and 160 MB, beside 50 MB of cache
        self.whole["results"].append(dict(self.whole["results"][2], size=40000000, bytes=3.2e8,
                                          phases={"total": {"n": 5, "median_s": 4.8e-4}}))
        text = cost_run.tables({"add": self.whole}, "cuda:0")
        self.assertIn("| past the caches, most / least | 1.50 of 2 |", text)
        self.assertEqual(cost_run.past_of(self.whole, "cpu"), cost_run.PAST)

    def test_what_is_asked(self):
        words = cost_run.asked(self.options, "distance")
        self.assertEqual(words[:2], ["--device=cuda:0", "--placement=resident"])
        self.assertFalse([word for word in words if word.startswith("--variant")])
        self.assertIn("--variant=device", cost_run.asked(self.options, "generate"))
        self.options.device = "cpu"
        self.assertEqual(cost_run.asked(self.options, "distance"), ["--device=cpu", "--variant=fused"])

    def test_the_time_is_shared(self):
        shares = []

        def measured(options, workload, more, swept, sizes, total_s):
            shares.append(total_s)
            return self.whole

        known = {run[0]: {"name": run[0], "elementwise": False} for run in cost_run.RUNS}
        self.options.machine = "known"
        with mock.patch.object(cost_run, "measured", measured), \
                mock.patch.object(cost_run.program, "workloads", lambda path: known):
            cost_run.each(self.options)
        self.assertEqual(len(shares), len(cost_run.RUNS))
        self.assertAlmostEqual(shares[0], 150 / len(shares), delta=1)
        self.assertAlmostEqual(shares[-1], 150, delta=5)  # what nobody else needed


class Chart(unittest.TestCase):
    def setUp(self):
        self.panels = [
            {"title": "a < b", "unit": "byte",
             "places": {"1 core": [(1e4, 0.2), (1e8, 0.4)], "4 cores": [(1e4, 0.1), (1e8, 0.1)]}},
            {"title": "none", "unit": "byte", "places": {"1 core": []}},
        ]

    def test_it_is_xml_with_a_line_a_place(self):
        root = ElementTree.fromstring(cost_chart.svg(self.panels, "head", 1e6))
        lines = root.findall("{*}polyline")
        self.assertEqual(len(lines), 2)
        words = [element.text for element in root.findall("{*}text")]
        self.assertIn("a < b, ns/byte", words)
        self.assertNotIn("none, ns/byte", words)

    def test_points_lie_within_the_drawing(self):
        root = ElementTree.fromstring(cost_chart.svg(self.panels, "head"))
        for element in root.findall("{*}polyline"):
            for point in element.get("points").split():
                x, y = (float(number) for number in point.split(","))
                self.assertTrue(0 < x < float(root.get("width")), point)
                self.assertTrue(0 < y < float(root.get("height")), point)

    def test_the_larger_is_the_higher(self):
        root = ElementTree.fromstring(cost_chart.svg(self.panels, "head"))
        first, last = root.find("{*}polyline").get("points").split()
        self.assertGreater(float(first.split(",")[1]), float(last.split(",")[1]))


if __name__ == "__main__":
    unittest.main()
