#!/usr/bin/env python3
"""Troubles of `breakeven run` itself, which are none of the command's; and the files that it writes.
usage: watched_files.py BUILD/breakeven [TEST...]"""
import json
import os
import resource
import socket
import stat
import subprocess
import time
import unittest

from watched import PATIENCE_S, PROGRAM, Watched, main


class Troubles(Watched):
    def test_full_disk(self):
        code, _, err = self.run_it("sh", "-c", "exit 7", options=["--output=/dev/full"])
        self.assertEqual(code, 7)
        self.assertIn("/dev/full: write results: No space left", err)
        self.assertIn("ran ", err)  # the report is not lost
        code, _, err = self.run_it("sh", "-c", "exit 7", options=["--output=/dev/full", "--quiet"])
        self.assertEqual(code, 7)
        self.assertNotIn("ran ", err)

    def test_devices_and_pipes_are_not_replaced(self):
        fifo = os.path.join(self.folder.name, "fifo")
        os.mkfifo(fifo)
        reader = subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE)
        code, _, err = self.run_it("sh", "-c", "exit 7", options=[f"--json={fifo}"])
        self.assertEqual(code, 7, err)
        self.assertEqual(json.loads(reader.communicate(timeout=PATIENCE_S)[0])["command"], "run")
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
        self.assertIn(f"the trace is not saved: {self.trace}: ", err)
        self.assertIn("ran ", err)
        self.assertNotIn("trace    ", err)
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
        self.assertIn(b"will not be kept (--trace-file=FILE", process.stderr)
        self.assertLessEqual(max(map(len, process.stderr.splitlines())), 80)

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

    def test_too_few_files_to_watch_with(self):
        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6))

        code, out, err = self.run_it("sh", "-c", "echo out; exit 7", preexec_fn=few)
        self.assertEqual((code, out), (7, "out\n"))
        self.assertIn("at most 6 files may be open here: `ulimit -n 1024`", " ".join(err.split()))

    def test_few_files_by_a_limit_of_ones_own(self):
        """The watching takes what it may; the command keeps the limit that it was given."""
        def few():
            hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.setrlimit(resource.RLIMIT_NOFILE, (7, hard))

        look = """ulimit -n
            for i in $(seq 100); do
                for pid in $(cat /proc/$PPID/task/$PPID/children); do
                    grep -q "open files *256 " /proc/$pid/limits && echo more && exit 7
                done
                sleep 0.1
            done"""
        code, out, _ = self.run_it("sh", "-c", look, preexec_fn=few)
        self.assertEqual((code, out), (7, "7\nmore\n"))



class Files(Watched):
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

    def test_those_written_last_are_kept(self):
        """A run of days that has just ended is not the oldest, though it began before the others."""
        folder = os.path.join(self.folder.name, "data/breakeven/runs")
        os.makedirs(folder)
        now = time.time()
        names = ["20200101T000000Z-here-1.json"] + [f"2025010{i // 10}T0000{i % 60:02}Z-here-{i}.json"
                                                     for i in range(1, 60)]
        for i, name in enumerate(names):
            with open(os.path.join(folder, name), "w"):
                pass
            os.utime(os.path.join(folder, name), (now - 1000 + i,) * 2)
        os.utime(os.path.join(folder, names[0]), (now,) * 2)
        process = subprocess.run([PROGRAM, "run", "-q", "true"], env=self.environment)
        self.assertEqual(process.returncode, 0)
        left = os.listdir(folder)
        self.assertEqual(len(left), 50)
        self.assertIn(names[0], left)
        self.assertIn(names[-1], left)
        self.assertNotIn(names[1], left)

    def test_what_a_killed_run_left_goes_after_a_day(self):
        folder = os.path.join(self.folder.name, "data/breakeven/runs")
        os.makedirs(folder)
        old, young, foreign = (os.path.join(folder, name) for name in (
            "20260101T000000Z-h-1.json.part-1-0", "20260101T000000Z-h-2.json.part-2-0", "notes.part-1-0"))
        for path in (old, young, foreign):
            with open(path, "w", encoding="ascii") as file:
                file.write("{")
        for path in (old, foreign):
            os.utime(path, (time.time() - 90000,) * 2)
        subprocess.run([PROGRAM, "run", "-q", "true"], env=self.environment, check=True)
        self.assertFalse(os.path.exists(old))
        self.assertTrue(os.path.exists(young) and os.path.exists(foreign))

    def test_two_runs_with_one_trace_file(self):
        """Each is written whole, beside the other: who ends last is there."""
        first = self.start_counting()
        second = self.start("sh", "-c", "exit 4")
        self.end(second)
        self.assertEqual(second.returncode, 4)
        self.assertEqual(self.read_trace()["run"]["code"], 4)
        self.let_it_end()
        self.end(first)
        self.assertEqual(self.read_trace()["run"]["code"], first.returncode)
        self.assertEqual([name for name in os.listdir(self.folder.name) if ".part" in name], [])

    def test_report_says_the_same_again(self):
        _, _, err = self.run_it("sh", "-c", "sleep 1.2; exit 7")
        again = subprocess.run([PROGRAM, "report", self.trace], stdout=subprocess.PIPE, check=True,
                               env=self.environment)
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

    def test_names_with_a_part_for_each_rank(self):
        """One command line for all ranks: each has files of its own, and report makes one of them."""
        traces = []
        for rank in range(2):
            variables = dict(OMPI_COMM_WORLD_RANK=str(rank), OMPI_COMM_WORLD_SIZE="2", SLURM_JOB_ID="4711")
            pattern = os.path.join(self.folder.name, "r%%-%j-%r-%h")
            name = os.path.join(self.folder.name, f"r%-4711-{rank}-{socket.gethostname()}")
            code, _, err = self.run_it("true", options=[f"--output={pattern}", f"--json={pattern}.json",
                                                        f"--trace-file={pattern}.trace"],
                                      env=dict(self.environment, **variables))
            self.assertEqual((code, err), (0, ""))
            with open(name) as file:
                self.assertIn(f"rank {rank} of 2 on ", file.read())
            with open(name + ".json") as file:
                run = json.load(file)["run"]
            self.assertEqual((run["rank"], run["ranks"]), (rank, 2))
            traces.append(name + ".trace")
        for files in (traces, traces[::-1]):
            done = subprocess.run([PROGRAM, "report", *files], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue(done.stdout.startswith("ranks    2 of 2 of true in slurm 4711\n"), done.stdout)
        done = subprocess.run([PROGRAM, "report", traces[0], traces[0]], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.stdout.count("ran "), 2, done.stdout)  # one rank twice is no program

    def test_names_that_ranks_share_are_warned_of(self):
        output = os.path.join(self.folder.name, "same")
        for rank, warned in ((0, True), (1, False)):
            variables = dict(OMPI_COMM_WORLD_RANK=str(rank), OMPI_COMM_WORLD_SIZE="2")
            _, _, err = self.run_it("true", options=[f"--output={output}"],
                                    env=dict(self.environment, **variables))
            self.assertEqual("each of the 2 ranks writes that file" in err, warned, err)
        _, _, err = self.run_it("true", options=[f"--output={output}"])
        self.assertEqual(err, "")

    def test_letters_that_mean_nothing_run_nothing(self):
        for pattern in ("x%z", "x%", "%"):
            code, _, err = self.run_it("touch", os.path.join(self.folder.name, "ran"),
                                       options=[f"--output={pattern}"])
            self.assertEqual(code, 2)
            self.assertIn("%r the rank", " ".join(err.split()))
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "ran")))

    def test_report_is_written_at_once(self):
        """Tasks of a job share a standard error: what is written in parts is mixed with others'."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)  # keeps writes apart
        process = self.start("true", stderr=theirs)
        theirs.close()
        self.end(process)
        report = ours.recv(65536).decode()
        self.assertEqual(ours.recv(65536), b"")
        ours.close()
        self.assertRegex(report, f"(?s)^ran .*\ntrace    {self.trace}\n$")

    def test_rate_is_of_a_second(self):
        for rate, interval_s in (("0.01", 100), ("4", 0.25), ("100", 0.01)):
            self.run_it("true", options=[f"--rate={rate}"])
            self.assertAlmostEqual(self.read_trace()["run"]["interval_s"], interval_s)

    def test_bad_options_run_nothing(self):
        missing = os.path.join(self.folder.name, "missing/x")
        # So long that a name of a thousand characters would be another file.
        far = self.folder.name + "/." * 600 + "/x"
        for options in (["--rate=0"], ["--rate=x"], ["--rate=0.009"], ["--rate=101"], ["--rate=nan"],
                        [f"--output={missing}"], [f"--json={missing}"],
                        [f"--trace-file={missing}"], [f"--trace-file={far}"], ["--nonsense"],
                        ["--json="], ["--output="], ["--trace-file="]):
            process = subprocess.run([PROGRAM, "run", *options, "--", "echo", "ran"],
                                     env=self.environment, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, check=False)
            self.assertEqual((process.returncode, process.stdout), (2, b""), options)
            self.assertTrue(process.stderr.startswith(b"breakeven"), options)
        for option in ("--json", "--output", "-o", "--trace-file"):
            process = subprocess.run([PROGRAM, "run", option, "--", "echo", "ran"], env=self.environment,
                                     cwd=self.folder.name, capture_output=True, check=False)
            self.assertEqual((process.returncode, process.stdout), (2, b""), option)
            self.assertIn(b"needs a file", process.stderr)
            self.assertFalse(os.path.exists(os.path.join(self.folder.name, "--")))
        process = subprocess.run([PROGRAM, "run"], stderr=subprocess.PIPE, check=False)
        self.assertEqual(process.returncode, 2)
        self.assertIn(b"which command?", process.stderr)


if __name__ == "__main__":
    main()
