"""Grids and images: each step goes over all points. A body takes the module of arrays, or the libraries by itself, and a
size; it is a generator that gives its result after each step.
"""
from pair import Pair


def heat(xp, n):
    """Heat on a plate, an explicit step at a time."""
    u = xp.zeros((n, n))
    u[0] = 1
    while True:
        u[1:-1, 1:-1] += 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        yield u


def string(xp, n):
    """A plucked string of a few hundred points."""
    x = xp.linspace(0, 1, n)
    now = xp.minimum(x, 1 - x)
    before = now.copy()
    while True:
        for _ in range(200):
            after = 2 * now - before
            after[1:-1] += 0.5 * (now[2:] - 2 * now[1:-1] + now[:-2])
            before, now = now, after
        yield now


def patterns_numba(_, n):
    """Two substances that react and spread, compiled by Numba."""
    import numba
    import numpy as np

    @numba.njit(parallel=True)
    def advance(u, v, u2, v2):
        for i in numba.prange(1, n - 1):
            for j in range(1, n - 1):
                spread_u = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]
                spread_v = v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1] - 4 * v[i, j]
                react = u[i, j] * v[i, j] * v[i, j]
                u2[i, j] = u[i, j] + 0.16 * spread_u - react + 0.035 * (1 - u[i, j])
                v2[i, j] = v[i, j] + 0.08 * spread_v + react - 0.1 * v[i, j]

    u, v = np.ones((n, n)), np.zeros((n, n))
    u[n // 3:n // 2, n // 3:n // 2], v[n // 3:n // 2, n // 3:n // 2] = 0.5, 0.25
    u2, v2 = u.copy(), v.copy()
    while True:
        for _ in range(10):
            advance(u, v, u2, v2)
            u, u2, v, v2 = u2, u, v2, v
        yield v


def patterns_torch(torch, n):
    u, v = torch.ones((n, n), dtype=torch.float64), torch.zeros((n, n), dtype=torch.float64)
    u[n // 3:n // 2, n // 3:n // 2], v[n // 3:n // 2, n // 3:n // 2] = 0.5, 0.25

    def spread(a):
        return a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] - 4 * a[1:-1, 1:-1]

    while True:
        for _ in range(10):
            a, b = u[1:-1, 1:-1], v[1:-1, 1:-1]
            react = a * b * b
            a2 = a + 0.16 * spread(u) - react + 0.035 * (1 - a)
            b2 = b + 0.08 * spread(v) + react - 0.1 * b
            u, v = u.clone(), v.clone()
            u[1:-1, 1:-1], v[1:-1, 1:-1] = a2, b2
        yield v


def life_numpy(np, n):
    """The game of life on a torus."""
    u = (np.random.default_rng(1).random((n, n)) < 0.3).astype(np.uint8)
    while True:
        around = sum(np.roll(u, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
        u = ((around == 3) | ((u == 1) & (around == 2))).astype(np.uint8)
        yield u


def life_jax(jax, n):
    import numpy
    jnp = jax.numpy

    @jax.jit
    def advance(u):
        around = sum(jnp.roll(u, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
        return ((around == 3) | ((u == 1) & (around == 2))).astype(jnp.uint8)

    u = jnp.asarray((numpy.random.default_rng(1).random((n, n)) < 0.3).astype(numpy.uint8))
    while True:
        u = advance(u)
        yield u


def ising(xp, n):
    """Spins that turn by chance, one colour of a chess board after the other; the energy of a spin."""
    random = xp.random.default_rng(1)
    spin = xp.where(random.random((n, n)) < 0.5, 1, -1).astype(xp.int8)
    i, j = xp.arange(n)[:, None], xp.arange(n)[None]
    energies = []
    while True:
        for colour in (0, 1):
            around = xp.roll(spin, 1, 0) + xp.roll(spin, -1, 0) + xp.roll(spin, 1, 1) + xp.roll(spin, -1, 1)
            turns = random.random((n, n)) < xp.exp(-0.6 * spin * around)
            spin = xp.where(turns & ((i + j) % 2 == colour), -spin, spin)
        energies.append((spin * (xp.roll(spin, 1, 0) + xp.roll(spin, 1, 1))).mean())
        yield sum(energies[len(energies) // 2:]) / (len(energies) - len(energies) // 2)


def mandelbrot_numba(_, n):
    """The Mandelbrot set, compiled by Numba."""
    import numba
    import numpy as np

    @numba.njit(parallel=True)
    def count(out):
        for i in numba.prange(n):
            for j in range(n):
                c = complex(-2 + 3 * j / n, -1.2 + 2.4 * i / n)
                z, k = 0j, 0
                while k < 100 and z.real * z.real + z.imag * z.imag <= 4:
                    z, k = z * z + c, k + 1
                out[i, j] = k

    out = np.zeros((n, n), np.int32)
    while True:
        count(out)
        yield out


def mandelbrot_cupy(cp, n):
    x, y = -2 + 3 * cp.arange(n) / n, -1.2 + 2.4 * cp.arange(n) / n
    while True:
        c = x[None] + 1j * y[:, None]
        z, k = cp.zeros_like(c), cp.zeros((n, n), cp.int32)
        for _ in range(100):
            inside = z.real ** 2 + z.imag ** 2 <= 4
            z = cp.where(inside, z * z + c, z)
            k += inside
        yield k


def blur(xp, n):
    """A picture, smoothed, and what that takes away."""
    ndimage = scipy_of(xp, "ndimage")
    picture = xp.asarray(random_numbers((n, n), "float32"))
    while True:
        picture = picture - 0.1 * (picture - ndimage.gaussian_filter(picture, 3))
        yield picture


def small_pictures(xp, n):
    """Edges of pictures of 64 x 64 points, one picture after the other."""
    ndimage = scipy_of(xp, "ndimage")
    pictures = xp.asarray(random_numbers((n, 64, 64), "float32"))
    while True:
        edges = [xp.hypot(ndimage.sobel(one, 0), ndimage.sobel(one, 1)).max() for one in pictures]
        yield xp.stack([xp.asarray(one) for one in edges])


def filter_scipy(np, n):
    """A picture without its fine detail, by its Fourier transform."""
    from scipy import fft
    picture = random_numbers((n, n), "float32")
    keep = np.hypot(np.fft.fftfreq(n)[:, None], np.fft.rfftfreq(n)[None]) < 0.2
    while True:
        picture = fft.irfft2(fft.rfft2(picture) * keep).astype(np.float32)
        yield picture


def filter_torch(torch, n):
    picture = torch.as_tensor(random_numbers((n, n), "float32"), device=torch.get_default_device())
    keep = torch.hypot(torch.fft.fftfreq(n)[:, None], torch.fft.rfftfreq(n)[None]) < 0.2
    while True:
        picture = torch.fft.irfft2(torch.fft.rfft2(picture) * keep)
        yield picture


def spectrum(xp, n):
    """The mean spectrum of a recording, piece by piece of 1024 points."""
    recording = xp.asarray(random_numbers(n * 512 + 512, "float64"))
    window = xp.hanning(1024)
    while True:
        power = xp.zeros(513)
        for i in range(n):
            power += xp.abs(xp.fft.rfft(window * recording[i * 512:i * 512 + 1024])) ** 2
        yield power / n


def whirls_numpy(np, n):
    """A fluid in two dimensions, by Fourier transforms."""
    k = np.fft.fftfreq(n, 1 / n)
    kx, ky = k[:, None], k[None, :n // 2 + 1]
    square = kx ** 2 + ky ** 2
    inverse = 1 / np.where(square == 0, 1, square)
    keep = (abs(kx) < n / 3) & (abs(ky) < n / 3)
    w = np.fft.rfft2(random_numbers((n, n), "float64") - 0.5) * keep

    def slope(w):
        stream = w * inverse
        u, v = np.fft.irfft2(1j * ky * stream), np.fft.irfft2(-1j * kx * stream)
        wx, wy = np.fft.irfft2(1j * kx * w), np.fft.irfft2(1j * ky * w)
        return -np.fft.rfft2(u * wx + v * wy) * keep - 1e-3 * square * w

    while True:
        half = w + 0.5e-4 * slope(w)
        w = w + 1e-4 * slope(half)
        yield np.fft.irfft2(w)


def whirls_jax(jax, n):
    jnp = jax.numpy
    k = jnp.fft.fftfreq(n, 1 / n)
    kx, ky = k[:, None], k[None, :n // 2 + 1]
    square = kx ** 2 + ky ** 2
    inverse = 1 / jnp.where(square == 0, 1, square)
    keep = (abs(kx) < n / 3) & (abs(ky) < n / 3)
    w = jnp.fft.rfft2(jnp.asarray(random_numbers((n, n), "float64")) - 0.5) * keep

    def slope(w):
        stream = w * inverse
        u, v = jnp.fft.irfft2(1j * ky * stream), jnp.fft.irfft2(-1j * kx * stream)
        wx, wy = jnp.fft.irfft2(1j * kx * w), jnp.fft.irfft2(1j * ky * w)
        return -jnp.fft.rfft2(u * wx + v * wy) * keep - 1e-3 * square * w

    @jax.jit
    def advance(w):
        half = w + 0.5e-4 * slope(w)
        return w + 1e-4 * slope(half)

    while True:
        w = advance(w)
        yield jnp.fft.irfft2(w)


def random_numbers(shape, dtype):
    """The same for both versions."""
    import numpy
    return numpy.random.default_rng(7).random(shape).astype(dtype)


def scipy_of(xp, part):
    import importlib
    return importlib.import_module(("scipy." if xp.__name__ == "numpy" else "cupyx.scipy.") + part)


PAIRS = [
    Pair("heat", "numpy", heat, "cupy", heat, 2000, 30),
    Pair("string", "numpy", string, "cupy", string, 400, 30),
    Pair("patterns", "numba", patterns_numba, "torch", patterns_torch, 1000, 30),
    Pair("life", "numpy", life_numpy, "jax", life_jax, 1500, 30),
    Pair("ising", "numpy", ising, "cupy", ising, 1000, 200, close=0.05),
    Pair("mandelbrot", "numba", mandelbrot_numba, "cupy", mandelbrot_cupy, 1500, 30, close=1e-3),
    Pair("blur", "scipy", blur, "cupy", blur, 2000, 30, close=1e-4),
    Pair("small-pictures", "scipy", small_pictures, "cupy", small_pictures, 100, 3, close=1e-4),
    Pair("filter", "scipy", filter_scipy, "torch", filter_torch, 2048, 32, close=1e-3),
    Pair("spectrum", "numpy", spectrum, "cupy", spectrum, 1000, 5),
    Pair("whirls", "numpy", whirls_numpy, "jax", whirls_jax, 512, 32),
]
