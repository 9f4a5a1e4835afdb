#!/usr/bin/env python3
"""How long does a call of NumPy, PyTorch, JAX or pandas take beside its work? Times of calls on four numbers.

usage: framework_calls.py numpy|torch|jax|pandas

Each function is called in 40 groups; the least group counts, since a busy machine only adds. Prints a row a function, in
microseconds, and then least, median and largest of the functions: what src/predict/usual.c has of a framework.
"""

import argparse
import statistics
import timeit

GROUPS = 40


def of_numpy():
    import numpy as np
    a, b, m = np.ones(4), np.ones(4), np.eye(4)
    return 2000, {
        "add": lambda: a + b, "exp": lambda: np.exp(a), "sum": a.sum, "sum of columns": lambda: m.sum(axis=0),
        "product": lambda: m @ m, "where": lambda: np.where(a > 0, a, b), "difference": lambda: a[1:] - a[:-1],
        "sort": lambda: np.sort(a), "maximum": lambda: np.maximum(a, 0), "zeros": lambda: np.zeros(4)}


def of_torch():
    import torch
    torch.set_grad_enabled(False)
    a, b, m, layer = torch.ones(4), torch.ones(4), torch.eye(4), torch.nn.Linear(4, 4)
    return 2000, {
        "add": lambda: a + b, "exp": a.exp, "sum": a.sum, "sum of columns": lambda: m.sum(0),
        "product": lambda: m @ m, "where": lambda: torch.where(a > 0, a, b), "difference": lambda: a[1:] - a[:-1],
        "sort": a.sort, "relu": a.relu, "linear": lambda: layer(a), "zeros": lambda: torch.zeros(4)}


def of_jax():
    import jax
    import jax.numpy as jnp
    a = jnp.ones(4)
    compiled, step = jax.jit(lambda x: x + 1), jax.jit(lambda x: jnp.exp(x).sum())
    return 500, {"compiled": lambda: compiled(a).block_until_ready(), "compiled sum": lambda: step(a).block_until_ready(),
                 "add": lambda: (a + a).block_until_ready(), "sum": lambda: jnp.sum(a).block_until_ready()}


def of_pandas():
    import pandas as pd
    s, d = pd.Series([1.0] * 4), pd.DataFrame({"k": [0, 1, 0, 1], "v": [1.0, 2, 3, 4]})
    return 100, {"add": lambda: s + s, "sum": s.sum, "column": lambda: d["v"], "filter": lambda: d[d["v"] > 1],
                 "groups": lambda: d.groupby("k").mean(), "sort": lambda: d.sort_values("v"),
                 "merge": lambda: d.merge(d, on="v")}


def main():
    parser = argparse.ArgumentParser(usage="framework_calls.py numpy|torch|jax|pandas",
                                     description=__doc__.split("\n\n")[0])
    kinds = {"numpy": of_numpy, "torch": of_torch, "jax": of_jax, "pandas": of_pandas}
    parser.add_argument("framework", choices=kinds)
    number, functions = kinds[parser.parse_args().framework]()
    least = []
    for name, function in functions.items():
        function()
        least.append(min(timeit.timeit(function, number=number) / number for _ in range(GROUPS)))
        print(f"{name:16} {least[-1] * 1e6:9.2f} us")
    print(f"least, median, largest: {min(least) * 1e6:.2g}, {statistics.median(least) * 1e6:.2g}, "
          f"{max(least) * 1e6:.2g} us")


if __name__ == "__main__":
    main()
