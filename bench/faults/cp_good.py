"""CuPy: large products in half precision."""
import cupy

from share import repeat

a = cupy.ones((8192, 8192), cupy.float16)
b = cupy.empty_like(a)


def step():
    for _ in range(20):
        cupy.matmul(a, a, out=b)
    cupy.cuda.Device().synchronize()


repeat(step)
