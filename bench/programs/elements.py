"""NumPy: elementwise work on 20 M numbers. parts: in two parts at once; again: into an array that is there."""
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from rate import ADVISED, repeat

x = np.random.rand(20_000_000)
room = np.empty_like(x)


def work(part):
    return np.sqrt(part * part + 1.0) - part


def again():
    np.multiply(x, x, out=room)
    np.add(room, 1.0, out=room)
    np.sqrt(room, out=room)
    np.subtract(room, x, out=room)


if "parts" in ADVISED:
    team, parts = ThreadPoolExecutor(2), np.array_split(x, 2)
    repeat(lambda: list(team.map(work, parts)))
elif "again" in ADVISED:
    repeat(again)
else:
    repeat(lambda: work(x))
