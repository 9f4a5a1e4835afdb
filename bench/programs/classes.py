"""scikit-learn: SVC or RandomForestClassifier. forest 2: with n_jobs=2; svc parts: two fits at once."""
import multiprocessing

import numpy as np
from rate import ADVISED, repeat
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import SVC

make = np.random.default_rng(1)
x, y = make.random((2000, 30)), make.integers(0, 2, 2000)


def fit(c):
    return SVC(C=c).fit(x, y).n_support_.sum()


if __name__ == "__main__":
    if ADVISED[0] == "forest":
        jobs = int(ADVISED[1]) if len(ADVISED) > 1 else None
        repeat(lambda: RandomForestClassifier(60, n_jobs=jobs).fit(x, y))
    elif len(ADVISED) > 1:
        with multiprocessing.Pool(2) as pool:
            repeat(lambda: pool.map(fit, [0.5, 1, 2, 4], chunksize=1), 4)
    else:
        repeat(lambda: [fit(c) for c in (0.5, 1, 2, 4)], 4)
