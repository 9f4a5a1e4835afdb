#!/usr/bin/env python3
"""The page of a comparison: whole in itself, true to the results, readable by everybody.
usage: page.py BUILD/breakeven [TEST...]"""
import glob
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
GOLDEN = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../golden")
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

    def test_each_is_whole_and_asks_for_nothing(self):
        names = list(self.comparisons())
        self.assertGreater(len(names), 5)
        for name in names:
            text = self.page(name)
            page = Page(text)
            self.assertEqual((page.open, page.wrong), ([], []), name)
            self.assertLess(len(text), 300000)
            self.assertEqual(page.leads, ["data:,"])
            self.assertNotIn("<script", text)
            self.assertNotRegex(text.replace("http://www.w3.org/2000/svg", ""), r"https?:|url\(|@import")
            self.assertEqual(len(page.of("h1")), 1)
            self.assertEqual(page.of("title")[0], page.of("h1")[0])

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

    def test_contrast_in_both_themes(self):
        text = self.page(GOLDEN + "/report-h200.json")
        themes = re.findall(r":root\{([^}]*)\}", text)
        self.assertEqual(len(themes), 2)
        for theme in themes:
            colour = dict(re.findall(r"--(\w+):#([0-9a-f]+)", theme))
            for ink in ("ink", "soft", "mark"):
                for ground in ("ground", "wash"):
                    self.assertGreaterEqual(contrast(colour[ink], colour[ground]), 7, (ink, ground))

    def test_runs_and_profiles_have_none(self):
        done = subprocess.run([PROGRAM, "report", "--html", GOLDEN + "/report-profile-cpu.json"], capture_output=True,
                              text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--html draws a comparison", " ".join(done.stderr.split()))

    @unittest.skipUnless(shutil.which("chromium"), "no chromium here")
    def test_in_a_browser(self):
        """Nothing is wider than a narrow window: what is wide has a bar of its own."""
        text = self.page(GOLDEN + "/report-elsewhere.json")
        path = os.path.join(self.folder, "narrow.html")
        probe = "<script>document.title=document.documentElement.scrollWidth</script></body>"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("</body>", probe))
        for width in (500, 1600): # Chromium makes no window narrower than 500
            done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder}/c",
                                   f"--window-size={width},900", "--virtual-time-budget=2000", "--dump-dom", "file://" + path],
                                  capture_output=True, text=True, check=False, timeout=120)
            title = re.search(r"<title>(\d+)</title>", done.stdout)
            self.assertTrue(title, done.stderr[-400:])
            self.assertLessEqual(int(title.group(1)), width)


if __name__ == "__main__":
    unittest.main()
