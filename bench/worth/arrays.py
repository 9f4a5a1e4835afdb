"""Twenty programs of whole-array steps in NumPy, as users write them; and arrays that count what calls on them read, write
and compute. For bench/numpy_limits.py.
"""
import numpy as np

# Operations of an element where a unit of the GPU is at work so long (a multiply-add is two). Others are two, as an
# addition is. Read off the instructions that CUDA's mathematical functions have, and rough.
COST = {"divide": 16, "true_divide": 16, "sqrt": 10, "exp": 16, "log": 20, "sin": 24, "cos": 24, "tanh": 30, "arcsin": 30,
        "power": 80, "float_power": 80}


class Counted(np.ndarray):
    """An array that counts what its calls read, write and compute."""
    bytes = 0
    operations = {4: 0, 8: 0}

    @staticmethod
    def add(given, made, cost):
        arrays = [one for one in given if isinstance(one, np.ndarray) and one.ndim]
        Counted.bytes += sum(one.nbytes for one in arrays + [made] if isinstance(one, np.ndarray))
        most = max([one.size for one in arrays] + [getattr(made, "size", 1)])
        width = 8 if getattr(made, "dtype", np.dtype(float)).itemsize >= 8 else 4
        Counted.operations[width] += cost * most * (2 if np.iscomplexobj(made) else 1)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        plain = [np.asarray(one) if isinstance(one, Counted) else one for one in inputs]
        if out:
            kwargs["out"] = tuple(np.asarray(one) for one in out)
        made = getattr(ufunc, method)(*plain, **kwargs)
        Counted.add(plain, made, COST.get(ufunc.__name__, 2))
        return out[0] if out else made.view(Counted) if isinstance(made, np.ndarray) else made

    def __array_function__(self, function, types, args, kwargs):
        def bare(one):
            return np.asarray(one) if isinstance(one, Counted) else [bare(x) for x in one] if isinstance(
                one, (list, tuple)) and any(isinstance(x, Counted) for x in one) else one
        plain = [bare(one) for one in args]
        made = function(*plain, **{word: bare(one) for word, one in kwargs.items()})
        flat = [x for one in plain for x in (one if isinstance(one, list) else [one])]
        Counted.add(flat, made, 2)
        return made.view(Counted) if isinstance(made, np.ndarray) else made


# ---- programs: each takes a maker of arrays and returns a step -------------------------------------


def option(make):
    s, k, t = make(6_000_000, 8) * 50 + 75, make(6_000_000, 8) * 50 + 75, make(6_000_000, 8) + 0.1

    def step():
        d = (np.log(s / k) + 0.06 * t) / (0.2 * np.sqrt(t))
        e = d - 0.2 * np.sqrt(t)
        return s * (0.5 + 0.5 * np.tanh(0.8 * d)) - k * np.exp(-0.04 * t) * (0.5 + 0.5 * np.tanh(0.8 * e))
    return step


def mandelbrot(make):
    c = make(4_000_000, 8) * 3 - 2 + 1j * make(4_000_000, 8)

    def step():
        z = c * 0
        for _ in range(10):
            z = z * z + c
            z = np.where(np.abs(z) > 2, 2, z)
        return z
    return step


def centres(make):
    x, c = make((400_000, 8), 4), make((16, 8), 4)
    return lambda: ((x[:, None] - c[None]) ** 2).sum(-1).argmin(1)


def blur(make):
    u = make((4000, 4000), 4)
    return lambda: sum(u[1 + i:-1 + i or None, 1 + j:-1 + j or None] for i in (-1, 0, 1) for j in (-1, 0, 1)) / 9


def life(make):
    u = make((6000, 6000), 4) > 0.5

    def step():
        v = u.astype(np.uint8)
        n = v[:-2, :-2] + v[:-2, 1:-1] + v[:-2, 2:] + v[1:-1, :-2] + v[1:-1, 2:] + v[2:, :-2] + v[2:, 1:-1] + v[2:, 2:]
        return (n == 3) | ((v[1:-1, 1:-1] == 1) & (n == 2))
    return step


def softmax(make):
    x = make((20_000, 1000), 4)

    def step():
        e = np.exp(x - x.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)
    return step


def normalise(make):
    x = make((1_000_000, 16), 8)
    return lambda: (x - x.mean(0)) / np.sqrt(((x - x.mean(0)) ** 2).mean(0))


def wave(make):
    u, v = make((4000, 4000), 4), make((4000, 4000), 4)

    def step():
        lap = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        v[1:-1, 1:-1] = 2 * u[1:-1, 1:-1] - v[1:-1, 1:-1] + 0.1 * lap
        return v
    return step


def charges(make):
    p, q = make((3000, 3), 8), make(3000, 8)

    def step():
        d = p[:, None] - p[None]
        return (q / np.sqrt((d * d).sum(-1) + 1e-3)).sum(1)
    return step


def polynomial(make):
    x = make(16_000_000, 8)

    def step():
        y = 0.1 * x
        for a in (0.2, 0.3, 0.4, 0.5, 0.6):
            y = (y + a) * x
        return y
    return step


def logistic(make):
    x = make(16_000_000, 4)

    def step():
        y = x
        for _ in range(10):
            y = np.float32(3.7) * y * (1 - y)
        return y
    return step


def globe(make):
    a, b, c, d = (make(5_000_000, 8) for _ in range(4))
    return lambda: 2 * np.arcsin(np.sqrt(np.sin((a - b) / 2) ** 2 + np.cos(a) * np.cos(b) * np.sin((c - d) / 2) ** 2))


def city_blocks(make):
    x, y = make((3000, 16), 4), make((1000, 16), 4)
    return lambda: np.abs(x[:, None] - y[None]).sum(-1)


def axpy(make):
    x, y = make(40_000_000, 4), make(40_000_000, 4)
    return lambda: np.float32(2.5) * x + y


def clip(make):
    x = make(20_000_000, 4)
    return lambda: np.where(x > 0.5, x, 0.1 * x).sum()


def foxes(make):
    x, y = make(4_000_000, 8), make(4_000_000, 8)

    def slope(x, y):
        return x * (1 - y), y * (x - 1)

    def step():
        h = 0.01
        a, b = slope(x, y)
        c, d = slope(x + h / 2 * a, y + h / 2 * b)
        e, f = slope(x + h / 2 * c, y + h / 2 * d)
        g, i = slope(x + h * e, y + h * f)
        return x + h / 6 * (a + 2 * c + 2 * e + g), y + h / 6 * (b + 2 * d + 2 * f + i)
    return step


def paths(make):
    x = make((400_000, 50), 4)
    return lambda: np.maximum(100 * np.exp(np.cumsum(np.float32(0.01) * x, axis=1)).mean(1) - 100, 0).mean()


def gamma(make):
    x = make((3000, 4000, 3), 4)
    return lambda: (255 * x ** np.float32(0.45)).astype(np.uint8)


def variance(make):
    x = make((5000, 5000), 8)
    return lambda: x.std(axis=0)


def energy(make):
    p, v = make((4_000_000, 3), 8), make((4_000_000, 3), 8)
    return lambda: (0.5 * (v ** 2).sum(1) + 1 / np.sqrt((p ** 2).sum(1) + 0.1)).sum()


PROGRAMS = {one.__name__.replace("_", "-"): one for one in (
    option, mandelbrot, centres, blur, life, softmax, normalise, wave, charges, polynomial, logistic, globe, city_blocks,
    axpy, clip, foxes, paths, gamma, variance, energy)}


# ---- making arrays ---------------------------------------------------------------------------------


def maker(kind):
    random = np.random.default_rng(1)

    def make(shape, width):
        made = random.random(shape, dtype=np.float32 if width == 4 else np.float64)
        return made.view(kind)
    return make
