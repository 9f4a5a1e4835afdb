"""Is this computation worth a GPU? The same function on every array library that is here, measured right.

    import breakeven as be

    def distances(xp, x):
        return xp.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=-1)

    be.compare(distances, make=lambda rng, n: rng.random((n, 3)), sizes=[64, 256, 1024])

Times are seconds. A number that was not measured is NaN.
"""

try:
    import numpy as _numpy  # noqa: F401
except ImportError as error:
    raise ImportError(f"breakeven needs NumPy: pip install numpy ({error})") from error

from ._commands import lint, machine, machines, predict, queue, worth
from ._compare import compare
from ._comparison import Comparison, load
from ._library import BreakevenError
from ._timing import Timing, time
from ._watch import watch

__all__ = ["BreakevenError", "Comparison", "Timing", "compare", "lint", "load", "machine", "machines", "predict", "queue",
           "time", "watch", "worth"]


def load_ipython_extension(shell):
    """%load_ext breakeven"""
    from . import _magics
    _magics.register(shell)
