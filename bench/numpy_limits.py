#!/usr/bin/env python3
"""How far is NumPy, on one core, above what a core's rates allow? Twenty programs of whole-array steps, as users write
them; the largest arrays exceed the caches. For each: CPU time of a step over operations / rate or bytes / bandwidth, whichever
is longer. Operations and bytes are counted call by call, as a GPU's counters see them where CuPy makes the same calls: each
reads its operands and writes its result.

    numpy_limits.py PROFILE.json [--only NAME,...] [--repeat N]

PROFILE.json is of this machine (`breakeven probe --device=cpu --json=PROFILE.json`). The last line has the 5 %, 50 % and
95 % of a log-normal distribution through all, as the verdict of `breakeven run` takes them (src/ask/usual_code.c).
"""
import argparse
import json
import math
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "worth"))
T_95 = 1.729  # of Student's distribution with 19 degrees of freedom, 5 % above


# ---- measuring -------------------------------------------------------------------------------------


def least_s(arrays, program, rates):
    """What the counted work takes at the rates."""
    counted = arrays.Counted
    step = program(arrays.maker(counted))
    counted.bytes, counted.operations = 0, {4: 0, 8: 0}
    step()
    operations = counted.operations
    return max(operations[4] / rates["float32"] + operations[8] / rates["float64"], counted.bytes / rates["memory"])


def taken_s(arrays, program, repeat):
    step = program(arrays.maker(arrays.np.ndarray))
    step()
    times = []
    for _ in range(repeat):
        begin = time.process_time()
        step()
        times.append(time.process_time() - begin)
    return statistics.median(times)


def rates_of(path):
    """Of one core: multiply-adds, and memory where data are the largest."""
    with open(path, encoding="utf-8") as file:
        figures = json.load(file)["figures"]
    one = [f for f in figures if f["device"] == "cpu" and f.get("threads") == 1]

    def best(what, dtype):
        return max((f["value"] for f in one if f["what"] == what and f.get("dtype") in dtype), default=math.nan)
    memory = [f for f in one if f["what"] in ("read", "copy") and f.get("bytes")]
    largest = max(f["bytes"] for f in memory)
    return {"float32": best("fma", ("float32",)), "float64": best("fma", ("float64",)),
            "memory": max(f["value"] for f in memory if f["bytes"] >= largest / 4)}


def options_of():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("profile", metavar="PROFILE.json")
    parser.add_argument("--only", default="", metavar="NAME,...", help="these programs")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="steps that are timed, of which the median counts (5)")
    return parser, parser.parse_args()


def names_of(parser, only, programs):
    names = only.split(",") if only else list(programs)
    strange = set(names) - set(programs)
    if strange:
        parser.error(f"no such program: {', '.join(sorted(strange))}; there are {', '.join(programs)}")
    return names


def main():
    parser, options = options_of()
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    import arrays  # NumPy reads these variables as it is loaded
    programs = arrays.PROGRAMS
    options.names = names_of(parser, options.only, programs)
    rates = rates_of(options.profile)
    print("one core:", ", ".join(f"{word} {rate:.3g}" for word, rate in rates.items()))
    logs = []
    for name in options.names:
        least, taken = least_s(arrays, programs[name], rates), taken_s(arrays, programs[name], options.repeat)
        logs.append(math.log(taken / least))
        print(f"| {name} | {least:.3f} s | {taken:.3f} s | {taken / least:.2f} |", flush=True)
    middle = statistics.mean(logs)
    off = T_95 * statistics.stdev(logs) * math.sqrt(1 + 1 / len(logs)) if len(logs) > 1 else math.nan
    print(f"5 % {math.exp(middle - off):.2f}, 50 % {math.exp(middle):.2f}, 95 % {math.exp(middle + off):.2f}")


if __name__ == "__main__":
    main()
