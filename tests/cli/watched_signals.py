#!/usr/bin/env python3
"""How a command under `breakeven run` ends, what it sees, which signals come to it: as without.
usage: watched_signals.py BUILD/breakeven [TEST...]"""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

from watched import COUNT, PATIENCE_S, PROGRAM, PYTHON, SPEND, WAIT, Watched, children, main, name, state, wait_until


class Ends(Watched):
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
        self.assertIn("run -- python FILE", " ".join(err.split()))
        code, _, err = self.run_it("plain", cwd=self.folder.name)
        self.assertEqual(code, 127)
        self.assertIn("a file of that name is here", " ".join(err.split()))
        code, _, err = self.run_it("python3 train.py")
        self.assertEqual(code, 127)
        self.assertIn("no quotes around all", " ".join(err.split()))
        self.assertEqual(self.run_it(os.path.join(self.folder.name, "gone"))[0], 127)
        with open(plain, "w") as file:
            file.write("#!/bin/sh\r\necho never\r\n")
        os.chmod(plain, 0o700)
        code, _, err = self.run_it(plain)
        self.assertEqual(code, 127)
        self.assertIn("its first line", " ".join(err.split()))
        code, _, err = self.run_it("OMP_NUM_THREADS=4", "true")
        self.assertEqual(code, 127)
        self.assertIn("set before us", " ".join(err.split()))
        code, _, err = self.run_it("")
        self.assertEqual((code, err), (127, "breakeven: '': no such command, the word is empty: is a variable not set?\n"))
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

    def test_children_from_before_are_not_its_own(self):
        """A shell that ends in `exec breakeven run` leaves us those it has waited for."""
        spend = SPEND + "x = bytearray(200 << 20)\nspend(2)"
        process = subprocess.run(
            ["bash", "-c", '"$0" -c "$1"; exec "${@:2}"', PYTHON, spend, PROGRAM, "run",
             f"--trace-file={self.trace}", "--", "sleep", "0.5"], env=self.environment,
            capture_output=True, timeout=PATIENCE_S, check=True)
        self.assertIn(b"CPU time", process.stderr)
        total = self.read_trace()["totals"]
        self.assertLess(total["user_s"], 1)
        self.assertLess(total["peak_process_bytes"], 100e6)

    def test_those_that_run_from_before_are_not_its_own(self):
        other = 'sleep 1000 & echo $!; sleep 0.5; exec "$@"'  # numbers of /proc are of 10 ms
        process = subprocess.Popen(["bash", "-c", other, "sh", PROGRAM, "run", f"--trace-file={self.trace}", "--",
                                    "sleep", "0.5"], env=self.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        number = int(process.stdout.readline())
        self.addCleanup(os.kill, number, signal.SIGKILL)
        self.addCleanup(process.stdout.close)
        self.assertEqual(process.wait(timeout=PATIENCE_S), 0)
        trace = self.read_trace()
        self.assertEqual(trace["totals"]["left"], 0)
        self.assertEqual([p["pid"] for p in trace["processes"] if p["pid"] == number], [])

    def test_those_from_before_that_end_are_not_its_own(self):
        """It is we who wait for them, and the kernel adds what they used to what our children did."""
        spend = SPEND + "spend(2)"
        command = ["sh", "-c", "while kill -0 $0 2>/dev/null; do sleep 0.02; done; sleep 0.5"]
        process = subprocess.run(
            ["bash", "-c", '"$0" -c "$1" & other=$!; sleep 0.5; exec "${@:2}" $other', PYTHON, spend, PROGRAM, "run",
             f"--trace-file={self.trace}", "--", *command], env=self.environment, capture_output=True,
            timeout=PATIENCE_S, check=True)
        self.assertIn(b"CPU time", process.stderr)
        total = self.read_trace()["totals"]
        self.assertEqual(total["orphans"], 0)
        self.assertLess(total["user_s"], 1)


class Sees(Watched):
    def test_input_and_output(self):
        data = os.urandom(300000)
        process = self.start("cat", stdin=subprocess.PIPE)
        out, err = process.communicate(data, timeout=PATIENCE_S)
        self.assertEqual(out, data)
        self.assertTrue(err.startswith(b"ran "))

    def same_with_and_without(self, *command, **more):
        alone = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                               env=self.environment, check=True, **more).stdout.decode()
        _, under, _ = self.run_it(*command, **more)
        self.assertEqual(under, alone)

    def test_its_surroundings_are_its_own(self):
        self.same_with_and_without("env")
        self.same_with_and_without("grep", "-E", "^(Sig(Blk|Ign|Cgt)|Cpus_allowed|NoNewPrivs)",
                                   "/proc/self/status")
        self.same_with_and_without("cat", "/proc/self/limits")
        self.same_with_and_without("cat", "/proc/self/oom_score_adj")
        self.same_with_and_without("sh", "-c", "ls -1 /proc/self/fd | wc -l")
        self.same_with_and_without("sh", "-c", "umask; pwd; nice")

    def test_the_watching_is_killed_no_sooner_than_others(self):
        """Where memory runs short: its report is wanted then."""
        code, out, _ = self.run_it("sh", "-c", "until grep -lx breakeven-watch $(for c in $(cat /proc/$PPID/task/$PPID/"
                                   "children); do echo /proc/$c/comm; done) 2>/dev/null; do sleep 0.05; done | "
                                   "sed 's/comm$/oom_score_adj/' | xargs cat; cat /proc/self/oom_score_adj")
        watching, own = out.split()
        self.assertEqual((code, watching), (0, own))

    def test_ignored_signals_stay_ignored(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])

        self.same_with_and_without("grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status",
                                   preexec_fn=ignore)

    def test_other_files_pass_and_are_not_kept_open(self):
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        process = self.start("sh", "-c", f"echo hello >&{write}; exec {write}>&-; read x",
                             pass_fds=[write], stdin=subprocess.PIPE)
        os.close(write)
        self.assertEqual(self.read_to_end(read), b"hello\n")
        self.assertIsNone(process.poll())
        self.end(process, b"x\n")

    def test_closes_its_output(self):
        process = self.start("sh", "-c", "echo all; exec >&-; read x", stdin=subprocess.PIPE)
        self.assertEqual(self.read_to_end(process.stdout.fileno()), b"all\n")
        self.assertIsNone(process.poll())
        self.end(process, b"x\n")
        self.assertEqual(process.returncode, 0)

    def test_closes_its_stderr(self):
        code, _, err = self.run_it("sh", "-c", "exec 2>&-; exit 4")
        self.assertEqual(code, 4)
        self.assertIn("ran ", err)

    def test_nobody_reads_our_stderr(self):
        read, write = os.pipe()
        process = self.start("sh", "-c", "read x; exit 4", stderr=write, stdin=subprocess.PIPE)
        os.close(write)
        os.close(read)
        self.end(process, b"x\n")
        self.assertEqual(process.returncode, 4)

    def test_no_stderr_at_all(self):
        process = self.start("sh", "-c", "exit 4", preexec_fn=lambda: os.close(2))
        self.end(process)
        self.assertEqual(process.returncode, 4)


class Signals(Watched):
    def counts(self, process):
        """The signals that came in all. Signals are passed on in turn: after SIGUSR2, which comes to us alone, none of
        those before it is still under way."""
        os.kill(process.pid, signal.SIGUSR2)
        line = self.line_of(process, process.stdout)
        while line != "got 12":
            line = self.line_of(process, process.stdout)
        self.let_it_end()
        out, err = self.end(process)
        self.assertEqual(process.returncode, 7)
        return out.split(), err

    def test_a_signal_to_us_alone_is_passed_on_once(self):
        process = self.start_counting()
        for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP, signal.SIGRTMIN + 3):
            os.kill(process.pid, number)
            self.said(process, f"got {int(number)}")
        counted, err = self.counts(process)
        self.assertEqual(counted, ["1:1", "10:1", "12:1", "15:1", "37:1"])
        self.assertIn("SIGTERM came after", err.replace("SIGHUP", "SIGTERM"))

    def test_a_signal_to_the_group_comes_once(self):
        process = self.start_counting(start_new_session=True)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            os.killpg(process.pid, number)
            self.said(process, f"got {int(number)}")
        self.assertEqual(self.counts(process)[0], ["2:1", "10:1", "12:1", "15:1"])

    def test_a_signal_to_the_group_comes_once_though_the_watcher_is_late(self):
        """As on a machine so busy that it does not run for a while."""
        process = self.start_counting(start_new_session=True)
        watcher = self.watcher(process)
        self.addCleanup(self.go_on, watcher)
        for number in (signal.SIGTERM, signal.SIGINT):
            os.kill(watcher, signal.SIGSTOP)
            self.assertTrue(wait_until(lambda: state(watcher) == "T"))
            os.killpg(process.pid, number)
            self.said(process, f"got {int(number)}")
            time.sleep(0.1)  # longer than it is waited for at first
            os.kill(watcher, signal.SIGCONT)
        self.assertEqual(self.counts(process)[0], ["2:1", "12:1", "15:1"])

    @staticmethod
    def go_on(pid):
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass

    def test_a_signal_to_each_process_comes_once(self):
        """As a batch system sends it."""
        process = self.start_counting()
        for pid in children(process.pid) + [process.pid]:
            os.kill(pid, signal.SIGTERM)
        self.said(process, "got 15")
        self.assertEqual(self.counts(process)[0], ["12:1", "15:1"])

    def test_sigterm_ends_it_with_a_report(self):
        process = self.start("sh", "-c", "echo ready; exec sleep 1000")
        self.said(process, "ready")
        process.terminate()
        _, err = self.end(process)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertIn("killed by signal 15", err)
        self.assertEqual(self.read_trace()["run"]["end"], "killed")

    def test_asked_to_end_and_does_not(self):
        process = self.start("sh", "-c", "trap '' TERM; echo ready; exec sleep 1000")
        self.said(process, "ready")
        process.terminate()
        # A report before the end: the batch system's SIGKILL may be next.
        self.trace_ends_as("running")
        self.assertRegex(self.line_of(process, process.stderr), "^ran .* so far")
        process.kill()

    def test_asked_while_rarely_looked_at(self):
        """The trace is saved at once, and not at the next look, 100 s later."""
        process = self.start("sh", "-c", "trap '' TERM; echo ready; exec sleep 1000", options=["--rate=0.01"])
        self.said(process, "ready")
        process.terminate()
        self.trace_ends_as("running")
        self.assertLess(self.read_trace()["run"]["elapsed_s"], 100)
        self.assertRegex(self.line_of(process, process.stderr), "^ran .* so far")
        process.kill()
        self.end(process)
        self.trace_ends_as("lost")  # or it would be written into a folder that is being removed

    def test_an_interrupt_may_mean_something_else(self):
        process = self.start_counting(start_new_session=True)
        os.killpg(process.pid, signal.SIGINT)
        self.said(process, "got 2")
        self.trace_ends_as("running")  # saved all the same
        time.sleep(3.5)  # a report of what was so far comes after three seconds
        self.let_it_end()
        _, err = self.end(process)
        self.assertNotIn("so far", err)
        self.assertIn("SIGINT came after", err)

    def test_timers_are_its_own(self):
        """The signals that `alarm 1; exec ...` leaves to the command, and what the command makes of them."""
        for command, code in ((["sleep", "60"], 128 + signal.SIGALRM),
                              ([PYTHON, "-c", "import signal, time; signal.alarm(0); time.sleep(1.5)"], 0)):
            process = self.start(*command, preexec_fn=lambda: signal.alarm(1))
            self.end(process)
            self.assertEqual(process.returncode, code)

    def test_sigkill_to_us_is_meant_for_it(self):
        process = self.start_counting()
        command = self.command_of(process)
        process.kill()
        self.assertTrue(wait_until(lambda: state(command) in "gone ZX"))
        self.end(process)
        self.trace_ends_as("lost")

    def test_who_watches_is_killed_or_crashes(self):
        for number, text in ((signal.SIGKILL, "no report"), (signal.SIGSEGV, "signal 11")):
            if os.path.exists(self.go):
                os.unlink(self.go)
            process = self.start_counting()
            os.kill(self.watcher(process), number)
            counted, err = self.counts(process)
            self.assertEqual(counted, ["12:1"])
            self.assertIn(text, err)

    def test_who_watches_hangs(self):
        process = self.start("sh", "-c", "echo ready; read x; exit 7", stdin=subprocess.PIPE)
        self.said(process, "ready")
        watcher, command = self.watcher(process), self.command_of(process)
        os.kill(watcher, signal.SIGSTOP)
        self.assertTrue(wait_until(lambda: state(watcher) == "T"))
        process.stdin.close()
        process.stdin = None
        self.assertTrue(wait_until(lambda: state(command) == "gone"))
        process.send_signal(signal.SIGINT)  # somebody is impatient
        _, err = self.end(process)
        self.assertEqual(process.returncode, 7)
        self.assertIn("no report", err)

    def test_stop_and_continue_by_pid(self):
        process = self.start_counting()
        command = self.command_of(process)
        os.kill(process.pid, signal.SIGSTOP)
        self.assertTrue(wait_until(lambda: state(command) == "T"))
        os.kill(process.pid, signal.SIGCONT)
        self.assertTrue(wait_until(lambda: state(command) != "T"))
        self.assertEqual(self.counts(process)[0], ["12:1"])

    def test_stops_itself(self):
        process = self.start("sh", "-c", "echo ready; kill -STOP $$; exit 7")
        self.said(process, "ready")
        self.assertTrue(wait_until(lambda: state(process.pid) == "T"))
        os.kill(self.command_of(process), signal.SIGCONT)
        self.end(process)
        self.assertEqual(process.returncode, 7)

    def test_goes_on_before_the_watcher_knows_that_it_has_stopped(self):
        """As on a busy machine: what the watcher is told comes to it late, and two things at once."""
        process = self.start(PYTHON, "-c", WAIT + """
import signal
def stop(number, frame):
    os.kill(os.getpid(), signal.SIGSTOP)
    os.write(1, b"on\\n")
signal.signal(signal.SIGTERM, lambda *_: None)
signal.signal(signal.SIGHUP, stop)
os.write(1, b"ready\\n")
wait()
sys.exit(7)
""", self.go)
        self.said(process, "ready")
        watcher, command = self.watcher(process), self.command_of(process)
        self.addCleanup(self.go_on, watcher)
        process.terminate()
        self.trace_ends_as("running")
        os.kill(watcher, signal.SIGSTOP)
        self.assertTrue(wait_until(lambda: state(watcher) == "T"))
        os.kill(process.pid, signal.SIGHUP)
        self.assertTrue(wait_until(lambda: state(process.pid) == "T"))
        os.kill(command, signal.SIGCONT)
        self.said(process, "on")
        os.kill(watcher, signal.SIGCONT)
        self.assertTrue(wait_until(lambda: state(process.pid) != "T"))
        self.let_it_end()
        self.end(process)
        self.assertEqual(process.returncode, 7)


class Terminal(Watched):
    def on_terminal(self, *command):
        """A shell of our own on a terminal of its own; the terminal's other side."""
        pid, terminal = pty.fork()
        if pid == 0:
            self.be_a_shell(command)
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.kill, pid, signal.SIGKILL)  # these in turn from the last
        self.addCleanup(os.close, terminal)
        return terminal

    def be_a_shell(self, command):
        """The session leader: starts the job as shells do, and tells what became of it."""
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
            if not os.WIFSTOPPED(status):
                break
            os.write(1, f"[stopped {os.WSTOPSIG(status)}]\n".encode())
            time.sleep(0.3)  # the time that it is stopped
            os.tcsetpgrp(0, job)
            os.killpg(job, signal.SIGCONT)
        os.write(1, f"[ended {os.waitstatus_to_exitcode(status)}]\n".encode())
        while True:
            signal.pause()

    def read_until(self, terminal, text):
        got = b""
        end = time.monotonic() + PATIENCE_S
        while text not in got:
            if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
                break
            try:
                got += os.read(terminal, 4096)
            except OSError:  # it has hung up
                break
        self.assertIn(text, got)
        return got.decode()

    def count_on_terminal(self):
        terminal = self.on_terminal(PYTHON, "-c", COUNT, self.go)
        self.read_until(terminal, b"ready")
        return terminal

    def test_ctrl_c(self):
        terminal = self.count_on_terminal()
        os.write(terminal, b"\x03")
        self.read_until(terminal, b"got 2")
        self.let_it_end()
        text = self.read_until(terminal, b"[ended 7]")
        self.assertIn("2:1", text)
        self.assertIn("ran ", text)

    def test_report_is_below_the_ctrl_c(self):
        terminal = self.on_terminal("sh", "-c", "echo ready; exec sleep 600")
        self.read_until(terminal, b"ready")
        os.write(terminal, b"\x03")
        text = self.read_until(terminal, b"[ended ")
        self.assertIn("^C\r\nran ", text)

    def test_ctrl_c_ends_us_as_it_ended_the_command(self):
        """A shell goes on with its loop after whoever returns 130."""
        terminal = self.on_terminal("sh", "-c", "echo ready; exec sleep 600")
        self.read_until(terminal, b"ready")
        os.write(terminal, b"\x03")
        self.read_until(terminal, b"[ended -2]")
        process = self.start("sleep", "600")
        self.command_of(process)
        process.send_signal(signal.SIGINT)  # nobody typed it
        self.end(process)
        self.assertEqual(process.returncode, 128 + signal.SIGINT)

    def test_ctrl_z_and_on_again(self):
        terminal = self.count_on_terminal()
        os.write(terminal, b"\x1a")
        self.read_until(terminal, f"[stopped {int(signal.SIGTSTP)}]".encode())
        self.let_it_end()
        self.assertIn("stopped for", self.read_until(terminal, b"[ended 7]"))

    def test_terminal_is_gone_and_the_session_is_ours(self):
        """As after `ssh -t host breakeven run ...`: only the leader of the session is told."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(PROGRAM, [PROGRAM, "run", f"--trace-file={self.trace}", "--", "sh", "-c",
                                "echo ready; exec sleep 600"], self.environment)
        self.read_until(terminal, b"ready")
        (command,) = [child for child in children(pid) if not name(child).startswith("breakeven")]
        os.close(terminal)
        ended = wait_until(lambda: state(command) in "gone ZX")
        if not ended:
            os.kill(command, signal.SIGKILL)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 128 + signal.SIGHUP)
        self.assertEqual(self.read_trace()["run"]["end"], "killed")

    def test_window_size(self):
        terminal = self.count_on_terminal()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self.read_until(terminal, f"got {int(signal.SIGWINCH)}".encode())
        self.let_it_end()
        text = self.read_until(terminal, b"[ended 7]")
        self.assertIn(f"{int(signal.SIGWINCH)}:1", text)

    def test_reads_the_terminal(self):
        terminal = self.on_terminal("sh", "-c", "echo ready; read x; echo got-$x; exit 7")
        self.read_until(terminal, b"ready")
        os.write(terminal, b"word\n")
        self.assertIn("got-word", self.read_until(terminal, b"[ended 7]"))


if __name__ == "__main__":
    main()
