"""joblib: so many processes as its argument says, each with products in NumPy."""
import numpy as np
from joblib import Parallel, delayed
from rate import ADVISED, repeat


def work(i):
    a = np.random.rand(600, 600)
    for _ in range(10):
        a = a @ a / 600
    return i


with Parallel(n_jobs=int(ADVISED[0])) as team:
    repeat(lambda: team(delayed(work)(i) for i in range(16)), 16)
