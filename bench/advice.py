#!/usr/bin/env python3
"""Is advice of `breakeven run` worth following? Each case is a program as it was, and as the advice has it; both run
in turn, three times each, and the best time of each counts. A case whose packages are missing is named and left out.
On a machine that others keep busy its figures say little: it prints the load.

usage: advice.py [--rounds N] [NAME ...]
"""
import argparse
import importlib.util
import os
import subprocess
import sys

PRODUCTS = """
import numpy as np
a = np.random.rand(2000, 2000)
for _ in range(12):
    a @ a
"""
ELEMENTS = """
import numpy as np
x = np.random.rand(20_000_000)
work = lambda part: np.sqrt(part * part + 1.0) - part
"""
POOL = """
import multiprocessing
def work(i):
    return sum(sum(range(1000)) for _ in range(2000))
"""
NESTED = """
import numpy as np
from joblib import Parallel, delayed
def work(i):
    a = np.random.rand(600, 600)
    for _ in range(10):
        a @ a
"""
FOREST = """
import numpy as np
from sklearn.ensemble import RandomForestClassifier
x, y = np.random.rand(4000, 30), np.random.randint(0, 2, 4000)
"""
TINY = """
import jax
import jax.numpy as jnp
x = jnp.zeros(100)
step = lambda x: x * 0.99 + 1
"""
SUM = """
import numba
import numpy as np
x = np.random.rand(20_000_000)
"""
TABLE = """
import sys
import numpy as np
import pandas as pd
from multiprocessing import Pool
def work(seed):
    make = np.random.default_rng(seed)
    part = pd.DataFrame({"k": make.integers(0, 1000, 1_500_000), "v": make.random(1_500_000)})
    return part.groupby("k").v.agg(["sum", "count"])
"""
LAYER = """
import torch
weight = torch.rand(256, 256)
rows = torch.rand(20000, 256)
"""

# name: packages, what was found, the program as it was and as advised; variables that differ: was, advised
CASES = {
    "matmul": (["numpy"], "serial", PRODUCTS, PRODUCTS, {"OPENBLAS_NUM_THREADS": ["1", "2"]}),
    "elements": (["numpy"], "serial", ELEMENTS + "for _ in range(10):\n    work(x)\n",
                 ELEMENTS + "from concurrent.futures import ThreadPoolExecutor\n"
                            "parts = np.array_split(x, 2)\nteam = ThreadPoolExecutor(2)\n"
                            "for _ in range(10):\n    list(team.map(work, parts))\n"),
    "pool-8": (["json"], "oversubscribed",
               POOL + "multiprocessing.Pool(8).map(work, range(120), chunksize=1)\n",
               POOL + "multiprocessing.Pool(2).map(work, range(120), chunksize=1)\n"),
    "one-process": (["json"], "serial", POOL + "list(map(work, range(60)))\n",
                    POOL + "multiprocessing.Pool(2).map(work, range(60), chunksize=1)\n"),
    "threads-4": (["json"], "serial",
                  POOL + "from multiprocessing.pool import ThreadPool\nThreadPool(4).map(work, range(60))\n",
                  POOL + "multiprocessing.Pool(2).map(work, range(60), chunksize=1)\n"),
    "nested": (["numpy", "joblib"], "oversubscribed",
               NESTED + "Parallel(n_jobs=4)(delayed(work)(i) for i in range(40))\n",
               NESTED + "Parallel(n_jobs=2)(delayed(work)(i) for i in range(40))\n",
               {"OPENBLAS_NUM_THREADS": ["2", "1"]}),
    "forest": (["sklearn"], "serial", FOREST + "RandomForestClassifier(100).fit(x, y)\n",
               FOREST + "RandomForestClassifier(100, n_jobs=2).fit(x, y)\n"),
    "jax-tiny": (["jax"], "serial",
                 TINY + "for _ in range(100000):\n    x = step(x)\nx.block_until_ready()\n",
                 TINY + "many = lambda x: jax.lax.scan(lambda x, _: (step(x), None), x, length=100000)[0]\n"
                        "jax.jit(many)(x).block_until_ready()\n"),
    "numba": (["numba"], "serial",
              SUM + "@numba.njit\ndef work(x):\n    s = 0.0\n    for i in range(len(x)):\n        s += np.sin(x[i])\n"
                    "    return s\nfor _ in range(20):\n    work(x)\n",
              SUM + "@numba.njit(parallel=True)\ndef work(x):\n    s = 0.0\n    for i in numba.prange(len(x)):\n"
                    "        s += np.sin(x[i])\n    return s\nfor _ in range(20):\n    work(x)\n"),
    "pandas": (["pandas"], "serial", TABLE + "pd.concat([work(i) for i in range(40)])\n",
               TABLE + "pd.concat(Pool(2).map(work, range(40), chunksize=1))\n"),
    "torch-small": (["torch"], "serial", LAYER + "for row in rows:\n    torch.relu(weight @ row)\n",
                    LAYER + "torch.relu(rows @ weight.T)\n"),
}


def seconds(program, variables):
    begin = os.times().elapsed
    environment = dict(os.environ, **variables)
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, stdout=subprocess.DEVNULL)
    return os.times().elapsed - begin


def main():
    parser = argparse.ArgumentParser(usage="advice.py [--rounds N] [NAME ...]", description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CASES))
    asked = parser.parse_args()
    rounds, names = asked.rounds, asked.names or list(CASES)
    unknown = [name for name in names if name not in CASES]
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}; there are {', '.join(CASES)}")
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs\n")
    print("| program | found | as it was | as advised | times |\n| --- | --- | --- | --- | --- |")
    for name in names:
        packages, found, before, after, *more = CASES[name]
        missing = [one for one in packages if not importlib.util.find_spec(one)]
        if missing:
            print(f"| {name} | `{found}` | not tried: {', '.join(missing)} is not here | | |")
            continue
        settings = [{key: pair[i] for key, pair in (more[0] if more else {}).items()} for i in (0, 1)]
        times = [(seconds(before, settings[0]), seconds(after, settings[1])) for _ in range(rounds)]
        first, second = min(one for one, _ in times), min(one for _, one in times)
        print(f"| {name} | `{found}` | {first:.1f} s | {second:.1f} s | {first / second:.1f} |", flush=True)
    print(f"\nload after: {os.getloadavg()[0]:.1f}")


main()
