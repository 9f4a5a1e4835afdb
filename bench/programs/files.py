"""Small files, each of its own. one: all of them one after the other in one file."""
import os
import tempfile

from rate import ADVISED, repeat

MANY = 1000
record = b"x" * 3000
with tempfile.TemporaryDirectory(dir=".") as folder:
    def step():
        if ADVISED:
            with open(os.path.join(folder, "all"), "wb") as out:
                for _ in range(MANY):
                    out.write(record)
            return
        for i in range(MANY):
            with open(os.path.join(folder, str(i)), "wb") as out:
                out.write(record)

    repeat(step, MANY)
