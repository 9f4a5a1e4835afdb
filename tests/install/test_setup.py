"""scripts/setup.sh on systems that lack things: what it says, and what it asks apt for. Nothing is installed."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/setup.sh"
TOOLS = ("bash", "env", "cat", "sed", "grep", "awk", "dirname", "rm", "ln", "cp")
BUILD = ("make", "cmake", "ninja", "gcc", "cc", "pkg-config")


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name in TOOLS:
            (self.folder / name).symlink_to(shutil.which(name))
        self.command("id", "echo 1000")
        for name in BUILD:
            self.command(name, "exit 0")
        self.command("cmake", "echo cmake version 3.25.1")

    def command(self, name, text):
        path = self.folder / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!{shutil.which('bash')}\n{text}\n")
        path.chmod(0o755)

    def lacks(self, *names):
        for name in names:
            (self.folder / name).unlink()

    def setup(self, *words):
        environment = {"PATH": str(self.folder), "HOME": os.environ.get("HOME", "/")}
        return subprocess.run([str(self.folder / "bash"), str(SCRIPT), *words], env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)

    def test_nothing_is_missing(self):
        done = self.setup()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_names_the_packages_of_both(self):
        self.lacks("cmake", "ninja")
        for words, why in (((), "has no apt-get"), (("--check",), "missing: cmake ninja-build")):
            done = self.setup(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn("sudo apt-get install cmake ninja-build\n", done.stderr)
            self.assertIn("sudo dnf install cmake ninja-build ", done.stderr)
            self.assertIn(why, done.stderr)

    def test_not_root(self):
        self.lacks("ninja")
        self.command("apt-get", f'echo "$@" >>{self.folder}/asked')
        done = self.setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("not root, and no sudo", done.stderr)
        self.assertFalse((self.folder / "asked").exists())

    def test_root_installs_what_is_missing_and_no_more(self):
        self.lacks("ninja")
        self.command("id", "echo 0")
        self.command("apt-get", f'echo "$@" >>{self.folder}/asked; cp {self.folder}/make {self.folder}/ninja')
        done = self.setup()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "asked").read_text(),
                         "-qq install --yes --no-install-recommends ninja-build\n")

    def test_apt_that_fails_or_does_not_help(self):
        self.lacks("ninja")
        self.command("id", "echo 0")
        for text, why in (("exit 100", "apt-get failed"), ("exit 0", "still missing")):
            self.command("apt-get", text)
            done = self.setup()
            self.assertEqual(done.returncode, 1)
            self.assertIn(why, done.stderr)
            self.assertIn("sudo dnf install ninja-build ", done.stderr)

    def test_old_cmake_is_said_before_anything_is_installed(self):
        self.lacks("ninja")
        self.command("id", "echo 0")
        self.command("apt-get", f'echo "$@" >>{self.folder}/asked')
        self.command("cmake", "echo cmake version 3.16.3")
        for words in ((), ("--check",)):
            done = self.setup(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn("CMake 3.20 or newer is needed; here is 3.16.3", done.stderr)
            self.assertFalse((self.folder / "asked").exists())

    def test_goes_on_without_what_is_optional(self):
        self.command("pkg-config", '[[ $2 != ncursesw && $2 != libmicrohttpd ]]')
        for _ in ("no apt-get", "not root"):
            done = self.setup()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("goes on without libncurses-dev libmicrohttpd-dev: ", done.stderr)
            self.assertEqual(self.setup("--check").stderr, "")
            self.command("apt-get", f'echo "$@" >>{self.folder}/asked')
        self.assertFalse((self.folder / "asked").exists())


if __name__ == "__main__":
    unittest.main()
