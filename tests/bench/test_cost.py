"""What bench/cost.py makes of results that are known. Measures nothing."""

import contextlib
import io
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import cost  # noqa: E402


def result(size, seconds, each=1, **more):
    return {"workload": "add", "size": size, "size_name": "size", "device": "cpu", "threads": 1,
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


if __name__ == "__main__":
    unittest.main()
