"""Pure Python, 40 tasks at a time. threads N: in threads; processes N: in processes; else one after the other."""
import multiprocessing
import multiprocessing.pool

from rate import ADVISED, repeat


def work(i):
    return sum(sum(range(1000)) for _ in range(300)) + i


if __name__ == "__main__":
    kind = {"threads": multiprocessing.pool.ThreadPool, "processes": multiprocessing.Pool}[ADVISED[0]]
    with kind(int(ADVISED[1])) as pool:
        repeat(lambda: pool.map(work, range(40), chunksize=1), 40)
