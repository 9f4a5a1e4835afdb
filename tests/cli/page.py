#!/usr/bin/env python3
"""Pages that one can send: whole in themselves, true to the results, readable by everybody.
usage: page.py BUILD/breakeven [TEST...]"""
import datetime
import glob
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
HERE = os.path.dirname(os.path.realpath(__file__))
TRACES = os.path.join(HERE, "../observe/traces")
GOLDEN = os.path.join(HERE, "../golden")
VOID = {"meta", "link", "br", "rect", "path", "circle", "line"}


class Page(html.parser.HTMLParser):
    """Tags that were opened and closed, texts by the tag they stand in, attributes that lead elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.leads, self.wrong = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.leads += [value for name, value in attrs if name in ("src", "href", "xlink:href", "action")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        if self.open:
            self.texts.append((self.open[-1], data))

    def of(self, tag):
        return [text for where, text in self.texts if where == tag]


def brightness(colour):
    digits = colour if len(colour) == 6 else "".join(2 * c for c in colour)
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


class Html(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def page(self, name):
        path = os.path.join(self.folder, "page.html")
        done = subprocess.run([PROGRAM, "report", "--html=" + path, name], capture_output=True, text=True, check=False,
                              timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path, encoding="utf-8") as file:
            return file.read()

    def comparisons(self):
        for name in sorted(glob.glob(GOLDEN + "/report-*.json")):
            with open(name, encoding="utf-8") as file:
                if json.load(file)["command"] == "compare":
                    yield name

    def test_answer_is_that_of_the_results(self):
        text = self.page(GOLDEN + "/report-h200.json")
        with open(GOLDEN + "/report-h200.json", encoding="utf-8") as file:
            evens = {e["placement"]: e for e in json.load(file)["breakevens"]
                     if e.get("variants", "best") == "best" and not e.get("as_written") and not e.get("callable")}
        verdict = re.search(r'class="verdict">(.*?)</p>', text).group(1)
        self.assertIn("power on cuda:0 (NVIDIA H200)", verdict)
        self.assertEqual(evens["copy"]["status"], "never")
        self.assertIn("with copies in every call it is ahead at no size up to 3e8", verdict)
        self.assertEqual(evens["resident"]["status"], "from")
        self.assertIn("with data that stay there it is ahead from ", verdict)

    def test_no_gpu_is_no_gpu(self):
        for name in ("report-cpu", "report-pocl"):
            verdict = re.search(r'class="verdict">(.*?)</p>', self.page(f"{GOLDEN}/{name}.json")).group(1)
            self.assertIn("No ", verdict)

    def test_many_workloads_are_counted(self):
        with open(GOLDEN + "/report-look.json", encoding="utf-8") as file:
            data = json.load(file)
        data["machine"]["devices"][-1]["kind"] = "gpu"
        name = os.path.join(self.folder, "gpu.json")
        with open(name, "w", encoding="utf-8") as file:
            json.dump(data, file)
        verdict = re.search(r'class="verdict">(.*?)</p>', self.page(name)).group(1)
        ahead = {e["workload"] for e in data["breakevens"]
                 if e["placement"] == "resident" and e["status"] in ("always", "from")}
        asked = {e["workload"] for e in data["breakevens"] if e["placement"] == "resident"}
        self.assertIn(f"in {len(ahead)} of {len(asked)} workloads where the data stay there", verdict)

    def test_foreign_text_is_text(self):
        with open(GOLDEN + "/report-h200.json", encoding="utf-8") as file:
            data = json.load(file)
        data["machine"]["cpu"] = "<script>alert(1)</script> & \"x\""
        name = os.path.join(self.folder, "hostile.json")
        with open(name, "w", encoding="utf-8") as file:
            json.dump(data, file)
        text = self.page(name)
        self.assertNotIn("<script", text)
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt; &amp;", text)

    def trace(self, name):
        with open(os.path.join(TRACES, name), encoding="utf-8") as file:
            return json.load(file)

    def test_a_run_has_its_dearest_finding_first(self):
        name = TRACES + "/h200-2026-11-21/t-loader-workers.json"
        text = self.page(name)
        verdict = re.search(r'class="verdict">(.*?)</p>', text).group(1)
        self.assertIn("python3 could use its place better: the GPU waits for data", verdict)
        self.assertRegex(verdict, r"At most 2\.54 s of 8\.39 s \(30 %\)")
        self.assertLess(text.index("verdict"), text.index("<svg"))
        for lane in ("CPU: cores busy", "GPU 0: SM activity", "GPU 0: memory"):
            self.assertEqual(text.count(f">{lane}<"), 2, "in the drawing and in the table behind it")
        drawn = re.search(r"<title>the GPU waits for data.*?</title></rect>", text)
        self.assertTrue(drawn, "the finding lies on the run")

    def test_a_run_that_was_too_short_is_not_called_healthy(self):
        verdict = re.search(r'class="verdict">(.*?)</p>', self.page(TRACES + "/cpu-2026-11-21/c-short.json")).group(1)
        self.assertIn("ended before enough was seen", verdict)

    def test_a_long_run_on_four_gpus_is_no_large_page(self):
        data = self.trace("h200-2026-11-21/t-loader-workers.json")
        data["gpus"] = data["gpus"] * 4
        data["ticks"] = [i + 1 for i in range(4096)]
        given, data["series"] = data["series"], []
        for series in given:
            for of in range(4) if series["scope"] == "gpu" else [series["of"]]:
                values = [(i * (7 + of) % 101) / 100 * series["most"] for i in range(4096)]
                data["series"].append({**series, "of": of, "first": 0, "values": values})
        name = os.path.join(self.folder, "long.json")
        with open(name, "w", encoding="utf-8") as file:
            json.dump(data, file)
        text = self.page(name)
        self.assertIn(">GPU 3: SM activity<", text)
        self.assertLess(len(text), 200000)

    def test_a_run_without_ticks_has_a_page(self):
        data = self.trace("cpu-2026-11-21/c-short.json")
        data["ticks"], data["series"] = [], []
        name = os.path.join(self.folder, "empty.json")
        with open(name, "w", encoding="utf-8") as file:
            json.dump(data, file)
        text = self.page(name)
        self.assertNotIn("<svg", text)
        self.assertIn("Where and how", text)


CLUSTER = {
    "schema": "breakeven/1", "command": "clusters", "version": "0.1.0", "clusters": [{
        "name": "planted", "title": "Planted", "date": "2026-01-01", "scheduler": "slurm", "request": "gpus-per-node",
        "limit_s": 604800, "billing": "bundle", "unit": "unit h",
        "gpus": [{"type": "a100", "model": "NVIDIA A100 40 GB SXM4", "memory_bytes": 40000000000, "share": 1, "cores": 12,
                  "memory_mib": 49152, "charge": 4}],
        "nodes": [{"name": "gpu", "count": 10, "cores": 48, "memory_mib": 510000, "gpu": "a100", "gpus": 4},
                  {"name": "cpu", "count": 100, "cores": 64, "memory_mib": 262144}],
        "partitions": [{"name": "cpu", "nodes": ["cpu"], "default": True, "limit_s": 604800},
                       {"name": "gpu", "nodes": ["gpu"], "limit_s": 604800}],
        "sources": [{"name": "planted", "what": "all of it", "date": "2026-01-01"}]}]}


def accounting(jobs):
    """Jobs of a GPU wait an hour, others a minute, give or take a tenth."""
    at = datetime.datetime(2026, 1, 1)
    yield "JobID|Partition|User|Account|Submit|Eligible|Start|End|State|NNodes|ReqCPUS|ReqMem|ReqTRES|Timelimit"
    for i in range(jobs):
        at += datetime.timedelta(minutes=20 + 50 * (i % 7 == 0))
        for gpu in (0, 1):
            start = at + datetime.timedelta(seconds=(3600 if gpu else 60) * (0.9 + 0.2 * (i * 37 % 100) / 100) // 1)
            cpus = 12 if gpu else (1, 16, 64)[i % 3]
            tres = f"cpu={cpus},mem={4 * cpus}G,node=1" + (",gres/gpu=1" if gpu else "")
            limit = ("0:15:00", "2:00:00", "12:00:00", "1-00:00:00", "7-00:00:00")[i // 3 % 5]
            times = [t.isoformat() for t in (at, at, start, start + datetime.timedelta(hours=1))]
            yield "|".join([str(2 * i + gpu), "gpu" if gpu else "cpu", f"u{i % 7}", "a", *times, "COMPLETED", "1", str(cpus),
                            f"{4 * cpus}G", tres, limit])


# A sacct with two jobs: 7 of 8 cores idle for an hour, and a GPU that did nothing for two.
SACCT = r"""#!/bin/sh
cat <<'JOBS'
JobID|JobIDRaw|State|ExitCode|Submit|Start|End|ElapsedRaw|TotalCPU|SystemCPU|NCPUS|NNodes|ReqMem|AllocTRES|NodeList|MaxRSS|TRESUsageInTot|TRESUsageInAve|NTasks|User|Account|Partition|TimelimitRaw|AdminComment|JobName
13|13|COMPLETED|0:0|1700000000|1700000001|Unknown|3600|01:00:00|00:00:00|8|1|8G|cpu=8,mem=8G,node=1,billing=8|n|||||ann|chem|cpu|120||a<b
13.batch|13.batch|COMPLETED|0:0|1700000000|1700000001|Unknown|3600|01:00:00|00:00:00|8|1||cpu=8|n|4194304K||cpu=1|1||chem||||batch
11|11|COMPLETED|0:0|1700000000|1700000001|Unknown|7200|01:00:00|00:00:00|4|1|16G|cpu=4,mem=16G,node=1,billing=40,gres/gpu:a100=1,gres/gpu=1|n|||||bob|phys|gpu|130||idle
11.batch|11.batch|COMPLETED|0:0|1700000000|1700000001|Unknown|7200|01:00:00|00:00:00|4|1||cpu=4|n|15728640K||gres/gpuutil=0,gres/gpumem=1M|1||phys||||batch
JOBS
"""


class All(unittest.TestCase):
    """The pages of all commands, made once."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.pages, cls.json = {}, {}
        names = sorted(glob.glob(GOLDEN + "/report-*.json")) + sorted(glob.glob(TRACES + "/made-up/t-*.json"))[:4]
        for name in names + [TRACES + "/cpu-2026-11-21/c-short.json", TRACES + "/h200-2026-11-21/t-loader-workers.json"]:
            cls.make(os.path.basename(name), "report", name)

        cls.jobs, cls.cluster = os.path.join(cls.folder, "jobs"), os.path.join(cls.folder, "cluster.json")
        with open(cls.jobs, "w", encoding="utf-8") as file:
            file.write("\n".join(accounting(600)) + "\n")
        with open(cls.cluster, "w", encoding="utf-8") as file:
            json.dump(CLUSTER, file)
        work = ["--flops=2e15", "--bytes=1e12", "--cpu=cpu-2", "--quiet"]
        there = ["--on=planted", "--catalogue=" + cls.cluster, *work]
        serial, pool = (TRACES + f"/cpu-2026-11-21/{name}.json" for name in ("py-serial", "py-pool-many"))
        cls.make("run", "run", "--quiet", "--trace-file=none", "--svg=" + os.path.join(cls.folder, "run.svg"), "--", "sleep", "0.3")
        cls.make("two runs", "report", serial, pool, saves=False)
        cls.make("machines", "report", *(f"{GOLDEN}/report-profile-{m}.json" for m in ("cpu", "h200", "sheet")), saves=False)
        cls.make("comparisons", "report", GOLDEN + "/report-h200.json", GOLDEN + "/report-elsewhere.json", saves=False)
        cls.make("of all kinds", "report", GOLDEN + "/report-cpu.json", GOLDEN + "/report-profile-cpu.json", serial, saves=False)
        cls.make("queue", "queue", cls.jobs)
        cls.make("queue, by hour", "queue", cls.jobs, "--by=hour")
        wish = ["--forecast", "--time=2:00:00", "--cpus=12", "--gpus=1"]
        cls.make("forecast", "queue", cls.jobs, *wish, "--deadline=2026-12-01 09:00")
        cls.make("forecast, not enough jobs", "queue", cls.jobs, *wish, "--since=2026-01-20")
        both = ["--cpu=cpu-2", "--quiet", "--machine=h200,t4"]
        cls.make("predict", "predict", "--flops=2*n^3", "--bytes=24*n^2", "--transfer=24*n^2", "--size=1e2..1e4", *both)
        cls.make("predict, one size", "predict", "--flops=2e9", "--bytes=24e6", "--measured=1e-5", *both)
        cls.make("predict, a workload", "predict", "solve", "--order=32", "--machine=l4", "--cpu=cpu-2", "--quiet")
        cls.make("predict, rates", "predict", "--rates=1e9,1e12,15e9")
        cls.make("predict, never", "predict", "--rates=1e12,1e9,15e9")
        cls.make("decide", "decide", *there, "--accounting=" + cls.jobs, "--within=12:00:00")
        cls.make("decide, waits not known", "decide", *there)
        with open(os.path.join(cls.folder, "sacct"), "w", encoding="utf-8") as file:
            file.write(SACCT)
        os.chmod(file.name, 0o755)
        cls.make("jobs", "summary", "--all-users", "--last=7d")
        cls.make("jobs, by user", "summary", "--all-users", "--last=7d", "--by=user")
        cls.make("decide, one place", "decide", *work, "--on=here", "--", "./it's mine", "--password=hush")

    @classmethod
    def make(cls, title, command, *words, saves=True):
        path = os.path.join(cls.folder, "made.html")
        data = os.path.join(cls.folder, "made.json")
        kept = ["--json=" + data] if saves else []
        done = subprocess.run([PROGRAM, command, "--html=" + path, *kept, *words], capture_output=True, text=True, check=False,
                              timeout=120, env={**os.environ, "PATH": cls.folder + ":" + os.environ["PATH"]})
        assert done.returncode == 0, (title, done.stderr)
        with open(path, encoding="utf-8") as file:
            cls.pages[title] = file.read()
        if saves:
            with open(data, encoding="utf-8") as file:
                cls.json[title] = json.load(file)

    def test_each_is_whole_and_asks_for_nothing(self):
        self.assertGreater(len(self.pages), 10)
        for name, text in self.pages.items():
            with self.subTest(name):
                page = Page(text)
                self.assertEqual((page.open, page.wrong), ([], []))
                self.assertLess(len(text), 300000)
                self.assertEqual(page.leads, ["data:,"])
                self.assertNotIn("<script", text)
                self.assertNotRegex(text.replace("http://www.w3.org/2000/svg", ""), r"https?:|url\(|@import")
                self.assertEqual(len(page.of("h1")), 1)
                self.assertEqual(page.of("title")[0], page.of("h1")[0])
                self.assertNotRegex(text, r"[^a-z](nan|inf)[^a-z]")
                self.assertEqual(re.findall(r"<p[^>]*></p>|<h[123]></h[123]>", text), [])

    def test_answer_stands_before_the_picture_and_that_before_the_command(self):
        for name, text in self.pages.items():
            with self.subTest(name):
                order = [text.index('class="verdict"'), text.find("<figure"), text.index("Where and how")]
                self.assertEqual([at for at in order if at >= 0], sorted(at for at in order if at >= 0))

    def test_the_place_that_is_first_is_drawn_first(self):
        text, data = self.pages["decide"], self.json["decide"]
        first = data["places"][0]
        name = f"{first['where']}/{first['partition']}: {first['place']}"
        self.assertEqual(re.search(r'class="h">(planted/.*?)<', text).group(1).rstrip(" *"), name)
        self.assertIn(html.escape(data["answer"]), text)
        self.assertIn(f"has a probability of {round(100 * first['p_deadline'])} % at {name}", text)
        self.assertIn(f"in time: {round(100 * first['p_deadline'])} %<", text)
        self.assertRegex(text, r'<rect class="k6 f"[^>]*><title>wait: ')
        self.assertRegex(text, r'<rect class="k2 s"[^>]*><title>compute: ')

    def test_a_wait_that_is_not_known_is_not_drawn(self):
        text = self.pages["decide, waits not known"]
        self.assertNotIn("<title>wait: ", text)
        self.assertIn(" + unknown wait<", text)
        self.assertIn("<td>not known</td>", text)

    def test_the_worst_job_is_named_and_drawn_first(self):
        verdict, data = self.verdicts("jobs")[0], self.json["jobs"]
        self.assertIn("87 of 88 billed hours had no work (99 %), in 2 jobs. Most of them, 80, are of bob (job 11)", verdict)
        self.assertEqual([row["id"] for row in data["rows"]], ["11", "13"])
        self.assertLess(self.pages["jobs"].index(">11 bob<"), self.pages["jobs"].index(">13 ann<"))

    def test_the_command_is_told_without_the_arguments_of_the_program(self):
        text = self.pages["decide, one place"]
        command = re.search(r"makes it again:</p>\n<pre[^>]*>(.*?)</pre>", text).group(1)
        self.assertRegex(command, r"^breakeven decide --html=\S+ --json=\S+ --flops=2e15 ")
        self.assertTrue(html.unescape(command).endswith(" -- './it'\\''s mine' ..."), command)
        self.assertNotIn("hush", text)

    def verdicts(self, name):
        return re.findall(r'class="verdict">(.*?)</p>', self.pages[name])

    def test_a_prediction_marks_where_the_gpu_gets_ahead(self):
        text, data = self.pages["predict"], self.json["predict"]
        verdicts = self.verdicts("predict")
        self.assertEqual(len(verdicts), len(data["machines"]))
        for machine, verdict in zip(data["machines"], verdicts):
            sure = float(re.search(r"faster than the CPU from n = ([\d.e]+) on", verdict).group(1))
            self.assertAlmostEqual(sure / machine["sure_from"], 1, delta=0.01)
            self.assertIn(machine["gpu"], verdict)
        self.assertEqual(len(re.findall(r"<title>GPU at [^<]*</title>", text)), len(data["predictions"]))
        self.assertEqual(len(re.findall(r">for sure from [\d.e]+<", text)), len(verdicts))

    def test_the_shortest_and_the_longest_wait_are_named(self):
        verdict = self.verdicts("queue")[0]
        self.assertRegex(verdict, r"The median wait is shortest in cpu \((5\d\.\d s|1\.\d m)\) and longest in gpu \((5\d\.\d m|1\.\d h)\)")
        self.assertIn("1,200 jobs", verdict)

    def test_hours_have_a_bar_each(self):
        text, rows = self.pages["queue, by hour"], self.json["queue, by hour"]["rows"]
        self.assertIn("Waits by hour of submission", text)
        self.assertEqual(len(re.findall(r'<rect class="k2 s"[^>]*><title>\d\d:00: ', text)), len(rows))

    def test_a_forecast_is_drawn_as_a_distribution(self):
        text, best = self.pages["forecast"], self.json["forecast"]["partitions"][0]
        self.assertRegex(self.verdicts("forecast")[0], f"starts soonest in {best['partition']}: half of such jobs within .*"
                                                       "probability of &gt;99 %")
        curve = re.search(r'<path class="k0 l" d="(M[^"]*)"', text).group(1)
        points = [tuple(map(float, p.split())) for p in curve[1:].split("L")]
        self.assertGreater(len(points), 90)
        self.assertEqual(points, sorted(points, key=lambda p: (p[0], -p[1])), "it only rises")

    def test_a_forecast_without_data_says_so(self):
        text = self.pages["forecast, not enough jobs"]
        self.assertIn("not enough jobs like it started", self.verdicts("forecast, not enough jobs")[0])
        self.assertNotIn("<svg", text)
        self.assertIn("not enough data", text)

    def test_a_profile_says_what_is_wrong_and_what_it_reaches(self):
        text = self.pages["report-profile-h200.json"]
        verdicts = self.verdicts("report-profile-h200.json")
        self.assertIn("the clock was held down by the power limit", verdicts[0])
        self.assertIn("cuda:0 float32: 59.9 TFLOP/s and 4.36 TB/s of memory", verdicts[1])
        self.assertEqual(text.count("<figure"), 2, "roofline and copies")
        self.assertIn("nobody measured here", self.verdicts("report-profile-sheet.json")[0])

    def test_a_run_writes_page_and_drawing_without_arguments(self):
        text = self.pages["run"]
        self.assertIn("sleep ended before enough was seen", self.verdicts("run")[0])
        self.assertIn(">breakeven run -- sleep</pre>", text)
        with open(os.path.join(self.folder, "run.svg"), encoding="utf-8") as file:
            self.assertIn(file.read(), text, "the same drawing")

    def test_two_runs_say_which_was_faster_and_what_changed(self):
        with open(TRACES + "/cpu-2026-11-21/py-serial.json", encoding="utf-8") as file:
            before = json.load(file)["run"]["elapsed_s"]
        with open(TRACES + "/cpu-2026-11-21/py-pool-many.json", encoding="utf-8") as file:
            after = json.load(file)["run"]["elapsed_s"]
        verdict = self.verdicts("two runs")[0]
        self.assertTrue(verdict.startswith("py-pool-many took "), verdict)
        ratio = max(before, after) / min(before, after)
        told = re.search(r": (?:([\d.]+) x as (fast|long)|about the same)\.", verdict)
        self.assertEqual(told.group(1) is None, ratio < 1.05)
        if told.group(1):
            self.assertAlmostEqual(float(told.group(1)) / ratio, 1, delta=0.01)
            self.assertEqual(told.group(2), "fast" if after < before else "long")
        self.assertIn("No longer found: serial", verdict)

    def test_machines_stand_beside_the_fastest(self):
        verdict, text = self.verdicts("machines")[0], self.pages["machines"]
        self.assertIn("GPU: float32 arithmetic: h200 is fastest, 3.07 x a100-40", verdict)
        full = re.findall(r'<rect class="k2 s"[^>]*width="([\d.]+)"[^>]*><title>2\.36 TFLOP/s<', text)
        part = re.findall(r'<rect class="k2 s"[^>]*width="([\d.]+)"[^>]*><title>681 GFLOP/s<', text)
        self.assertAlmostEqual(float(part[0]) / float(full[0]), 0.681 / 2.36, delta=0.005)

    def test_comparisons_have_a_bar_where_the_device_is_ahead(self):
        text = self.pages["comparisons"]
        self.assertEqual(len(re.findall(">cuda:0: from 7.2e4<", text)), 3, "two stretches and words")
        self.assertIn("power on cuda:0 (NVIDIA H200)", text)
        self.assertIn("power on t4 (Tesla T4, predicted)", text)

    def test_an_impossible_time_is_the_first_thing_said(self):
        self.assertIn("10.0 us is IMPOSSIBLE", self.verdicts("predict, one size")[0])

    def test_a_limit_that_is_never_reached_is_said(self):
        self.assertIn("The GPU never pays", self.verdicts("predict, never")[0])
        self.assertIn("from 0.267 operations", self.verdicts("predict, rates")[0])

    def test_drawings_speak(self):
        for name, text in self.pages.items():
            for label in re.findall(r"<svg[^>]*>", text):
                if "xmlns" in label:
                    self.assertRegex(label, r'role="img" aria-label="[^"]{40,}"', name)
            self.assertEqual(re.findall(r'tabindex="[^0]', text), [], name)

    def test_contrast_in_both_themes(self):
        text = self.pages["report-h200.json"]
        themes = re.findall(r":root\{([^}]*)\}", text)
        self.assertEqual(len(themes), 2)
        for theme in themes:
            colour = dict(re.findall(r"--(\w+):#([0-9a-f]+)", theme))
            for ink in ("ink", "soft", "mark"):
                for ground in ("ground", "wash"):
                    self.assertGreaterEqual(contrast(colour[ink], colour[ground]), 7, (ink, ground))

    def test_contrast_of_drawings_in_both_themes(self):
        style = re.search(r"<style>(text.*?)</style>", self.pages["report-h200.json"], re.DOTALL).group(1)
        light, dark = style.split("@media")
        for theme in (light, dark):
            ground = re.search(r"\.z\{fill:#(\w+)", theme).group(1)
            label = re.search(r"\.e\{fill:#(\w+)", theme).group(1)
            self.assertGreaterEqual(contrast(re.search(r"text\{[^}]*fill:#(\w+)", theme).group(1), ground), 7)
            colours = re.findall(r"\.k\d\{stroke:#(\w+)", theme)
            self.assertEqual(len(colours), 7)
            for colour in colours: # a line is to be seen, and a label on a bar to be read
                self.assertGreaterEqual(contrast(colour, ground), 3, colour)
                self.assertGreaterEqual(contrast(colour, label), 4.5, colour)

    @unittest.skipUnless(shutil.which("chromium"), "no chromium here")
    def test_in_a_browser(self):
        """One start for all pages: each in frames of two widths. Nothing is wider than its window; nothing fails."""
        path = os.path.join(self.folder, "all.html")
        frames = [(name, width) for name in self.pages for width in (400, 1600)]
        watch = "<script>window.wrong=[];onerror=e=>{wrong.push(e)}</script></head>"
        with open(path, "w", encoding="utf-8") as file:
            file.write("<!DOCTYPE html><meta charset=utf-8><title>-</title>\n")
            for name, width in frames:
                text = html.escape(self.pages[name].replace("</head>", watch, 1))
                file.write(f'<iframe width={width} height=900 style="border:0" srcdoc="{text}"></iframe>\n')
            file.write("""<pre id=told></pre><script>onload=()=>{told.textContent=JSON.stringify([...document.querySelectorAll('iframe')].map(e=>{
                const f=e.contentWindow, d=f.document, opened=[...d.querySelectorAll('details')].map(e=>e.open=true),
                seen=[...d.querySelectorAll('[tabindex],summary')];
                return [d.documentElement.scrollWidth, f.wrong.length, d.querySelectorAll('figure svg[role=img]').length,
                        d.querySelectorAll('figure').length, seen.filter(e=>{e.focus();return d.activeElement!==e}).length]
            }))}</script>""")
        done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder}/c",
                               "--window-size=1700,900", "--virtual-time-budget=4000", "--dump-dom", "file://" + path],
                              capture_output=True, text=True, check=False, timeout=300)
        told = re.search(r'<pre id="told">(\[.*?\])</pre>', done.stdout)
        self.assertTrue(told, done.stderr[-400:])
        for (name, width), (wide, wrong, drawings, figures, unreached) in zip(frames, json.loads(told.group(1))):
            with self.subTest(f"{name}, {width} px"):
                self.assertLessEqual(wide, width)
                self.assertEqual((wrong, unreached, drawings), (0, 0, figures))


if __name__ == "__main__":
    unittest.main()
