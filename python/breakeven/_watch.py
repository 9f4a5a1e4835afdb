"""be.watch: what `breakeven run` says of a program, of a block of this one.

The program watches this process from outside. It knows nothing of the block.
"""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from . import _library, _program, _records, _timing

LONGEST_END_S = 20  # that the program may take to write what it saw


class Watch:
    """A block under watch: `with be.watch() as w: ...`. Afterwards str(w) is the report; `record` is the trace, as of
    docs/json.md; `findings` are those of the report."""

    def __init__(self, interval_s=0.1, show=True):
        _timing.check_above_0(interval_s=interval_s)
        self.interval_s, self.show = interval_s, show
        self.record, self._text, self._pid, self._folder = None, "the block has not ended yet", None, None

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        self._said = open(pathlib.Path(self._folder.name, "said"), "w+", encoding="utf-8")
        # A shell in between ends at once, so that the watcher is no child of the process that it watches.
        started = subprocess.run(
            ["sh", "-c", '"$@" >/dev/null & echo $!', "sh", str(_library.program_path()), "watch", "--plain",
             f"--interval={self.interval_s}", f"--output={self._trace}", str(os.getpid())],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._said, start_new_session=True, text=True,
            check=True)
        self._pid = int(started.stdout)
        return self

    @property
    def _trace(self):
        return pathlib.Path(self._folder.name, "trace.json")

    def __exit__(self, *_exception):
        self._end()
        try:
            self._read()
        finally:
            self._said.close()
            self._folder.cleanup()
        if self.show:
            print(self)
        return False

    def _end(self):
        """Asks the watcher to end, which then writes what it saw; one that does not is killed."""
        until = time.monotonic() + LONGEST_END_S
        try:
            os.kill(self._pid, signal.SIGTERM)
            while time.monotonic() < until:
                os.kill(self._pid, 0)
                time.sleep(0.01)
            os.kill(self._pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def _read(self):
        if not self._trace.exists():
            self._said.seek(0)
            why = self._said.read().strip().splitlines()
            self._text = f"watch: nothing was seen: {why[-1] if why else 'the block was too short'}"
            return
        file = pathlib.Path(self._folder.name, "report.json")
        text = _program.run(["report", self._trace, f"--json={file}"])
        self.record = _records.Record(json.loads(file.read_text(encoding="utf-8")))
        self._text = text.rstrip("\n")

    @property
    def findings(self):
        """What the report found, each with its evidence and advice."""
        return getattr(self.record, "findings", []) if self.record else []

    def __str__(self):
        return self._text

    __repr__ = __str__


def watch(interval_s: float = 0.1, show: bool = True) -> Watch:
    """Watches this process while a block runs: cores, memory, GPUs, and what is wrong. show: print it at the end."""
    return Watch(interval_s, show)
