"""The public reports that predictions are held against: each row has its facts, and names hardware that is known."""
import csv
import pathlib
import shlex
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPORTS = ROOT / "bench" / "reports" / "fresh.csv"
PROFILES = ROOT / "share" / "profiles"


class Reports(unittest.TestCase):
    def setUp(self):
        with REPORTS.open() as file:
            self.rows = list(csv.DictReader(file))

    def test_each_has_its_facts(self):
        self.assertGreater(len(self.rows), 90)
        self.assertEqual(len({row["id"] for row in self.rows}), len(self.rows))
        for row in self.rows:
            with self.subTest(report=row["id"]):
                self.assertNotIn(None, row)
                self.assertTrue(row["source"].startswith("https://"), row["source"])
                self.assertGreater(float(row["cpu_s"]), 0)
                self.assertGreater(float(row["gpu_s"]), 0)
                self.assertTrue(2000 < int(row["year"]) < 2030)
                self.assertIn(row["framework"], ("", "numpy", "torch", "jax", "pandas"))

    def test_each_is_described_by_options_and_known_hardware(self):
        for row in self.rows:
            words = shlex.split(row["described"])
            with self.subTest(report=row["id"]):
                self.assertTrue(words and all(word.startswith("--") for word in words), words)
                for word in words:
                    name, _, value = word.partition("=")
                    if name == "--machine":
                        self.assertTrue((PROFILES / f"datasheet-{value}.json").exists(), value)
                    elif name == "--cpu":
                        self.assertTrue((PROFILES / f"{value.split(':')[0]}.json").exists(), value)

    def test_no_time_is_part_of_a_description(self):
        for row in self.rows:
            self.assertNotIn("--measured", row["described"], row["id"])


if __name__ == "__main__":
    unittest.main()
