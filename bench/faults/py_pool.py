"""As many workers as its argument says, each at work all the time."""
import multiprocessing
import sys

from share import SECONDS, burn

if __name__ == "__main__":
    workers = int(sys.argv[1])
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        pool.map(burn, [SECONDS] * workers, chunksize=1)
