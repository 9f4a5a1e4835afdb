#!/usr/bin/env python3
"""What becomes of a command under `breakeven run`: everything that it would without.
usage: watched.py BUILD/breakeven [TEST...]"""
import fcntl
import json
import os
import pty
import resource
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

PROGRAM = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
PYTHON = sys.executable

# Ends with 7 after some time; its CPU time, with its children's, to standard output.
SPEND = """
import os, sys, time
def spend(seconds):
    while sum(os.times()[:2]) < seconds:
        pass
"""

# Counts the signals that come; says when it is ready, and at the end how often each came.
COUNT = """
import os, signal, sys, time
count = {}
def take(number, frame):
    count[number] = count.get(number, 0) + 1
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGHUP, signal.SIGWINCH,
               signal.SIGRTMIN + 3):
    signal.signal(number, take)
print("ready", flush=True)
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    time.sleep(0.05)
print(" ".join(f"{int(n)}:{c}" for n, c in sorted(count.items())), flush=True)
sys.exit(7)
"""


def wait_until(holds, seconds=20):
    end = time.monotonic() + seconds
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


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]


class Watched(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.trace = os.path.join(self.folder.name, "t.json")
        self.environment = dict(os.environ, LC_ALL="C", HOME=self.folder.name,
                                XDG_DATA_HOME=os.path.join(self.folder.name, "data"))

    def start(self, *command, options=(), **more):
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("env", self.environment)
        return subprocess.Popen(
            [PROGRAM, "run", f"--trace-file={self.trace}", *options, "--", *command], **more)

    def run_it(self, *command, options=(), data=None, **more):
        if data is not None:
            more["stdin"] = subprocess.PIPE
        process = self.start(*command, options=options, **more)
        out, err = process.communicate(data, timeout=120)
        return process.returncode, (out or b"").decode(), (err or b"").decode()

    def read_trace(self):
        with open(self.trace) as file:
            return json.load(file)

    def ready(self, process):
        self.assertEqual(process.stdout.readline(), b"ready\n")

    def watcher(self, process):
        """The process that watches: the child of the one who waits that has its name."""
        for pid in children(process.pid):
            with open(f"/proc/{pid}/comm") as file:
                if file.read().strip() == "breakeven-watch":
                    return pid
        return None

    def command_of(self, process):
        self.assertTrue(wait_until(lambda: self.watcher(process)))
        return [pid for pid in children(process.pid) if pid != self.watcher(process)][0]

    # ---- how it ends ----------------------------------------------------------------------------

    def test_exit_codes(self):
        for code in (0, 1, 7, 125, 255):
            self.assertEqual(self.run_it("sh", "-c", f"exit {code}")[0], code)
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT):
            code, _, err = self.run_it("sh", "-c", f"ulimit -c 0; kill -{int(number)} $$")
            self.assertEqual(code, 128 + number)
            self.assertIn(f"killed by signal {int(number)}", err)

    def test_not_found_and_not_executable(self):
        code, out, err = self.run_it("no-such-command-here")
        self.assertEqual((code, out), (127, ""))
        self.assertIn("no such command", err)
        self.assertNotIn("ran ", err)
        plain = os.path.join(self.folder.name, "plain")
        with open(plain, "w") as file:
            file.write("no program")
        code, _, err = self.run_it(plain)
        self.assertEqual(code, 126)
        self.assertIn("Permission denied", err)
        self.assertEqual(self.run_it(os.path.join(self.folder.name, "gone"))[0], 127)
        self.assertFalse(os.path.exists(self.trace))

    def test_crash_of_the_command(self):
        code, _, err = self.run_it(PYTHON, "-c", "import ctypes, resource\n"
                                   "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
                                   "ctypes.string_at(0)")
        self.assertEqual(code, 139)
        self.assertIn("SIGSEGV", err)

    def test_execs_another(self):
        code, out, _ = self.run_it("sh", "-c", "exec sh -c 'exec sh -c \"echo third; exit 9\"'")
        self.assertEqual((code, out), (9, "third\n"))

    # ---- what it sees ---------------------------------------------------------------------------

    def test_input_and_output(self):
        data = os.urandom(300000)
        process = self.start("cat", stdin=subprocess.PIPE)
        out, err = process.communicate(data, timeout=60)
        self.assertEqual(out, data)
        self.assertTrue(err.startswith(b"ran "))

    def same_with_and_without(self, *command, **more):
        alone = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                               env=self.environment, check=True, **more).stdout.decode()
        _, under, _ = self.run_it(*command, **more)
        self.assertEqual(under, alone)
        return under

    def test_its_surroundings_are_its_own(self):
        self.same_with_and_without("env")
        self.same_with_and_without("grep", "-E", "^(Sig(Blk|Ign|Cgt)|Cpus_allowed|NoNewPrivs)",
                                   "/proc/self/status")
        self.same_with_and_without("cat", "/proc/self/limits")
        self.same_with_and_without("cat", "/proc/self/oom_score_adj")
        self.same_with_and_without("sh", "-c", "ls -1 /proc/self/fd | wc -l")
        self.same_with_and_without("sh", "-c", "umask; pwd; nice")

    def test_ignored_signals_stay_ignored(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])

        self.same_with_and_without("grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status",
                                   preexec_fn=ignore)

    def test_other_files_pass_and_are_not_kept_open(self):
        read, write = os.pipe()
        process = self.start("sh", "-c", f"echo hello >&{write}; exec {write}>&-; exec sleep 3",
                             pass_fds=[write])
        os.close(write)
        begin = time.monotonic()
        with os.fdopen(read) as file:
            self.assertEqual(file.read(), "hello\n")  # to its end
        self.assertIsNone(process.poll())
        self.assertLess(time.monotonic() - begin, 2.5)
        process.communicate(timeout=60)

    def test_closes_its_output(self):
        process = self.start("sh", "-c", "echo all; exec >&-; exec sleep 3")
        self.assertEqual(process.stdout.read(), b"all\n")
        self.assertIsNone(process.poll())
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)

    def test_closes_its_stderr(self):
        code, _, err = self.run_it("sh", "-c", "exec 2>&-; sleep 0.2; exit 4")
        self.assertEqual(code, 4)
        self.assertIn("ran ", err)

    def test_nobody_reads_our_stderr(self):
        read, write = os.pipe()
        process = self.start("sh", "-c", "sleep 0.3; exit 4", stderr=write)
        os.close(write)
        os.close(read)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4)

    def test_no_stderr_at_all(self):
        process = self.start("sh", "-c", "exit 4", preexec_fn=lambda: os.close(2))
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4)

    # ---- signals --------------------------------------------------------------------------------

    def test_a_signal_to_us_alone_is_passed_on_once(self):
        process = self.start(PYTHON, "-c", COUNT, "2.5")
        self.ready(process)
        for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP, signal.SIGRTMIN + 3):
            os.kill(process.pid, number)
            time.sleep(0.2)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 7)
        self.assertEqual(out.decode().split(), ["1:1", "10:1", "15:1", "37:1"])
        self.assertIn("SIGTERM came after", err.decode().replace("SIGHUP", "SIGTERM"))

    def test_a_signal_to_the_group_comes_once(self):
        process = self.start(PYTHON, "-c", COUNT, "2.5", start_new_session=True)
        self.ready(process)
        self.assertTrue(wait_until(lambda: self.watcher(process)))
        time.sleep(0.3)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            os.killpg(process.pid, number)
            time.sleep(0.2)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 7)
        self.assertEqual(out.decode().split(), ["2:1", "10:1", "15:1"])

    def test_a_signal_to_each_process_comes_once(self):
        """As a batch system sends it."""
        process = self.start(PYTHON, "-c", COUNT, "2")
        self.ready(process)
        self.assertTrue(wait_until(lambda: self.watcher(process)))
        time.sleep(0.3)
        for pid in [process.pid] + children(process.pid):
            os.kill(pid, signal.SIGTERM)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(out.decode().split(), ["15:1"])

    def test_sigterm_ends_it_with_a_report(self):
        process = self.start("sleep", "100")
        self.assertTrue(wait_until(lambda: self.watcher(process)))
        time.sleep(0.3)
        process.terminate()
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertIn("killed by signal 15", err.decode())
        self.assertEqual(self.read_trace()["run"]["end"], "killed")

    def test_asked_to_end_and_does_not(self):
        process = self.start("sh", "-c", "trap '' TERM; echo ready; exec sleep 100")
        self.ready(process)
        self.assertTrue(wait_until(lambda: self.watcher(process)))
        time.sleep(0.3)
        process.terminate()
        # A report before the end: the batch system's SIGKILL may be next.
        self.assertTrue(wait_until(lambda: os.path.exists(self.trace)))
        self.assertEqual(self.read_trace()["run"]["end"], "running")
        line = process.stderr.readline().decode()
        self.assertRegex(line, "^ran .* so far")
        process.kill()
        process.communicate(timeout=60)

    def test_sigkill_to_us_is_meant_for_it(self):
        process = self.start(PYTHON, "-c", COUNT, "60")
        self.ready(process)
        command = self.command_of(process)
        time.sleep(0.2)
        process.kill()
        self.assertTrue(wait_until(lambda: state(command) in "gone ZX"))
        process.communicate(timeout=60)
        self.assertTrue(wait_until(lambda: os.path.exists(self.trace)))
        self.assertEqual(self.read_trace()["run"]["end"], "lost")

    def test_who_watches_is_killed(self):
        process = self.start(PYTHON, "-c", COUNT, "1.5")
        self.ready(process)
        self.assertTrue(wait_until(lambda: self.watcher(process)))
        os.kill(self.watcher(process), signal.SIGKILL)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (7, b"\n"))
        self.assertIn("no report", err.decode())

    def test_who_watches_crashes(self):
        process = self.start(PYTHON, "-c", COUNT, "1.5")
        self.ready(process)
        self.assertTrue(wait_until(lambda: self.watcher(process)))
        os.kill(self.watcher(process), signal.SIGSEGV)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 7)
        self.assertIn("signal 11", err.decode())

    def test_who_watches_hangs(self):
        process = self.start("sh", "-c", "echo ready; sleep 1; exit 7")
        self.ready(process)
        self.assertTrue(wait_until(lambda: self.watcher(process)))
        os.kill(self.watcher(process), signal.SIGSTOP)
        time.sleep(1.2)
        process.send_signal(signal.SIGINT)  # somebody is impatient
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 7)
        self.assertIn("no report", err.decode())

    # ---- stopping and going on ------------------------------------------------------------------

    def test_stop_and_continue_by_pid(self):
        process = self.start(PYTHON, "-c", COUNT, "1")
        self.ready(process)
        command = self.command_of(process)
        os.kill(process.pid, signal.SIGSTOP)
        self.assertTrue(wait_until(lambda: state(command) == "T"))
        os.kill(process.pid, signal.SIGCONT)
        self.assertTrue(wait_until(lambda: state(command) != "T"))
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 7)

    def test_stops_itself(self):
        process = self.start("sh", "-c", "echo ready; kill -STOP $$; exit 7")
        self.ready(process)
        self.assertTrue(wait_until(lambda: state(process.pid) == "T"))
        command = self.command_of(process)
        os.kill(command, signal.SIGCONT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 7)

    def on_terminal(self, *command):
        """A shell of our own on a terminal of its own: the job's pid and the terminal's side."""
        pid, terminal = pty.fork()
        if pid == 0:
            # The session leader: starts the job as shells do, and tells what became of it.
            job = os.fork()
            if job == 0:
                os.setpgid(0, 0)
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                os.tcsetpgrp(0, os.getpid())
                signal.signal(signal.SIGTTOU, signal.SIG_DFL)
                os.execve(PROGRAM, [PROGRAM, "run", f"--trace-file={self.trace}", "--", *command],
                          self.environment)
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            while True:
                _, status = os.waitpid(job, os.WUNTRACED)
                if os.WIFSTOPPED(status):
                    os.write(1, f"[stopped {os.WSTOPSIG(status)}]\n".encode())
                    time.sleep(0.3)
                    os.tcsetpgrp(0, job)
                    os.killpg(job, signal.SIGCONT)
                    continue
                code = os.waitstatus_to_exitcode(status)
                os.write(1, f"[ended {code}]\n".encode())
                time.sleep(0.5)
                os._exit(0)
        return pid, terminal

    def read_until(self, terminal, text, seconds=30):
        got = b""
        end = time.monotonic() + seconds
        while text not in got and time.monotonic() < end:
            try:
                got += os.read(terminal, 4096)
            except OSError:
                break
        self.assertIn(text, got)
        return got.decode()

    def test_ctrl_c(self):
        pid, terminal = self.on_terminal(PYTHON, "-c", COUNT, "2")
        self.read_until(terminal, b"ready")
        time.sleep(0.5)
        os.write(terminal, b"\x03")
        text = self.read_until(terminal, b"[ended 7]")
        self.assertIn("2:1", text)
        self.assertIn("ran ", text)
        os.close(terminal)
        os.waitpid(pid, 0)

    def test_ctrl_z_and_on_again(self):
        pid, terminal = self.on_terminal(PYTHON, "-c", COUNT, "1.5")
        self.read_until(terminal, b"ready")
        time.sleep(0.5)
        os.write(terminal, b"\x1a")
        self.read_until(terminal, f"[stopped {int(signal.SIGTSTP)}]".encode())
        text = self.read_until(terminal, b"[ended 7]")
        self.assertIn("stopped for", text)
        os.close(terminal)
        os.waitpid(pid, 0)

    def test_window_size(self):
        pid, terminal = self.on_terminal(PYTHON, "-c", COUNT, "1.5")
        self.read_until(terminal, b"ready")
        time.sleep(0.4)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        text = self.read_until(terminal, b"[ended 7]")
        self.assertIn(f"{int(signal.SIGWINCH)}:1", text)
        os.close(terminal)
        os.waitpid(pid, 0)

    def test_reads_the_terminal(self):
        pid, terminal = self.on_terminal("sh", "-c", "read x; echo got-$x; exit 7")
        time.sleep(0.5)
        os.write(terminal, b"word\n")
        self.read_until(terminal, b"got-word")
        self.read_until(terminal, b"[ended 7]")
        os.close(terminal)
        os.waitpid(pid, 0)

    # ---- many of them ---------------------------------------------------------------------------

    def cpu_total(self):
        totals = self.read_trace()["totals"]
        return totals["user_s"] + totals["system_s"]

    def assert_near(self, value, other):
        """Within 1 %, and the 10 ms that clocks of processes show."""
        self.assertLess(abs(value - other), 0.01 * other + 0.03, f"{value} and {other}")

    def test_cpu_time_is_what_the_kernel_counted(self):
        code, out, _ = self.run_it(PYTHON, "-c", SPEND + """
spend(0.7)
for i in range(3):
    if os.fork() == 0:
        spend(0.5)
        os._exit(0)
for i in range(3):
    os.wait()
print(sum(os.times()[:4]))
""")
        self.assertEqual(code, 0)
        self.assert_near(self.cpu_total(), float(out))

    def test_those_who_leave_the_session_count(self):
        """A child's child, whose parent has ended, in a session of its own."""
        code, _, _ = self.run_it(PYTHON, "-c", SPEND + """
read, write = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        spend(1)
        os.write(write, b"x")
    os._exit(0)
os.wait()
os.read(read, 1)
time.sleep(0.3)
""")
        self.assertEqual(code, 0)
        trace = self.read_trace()
        self.assertGreater(self.cpu_total(), 0.99)
        self.assertEqual(trace["totals"]["orphans"], 1)

    def test_those_nobody_waits_for_count_while_they_are_seen(self):
        code, _, _ = self.run_it(PYTHON, "-c", SPEND + """
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
read, write = os.pipe()
for i in range(2):
    if os.fork() == 0:
        spend(1.5)
        os._exit(0)
os.close(write)
os.read(read, 1)
time.sleep(1)
""", options=["--rate=20"])
        self.assertEqual(code, 0)
        self.assertGreater(self.cpu_total(), 2.5)

    def group_of_its_own(self, *controllers):
        """A new control group, its folder by controller; skips where none can be made."""
        folders = {}
        for controller in controllers:
            mount = f"/sys/fs/cgroup/{controller}"
            if not os.path.exists(os.path.join(mount, "cgroup.procs")):
                mount = "/sys/fs/cgroup"
                own = os.path.join(mount, "cgroup.subtree_control")
                if not os.path.exists(own) or "cpu" not in open(own).read().split():
                    self.skipTest("no control groups that can be used here")
            folder = os.path.join(mount, f"breakeven-test-{os.getpid()}")
            try:
                os.makedirs(folder, exist_ok=True)
                with open(os.path.join(folder, "cgroup.procs"), "a"):
                    pass
            except OSError as error:
                self.skipTest(f"no control group can be made here: {error}")
            self.addCleanup(lambda f=folder: wait_until(lambda: not os.path.exists(f)
                                                        or os.rmdir(f) is None))
            folders[controller] = folder
        return folders

    @staticmethod
    def enter(folders):
        for folder in folders.values():
            with open(os.path.join(folder, "cgroup.procs"), "w") as file:
                file.write(str(os.getpid()))

    def test_cpu_time_is_what_the_control_group_counted(self):
        folders = self.group_of_its_own("cpuacct")
        code, _, err = self.run_it(PYTHON, "-c", SPEND + """
for i in range(4):
    if os.fork() == 0:
        spend(0.7)
        os._exit(0)
for i in range(4):
    os.wait()
""", preexec_fn=lambda: self.enter(folders))
        self.assertEqual(code, 0, err)
        trace = self.read_trace()
        with open(os.path.join(folders["cpuacct"], "cpuacct.usage")) if os.path.exists(
                os.path.join(folders["cpuacct"], "cpuacct.usage")) else open(
                    os.path.join(folders["cpuacct"], "cpu.stat")) as file:
            text = file.read()
        counted = float(text.split()[1]) * 1e-6 if "usage" in text else float(text) * 1e-9
        self.assert_near(self.cpu_total() + trace["run"]["own_cpu_s"], counted)
        (series,) = [s for s in trace["series"] if s["signal"] == "group_cpu"]
        self.assert_near(series["mean"] * series["measured_s"], counted)

    def test_a_quota_holds_it_back(self):
        folders = self.group_of_its_own("cpu")
        quota = os.path.join(folders["cpu"], "cpu.cfs_quota_us")
        if os.path.exists(quota):
            with open(quota, "w") as file:
                file.write("5000")  # so little that it runs out on a busy machine, too
        else:
            with open(os.path.join(folders["cpu"], "cpu.max"), "w") as file:
                file.write("5000 100000")
        code, _, err = self.run_it(PYTHON, "-c", SPEND + "spend(0.15)",
                                   preexec_fn=lambda: self.enter(folders))
        self.assertEqual(code, 0, err)
        trace = self.read_trace()
        self.assertEqual((trace["limits"]["cpus"], trace["limits"]["cpus_by"]),
                         (1, "cgroup quota"))
        self.assertEqual(trace["limits"]["cpus_quota"], 0.05)
        (series,) = [s for s in trace["series"] if s["signal"] == "group_throttled"]
        self.assertGreater(series["mean"] * series["measured_s"], 0.1)

    def test_left_running(self):
        code, _, err = self.run_it("sh", "-c", "sleep 3 >/dev/null 2>&1 & sleep 0.5")
        self.assertEqual(code, 0)
        self.assertIn("1 process of it still runs", err)

    def test_fork_storm(self):
        # STORM=1000000 for the real thing.
        number = int(os.environ.get("STORM", "4000"))
        code, out, err = self.run_it(PYTHON, "-c", f"""
import os, sys
for i in range({number}):
    pid = os.fork()
    if pid == 0:
        if i % 10 == 0 and os.fork():
            os._exit(0)
        os._exit(0)
    os.waitpid(pid, 0)
print(sum(os.times()[:4]))
sys.exit(7)
""")
        self.assertEqual(code, 7, err)
        trace = self.read_trace()
        self.assertGreaterEqual(self.cpu_total(), 0.99 * float(out) - 0.03)
        self.assertLess(trace["run"]["own_peak_bytes"], 30e6)
        self.assertLessEqual(len(trace["processes"]), 64)

    def test_many_at_once(self):
        code, _, err = self.run_it("sh", "-c", "i=0; while [ $i -lt 1500 ]; do sleep 4 & "
                                   "i=$((i+1)); done; wait; exit 7")
        self.assertEqual(code, 7, err)
        trace = self.read_trace()
        seen = [s["most"] for s in trace["series"] if s["signal"] == "processes"][0]
        self.assertGreater(seen, 100)  # as many as the time it may take allows
        self.assertLess(trace["run"]["own_peak_bytes"], 30e6)

    def test_thousands_of_threads(self):
        code, _, err = self.run_it(PYTHON, "-c", """
import sys, threading, time
threading.stack_size(64 << 10)
end = threading.Event()
for i in range(2000):
    threading.Thread(target=end.wait).start()
time.sleep(2)
end.set()
sys.exit(7)
""")
        self.assertEqual(code, 7, err)
        trace = self.read_trace()
        seen = [s["most"] for s in trace["series"] if s["signal"] == "threads"][0]
        self.assertGreaterEqual(seen, 2000)
        self.assertLess(trace["run"]["own_peak_bytes"], 30e6)

    # ---- our own troubles -----------------------------------------------------------------------

    def test_full_disk(self):
        code, _, err = self.run_it("sh", "-c", "exit 7", options=["--output=/dev/full"])
        self.assertEqual(code, 7)
        self.assertIn("No space left", err)

    def test_devices_and_pipes_are_not_replaced(self):
        fifo = os.path.join(self.folder.name, "fifo")
        os.mkfifo(fifo)
        reader = subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE)
        code, _, err = self.run_it("sh", "-c", "exit 7", options=[f"--json={fifo}"])
        self.assertEqual(code, 7, err)
        self.assertEqual(json.loads(reader.communicate(timeout=30)[0])["command"], "run")
        self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode))
        code, _, err = self.run_it("sh", "-c", "exit 7", options=["--json=/dev/full"])
        self.assertEqual(code, 7)
        self.assertIn("No space left", err)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))

    def test_files_may_not_grow(self):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

        code, _, err = self.run_it("sh", "-c", "exit 7", preexec_fn=small)
        self.assertEqual(code, 7)
        self.assertIn("the trace is not saved", err)
        self.assertIn("ran ", err)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_the_folder_goes_away(self):
        inner = os.path.join(self.folder.name, "inner")
        os.mkdir(inner)
        self.trace = os.path.join(inner, "t.json")
        code, _, err = self.run_it("sh", "-c", f"rm -r {inner}; exit 7")
        self.assertEqual(code, 7)
        self.assertIn("the trace is not saved", err)

    def test_no_home(self):
        environment = {"PATH": os.environ["PATH"]}
        process = subprocess.run([PROGRAM, "run", "sh", "-c", "exit 7"], env=environment,
                                 stderr=subprocess.PIPE, check=False)
        self.assertEqual(process.returncode, 7)
        self.assertIn(b"will not be kept", process.stderr)

    def test_little_memory(self):
        def little():
            resource.setrlimit(resource.RLIMIT_AS, (40 << 20, 40 << 20))

        for _ in range(3):
            code, out, _ = self.run_it("sh", "-c", "echo out; exit 7", preexec_fn=little)
            self.assertEqual((code, out), (7, "out\n"))

    @unittest.skipUnless(os.geteuid() == 0, "needs another user, of whom nobody else has processes")
    def test_no_more_processes(self):
        """One process more is allowed, and the command gets it."""
        user = 61234

        def little():
            resource.setrlimit(resource.RLIMIT_NPROC, (2, 2))
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)

        program = os.path.join(self.folder.name, "breakeven")
        with open(PROGRAM, "rb") as old, open(program, "wb") as new:
            new.write(old.read())
        os.chmod(program, 0o755)
        os.chmod(self.folder.name, 0o755)
        process = subprocess.run([program, "run", "--trace-file=none", "sh", "-c", "exit 7"],
                                 preexec_fn=little, stderr=subprocess.PIPE, check=False)
        self.assertEqual(process.returncode, 7, process.stderr)

    def test_no_more_files(self):
        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (7, 7))

        code, out, _ = self.run_it("sh", "-c", "echo out; exit 7", preexec_fn=few)
        self.assertEqual((code, out), (7, "out\n"))

    # ---- what is written ------------------------------------------------------------------------

    def test_trace_is_private_and_keeps_no_secrets(self):
        self.environment["SECRET_IN_ENVIRONMENT"] = "swordfish1"
        self.run_it("sh", "-c", "exit 0", "swordfish2")
        self.assertEqual(stat.S_IMODE(os.stat(self.trace).st_mode), 0o600)
        with open(self.trace) as file:
            text = file.read()
        self.assertNotIn("swordfish", text)
        self.assertEqual(json.loads(text)["run"]["command"], "sh")
        self.run_it("sh", "-c", "exit 0", "swordfish2", options=["--record-command"])
        self.assertEqual(self.read_trace()["run"]["command"], "sh -c exit 0 swordfish2")

    def test_default_folder(self):
        process = subprocess.run([PROGRAM, "run", "true"], env=self.environment, check=True,
                                 stderr=subprocess.PIPE)
        folder = os.path.join(self.folder.name, "data/breakeven/runs")
        (name,) = os.listdir(folder)
        self.assertIn(os.path.join(folder, name).encode(), process.stderr)

    def test_report_says_the_same_again(self):
        _, _, err = self.run_it("sh", "-c", "sleep 1.5; exit 7")
        again = subprocess.run([PROGRAM, "report", self.trace], stdout=subprocess.PIPE, check=True)
        first = "".join(line for line in err.splitlines(True) if not line.startswith("trace "))
        self.assertEqual(again.stdout.decode(), first)
        copy = os.path.join(self.folder.name, "copy.json")
        subprocess.run([PROGRAM, "report", f"--json={copy}", self.trace], check=True,
                       stdout=subprocess.DEVNULL)
        with open(copy) as a, open(self.trace) as b:
            self.assertEqual(a.read(), b.read())

    def test_output_and_quiet(self):
        output = os.path.join(self.folder.name, "report")
        _, _, err = self.run_it("true", options=[f"--output={output}"])
        self.assertEqual(err, "")
        with open(output) as file:
            self.assertTrue(file.read().startswith("ran "))
        other = os.path.join(self.folder.name, "other.json")
        _, _, err = self.run_it("true", options=["--quiet", f"--json={other}"])
        self.assertEqual(err, "")
        with open(other) as file:
            self.assertEqual(json.load(file)["command"], "run")

    def test_bad_options_run_nothing(self):
        missing = os.path.join(self.folder.name, "missing/x")
        for options in (["--rate=0"], ["--rate=x"], [f"--output={missing}"], [f"--json={missing}"],
                        [f"--trace-file={missing}"], ["--nonsense"]):
            process = subprocess.run([PROGRAM, "run", *options, "--", "echo", "ran"],
                                     env=self.environment, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, check=False)
            self.assertEqual((process.returncode, process.stdout), (2, b""), options)
            self.assertTrue(process.stderr.startswith(b"breakeven"), options)
        process = subprocess.run([PROGRAM, "run"], stderr=subprocess.PIPE, check=False)
        self.assertEqual(process.returncode, 2)
        self.assertIn(b"which command?", process.stderr)


if __name__ == "__main__":
    if not PROGRAM:
        sys.exit(__doc__)
    unittest.main()
