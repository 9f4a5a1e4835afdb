"""NumPy: products of matrices."""
import numpy as np
from rate import repeat

a = np.random.rand(1500, 1500)
repeat(lambda: a @ a)
