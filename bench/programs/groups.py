"""pandas: groupby. processes: each part in a process of its own."""
import multiprocessing

import numpy as np
import pandas as pd
from rate import ADVISED, repeat


def work(seed):
    make = np.random.default_rng(seed)
    part = pd.DataFrame({"k": make.integers(0, 1000, 1_000_000), "v": make.random(1_000_000)})
    return part.groupby("k").v.agg(["sum", "count"])


if __name__ == "__main__":
    if ADVISED:
        with multiprocessing.Pool(2) as pool:
            repeat(lambda: pd.concat(pool.map(work, range(8), chunksize=1)), 8)
    else:
        repeat(lambda: pd.concat([work(i) for i in range(8)]), 8)
