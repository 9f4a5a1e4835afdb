"""Arrays of 40 MB, sent to another process and back. shared: in memory that both have, and only a word is sent."""
import multiprocessing
from multiprocessing import shared_memory

import numpy as np
from rate import ADVISED, repeat

NUMBERS = 5_000_000


def double(inbox, outbox, name):
    room = shared_memory.SharedMemory(name) if name else None
    shared = np.ndarray(NUMBERS, buffer=room.buf) if name else None
    while (array := inbox.get()) is not None:
        if name:
            np.multiply(shared, 2, out=shared)
        outbox.put(1 if name else array * 2)


if __name__ == "__main__":
    memory = shared_memory.SharedMemory(create=True, size=8 * NUMBERS) if ADVISED else None
    there, back = multiprocessing.Queue(), multiprocessing.Queue()
    worker = multiprocessing.Process(target=double, args=(there, back, memory and memory.name))
    worker.start()
    numbers = np.ones(NUMBERS)

    def step():
        there.put(1 if ADVISED else numbers)
        back.get()

    repeat(step)
    there.put(None)
    worker.join()
    if memory:
        memory.close()
        memory.unlink()
