"""Filters over an image, with zeroes beyond its border; not turned around.

Tolerance: |found - reference| / |reference|, 1e-5 in float32, of 65 rows at most. Reference: NumPy, float64.
"""

import functools

import numpy as np

from problem import Peer, Problem, Workload, has_nan, relative, uniform


def build_convolve(parameters, dtype, room, separable=False):
    height, taps = parameters["height"], parameters["taps"]
    width = parameters.get("width") or height
    x = uniform(room, (height, width), dtype)
    down, across = uniform(room, (2, taps), dtype, -1.0)
    w = np.outer(down, across) if separable else uniform(room, (taps, taps), dtype, -1.0)
    inputs = (x, down.copy(), across.copy()) if separable else (x, w)
    rows = np.unique(np.linspace(0, height - 1, min(height, 65)).astype(int))
    before = taps // 2
    wide = np.pad(x, ((before, taps - 1 - before),) * 2)
    exact = np.zeros((rows.size, width))
    for a in range(taps):
        for b in range(taps):
            exact += np.float64(w[a, b]) * wide[rows + a, b : b + width]

    def residual(outputs):
        found = np.asarray(outputs[0]).reshape(height, width)
        return np.nan if has_nan(found) else relative(found[rows], exact)

    name = "filter-separable" if separable else "filter"
    return Problem(name, parameters, dtype, inputs, (room((height, width), dtype),), residual, 1e-5)


def build_separable(parameters, dtype, room):
    return build_convolve(parameters, dtype, room, separable=True)


# ---- any filter -------------------------------------------------------------------------------


def ndimage(env):
    """SciPy's, or CuPy's of the same functions."""
    if env.module.__name__ == "cupy":
        import cupyx.scipy.ndimage as found
    else:
        import scipy.ndimage as found
    return found


def filter_ndimage(p, env):
    (x, w), (z,), lib = env.inputs, env.outputs, ndimage(env)
    return lambda: lib.correlate(x, w, output=z, mode="constant") is None


def scipy_transform(p, env):
    """By Fourier transforms, in blocks: what SciPy advises for large filters."""
    import scipy.signal

    (x, w), before = env.inputs, p["taps"] // 2
    height, width = x.shape
    first = p["taps"] - 1 - before

    def run():
        whole = scipy.signal.oaconvolve(x, w[::-1, ::-1])
        return (whole[first : first + height, first : first + width],)

    return run


def cv2_filter(p, env):
    (x, w), (z,), cv2 = env.inputs, env.outputs, env.module
    return lambda: cv2.filter2D(x, -1, w, dst=z, borderType=cv2.BORDER_CONSTANT) is None


@functools.cache
def numba_loop(parallel):
    from numba import njit, prange

    @njit(parallel=parallel, fastmath=True)
    def apply(x, w, z):
        taps = w.shape[0]
        before = taps // 2
        for i in prange(x.shape[0]):
            z[i] = 0
            for a in range(taps):
                row = i + a - before
                if 0 <= row < x.shape[0]:
                    for b in range(taps):
                        left = max(0, before - b)
                        for j in range(left, min(x.shape[1], x.shape[1] + before - b)):
                            z[i, j] += w[a, b] * x[row, j + b - before]

    return apply


def numba_filter(p, env):
    loop = numba_loop(env.threads > 1)
    return lambda: loop(*env.inputs, *env.outputs) is None


def torch_filter(p, env):
    (x, w), torch, before = env.inputs, env.module, p["taps"] // 2
    if p["taps"] % 2 == 0:
        raise ValueError("an odd number of taps only")

    def run():
        return (torch.nn.functional.conv2d(x[None, None], w[None, None], padding=before)[0, 0],)

    return run


def jax_filter(p, env):
    lax, before = env.module.lax, p["taps"] // 2
    pad = ((before, p["taps"] - 1 - before),) * 2


    def apply(x, w):
        return (lax.conv_general_dilated(x[None, None], w[None, None], (1, 1), pad)[0, 0],)

    return apply


# ---- a separable one --------------------------------------------------------------------------


def separable_ndimage(p, env):
    (x, down, across), (z,), lib = env.inputs, env.outputs, ndimage(env)

    def run():
        between = lib.correlate1d(x, down, axis=0, mode="constant")
        lib.correlate1d(between, across, axis=1, output=z, mode="constant")

    return run


def cv2_separable(p, env):
    (x, down, across), (z,), cv2 = env.inputs, env.outputs, env.module
    border = cv2.BORDER_CONSTANT
    return lambda: cv2.sepFilter2D(x, -1, across, down, dst=z, borderType=border) is None


def torch_separable(p, env):
    (x, down, across), torch, before = env.inputs, env.module, p["taps"] // 2
    if p["taps"] % 2 == 0:
        raise ValueError("an odd number of taps only")
    conv = torch.nn.functional.conv2d

    def run():
        between = conv(x[None, None], down[None, None, :, None], padding=(before, 0))
        return (conv(between, across[None, None, None, :], padding=(0, before))[0, 0],)

    return run


WORKLOADS = {
    "filter": Workload(
        {"height": 2048, "taps": 5},
        ("float32",),
        build_convolve,
        (
            Peer("scipy", filter_ndimage, "ndimage", threads="one"),
            Peer("scipy", scipy_transform, "oaconvolve", threads="one"),
            Peer("cv2", cv2_filter, "filter2D"),
            Peer("numba", numba_filter),
            Peer("torch", torch_filter, "conv2d"),
            Peer("jax", jax_filter),
            Peer("cupy", filter_ndimage, "ndimage"),
        ),
    ),
    "filter-separable": Workload(
        {"height": 2048, "taps": 5},
        ("float32",),
        build_separable,
        (
            Peer("scipy", separable_ndimage, "ndimage", threads="one"),
            Peer("cv2", cv2_separable, "sepFilter2D"),
            Peer("torch", torch_separable, "conv2d"),
            Peer("cupy", separable_ndimage, "ndimage"),
        ),
    ),
}
