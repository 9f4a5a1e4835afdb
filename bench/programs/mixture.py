"""A mixture, as scripts are: a file of text is read, columns are sorted and joined, a filter by FFT, a sparse product, an
image filter, random numbers, a fit."""
import io

import numpy as np
import pandas as pd
from scipy import ndimage, sparse, special

from rate import repeat

random = np.random.default_rng(1)
text = "\n".join(f"{i},{i * 0.37:.4f},{i % 97}" for i in range(40000))
matrix = sparse.random(4000, 4000, density=5e-3, format="csr", random_state=1)
picture = random.random((400, 400))


def step():
    table = pd.read_csv(io.StringIO(text), names=["a", "b", "c"])
    joined = table.merge(table.groupby("c").mean(), on="c")
    signal = np.fft.irfft(np.fft.rfft(random.standard_normal(200000))[:50000])
    vector = np.ones(4000)
    for _ in range(100):
        vector = matrix @ vector
    blurred = ndimage.gaussian_filter(picture, 3)
    fit, *_ = np.linalg.lstsq(random.standard_normal((2000, 60)), np.ones(2000), rcond=None)
    return joined["b_y"].sum() + np.sort(signal)[0] + special.erf(blurred).mean() + vector.sum() + fit.sum()


repeat(step)
