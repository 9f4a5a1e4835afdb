"""Elementwise NumPy, which takes one core."""
import numpy

from share import repeat

x = numpy.random.rand(200_000)
repeat(lambda: numpy.sin(x) * numpy.exp(-x))
