"""CuPy: an array of NumPy's goes to the GPU and back in each step."""
import cupy
import numpy

from share import repeat

host = numpy.random.rand(1 << 24).astype(numpy.float32)
repeat(lambda: cupy.asnumpy(cupy.asarray(host) * 2))
