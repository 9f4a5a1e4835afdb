"""Waits for the disk after each small record. Its argument: after so many."""
import os
import tempfile

from rate import ADVISED, repeat

EACH = int(ADVISED[0]) if ADVISED else 1
record = b"x" * 4096
with tempfile.TemporaryFile(dir=".") as out:
    def save():
        os.write(out.fileno(), record * EACH)
        os.fsync(out.fileno())
        if os.lseek(out.fileno(), 0, os.SEEK_CUR) > 1 << 26:
            os.lseek(out.fileno(), 0, os.SEEK_SET)

    repeat(save, EACH)
