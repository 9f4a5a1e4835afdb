#!/usr/bin/env python3
"""`breakeven run` counts for a command with all its processes, however many, what the kernel counted.
usage: watched_counts.py BUILD/breakeven [TEST...]"""
import json
import os
import signal
import subprocess

from watched import (PATIENCE_S, PROGRAM, PYTHON, SPEND, WAIT, Watched, children, main, room_for_tasks,
                     wait_until)

CLOCK_S = 0.02  # the clocks of processes show 10 ms, of two that are added up twice that
LARGEST = 30e6  # bytes that the watching may take


class Counts(Watched):
    def cpu_total(self):
        totals = self.read_trace()["totals"]
        return totals["user_s"] + totals["system_s"]

    def test_cpu_time_is_what_the_kernel_counted(self):
        """No less than the command itself knew when it ended, no more than all of us took."""
        process = self.start(PYTHON, "-c", SPEND + """
spend(0.3)
for i in range(3):
    if os.fork() == 0:
        spend(0.3)
        os._exit(0)
for i in range(3):
    os.wait()
print(sum(os.times()[:4]))
""", stderr=subprocess.DEVNULL)
        known = float(process.stdout.read())
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertGreaterEqual(self.cpu_total(), known - CLOCK_S)
        self.assertLessEqual(self.cpu_total(), used.ru_utime + used.ru_stime + CLOCK_S)

    def test_those_who_leave_the_session_count(self):
        """A child's child, whose parent has ended, in a session of its own."""
        code, _, _ = self.run_it(PYTHON, "-c", SPEND + """
read, write = os.pipe()
if os.fork() == 0:
    os.setsid()
    child = os.fork()
    if child == 0:
        spend(0.5)
    else:
        os.write(write, b"%d " % child)
    os._exit(0)
os.wait()
child = int(os.read(read, 99))
while os.path.exists(f"/proc/{child}"):  # whoever has become its parent waits for it
    time.sleep(0.02)
""")
        self.assertEqual(code, 0)
        self.assertGreaterEqual(self.cpu_total(), 0.5 - CLOCK_S)
        self.assertEqual(self.read_trace()["totals"]["orphans"], 1)

    def test_those_nobody_waits_for_count_while_they_are_seen(self):
        process = self.start(PYTHON, "-c", SPEND + WAIT + """
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
children = []
for i in range(2):
    children.append(os.fork())
    if children[-1] == 0:
        spend(0.5)
        os.write(1, b"spent\\n")
        wait()
        os._exit(0)
for child in children:
    while os.path.exists(f"/proc/{child}"):
        time.sleep(0.02)
""", self.go, options=["--rate=20"])
        self.said(process, "spent")
        self.said(process, "spent")
        self.looked(process)
        self.let_it_end()
        self.end(process)
        self.assertEqual(process.returncode, 0)
        self.assertGreaterEqual(self.cpu_total(), 2 * (0.5 - CLOCK_S))

    def test_left_running(self):
        code, out, err = self.run_it("sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $!")
        self.addCleanup(os.kill, int(out), signal.SIGKILL)
        self.assertEqual(code, 0)
        self.assertIn("1 process of it still runs", err)

    def test_one_stays_and_one_ends_a_moment_later(self):
        """Only the one that stays is said to run on; on a busy machine the other may end later."""
        for _ in range(20):
            code, out, err = self.run_it("sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $!; "
                                         "while kill -0 $$ 2>/dev/null; do :; done & sleep 0.3; exit 3")
            os.kill(int(out), signal.SIGKILL)
            self.assertEqual(code, 3)
            if "1 process of it still runs" in err:
                return
        self.fail(err)

    def test_one_that_ends_a_moment_later(self):
        """It waits for the command's end, as Python's helpers do, and is not said to run on; where other programs
        take the cores it may get to its end later than anybody waits."""
        for _ in range(20):
            code, _, err = self.run_it("sh", "-c", "while kill -0 $$ 2>/dev/null; do :; done & exit 3")
            self.assertEqual(code, 3)
            if "still run" not in err:
                return
        self.fail(err)


class Containers(Watched):
    """Needs a name space of mounts, in which a file of /proc can be another."""

    def test_an_uptime_of_the_container(self):
        """lxcfs says how long the container runs; processes began since the machine did."""
        uptime = os.path.join(self.folder.name, "uptime")
        with open(uptime, "w") as file:
            file.write("5.00 5.00\n")
        mount = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" /proc/uptime && exec "$@"', uptime]
        if subprocess.run([*mount, "true"], capture_output=True).returncode != 0:
            self.skipTest("no mounts can be made here")
        busy = subprocess.Popen([PYTHON, "-c", SPEND + "spend(3)\nprint(flush=True)\ntime.sleep(1000)"],
                                stdout=subprocess.PIPE)
        self.addCleanup(self.clear, busy)
        self.said(busy, "")
        seen = subprocess.Popen([*mount, PROGRAM, "watch", str(busy.pid), "--json"], env=self.environment,
                                stdout=subprocess.PIPE)
        self.addCleanup(self.clear, seen)
        state = json.loads(self.line_of(seen, seen.stdout))
        cpu = [one["value"] for one in state["figures"] if one["key"] == "cpu"]
        self.assertLess(cpu[0], 0.5)


    OTHER_NUMBERS = SPEND + "spend(1)\nos._exit(5)"

    def run_with_other_numbers(self, *before):
        """Its report, of `before` breakeven run -- COMMAND; skips the test where such a place cannot be made."""
        if subprocess.run([*before, "true"], capture_output=True, env=self.environment).returncode != 0:
            self.skipTest("no name space of processes can be made here")
        done = subprocess.run([*before, PROGRAM, "run", f"--trace-file={self.trace}", "--", PYTHON, "-c",
                               self.OTHER_NUMBERS], env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertNotIn("still run", done.stderr)  # others do
        totals = self.read_trace()["totals"]
        self.assertGreaterEqual(totals["user_s"] + totals["system_s"], 1 - CLOCK_S)
        return done.stderr

    def test_a_proc_of_the_machine(self):
        """Numbers of its processes are others than the program's own; 1 is everybody's parent there."""
        before = ["unshare", "--pid", "--fork"]
        self.run_with_other_numbers(*before)
        (process,) = self.read_trace()["processes"]
        self.assertEqual(process["pid"], self.read_trace()["run"]["pid"])
        self.assertGreaterEqual(process["cpu_s"], 0)

    def test_a_proc_that_does_not_list_it(self):
        outer = subprocess.Popen(["unshare", "--pid", "--fork", "--mount-proc", PYTHON, "-c",
                                  "print(flush=True); input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.clear, outer)
        if not outer.stdout.readline():
            self.skipTest("no name space of processes can be made here")
        report = self.run_with_other_numbers("nsenter", f"--mount=/proc/{children(outer.pid)[0]}/ns/mnt",
                                             "unshare", "--pid", "--fork")
        self.assertIn("absent   proc: this /proc is of another PID name space", report)
        self.assertEqual(self.read_trace()["processes"], [])
        outer.communicate(b"\n", timeout=PATIENCE_S)


class Groups(Watched):
    """Needs control groups that may be made."""

    def group_of_its_own(self, *controllers):
        """A new control group, its folder by controller; skips where none can be made or entered."""
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
            self.addCleanup(self.remove, folder)
            folders[controller] = folder
        try:
            subprocess.run(["true"], check=True, preexec_fn=lambda: self.enter(folders))
        except subprocess.SubprocessError as error:
            self.skipTest(f"no control group can be entered here: {error}")
        return folders

    @staticmethod
    def remove(folder):
        def gone():
            try:
                os.rmdir(folder)
            except FileNotFoundError:
                pass
            except OSError:  # somebody is in it still
                return False
            return True

        wait_until(gone)

    @staticmethod
    def enter(folders):
        for folder in folders.values():
            with open(os.path.join(folder, "cgroup.procs"), "w") as file:
                file.write(str(os.getpid()))

    @staticmethod
    def counted_s(folder):
        nanoseconds = os.path.join(folder, "cpuacct.usage")
        if os.path.exists(nanoseconds):
            with open(nanoseconds) as file:
                return 1e-9 * int(file.read())
        with open(os.path.join(folder, "cpu.stat")) as file:
            return 1e-6 * int(file.read().split()[1])

    def test_cpu_time_is_what_the_control_group_counted(self):
        folders = self.group_of_its_own("cpuacct")
        before = self.counted_s(folders["cpuacct"])
        code, _, err = self.run_it(PYTHON, "-c", SPEND + """
for i in range(4):
    if os.fork() == 0:
        spend(0.4)
        os._exit(0)
for i in range(4):
    os.wait()
""", preexec_fn=lambda: self.enter(folders))
        self.assertEqual(code, 0, err)
        counted = self.counted_s(folders["cpuacct"]) - before
        totals, own = self.read_trace()["totals"], self.read_trace()["run"]["own_cpu_s"]
        command = totals["user_s"] + totals["system_s"]
        series = self.series("group_cpu")
        seen = series["mean"] * series["measured_s"]
        self.assertGreaterEqual(command, 4 * (0.4 - CLOCK_S))
        self.assertLessEqual(command + own, counted + CLOCK_S)
        self.assertLessEqual(seen, counted + CLOCK_S)
        self.assertGreaterEqual(seen, 4 * (0.4 - CLOCK_S))

    def test_a_quota_holds_it_back(self):
        folders = self.group_of_its_own("cpu")
        quota = os.path.join(folders["cpu"], "cpu.cfs_quota_us")
        if os.path.exists(quota):
            with open(quota, "w") as file:
                file.write("5000")  # so little that it runs out on a busy machine, too
        else:
            with open(os.path.join(folders["cpu"], "cpu.max"), "w") as file:
                file.write("5000 100000")
        code, _, err = self.run_it(PYTHON, "-c", SPEND + "spend(0.1)",
                                   preexec_fn=lambda: self.enter(folders))
        self.assertEqual(code, 0, err)
        limits = self.read_trace()["limits"]
        self.assertEqual((limits["cpus"], limits["cpus_by"]), (1, "cgroup quota"))
        self.assertEqual(limits["cpus_quota"], 0.05)
        series = self.series("group_throttled")
        self.assertGreater(series["mean"] * series["measured_s"], 0.05)


class Many(Watched):
    def needs_room_for(self, tasks):
        room = room_for_tasks()
        if room < tasks + 200:
            self.skipTest(f"{tasks} processes or threads are not allowed here: there is room for {room}")

    def test_fork_storm(self):
        # STORM=1000000 for the real thing.
        number = int(os.environ.get("STORM", "2000"))
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
        totals = trace["totals"]
        self.assertGreaterEqual(totals["user_s"] + totals["system_s"], float(out) - CLOCK_S)
        self.assertLess(trace["run"]["own_peak_bytes"], LARGEST)
        self.assertLessEqual(len(trace["processes"]), 64)

    def many(self, program, tasks):
        """Runs it until it has been looked at with all that it started."""
        self.needs_room_for(tasks)
        # With a rate, watching may take six times as much: looks at so many are less rare.
        process = self.start(PYTHON, "-c", program, self.go, options=["--rate=5"])
        self.said(process, "ready")
        self.looked(process, 2)
        self.let_it_end()
        _, err = self.end(process)
        self.assertEqual(process.returncode, 7, err)
        self.assertLess(self.read_trace()["run"]["own_peak_bytes"], LARGEST)

    def test_many_at_once(self):
        self.many(WAIT + """
read, write = os.pipe()
for i in range(1000):
    if os.fork() == 0:
        os.close(write)
        os.read(read, 1)
        os._exit(0)
os.write(1, b"ready\\n")
wait()
os.close(write)
for i in range(1000):
    os.wait()
sys.exit(7)
""", 1000)
        self.assertGreater(self.series("processes")["most"], 100)  # as many as its time allows

    def test_thousands_of_threads(self):
        self.many(WAIT + """
import threading
threading.stack_size(64 << 10)
end = threading.Event()
for i in range(2000):
    threading.Thread(target=end.wait).start()
os.write(1, b"ready\\n")
wait()
end.set()
sys.exit(7)
""", 2000)
        self.assertGreaterEqual(self.series("threads")["most"], 2000)


if __name__ == "__main__":
    main()
