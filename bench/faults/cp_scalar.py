"""CuPy: a loop over elements, a kernel for each."""
import cupy

from share import repeat

x = cupy.zeros(1000, cupy.float32)


def step():
    for i in range(1000):
        x[i] += 1


repeat(step)
