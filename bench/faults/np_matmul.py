"""Products of matrices with as many threads as there are cores."""
import numpy

from share import repeat

a = numpy.random.rand(1500, 1500)
repeat(lambda: a @ a)
