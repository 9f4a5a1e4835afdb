"""bench/versus.py with rounds that are known. Needs no NumPy and measures nothing."""

import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench" / "peers")]

import cases  # noqa: E402
import medians  # noqa: E402
import table  # noqa: E402
import versus  # noqa: E402


class Statistics(unittest.TestCase):
    def test_interval_is_the_ranks_of_the_binomial(self):
        self.assertEqual(medians.interval([1, 2, 3, 4, 5]), (None, None))
        self.assertEqual(medians.interval([1, 2, 3, 4, 5, 6]), (1, 6))
        self.assertEqual(medians.interval(list(range(1, 11))), (2, 9))
        self.assertEqual(medians.interval(list(range(1, 101))), (40, 61))

    def test_few_rounds_have_least_and_most(self):
        self.assertEqual(medians.summary([3, 1, 2]), (2, 1, 3))
        self.assertEqual(medians.summary([4]), (4, 4, 4))
        self.assertEqual(medians.summary([1, 2]), (1.5, 1, 2))

    def test_ratio_is_paired_by_round(self):
        # A machine twice as slow in round 1 for both: the ratio does not see it.
        self.assertEqual(medians.ratio({0: 3, 1: 6}, {0: 2, 1: 4}), (1.5, 1.5, 1.5))
        self.assertEqual(medians.ratio({0: 2, 1: 9, 2: 4}, {0: 1, 1: 3, 2: 1}), (3, 2, 4))

    def test_rounds_that_one_lacks_do_not_count(self):
        self.assertEqual(medians.ratio({0: 3, 2: 100}, {0: 1, 1: 1}), (3, 3, 3))
        self.assertIsNone(medians.ratio({0: 3}, {1: 1}))

    def test_verdict_needs_the_whole_interval(self):
        self.assertEqual(medians.verdict((2, 1.5, 3), 1.5), "yes")
        self.assertEqual(medians.verdict((2, 1.4, 3), 1.5), "unclear")
        self.assertEqual(medians.verdict((1.2, 1, 1.4), 1.5), "no")


class Cases(unittest.TestCase):
    def test_labels(self):
        self.assertEqual(cases.Case("add", {"size": 10**7}).label(), "add 1e7")
        self.assertEqual(cases.Case("fft", {"size": 4194304}).label(), "fft 4194304")
        found = cases.Case("solve", {"systems": 10000, "order": 32}, type="float64").label()
        self.assertEqual(found, "solve systems 10000, order 32, float64")

    def test_another_word_of_the_peers(self):
        case = cases.Case("distance", {"points": 9}, peer="histogram", ours=("--consumer=histogram",))
        self.assertEqual(case.label(), "distance histogram points 9")
        block = versus.Block.__new__(versus.Block)
        block.case, block.cores, block.gpu = case, [0], False
        options = {"program": "ours", "cache": "hot", "budget": 1}
        block.run = types.SimpleNamespace(options=types.SimpleNamespace(**options))
        self.assertEqual(block.words(), ["histogram", "--points=9", "--type=float32"])
        self.assertEqual(
            block.command("none")[:5],
            ["ours", "compare", "distance", "--points=9", "--consumer=histogram"],
        )

    def test_only_what_peers_call_so(self):
        found = cases.chosen(["svd"], "cpu", False, [])
        self.assertEqual({(c.workload, c.peer) for c in found}, {("eigen", "svd")})
        found = cases.chosen(["histogram"], "cpu", False, [])
        self.assertEqual({c.workload for c in found}, {"histogram"})

    def test_only_what_has_a_time_to_reach(self):
        found = cases.chosen(["add", "solve"], "gpu", False, [], True)
        self.assertEqual({c.workload for c in found}, {"solve"})
        self.assertTrue(all(c.seconds for c in found))

    def test_placements_asked_for(self):
        options = {"program": "ours", "cache": "hot", "budget": 1, "placement": "resident"}
        block = versus.Block.__new__(versus.Block)
        block.case, block.cores, block.gpu = cases.CASES[0], [0], True
        block.run = types.SimpleNamespace(options=types.SimpleNamespace(**options))
        self.assertIn("--placement=resident", block.command("none"))
        block.gpu = False
        self.assertNotIn("--placement=resident", block.command("none"))
        self.assertIn("--variant=a", block.command("none", "a"))

    def test_another_size(self):
        several = cases.chosen(["mandelbrot"], "cpu", False, [10])
        self.assertEqual([c.parameters["width"] for c in several], [10])
        self.assertEqual(several[0].variants, "kernel")  # the others take minutes

    def test_choosing(self):
        quick = cases.chosen([], "cpu", True, [])
        self.assertEqual(len(quick), len({c.label() for c in quick}))
        self.assertEqual({c.workload for c in quick}, {c.workload for c in cases.CASES})
        several = cases.chosen(["power"], "gpu", False, [10, 20])
        self.assertEqual([c.parameters for c in several], [{"size": 10}, {"size": 20}])

    def test_each_variant_has_turns_of_its_own(self):
        self.assertEqual(self.turns_of(0), [(1, "fast"), (1, "near"), (2, "fast"), (2, "near")])

    def test_a_first_round_without_results_is_not_the_last(self):
        asked = cases.CASES[0].variants
        self.assertEqual(self.turns_of(1), [(1, asked), (2, asked)])

    def turns_of(self, first):
        """Whom `measure` asks after round 0, where results come from round `first` on."""
        block = versus.Block.__new__(versus.Block)
        block.case, block.ours, block.theirs, block.refused = cases.CASES[0], {}, {}, None
        block.run = types.SimpleNamespace(options=types.SimpleNamespace(rounds=3))
        block.names = lambda: ["numpy"]
        turns = []

        def ours(number, variants):
            turns.append((number, variants))
            if number < first:
                return
            for name, seconds in (("fast", 1.0), ("near", 2.0), ("slow", 9.0)):
                block.ours.setdefault((name, "host"), {})[number] = seconds

        def theirs(number, name):
            block.theirs.setdefault((name, "host"), {})[number] = 1.0
            block.asked[(name, "host")] = name
            return True

        block.turn_of_ours, block.turn_of = ours, theirs
        block.measure()
        self.assertEqual(turns[0], (0, block.case.variants))
        return sorted(turns[1:])

    def test_the_slow_are_left(self):
        times = {("a", "host"): {0: 1}, ("b", "host"): {0: 3.9}, ("c", "host"): {0: 4.1}}
        times[("c", "copy")] = {0: 9}
        found = versus.quickest(times, 4)
        self.assertEqual(found, [("a", "host"), ("b", "host"), ("c", "copy")])


def block(case, ours, theirs):
    """A block as versus.py leaves it, after rounds on one core."""
    several = (("ours", ours), ("theirs", theirs))
    least = {(whose, *k): min(r.values()) for whose, times in several for k, r in times.items()}
    limits = {name: (0.5, "memory") for name in ours}
    return types.SimpleNamespace(
        case=case,
        gpu=False,
        cores=[0],
        load=0.5,
        ours=ours,
        theirs=theirs,
        least=least,
        limits=limits,
        no_peer=False,
    )


class Table(unittest.TestCase):
    def test_best_against_best(self):
        ours = {("slow", "host"): {0: 9.0}, ("fast", "host"): {0: 1.0, 1: 1.0}}
        theirs = {("numpy", "host"): {0: 7.0, 1: 6.0}, ("numba", "host"): {0: 2.0, 1: 2.0}}
        case = cases.Case("solve", {"systems": 1, "order": 2}, numpy=5)
        made = table.row(block(case, ours, theirs), "host")
        self.assertEqual((made["variant"], made["best"]), ("fast", "numba"))
        self.assertEqual(made["peers"]["numba"]["ratio"], 2.0)
        self.assertEqual(made["targets"], [("1.5", "yes"), ("NumPy 5", "yes")])
        text = "\n".join(table.first_table([made]))
        self.assertIn("| numba | 2 s | 2.00 [2.00, 2.00] | 2.00 | 2.00 memory | 1.5: yes; NumPy 5: yes |", text)
        self.assertIn("| numpy | 6.5 s | 6.50 [6.00, 7.00] | 6.00 |", "\n".join(table.second_table([made])))

    def test_what_keeps_its_inputs_has_a_row_of_its_own(self):
        ours = {("fused", "host"): {0: 2.0, 1: 2.0}}
        theirs = {("numba in place", "host"): {0: 1.0, 1: 1.0}, ("numba", "host"): {0: 3.0, 1: 3.0}}
        case = cases.Case("chain", {"size": 9})
        made = table.row(block(case, ours, theirs), "host")
        self.assertEqual((made["best"], made["apart"]["best"]), ("numba in place", "numba"))
        lines = table.first_table([made])
        self.assertIn("numba in place | 1 s | 0.50", lines[2])
        self.assertIn("chain 9, inputs kept | 1 core | fused", lines[3])
        self.assertIn("numba | 3 s | 1.50", lines[3])
        ours[("in-place", "host")] = {0: 0.5, 1: 0.5}
        lines = table.first_table([table.row(block(case, ours, theirs), "host")])
        self.assertIn("| in-place | 500 ms ± 0 % | numba in place | 1 s | 2.00", lines[2])
        self.assertIn("| fused | 2 s ± 0 % | numba | 3 s | 1.50", lines[3])
        del ours[("in-place", "host")], theirs[("numba in place", "host")]
        self.assertEqual(len(table.first_table([table.row(block(case, ours, theirs), "host")])), 3)

    def test_one_lucky_round_is_no_median(self):
        times = {"lucky": {0: 1.0}, "steady": {0: 2.0, 1: 2.0, 2: 2.0}}
        self.assertEqual(table.fastest(times), "steady")
        self.assertIsNone(table.fastest({}))

    def test_the_same_library_has_no_target(self):
        case = cases.Case("matmul", {"order": 64}, library=True)
        made = table.row(block(case, {("library", "host"): {0: 1.0}}, {}), "host")
        self.assertEqual(made["targets"], [("same library", "-")])
        self.assertIn("| none here |", "\n".join(table.first_table([made])))

    def test_a_gpu_has_seconds_to_reach(self):
        case = cases.Case("distance", {"points": 9}, seconds={"resident": 2.0})
        one = block(case, {("fused", "resident"): {0: 1.0}}, {})
        one.gpu = True
        self.assertEqual(table.row(one, "resident")["targets"], [("2 s on an H200", "yes")])

    def test_seconds_need_the_whole_interval(self):
        made = {"ours_s": 2, "ours_lo_s": 1.9, "ours_hi_s": 2.2}
        self.assertEqual(table.within(made, 2.3), "yes")
        self.assertEqual(table.within(made, 2.1), "unclear")
        self.assertEqual(table.within(made, 1.8), "no")

    def test_a_library_is_named_once(self):
        several = {"numpy": "2", "numpy in threads": "2", "torch cpu": "3", "torch cpu cdist": "3"}
        self.assertEqual(table.versions_text(several), "numpy 2, torch cpu 3")


# Both stand in for programs: they answer what versus.py asks, with times that are known.
OURS = """
import json, sys
path = [w[7:] for w in sys.argv if w.startswith("--json=")]
if sys.argv[1] == "probe":
    sys.exit(1)
if "--list" in sys.argv:
    size = {"name": "size", "preset": 100, "look": [10, 1000]}
    names = %s + ["novel"]
    print(json.dumps({"workloads": [{"name": n, "types": ["float32"], "parameters": [size]} for n in names]}))
    sys.exit()
if sys.argv[2] == "sort":
    sys.exit("no workload is called sort")
total = {"median_s": 2.0, "min_s": 1.0}
common = {"title": "z = x", "variant": "plain", "status": "ok", "note": None,
          "phases": {"total": total}}
results = [common | {"placement": place} for place in ("host", "resident", "copy")]
open(path[0], "w").write(json.dumps({"version": "1", "machine": {"cpu": "C"}, "results": results}))
""" % sorted({c.workload for c in cases.CASES})
PEERS = """
import json, sys
print("peers: jax cpu: left out: No module named 'jax'", file=sys.stderr, flush=True)
for line in sys.stdin:
    if "--workloads" in line:
        print(json.dumps({"workloads": ["add", "sort", "histogram"]}))
    elif "--list" in line:
        answer = {"peers": ["good", "bad", "jax cpu"]}
        print(json.dumps(answer))
    elif "jax" not in line:
        good = "--exactly=good" in line
        place = "resident" if "--gpu-only" in line else "host"
        found = {"peer": "good" if good else "bad", "placement": place, "version": "1", "ok": good}
        print(json.dumps(found | {"median_s": 5.0, "min_s": 3.0, "residual": 0.5}))
    print(json.dumps({"done": True, "error": None}), flush=True)
"""


class Rounds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, name, text):
        path = self.folder / name
        path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def called(self, *words, peers=PEERS):
        command = [sys.executable, str(ROOT / "bench" / "versus.py"), self.program("ours", OURS)]
        command += ["--peers-python", self.program("python", peers), "--quick", "--threads=1"]
        command += ["--rounds=3", f"--out={self.folder}", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def versus(self, *words):
        done = self.called(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "versus.md").read_text(encoding="utf-8"), done.stdout)
        return json.loads((self.folder / "versus.json").read_text(encoding="utf-8")), done.stdout

    def test_on_a_core(self):
        report, text = self.versus("--only=add,sort")
        (row,) = report["cases"]
        self.assertEqual((row["best"], row["peers"]["good"]["ratio"]), ("good", 2.5))
        self.assertEqual((row["peers"]["good"]["rounds"], row["rounds"]), (3, 3))
        self.assertEqual(row["peers"]["good"]["ratio_least"], 3)
        self.assertEqual(list(row["peers"]), ["good"])
        said = "\n".join(report["problems"])
        self.assertIn("sort 1e7, ours: no workload is called sort", said)
        self.assertIn("add 1e7, 1 core: bad host: wrong: residual 0.5", said)
        self.assertIn("peers: jax cpu: left out: No module named 'jax'", said)
        self.assertIn("| add 1e7 | 1 core | plain |", text)

    def test_on_a_gpu(self):
        report, text = self.versus("--only=add", "--device=cuda:0")
        self.assertEqual([r["placement"] for r in report["cases"]], ["resident", "copy"])
        self.assertEqual([r["best"] for r in report["cases"]], ["good", None])
        self.assertIn("| add 1e7 | cuda:0 resident | plain | 2 s", text)

    def test_a_workload_without_peers_has_a_row_that_says_so(self):
        report, text = self.versus("--only=novel")
        (row,) = report["cases"]
        self.assertTrue(row["no_peer"])
        self.assertEqual((row["parameters"], row["best"], row["peers"]), ({"size": 100}, None, {}))
        self.assertIn("| novel 100 | 1 core | plain | 2 s ± 0 % | no peer for novel |", text)
        report, text = self.versus("--only=novel", "--device=cuda:0")
        self.assertEqual([r["parameters"] for r in report["cases"]], [{"size": 1000}] * 2)
        self.assertIn("no peer for novel", text)

    def test_a_peer_of_no_workload_ends_it(self):
        done = self.called("--only=add", peers=PEERS.replace('"histogram"', '"hadd"'))
        self.assertEqual(done.returncode, 1)
        self.assertIn("bench/peers has code for hadd", done.stderr)

    def test_only_workloads_there_are(self):
        done = self.called("--only=add,nvel")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--only nvel: no such workload", done.stderr)


if __name__ == "__main__":
    unittest.main()
