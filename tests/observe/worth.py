"""Recorded runs on an H200 and an H100: is it named right which of them were worth a GPU? Nothing is measured.

    worth.py BREAKEVEN
"""
import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# By what the program does (bench/faults): whether the 16 cores of that node do it in 1.25 times the time.
NO = {"cp-scalar": "a kernel for each of 1000 elements", "cp-copies": "one operation an element, between two copies",
      "t-launch": "vectors of 1024 elements", "t-launch-plain": "vectors of 1024 elements",
      "t-one-block": "nothing is computed",
      # Programs of bench/worth, on an H100 after the rules were made: the CPU alone took 0.73, 0.79 and 0.51 of the time.
      "jax-regression": "50 points", "torch-regression": "50 points", "cupy-fetch": "a result fetched in each step"}
YES = {"cp-good", "j-good", "t-good-matmul", "t-good-memory", "t-good-train", "t-fp64", "t-no-tensor", "t-wait",
       "t-idle-second", "t-memory-full", "t-loader-workers", "t-loader-main", "t-pageable", "t-startup", "t-too-big",
       "torch-wide-net"}  # the last took 8.25 times as long on the CPU
# A CPU may be as fast: a batch of 4 rows; products between compilations; one operation an element between copies.
CLOSE = {"t-tiny-batch": "no", "j-retrace": "no", "t-copy-each-step": "no", "t-copy-plain": "no"}
NONE = {"t-unused"}
SELDOM = {"h200-2026-11-21b/t-good-memory"}  # the counters were read six times


def verdict_of(breakeven, path):
    nothing = dict(os.environ, HOME="/nonexistent", XDG_DATA_HOME="/nonexistent")  # profiles of one's own
    done = subprocess.run([breakeven, "report", "--json", path], capture_output=True, text=True, check=True,
                          env=nothing)
    return json.loads(done.stdout).get("worth_a_gpu")


def wrong(case, name, worth):
    """Why the verdict is wrong; empty: it is not."""
    if name in NONE:
        return "there is a verdict, and no GPU was used" if worth else ""
    if case in SELDOM:
        return "" if (worth["verdict"], worth["cause"]) == ("not known", "short") else "too few readings tell nothing"
    expected = "no" if name in NO else "yes" if name in YES else "too close"
    if worth["verdict"] != expected:
        return f"it is {expected}"
    if name in CLOSE and ("yes" if worth["gain"] >= 1.25 else "no") != CLOSE[name]:
        return f"it is likely {CLOSE[name]}"
    if not 0 <= worth["gain_lo"] <= worth["gain"] <= worth["gain_hi"]:
        return "the typical time is not in its interval"
    return ""


def main():
    found = sorted(glob.glob(os.path.join(HERE, "traces", "h200-*", "*.json")) +
                   glob.glob(os.path.join(HERE, "worth", "*", "*.json")))
    names = {os.path.basename(path)[:-len(".json")] for path in found}
    unknown = names - set(NO) - YES - set(CLOSE) - NONE
    bad = [f"no known answer: {name}" for name in sorted(unknown)]
    for path in found if not unknown else []:
        case = os.path.relpath(path, os.path.join(HERE, "traces"))[:-len(".json")].replace("../worth/", "")
        worth = verdict_of(sys.argv[1], path)
        why = wrong(case, os.path.basename(case), worth)
        bad += [f"{case}: {why}; found: {worth}"] if why else []
    print("\n".join(bad) or f"{len(found)} runs: ok")
    sys.exit(bool(bad) or not found)


if __name__ == "__main__":
    main()
