"""The live page in a browser: what changes with each tick, and what must not.

A server of this file plays the program: it has the page's own files, and sends the events that a test asks for.

usage: browser.py [BUILD/breakeven]
  SCREENSHOT=FILE.png keeps a picture of the page
"""
import base64
import fcntl
import http.server
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE_S = 60
PAGE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../src/report/live/page")
BEGAN = "2026-11-25T10:00:00Z"
KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
failed = []


def check(value, what):
    if not value:
        raise AssertionError(what)


# ---- the program, played ------------------------------------------------------------------------


def finding(name, evidence, advice="OMP_NUM_THREADS=4", **more):
    return {"name": name, "weight": "cost", "evidence": evidence, "gpu": None, "from_s": 0, "to_s": 60,
            "since_s": 10, "cost_s": 5, "advice": advice, **more}


def process(pid, cpu, name="prog"):
    return {"pid": pid, "name": name, "cpu": cpu, "bytes": 1e6 * pid, "threads": 1, "read": 0, "written": None,
            "cpu_s": 3, "user": "me", "state": "R"}


def figure(key, label, value, unit, full):
    return {"key": key, "label": label, "gpu": None, "unit": unit, "value": value, "full": full,
            "text": f"{value} {unit} now"}


def state(second, **more):
    """A tick. CPU and read bytes are the second itself, so that each moment has a value of its own."""
    return {"time_s": second, "ended": False, "too_short": False, "gpus": [], "absent": [], "over": [],
            "figures": [figure("cpu", "CPU", second, "cores", 200), figure("memory", "memory", 5e9, "bytes", 1e10),
                        figure("read", "read", second, "bytes/s", None),
                        figure("written", "written", 2 * second, "bytes/s", None)],
            "findings": [], "processes": [process(7, 0.5), process(8, 1.5), process(9, 1.0)], **more}


def whole(second, **more):
    head = state(second, **more)
    head["times"] = list(range(1, second + 1))
    for one in head["figures"]:
        factor = 2 if one["key"] == "written" else 1
        one["past"] = [5e9 if one["key"] == "memory" else factor * at for at in head["times"]]
    return {**head, "what": "process 7 prog", "host": "here", "cpu": "a processor", "date": BEGAN}


class Program:
    def __init__(self):
        self.events = queue.Queue()
        program = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *words):
                pass

            def do_GET(self):
                name = self.path.strip("/") or "page.html"
                if name == "events":
                    program.listen(self)
                    return
                with open(os.path.join(PAGE, os.path.basename(name)), "rb") as file:
                    body = file.read()
                self.send_response(200)
                self.send_header("Content-Type", KINDS[name.split(".")[-1]])
                self.send_header("Content-Security-Policy",  # as the real one
                                 "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                                 "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
                self.end_headers()
                self.wfile.write(body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def listen(self, handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        while True:
            event = self.events.get()
            if event is None:
                return
            try:
                handler.wfile.write(f"event: {event[0]}\ndata: {json.dumps(event[1])}\n\n".encode())
                handler.wfile.flush()
            except OSError:
                self.events.put(event)  # the page was left: the next one hears it
                return

    def send(self, name, data):
        self.events.put((name, data))


# ---- the browser --------------------------------------------------------------------------------


class Browser:
    """Chromium by its debugging pipe: messages of JSON, each with a NUL behind it."""

    def __init__(self, path, folder):
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        far = [fcntl.fcntl(file, fcntl.F_DUPFD, 20) for file in (theirs_in, theirs_out)]

        def take():
            os.dup2(far[0], 3)
            os.dup2(far[1], 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-pipe", f"--user-data-dir={folder}", "--window-size=1280,1000", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(3, 4),
            preexec_fn=take, env={**os.environ, "TZ": "UTC"})
        for file in (theirs_in, theirs_out, *far):
            os.close(file)
        self.to, self.rest, self.count, self.session = ours_out, b"", 0, None
        self.answers = queue.Queue()
        threading.Thread(target=self.read, args=(ours_in,), daemon=True).start()

    def read(self, file):
        while True:
            more = os.read(file, 1 << 16)
            self.rest += more
            *whole_ones, self.rest = self.rest.split(b"\0")
            for one in whole_ones:
                self.answers.put(json.loads(one))
            if not more:
                self.answers.put(None)
                return

    def ask(self, method, **words):
        self.count += 1
        message = {"id": self.count, "method": method, "params": words}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.answers.get(timeout=PATIENCE_S)
            check(answer is not None, "the browser has ended")
            if answer.get("id") == self.count:
                check("error" not in answer, f"{method}: {answer.get('error')}")
                return answer["result"]

    def open(self, url):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Emulation.setFocusEmulationEnabled", enabled=True)
        self.ask("Page.navigate", url=url)

    def run(self, code):
        """The value of an expression in the page."""
        result = self.ask("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True, userGesture=True)
        check("exceptionDetails" not in result, f"{code}: {result.get('exceptionDetails')}")
        return result["result"].get("value")

    def holds(self, code):
        """False, too, where the page that was asked has just been left for another."""
        try:
            return self.run(code)
        except AssertionError as error:
            if re.search("context|navigated", str(error)):
                return False
            raise

    def wait(self, code):
        end = time.monotonic() + PATIENCE_S
        while not self.holds(code):
            check(time.monotonic() < end, f"never: {code}; it has {self.holds('document.body.innerText')}")
            time.sleep(0.02)

    def key(self, name):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def end(self):
        self.process.kill()
        self.process.wait()


# ---- tests --------------------------------------------------------------------------------------


class Page:
    def __init__(self, program, browser):
        self.program, self.browser, self.second = program, browser, 0

    def begin(self, second=120, **more):
        self.second = second
        self.browser.open(self.program.url)
        self.program.send("whole", whole(second, **more))
        self.see(second)

    def tick(self, seconds=1, **more):
        self.second += seconds
        self.program.send("tick", state(self.second, **more))
        self.see(self.second)

    def see(self, second):
        # minutes and seconds, as the page writes them
        text = f"{second // 60} min" + (f" {second % 60} s" if second % 60 else "") if second >= 60 else f"{second} s"
        self.browser.wait(f"document.getElementById('state')?.textContent === 'watched for {text}'")

    def run(self, code):
        return self.browser.run(code)


def findings_stay(page):
    """The text of a finding can be selected, while its numbers and the others change."""
    one = finding("serial", "one core's worth of work (1.00)")
    page.begin(findings=[one])
    page.run("window.first = document.querySelector('#findings li');"
             "getSelection().selectAllChildren(first.children[1])")
    for cost in range(3):
        other = finding("wait", f"{cost} threads wait", cost_s=cost)
        page.tick(findings=[other, {**one, "evidence": f"one core's worth of work (1.0{cost})", "cost_s": cost}])
    check(page.run("getSelection().toString()") == "one core's worth of work (1.00)", "it is no longer selected")
    check(page.run("first.isConnected"), "it was made anew")
    page.run("getSelection().removeAllRanges()")
    page.tick(findings=[one])
    check(page.run("document.querySelector('#findings li') === first"), "it was made anew")
    check(page.run("document.querySelectorAll('#findings li').length") == 1, "the other one stays")
    page.tick(findings=[{**one, "evidence": "something else"}])
    check("something else" in page.run("first.textContent"), "it is no longer kept up to date")


def only_news_is_read_aloud(page):
    """One live region; it gets a finding once, when it arises, and once when it is over."""
    one, two = finding("serial", "one core"), finding("wait", "threads wait")
    page.begin(findings=[one])
    live = page.run("[...document.querySelectorAll('[aria-live],[role=status],[role=alert],[role=log],[role=timer]')]"
                    ".map((one) => one.id).join()")
    check(live == "news", f"live regions: {live}")
    check(page.run("document.getElementById('news').textContent") == "", "what was there before is no news")
    page.run("window.heard = 0; new MutationObserver((all) => heard += all.length)"
             ".observe(document.getElementById('news'), {childList: true, characterData: true, subtree: true})")
    for _ in range(3):
        page.tick(findings=[one])
    check(page.run("heard") == 0, "it speaks though nothing is new")
    for _ in range(3):
        page.tick(findings=[one, two])
    check(page.run("document.getElementById('news').innerHTML") == "<p>found: threads wait</p>",
          page.run("document.getElementById('news').innerHTML"))
    gone = {"name": "wait", "evidence": "threads wait", "since_s": 121, "until_s": 126}
    for _ in range(3):
        page.tick(findings=[one], over=[gone])
    check(page.run("heard") == 2, "not one word for each")
    check("until 3 s ago" in page.run("document.getElementById('findings').textContent"), "over")


def each_region_has_its_name(page):
    page.begin()
    page.browser.ask("Accessibility.enable")
    roles, end = [], time.monotonic() + PATIENCE_S
    while roles.count("slider") != 3 and time.monotonic() < end:  # it is made a while after the page
        tree = page.browser.ask("Accessibility.getFullAXTree")["nodes"]
        named = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree
                 if node.get("role", {}).get("value") in ("region", "group", "slider", "log", "table")]
        roles = [role for role, _ in named]
    check(roles.count("region") == 3 and roles.count("slider") == 3, named)
    names = [name for role, name in named if role != "table"]
    check(all(names) and len(set(names)) == len(names), f"without a name, or of one name: {named}")


def advice_can_be_copied(page):
    page.begin(findings=[finding("serial", "one core", advice="export OMP_NUM_THREADS=4\n# or <more>")])
    page.browser.ask("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.run("document.querySelector('#findings button').click()")
    page.browser.wait("document.querySelector('#findings button').textContent === 'copied'")
    text = page.run("navigator.clipboard.readText()")
    check(text == "export OMP_NUM_THREADS=4\n# or <more>", text)
    page.tick(findings=[finding("good", "all is well", advice="", weight="good")])
    check(page.run("document.querySelector('#findings .advice').offsetParent") is None, "a button without advice")


PLOT = "document.querySelector('.plot')"
VALUE = "document.querySelector('figure li').textContent"
SAYS = f"{PLOT}.getAttribute('aria-valuetext')"


def value_at_a_moment(page):
    """By mouse, in all charts at once; by keyboard, point by point. It stays while ticks come."""
    page.begin(120)
    check(page.run(VALUE) == "120 cores now" and page.run(SAYS) == "now", page.run(SAYS))
    box = json.loads(page.run(f"JSON.stringify({PLOT}.getBoundingClientRect())"))
    page.browser.ask("Input.dispatchMouseEvent", type="mouseMoved", x=box["x"] + box["width"] / 4,
                     y=box["y"] + 20)
    page.browser.wait(f"{VALUE} === '30 cores'")
    check(page.run(SAYS) == "10:00:30: 30 cores", page.run(SAYS))
    check(page.run("document.querySelectorAll('figure')[2].innerText").find("written 60 B/s") >= 0, "another chart")
    check("at 10:00:30" in page.run("document.querySelector('figure').innerText"), "when")
    page.tick()
    check(page.run(VALUE) == "30 cores", "a tick has moved it")
    page.browser.ask("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    page.browser.wait(f"{VALUE} === '121 cores now'")
    page.run(PLOT + ".focus()")
    for name, value in (("ArrowLeft", "120 cores"), ("ArrowLeft", "119 cores"), ("ArrowRight", "120 cores"),
                        ("Home", "1 core"), ("ArrowLeft", "1 core"), ("PageDown", "14 cores"),
                        ("End", "121 cores now"), ("Home", "1 core"), ("Escape", "121 cores now")):
        page.browser.key(name)
        check(page.run(VALUE) == value, f"{name}: {page.run(VALUE)}, expected {value}")
    page.browser.key("ArrowLeft")
    page.run(f"window.said = 0; new MutationObserver((all) => said += all.length).observe({PLOT}, {{attributes: true}})")
    page.tick()
    page.tick()
    check(page.run("said") == 0, "a screen reader would hear each tick")
    check(page.run(SAYS) == "10:02:00: 120 cores", page.run(SAYS))


def times_on_the_axis(page):
    page.begin(120)
    axis = ("[...document.querySelector('.axis').children].filter((one) => !one.hidden)"
            ".map((one) => one.textContent + ' ' + one.style.left).join()")
    check(page.run(axis) == "10:00:30 25%,10:01:00 50%,10:01:30 75%", page.run(axis))
    page.tick(480)  # ten minutes, of which five are shown
    check(page.run(axis) == "10:06 20%,10:07 40%,10:08 60%,10:09 80%", page.run(axis))
    page.run("document.getElementById('span').value = '0';"
             "document.getElementById('span').dispatchEvent(new Event('change'))")
    check(page.run(axis) == "10:02 20%,10:04 40%,10:06 60%,10:08 80%", page.run(axis))


def sorting(page):
    """The column says in which direction; rows that stay are not made anew, and can be selected."""
    page.begin()
    pids = "[...document.querySelectorAll('#processes tr')].map((row) => row.cells[0].textContent).join()"
    sorted_by = ("[...document.querySelectorAll('th[aria-sort]')].map((one) => one.textContent + ' ' + "
                 "one.getAttribute('aria-sort') + getComputedStyle(one.firstElementChild, '::after').content).join()")
    check(page.run(pids) == "8,9,7", page.run(pids))
    check(page.run(sorted_by) == 'CPU descending" \u25be" / ""', page.run(sorted_by))
    page.run("document.querySelector('[data-sort=cpu]').click()")
    check(page.run(pids) == "7,9,8", page.run(pids))
    check(page.run(sorted_by) == 'CPU ascending" \u25b4" / ""', page.run(sorted_by))
    page.run("document.querySelector('[data-sort=pid]').click()")
    check(page.run(pids) == "7,8,9" and page.run(sorted_by).startswith("PID ascending"), page.run(sorted_by))
    page.run("document.querySelector('[data-sort=user]').click()")
    check(page.run(pids) == "7,8,9" and page.run(sorted_by).startswith("user ascending"), page.run(sorted_by))
    cells = page.run("[...document.querySelector('#processes tr').cells].map((one) => one.textContent).join('|')")
    check(cells == "7|me|running|50.0 %|7.00 MB|1|0 B/s|-|3 s|prog", cells)
    page.run("document.querySelector('[data-sort=pid]').click()")
    page.run("window.row = document.querySelector('#processes tr'); getSelection().selectAllChildren(row)")
    page.tick(processes=[process(8, 0.1), process(7, 0.7), process(6, 9)])
    check(page.run("row.isConnected && getSelection().toString().includes('prog')"), "the row is no longer selected")
    page.run("getSelection().removeAllRanges()")
    page.tick(processes=[process(8, 0.1), process(7, 0.7), process(6, 9)])
    check(page.run(pids) == "6,7,8" and page.run("row.isConnected"), page.run(pids))
    check("70.0 %" in page.run("row.textContent"), page.run("row.textContent"))


def picture(page):
    page.begin(200, findings=[finding("serial", "serial on 8 cores: one core's worth of work (1.00)",
                                      "export OMP_NUM_THREADS=8  # or whatever runs the loop in threads")],
               over=[{"name": "wait", "evidence": "waits for files", "since_s": 20, "until_s": 60}])
    page.run(PLOT + ".focus()")
    for _ in range(40):
        page.browser.key("ArrowLeft")
    shot = page.browser.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
    with open(os.environ["SCREENSHOT"], "wb") as out:
        out.write(base64.b64decode(shot))


def main():
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not path:
        print("skip: neither chromium nor google-chrome is here")
        return 77
    tests = [findings_stay, only_news_is_read_aloud, each_region_has_its_name, advice_can_be_copied,
             value_at_a_moment, times_on_the_axis, sorting] + ([picture] if os.environ.get("SCREENSHOT") else [])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(path, folder)
        try:
            for test in tests:
                browser.session = None
                program = Program()
                try:
                    test(Page(program, browser))
                    print(f"ok       {test.__name__}", flush=True)
                except (AssertionError, queue.Empty) as error:
                    failed.append(test.__name__)
                    print(f"FAILED   {test.__name__}: {error!r}", flush=True)
                program.events.put(None)
        finally:
            browser.end()
    print(f"browser: {len(failed)} failed")
    return 1 if failed else 0


sys.exit(main())
