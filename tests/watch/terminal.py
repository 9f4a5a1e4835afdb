"""The live view in a terminal of its own: sizes, keys, signals, terminals that can do little.

usage: terminal.py BUILD/breakeven
"""
import fcntl
import json
import os
import pty
import pwd
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

program = os.path.realpath(sys.argv[1])
failed = []
PATIENCE_S = 240


class Terminal:
    """A program on a pseudo-terminal; all that it wrote is kept."""

    def __init__(self, *words, columns=80, rows=24, **environment):
        self.master, slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(slave)
        names = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}
        for name in ("ASAN_OPTIONS", "LSAN_OPTIONS"):
            if name in os.environ:
                names[name] = os.environ[name]
        names.update(environment)
        self.slave = slave
        self.process = subprocess.Popen(
            [program, "watch", *words], stdin=slave, stdout=slave, stderr=slave, env=names,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.output = b""

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds=0.05):
        if select.select([self.master], [], [], seconds)[0]:
            try:
                self.output += os.read(self.master, 1 << 16)
            except OSError:
                pass

    def wait_for(self, pattern, since=0):
        """The text written from `since` on matches; returns where the match ends."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            match = re.search(pattern, self.output[since:], re.S)
            if match:
                return since + match.end()
            self.read()
        raise AssertionError(f"no {pattern!r} in {self.output[since:][-600:]!r}")

    def type(self, keys):
        os.write(self.master, keys)

    def end(self):
        """Its return code, and whether the terminal's modes are what they were."""
        end = time.monotonic() + PATIENCE_S
        while self.process.poll() is None and time.monotonic() < end:
            self.read()
        if self.process.poll() is None:
            self.process.kill()
            raise AssertionError("it does not end")
        while select.select([self.master], [], [], 0.1)[0]:
            before = len(self.output)
            self.read()
            if len(self.output) == before:
                break
        modes = termios.tcgetattr(self.slave)
        os.close(self.slave)
        os.close(self.master)
        return self.process.returncode, modes == self.before


def check(value, what):
    if not value:
        raise AssertionError(what)


def restored(terminal):
    """The alternate screen is left last of all, and the cursor is shown."""
    output = terminal.output
    check(b"\x1b[?1049h" in output, "the alternate screen was not entered")
    check(output.rfind(b"\x1b[?1049l") > output.rfind(b"\x1b[?1049h"), "nor left")
    shown = max(output.rfind(b"\x1b[?25h"), output.rfind(b"\x1b[?12;25h"), output.rfind(b"\x1b[34h"))
    check(shown > output.rfind(b"\x1b[?25l"), "the cursor is hidden")


me = str(os.getpid())


def ends_with_keys():
    for key in (b"q", b"\x1b[21~"):  # F10
        terminal = Terminal(me)
        terminal.wait_for(rb"CPU.*cores")
        terminal.type(key)
        code, same = terminal.end()
        check(code == 0, f"exit {code}")
        check(same, "the terminal's modes have changed")
        restored(terminal)


def ends_with_signals():
    for number, wanted in ((signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM),
                           (signal.SIGHUP, -signal.SIGHUP), (signal.SIGQUIT, -signal.SIGQUIT)):
        terminal = Terminal(me)
        terminal.wait_for(rb"CPU.*quit")
        terminal.process.send_signal(number)
        code, same = terminal.end()
        check(code == wanted, f"{number!r}: exit {code}")
        check(same, f"{number!r}: the terminal's modes have changed")
        restored(terminal)


def ends_with_ctrl_c():
    terminal = Terminal(me)
    terminal.wait_for(rb"CPU.*quit")
    terminal.type(b"\x03")
    code, same = terminal.end()
    check(code == 0 and same, f"exit {code}, modes as before: {same}")
    restored(terminal)


def crashes_restore():
    if b"__asan_init" in open(program, "rb").read():
        return  # has a handler of its own
    for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS):
        terminal = Terminal(me)
        terminal.wait_for(rb"CPU.*quit")
        terminal.process.send_signal(number)
        code, same = terminal.end()
        check(code == -number, f"{number!r}: exit {code}")
        check(same, f"{number!r}: the terminal's modes have changed")
        restored(terminal)


def stops_and_goes_on():
    terminal = Terminal(me)
    at = terminal.wait_for(rb"CPU.*quit")
    terminal.process.send_signal(signal.SIGTSTP)
    # Nobody waits for a stopped leader of a session, so the kernel may not stop it; either way it
    # leaves the screen and draws it again.
    time.sleep(0.3)
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_for(rb"CPU", at)
    terminal.type(b"q")
    code, same = terminal.end()
    check(code == 0 and same, f"exit {code}, modes as before: {same}")


def help_and_back():
    terminal = Terminal(me)
    at = terminal.wait_for(rb"CPU.*quit")
    terminal.type(b"h")
    at = terminal.wait_for(rb"keys", at)
    terminal.type(b"x")
    at = terminal.wait_for(rb"memory", at)
    terminal.type(b"f")
    at = terminal.wait_for(rb"what was found", at)
    terminal.type(b"f")
    terminal.wait_for(rb"NAME", at)
    terminal.type(b"q")
    check(terminal.end()[0] == 0, "exit")


def sorts_and_selects():
    """Only what changes is drawn; Ctrl-L has all of it drawn again."""
    terminal = Terminal(me)
    at = terminal.wait_for(rb">CPU %.*NAME.*python")
    terminal.type(b"M\x0c")
    at = terminal.wait_for(rb"CPU % +>MEM", at)
    terminal.type(b"I\x0c")
    at = terminal.wait_for(rb"CPU % +<MEM", at)
    terminal.type(b"\x1bOB\x0c")  # down
    terminal.wait_for(rb"\x1b\[(0;)?7m +\d+ ", at)
    terminal.type(b"q")
    check(terminal.end()[0] == 0, "exit")


def command_lines():
    """Users and states in the list; on a key command lines: of one's own processes, and of nobody else's."""
    own = subprocess.Popen(["own-word-42", "600"], executable="/bin/sleep")
    children = [own]
    if os.geteuid() == 0:
        children.append(subprocess.Popen(["their-word-43", "600"], executable="/bin/sleep",
                                         user=65534))
    try:
        terminal = Terminal(me, "--interval=0.2", columns=132)
        at = terminal.wait_for(rb"USER +S +>?CPU %")
        user = pwd.getpwuid(os.geteuid()).pw_name
        terminal.type(b"\x0c")
        terminal.wait_for(rb"%d.{1,12}%s.{1,12}[RS]\b" % (own.pid, user[:9].encode()), at)
        check(b"own-word-42" not in terminal.output, "arguments that nobody asked for")
        terminal.type(b"c\x0c")
        at = terminal.wait_for(rb"COMMAND", at)
        terminal.wait_for(rb"own-word-42 600", at)
        terminal.type(b"c\x0c")
        terminal.wait_for(rb"NAME", at)
        terminal.type(b"q")
        check(terminal.end()[0] == 0, "exit")
        check(b"their-word-43" not in terminal.output, "arguments of somebody else")
        check(len(children) == 1 or b"nobody" in terminal.output or b"65534" in terminal.output, "somebody else")
        for words in (("--once",), ("--once", "--json")):
            check("own-word-42" not in run(me, "--interval=0.2", *words).stdout, f"{words}: arguments")
    finally:
        for child in children:
            child.kill()
            child.wait()


def threads_and_zombies():
    """The number of a thread, or of a process that has ended, is said to be that. A process whose first thread has
    ended before others looks like one that has ended, and is none."""
    thread = threading.Thread(target=time.sleep, args=(30,), daemon=True)
    thread.start()
    done = run(str(thread.native_id), "--once")
    check(done.returncode == 2 and f"is a thread of process {me}" in " ".join(done.stderr.split()), done.stderr)
    check(f"breakeven watch {me}" in " ".join(done.stderr.split()), done.stderr)
    gone = subprocess.Popen(["true"])
    while True:  # without waiting for it
        with open(f"/proc/{gone.pid}/stat", encoding="ascii") as file:
            if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                break
        time.sleep(0.01)
    done = run(str(gone.pid), "--once")
    check(done.returncode == 3 and "is a zombie" in done.stderr, f"exit {done.returncode}: {done.stderr}")
    check(f"process {me} (" in " ".join(done.stderr.split()), done.stderr)
    gone.wait()
    code = "import ctypes, threading, time\n" \
           "threading.Thread(target=time.sleep, args=(600,)).start()\n" \
           "ctypes.CDLL(None).pthread_exit(None)\n"
    leader = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    try:
        while True:
            with open(f"/proc/{leader.pid}/stat", encoding="ascii") as file:
                if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                    break
            time.sleep(0.01)
        done = run(str(leader.pid), "--once", "--interval=0.2", "--json")
        check(done.returncode == 0 and not json.loads(done.stdout)["ended"], f"{done.returncode}: {done.stderr}")
    finally:
        leader.kill()
        leader.wait()


def keeps_its_trace():
    """--output: what `report` reads, however the watching ends; a file that cannot be written is said at once."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        done = run(me, "--once", "--interval=0.2", "-o", path)
        check(done.returncode == 0, done.stderr)
        for number in (None, signal.SIGINT, signal.SIGTERM):
            if number:
                os.remove(path)
                watching = subprocess.Popen([program, "watch", me, "--interval=0.1", f"--output={path}"],
                                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
                for _ in range(3):
                    watching.stdout.readline()
                watching.send_signal(number)
                watching.communicate(timeout=PATIENCE_S)
            with open(path, encoding="utf-8") as file:
                trace = json.load(file)["run"]
            check(trace["watched"] and trace["pid"] == int(me) and trace["end"] == "running", trace)
            check(trace["command"].startswith(f"process {me}") and trace["samples"] >= 2, trace)
            check(os.stat(path).st_mode & 0o777 == 0o600, "others may read it")
            report = subprocess.run([program, "report", path], capture_output=True, text=True, check=False)
            check(report.returncode == 0 and report.stdout.startswith("watched "), report)
        for wrong in ("/nowhere/x", folder):
            done = run(me, "--once", "--output", wrong)
            check(done.returncode == 2 and "--output" in done.stderr and not done.stdout, done.stderr)


def resizes():
    terminal = Terminal(me)
    at = terminal.wait_for(rb"CPU.*quit")
    for columns, rows in ((132, 50), (40, 10), (20, 3), (1, 1), (200, 8), (80, 24)):
        terminal.resize(columns, rows)
        terminal.process.send_signal(signal.SIGWINCH)
        time.sleep(0.2)
        terminal.read()
        check(terminal.process.poll() is None, f"{columns}x{rows}: it ended")
    terminal.wait_for(rb"quit", at)
    terminal.type(b"q")
    code, same = terminal.end()
    check(code == 0 and same, f"exit {code}, modes as before: {same}")


def without_colour():
    terminal = Terminal(me, NO_COLOR="1")
    terminal.wait_for(rb"CPU.*quit")
    terminal.type(b"q")
    terminal.end()
    check(not re.search(rb"\x1b\[[0-9;]*3[0-7]m", terminal.output), "colours in spite of NO_COLOR")
    terminal = Terminal(me, TERM="vt100", LC_ALL="C")
    terminal.wait_for(rb"CPU.*quit")
    terminal.type(b"q")
    check(terminal.end()[0] == 0, "vt100: exit")
    check(not re.search(rb"\x1b\[[0-9;]*3[0-7]m", terminal.output), "colours on a vt100")
    check(not re.search(rb"[\x80-\xff]", terminal.output), "other than ASCII in the C locale")


def lines_on_simple_terminals():
    for term in ("dumb", "no-such-terminal"):
        terminal = Terminal(me, "--interval=0.2", TERM=term)
        terminal.wait_for(rb"\d:\d\d:\d\d CPU .*\d:\d\d:\d\d CPU ")
        terminal.process.send_signal(signal.SIGINT)
        code, same = terminal.end()
        check(code == 0 and same, f"{term}: exit {code}, modes as before: {same}")
        check(b"\x1b" not in terminal.output, f"{term}: escapes")
        remarks = re.findall(rb"breakeven: [^\r\n]*(?:\r\n  [^\r\n]*)*", terminal.output)
        check(all(len(line) <= 80 for remark in remarks for line in remark.split(b"\r\n")),
              f"{term}: wider than 80 columns: {remarks}")
        check(term == "dumb" or b"lines instead of a screen" in remarks[0], f"{term}: no remark")


def terminal_is_closed():
    terminal = Terminal(me)
    terminal.wait_for(rb"CPU.*quit")
    os.close(terminal.slave)
    os.close(terminal.master)
    terminal.process.wait(PATIENCE_S)


def child_ends():
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    terminal = Terminal(str(child.pid), "--interval=0.2")
    terminal.wait_for(rb"cat")
    child.communicate()
    at = terminal.wait_for(rb"ended")
    terminal.type(b"h")  # the view is still there
    terminal.wait_for(rb"keys", at)
    terminal.type(b"q")
    check(terminal.end()[0] == 0, "exit")


def hostile_names():
    child = subprocess.Popen([sys.executable, "-c", r"""
import ctypes, time
ctypes.CDLL(None).prctl(15, b"\x1b[2J\x1b]0;x\x07\xff\xc3", 0, 0, 0)
while True: time.sleep(0.01)
"""])
    try:
        terminal = Terminal(str(child.pid), "--interval=0.2")
        terminal.wait_for(rb"\[2J \]0;x \?\?")
        check(b"\x1b]0;x" not in terminal.output, "the name steered the terminal")
        terminal.type(b"q")
        check(terminal.end()[0] == 0, "exit")
    finally:
        child.kill()
        child.wait()


def run(*words, seconds=PATIENCE_S, **more):
    return subprocess.run([program, "watch", *words], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=seconds, check=False, **more)


def lines_where_no_terminal():
    done = run(me, "--once", "--interval=0.2")
    check(done.returncode == 0 and not done.stderr, f"exit {done.returncode}: {done.stderr}")
    check(re.search(r"^\d:\d\d:\d\d CPU .* cores", done.stdout), done.stdout)
    check(f"process {me} python" in done.stdout, done.stdout)
    code, out, err = until_it_ends()
    check(code == 0, f"exit {code}: {err}")
    check(re.search(r"^watched .*how it ended is not known", out, re.M), out)


def until_it_ends(*words):
    """Lines about a process that ends when one has been written."""
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    watching = subprocess.Popen([program, "watch", str(child.pid), "--interval=0.2", *words],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)
    first = watching.stdout.readline()
    child.communicate()
    out, err = watching.communicate(timeout=PATIENCE_S)
    return watching.returncode, first + out, err


def lines_of_json():
    code, out, err = until_it_ends("--json", "--window=60")
    check(code == 0 and not err, f"exit {code}: {err}")
    first, *rest = [json.loads(line) for line in out.splitlines()]
    check(first["schema"] == "breakeven/1" and first["command"] == "watch", out)
    check(first["window_s"] == 60 and first["host"] and not first["ended"], out)
    check(rest and rest[-1]["ended"] and "schema" not in rest[-1], out)
    done = run(me, "--once", "--interval=0.2", "--json", "--window=all")
    check(json.loads(done.stdout)["window_s"] is None, done.stdout)
    check(len(json.loads(done.stdout)["times"]) == 2, done.stdout)


def bad_words():
    for words, code, text in (
            (["--interval=0"], 2, "0 are needed"), (["--interval=1e9"], 2, "3600"),
            (["--window=5"], 2, "from 10 to"), (["--window=x"], 2, "or all"),
            (["x"], 2, "number of one process"), (["-1"], 2, ""), (["1", "2"], 2, "one process"),
            (["99999999"], 2, "one process"), (["1", "--node"], 2, "not several"),
            (["--job="], 2, "no number of a job"), (["--job=../x"], 2, "no number of a job"),
            (["--job=999999999"], 3, "srun"), (["4194303"], 3, "there is none"),
            (["--serve", "4194303"], 3, "--serve=4194303"),
            (["--serve", "--token-file=/none"], 2, "No such file"),
            (["--token-file=/none"], 2, "is of --serve")):
        done = run(*words)
        check(done.returncode == code and text in done.stderr,
              f"{words}: exit {done.returncode}: {done.stderr}")
        check(not done.stdout, f"{words}: {done.stdout}")


def job_by_environment():
    child = subprocess.Popen(["sleep", "60"], env={**os.environ, "SLURM_JOB_ID": "4242424",
                                                   "SLURM_CPUS_ON_NODE": "1"})
    try:
        done = run("--job=4242424", "--once", "--interval=0.2")
        check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
        check(f"process {child.pid} sleep" in done.stdout, done.stdout)
        check("of 1 core " in done.stdout, done.stdout)
    finally:
        child.kill()
        child.wait()


def full_disk():
    if not os.path.exists("/dev/full"):
        return
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run([program, "watch", me, "--once", "--interval=0.2"], stdout=full,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                              timeout=PATIENCE_S, check=False)
    check(done.returncode == 2 and "cannot be written" in done.stderr, done.stderr)


screens = [ends_with_keys, ends_with_signals, ends_with_ctrl_c, crashes_restore, stops_and_goes_on,
           help_and_back, sorts_and_selects, command_lines, resizes, without_colour, terminal_is_closed, child_ends,
           hostile_names]
lines = [lines_on_simple_terminals, lines_where_no_terminal, lines_of_json, bad_words, threads_and_zombies,
         keeps_its_trace, job_by_environment, full_disk]

tests = lines + screens
if run("--help").returncode != 0:
    sys.exit("watch --help fails")
probe = Terminal(me, "--interval=0.2")
probe.wait_for(rb"CPU")
if b"has no ncurses" in probe.output:
    print("this build has no ncurses: only lines are tested")
    tests = lines
probe.process.send_signal(signal.SIGINT)
probe.end()
for test in tests:
    begin = time.monotonic()
    try:
        test()
        print(f"ok       {test.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
    except (AssertionError, subprocess.TimeoutExpired) as error:
        failed.append(test.__name__)
        print(f"FAILED   {test.__name__}: {error}", flush=True)
print(f"terminal: {len(tests)} tests, {len(failed)} failed")
sys.exit(1 if failed else 0)
