"""The parts that tests of `breakeven run` share: commands that wait for a word, and ways to see how far they are.
No test here depends on how fast or how busy the machine is: each waits for what is to be seen, with
patience, and none holds a time against a limit.

usage of each: watched_PART.py BUILD/breakeven [TEST...]"""
import json
import math
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
PYTHON = sys.executable
PATIENCE_S = float(os.environ.get("PATIENCE_S", "240"))

# Takes CPU time.
SPEND = """
import os, sys, time
def spend(seconds):
    while sum(os.times()[:2]) < seconds:
        pass
"""

# Until the file is there that the test makes: let_it_end.
WAIT = """
import os, sys, time
def wait():
    while not os.path.exists(sys.argv[1]) and os.path.isdir(os.path.dirname(sys.argv[1])):
        time.sleep(0.02)
"""

# Says that it is ready, which signals come, and at the end how often each came. Ends with 7.
COUNT = WAIT + """
import signal
count = {}
def take(number, frame):
    count[number] = count.get(number, 0) + 1
    os.write(1, b"got %d\\n" % number)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGHUP,
               signal.SIGWINCH, signal.SIGRTMIN + 3):
    signal.signal(number, take)
os.write(1, b"ready\\n")
wait()
print(" ".join(f"{int(n)}:{c}" for n, c in sorted(count.items())), flush=True)
sys.exit(7)
"""


def wait_until(holds):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def state(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "gone"


def name(pid):
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().strip()
    except OSError:
        return "gone"


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]


def number_in(path, none):
    try:
        with open(path) as file:
            text = file.read().split()[0]
        return none if text == "max" else int(text)
    except (OSError, ValueError, IndexError):
        return none


def own_groups():
    """Folders of the control groups that count processes, from our own up."""
    with open("/proc/self/cgroup") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            if controllers in ("", "pids"):
                mount = os.path.join("/sys/fs/cgroup", controllers)
                while True:
                    yield mount + path
                    if path in ("", "/"):
                        break
                    path = os.path.dirname(path)


def room_for_tasks():
    """How many more processes and threads there may be, as far as can be seen."""
    soft = resource.getrlimit(resource.RLIMIT_NPROC)[0]
    with open("/proc/loadavg") as file:
        tasks = int(file.read().split()[3].split("/")[1])
    room = min(number_in(f"/proc/sys/kernel/{name}", 1 << 30) for name in ("threads-max", "pid_max"))
    if os.geteuid() != 0 and soft != resource.RLIM_INFINITY:
        room = min(room, soft)
    room -= tasks
    for folder in own_groups():
        most = number_in(os.path.join(folder, "pids.max"), None)
        if most is not None:
            room = min(room, most - number_in(os.path.join(folder, "pids.current"), 0))
    return room


class Watched(unittest.TestCase):
    def setUp(self):
        self.addCleanup(signal.alarm, 0)  # these in turn from the last
        signal.signal(signal.SIGALRM, self.give_up)
        signal.alarm(math.ceil(1.5 * PATIENCE_S))
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.trace = os.path.join(self.folder.name, "t.json")
        self.go = os.path.join(self.folder.name, "go")
        self.rest = {}
        self.environment = dict(os.environ, LC_ALL="C", HOME=self.folder.name,
                                XDG_DATA_HOME=os.path.join(self.folder.name, "data"))

    def give_up(self, *_):
        """Whatever it waits for, a test ends: with what there is to see of our processes and theirs."""
        self.fail(f"it waits for what does not come: {self.what_runs(os.getpid())}")

    def what_runs(self, pid):
        try:
            below = [self.what_runs(child) for child in children(pid)]
        except OSError:  # it has just ended
            below = []
        return f"{pid} {name(pid)} ({state(pid)}){' with ' if below else ''}{', '.join(below)}"

    # ---- starting and ending --------------------------------------------------------------------

    def start(self, *command, options=(), **more):
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("env", self.environment)
        process = subprocess.Popen(
            [PROGRAM, "run", f"--trace-file={self.trace}", *options, "--", *command], **more)
        self.addCleanup(self.clear, process)
        return process

    @staticmethod
    def clear(process):
        """Cleans up after a test that failed half-way: a SIGKILL to us is meant for the command, too."""
        if process.poll() is None:
            process.kill()
            process.wait()
        for file in (process.stdin, process.stdout, process.stderr):
            if file:
                file.close()

    def start_counting(self, **more):
        process = self.start(PYTHON, "-c", COUNT, self.go, **more)
        self.said(process, "ready")
        return process

    def let_it_end(self):
        with open(self.go, "w"):
            pass

    def end(self, process, data=None):
        """The rest of what it says, on standard output and standard error."""
        try:
            out, err = process.communicate(data, timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.fail(f"it has not ended, or somebody has its output open: {self.what_runs(process.pid)}")
        return (self.rest.pop(process.pid, b"") + (out or b"")).decode(), (err or b"").decode()

    def run_it(self, *command, options=(), **more):
        process = self.start(*command, options=options, **more)
        out, err = self.end(process)
        return process.returncode, out, err

    # ---- seeing how far it is -------------------------------------------------------------------

    def said(self, process, line):
        """Waits for a line on its standard output."""
        self.assertEqual(self.line_of(process, process.stdout), line)

    def line_of(self, process, file):
        rest = self.rest.get(process.pid, b"") if file is process.stdout else b""
        end = time.monotonic() + PATIENCE_S
        while b"\n" not in rest:
            ready = select.select([file], [], [], max(0, end - time.monotonic()))[0]
            got = os.read(file.fileno(), 1 if file is not process.stdout else 65536) if ready else b""
            if not got:
                self.fail(f"no further line, but {rest!r}")
            rest += got
        line, _, rest = rest.partition(b"\n")
        if file is process.stdout:
            self.rest[process.pid] = rest
        return line.decode()

    def read_to_end(self, file):
        """Until nobody has it open for writing any more."""
        got, end = b"", time.monotonic() + PATIENCE_S
        while select.select([file], [], [], max(0, end - time.monotonic()))[0]:
            some = os.read(file, 65536)
            if not some:
                return got
            got += some
        self.fail(f"somebody has it open still, after {got!r}")

    def watcher(self, process):
        """The process that watches: the child of the one who waits that has its name."""
        found = []

        def look():
            for pid in children(process.pid):
                if name(pid) == "breakeven-watch":
                    found.append(pid)
            return found

        self.assertTrue(wait_until(look), "nobody watches")
        return found[0]

    def command_of(self, process):
        watcher = self.watcher(process)
        return [pid for pid in children(process.pid) if pid != watcher][0]

    def looked(self, process, times=3):
        """Waits until the one who watches has gone to sleep so many more times: after as many looks."""
        watcher = self.watcher(process)

        def slept():
            with open(f"/proc/{watcher}/status") as file:
                return int(file.read().split("\nvoluntary_ctxt_switches:")[1].split()[0])

        begin = slept()
        self.assertTrue(wait_until(lambda: slept() >= begin + times), "nobody looks")

    def read_trace(self):
        with open(self.trace) as file:
            return json.load(file)

    def trace_ends_as(self, word):
        def ends():
            return os.path.exists(self.trace) and self.read_trace()["run"]["end"] == word

        self.assertTrue(wait_until(ends), f"no trace that ends as {word}")

    def series(self, name):
        (one,) = [s for s in self.read_trace()["series"] if s["signal"] == name]
        return one


def main():
    if not PROGRAM:
        sys.exit(__doc__)
    unittest.main("__main__", failfast=True)  # who has waited in vain does not do so for each test again
