"""One program of a pair, as a user starts it.

    program.py NAME cpu|gpu [--seconds S | --steps N] [--limit S] [--small] [--stand-in]

It makes as many steps as fit into so many seconds, or so many steps (within a limit), and prints a line of JSON: seconds
until the first step was done, seconds of the others, how many, and numbers of the result. Without a GPU, `--stand-in` lets NumPy
stand for CuPy, and PyTorch and JAX compute on the CPU.
"""
import argparse
import importlib
import json
import math
import sys
import time

NAMES = ("grids", "linear", "learning", "chance", "tables")


def pairs():
    found = [pair for name in NAMES for pair in importlib.import_module(name).PAIRS]
    return {pair.name: pair for pair in found}


def open_numpy(_):
    import numpy
    return numpy


def open_torch(stand_in):
    import torch
    torch.set_default_device("cpu" if stand_in else "cuda")
    return torch


def open_jax(stand_in):
    import jax
    jax.config.update("jax_enable_x64", True)
    if not stand_in and jax.default_backend() != "gpu":
        sys.exit("program.py: JAX has no GPU here")
    return jax


def open_cupy(stand_in):
    if not stand_in:
        import cupy
        return cupy
    import numpy
    for name in ("", ".ndimage", ".sparse", ".sparse.linalg"):
        sys.modules["cupyx.scipy" + name] = importlib.import_module("scipy" + name)
    made = type(sys)("cupy")
    made.__dict__.update({word: value for word, value in vars(numpy).items() if not word.startswith("__")})
    return made


OPEN = {"cupy": open_cupy, "torch": open_torch, "jax": open_jax}


def numbers(result):
    """Some of a result: reading them waits for the GPU."""
    import numpy
    result = result.cpu() if hasattr(result, "cpu") else result.get() if hasattr(result, "get") else result
    values = numpy.asarray(result, dtype=float).ravel()
    return [float(one) for one in (values.mean(), values.std(), *values[::max(1, values.size // 5)][:6])]


def are_close(one, other, close):
    scale = max(abs(value) for value in one)
    return len(one) == len(other) and all(math.isfinite(b) and abs(a - b) <= close * scale for a, b in zip(one, other))


def go(body, module, size, seconds, steps, limit):
    begin = time.monotonic()
    work = body(module, size)
    found = numbers(next(work))
    ready, made = time.monotonic(), 1
    result = None
    while made < steps and time.monotonic() < ready + min(seconds, limit):
        result = next(work)
        made += 1
    found = found if result is None else numbers(result)
    end = time.monotonic()
    work.close()
    return {"ready_s": ready - begin, "loop_s": end - ready, "steps": made, "numbers": found}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = pairs()
    parser.add_argument("name", choices=known, metavar="NAME", help=", ".join(known))
    parser.add_argument("place", choices=("cpu", "gpu"))
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--steps", type=float, default=math.inf)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--stand-in", action="store_true")
    asked = parser.parse_args()
    pair = known[asked.name]
    on_gpu = asked.place == "gpu"
    module = OPEN.get((pair.gpu if on_gpu else pair.cpu).split()[0], open_numpy)(asked.stand_in)
    said = go(pair.on_gpu if on_gpu else pair.on_cpu, module, pair.small if asked.small else pair.size,
              asked.seconds, asked.steps, asked.limit)
    print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
