"""Six processes, each of which takes all cores for its products."""
import multiprocessing

import numpy

from share import SECONDS, repeat


def work(seconds):
    a = numpy.random.rand(600, 600)
    repeat(lambda: a @ a, seconds)


if __name__ == "__main__":
    processes = [multiprocessing.get_context("fork").Process(target=work, args=(SECONDS,))
                 for _ in range(6)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
