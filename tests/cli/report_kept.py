#!/usr/bin/env python3
"""The report of `breakeven run` comes, whoever ends the command and wherever it is to go.
usage: report_kept.py BUILD/breakeven [TEST...]"""
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

PROGRAM = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""


def wait_until(holds, seconds=240):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]


def name(pid):
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().strip()
    except OSError:
        return ""


def screen(text, columns):
    """The lines that a terminal of so many columns shows: behind the last column it waits for what comes next."""
    lines, column = [[]], 0
    for one in text.replace("\x1b[K", "\0"):
        if one == "\r":
            column = 0
        elif one == "\n":
            lines.append([])
        elif one == "\0":
            del lines[-1][column:]
        else:
            if column == columns:
                lines.append([])
                column = 0
            lines[-1] += [" "] * (column + 1 - len(lines[-1]))
            lines[-1][column] = one
            column += 1
    return ["".join(line).rstrip() for line in lines]


class Kept(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.trace = os.path.join(self.folder, "trace.json")

    def start(self, *words, **how):
        settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                    "stderr": subprocess.PIPE, "cwd": self.folder}
        settings.update(how)
        process = subprocess.Popen([PROGRAM, "run", "--trace-file", self.trace, *words],
                                   **settings)
        self.addCleanup(process.kill)
        return process

    # ---- below what the command wrote last ------------------------------------------------------

    def test_below_a_line_without_an_end_in_a_file(self):
        """Standard output and error are one file, as in a batch job; it may be appended to, and not be empty."""
        log = os.path.join(self.folder, "log")
        for mode in ("wb", "ab"):
            for before in (b"", b"from before\n", b"from before"):
                for text in ("abc", "abc\n", "", "\n"):
                    with open(log, "wb") as out:
                        out.write(before if mode == "ab" else b"")
                    with open(log, mode) as out:
                        self.start("--", "printf", text.replace("\n", "\\n"), stdout=out, stderr=out).wait()
                    with open(log, "rb") as file:
                        whole = file.read().decode()
                    wrote = (before.decode() if mode == "ab" else "") + text
                    wrote += "\n" if wrote and not wrote.endswith("\n") else ""
                    self.assertTrue(whole.startswith(wrote + "ran "), (mode, before, text, whole))

    def test_other_files_get_nothing_more(self):
        """Standard output is another file, without an end of its line: it stays as it is, and so does the report."""
        log, report = os.path.join(self.folder, "log"), os.path.join(self.folder, "report")
        with open(log, "wb") as out, open(report, "wb") as err:
            self.start("--", "printf", "abc", stdout=out, stderr=err).wait()
        with open(log, "rb") as file:
            self.assertEqual(file.read(), b"abc")
        with open(report, "rb") as file:
            self.assertTrue(file.read().startswith(b"ran "))

    def test_below_a_line_without_an_end_on_a_terminal(self):
        columns = 60
        for text, above in (("abc", ["abc"]), ("abc\\n", ["abc"]), ("a", ["a"]), ("", []), ("\\n", [""]),
                            ("x" * (columns - 1), ["x" * (columns - 1)]), ("x" * columns, ["x" * columns]),
                            ("x" * (columns + 1), ["x" * columns, "x"])):
            master, slave = pty.openpty()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            process = self.start("--", "printf", text, stdout=slave, stderr=slave,
                                 env={**os.environ, "TERM": "xterm"})
            os.close(slave)
            written = b""
            while True:
                try:
                    more = os.read(master, 1 << 16)
                except OSError:  # nobody has it open any more
                    break
                written += more
            process.wait()
            os.close(master)
            lines = screen(written.decode(), columns)
            self.assertEqual(lines[:len(above)], above, repr(written))
            self.assertTrue(lines[len(above)].startswith("ran "), lines)

    # ---- who ends it ----------------------------------------------------------------------------

    def test_two_signals_that_end_it_are_no_impatience(self):
        """timeout(1) sends one to us and one to our group; the second may come after the end."""
        process = self.start("--", "sleep", "100")
        named = {}

        def found():
            named.update({name(pid): pid for pid in children(process.pid)})
            return "breakeven-watch" in named and "sleep" in named

        self.assertTrue(wait_until(found))
        os.kill(named["breakeven-watch"], signal.SIGSTOP)  # so the second comes before the report
        process.terminate()
        self.assertTrue(wait_until(lambda: "sleep" not in map(name, children(process.pid))))
        time.sleep(0.2)  # whoever is slower here tests less, and fails no more
        process.terminate()
        time.sleep(0.2)
        os.kill(named["breakeven-watch"], signal.SIGCONT)
        _, err = process.communicate(timeout=240)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertIn("killed by signal 15", err.decode())
        with open(self.trace) as file:
            self.assertEqual(json.load(file)["run"]["end"], "killed")


    def test_a_signal_that_is_ignored_asks_for_nothing(self):
        """Under nohup(1)."""
        process = self.start("--", "cat", stdin=subprocess.PIPE, preexec_fn=lambda: signal.signal(
            signal.SIGHUP, signal.SIG_IGN))
        self.assertTrue(wait_until(lambda: {"cat", "breakeven-watch"} <=
                                   set(map(name, children(process.pid)))))
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)  # whoever is slower here tests less, and fails no more
        _, err = process.communicate(timeout=240)
        self.assertEqual(process.returncode, 0)
        self.assertIn("ran ", err.decode())
        self.assertNotIn("SIGHUP", err.decode())

    # ---- where it goes --------------------------------------------------------------------------

    def run_it(self, *words, **how):
        process = self.start(*words, **how)
        out, err = process.communicate(timeout=240)
        return process.returncode, (out or b"").decode(), (err or b"").decode()

    def test_to_standard_output(self):
        code, out, err = self.run_it("--output=/dev/stdout", "--", "sh", "-c", "echo own; exit 4")
        self.assertEqual((code, err), (4, ""))
        self.assertRegex(out, "^own\nran ")

    def test_to_standard_output_that_is_a_file(self):
        """The command's own text stays before it, and the file is still the one that was opened."""
        path = os.path.join(self.folder, "all")
        with open(path, "w") as file:
            print("before", file=file, flush=True)
            number = os.fstat(file.fileno()).st_ino
            code, _, _ = self.run_it("--quiet", "--json=/proc/self/fd/1", "--", "echo", "own",
                                     stdout=file)
        self.assertEqual((code, os.stat(path).st_ino), (0, number))
        with open(path) as file:
            lines = file.read().split("\n", 2)
        self.assertEqual(lines[:2], ["before", "own"])
        self.assertEqual(json.loads(lines[2])["run"]["end"], "exited")
        self.assertEqual(os.listdir(self.folder).count("all.part"), 0)

    def test_other_commands_write_to_it_as_it_stands(self):
        self.run_it("--quiet", "--", "true")
        path = os.path.join(self.folder, "all")
        with open(path, "w") as file:
            print("before", file=file, flush=True)
            done = subprocess.run([PROGRAM, "report", "--json=/proc/self/fd/1", self.trace],
                                  stdout=file, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(path) as file:
            text = file.read()
        self.assertTrue(text.startswith('before\n{"schema"'), text[:80])
        self.assertEqual(sorted(os.listdir(self.folder)), ["all", "trace.json"])

    def test_to_a_pipe_of_the_shell(self):
        read, write = os.pipe()
        process = self.start("--quiet", f"--json=/dev/fd/{write}", "--", "sleep", "0.1",
                             pass_fds=[write])
        os.close(write)
        with open(read) as file:
            self.assertEqual(json.load(file)["run"]["end"], "exited")
        process.communicate(timeout=240)
        self.assertEqual(process.returncode, 0)

    def test_the_command_does_not_inherit_it(self):
        """The file that --output opens is ours: the command sees the same files with it and without."""
        list_it = ["--", "sh", "-c", "ls /proc/self/fd"]
        _, out, _ = self.run_it("--output=/dev/stderr", *list_it)
        _, plain, _ = self.run_it(*list_it)
        self.assertEqual(out, plain)

    def test_names_that_are_alike(self):
        """Files of one name in two folders, one name for none and a file, a pipe for both."""
        os.mkdir(os.path.join(self.folder, "sub"))
        for words in (("--output=a", "--json=sub/a"), ("--trace-file=none", "--json=none"),
                      ("--output=/dev/null", "--json=/dev/null")):
            code, out, err = self.run_it(*words, "--", "echo", "ran")
            self.assertEqual((code, out), (0, "ran\n"), err)

    def test_what_cannot_be_written_is_said_before_anything_runs(self):
        read, write = os.pipe()
        os.mkdir(os.path.join(self.folder, "sub"))
        with open(os.path.join(self.folder, "there"), "w") as file:
            file.write("kept")
        os.symlink("there", os.path.join(self.folder, "link"))
        for words, said in (((f"--output=/dev/fd/{read}",), "open for reading"),
                            (("--trace-file=/dev/stdout",), "name a file"),
                            (("--output=a", "--json=a"), "named twice"),
                            (("--json=a", "--trace-file=a"), "named twice"),
                            (("--output=./a", "--json=a"), "named twice"),
                            (("--output=sub/../there", "--json=there"), "named twice"),
                            (("--output=/", "--json=//"), ""),
                            (("--json=link", "--trace-file=there"), "named twice"),
                            ((f"--output={self.folder}/a", "--json=sub//.././a"), "named twice"),
                            (("--json=" + "a/" * 600,), "a path of less than")):
            code, out, err = self.run_it(*words, "--", "echo", "ran", pass_fds=[read, write])
            self.assertEqual(out, "", words)
            self.assertNotEqual(code, 0)
            self.assertIn(said, " ".join(err.split()))
        with open(os.path.join(self.folder, "there")) as file:
            self.assertEqual(file.read(), "kept")
        os.close(read)
        os.close(write)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_file_that_is_not_to_be_written(self):
        path = os.path.join(self.folder, "theirs")
        with open(path, "w"):
            pass
        os.chmod(path, 0o400)
        code, out, err = self.run_it(f"--output={path}", "--", "echo", "ran")
        self.assertNotEqual(code, 0)
        self.assertEqual(out, "")
        self.assertIn("cannot be written", err)

    def test_all_standard_files_are_closed(self):
        """As under a daemon: what we open then takes their numbers."""
        report = os.path.join(self.folder, "report")

        def close_all():
            for file in range(3):
                os.close(file)

        process = self.start("--output", report, "--", "sh", "-c", "exit 4",
                             preexec_fn=close_all)
        process.communicate(timeout=240)
        self.assertEqual(process.returncode, 4)
        with open(report) as file:
            self.assertRegex(file.read(), "^ran .*exit code 4")
        with open(self.trace) as file:
            self.assertEqual(json.load(file)["run"]["code"], 4)


if __name__ == "__main__":
    if not PROGRAM:
        sys.exit(__doc__)
    unittest.main()
