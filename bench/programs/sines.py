"""Numba: a loop with prange. serial: without."""
import numba
import numpy as np
from rate import ADVISED, repeat

x = np.random.rand(5_000_000)


@numba.njit(parallel=not ADVISED)
def work(values):
    s = 0.0
    for i in numba.prange(len(values)):
        s += np.sin(values[i])
    return s


repeat(lambda: work(x))
