"""Two workers that are given work far too slowly."""
import multiprocessing
import time

from share import SECONDS, burn

if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            pool.apply_async(burn, (0.02,))
            time.sleep(0.1)
        pool.close()
        pool.join()
