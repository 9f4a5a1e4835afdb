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
NO = {"cp-scalar": "a kernel for each of 1000 elements",
      "t-one-block": "nothing is computed", "t-launch": "vectors of 1024 elements",
      "t-launch-plain": "vectors of 1024 elements",
      # Programs of bench/worth, on an H100
      "jax-regression": "50 points", "torch-regression": "50 points", "cupy-fetch": "a result fetched in each step",
      "torch-small-net": "32 rows a batch", "cupy-small-solves": "10 equations each", "jax-one-orbit": "one orbit",
      "torch-words": "the GPU stands still", "cupy-small-heat": "64 x 64 points"}
YES = {"cp-good", "j-good", "t-good-matmul", "t-good-memory", "t-good-train", "t-fp64", "t-no-tensor", "t-wait",
       "t-idle-second", "t-memory-full", "t-loader-workers", "t-loader-main", "t-pageable", "t-startup", "t-too-big",
       "torch-wide-net", "torch-images", "torch-attention", "torch-neighbours", "cupy-bodies", "cupy-large-heat",
       "cupy-sort", "jax-products", "jax-options"}
# A CPU may be as fast: a batch of 4 rows; products between compilations; one operation an element between copies;
# NumPy on one core, or all cores used well.
CLOSE = {"t-tiny-batch": "no", "j-retrace": "no", "t-copy-each-step": "no", "t-copy-plain": "no",
         "cp-copies": "no", "torch-one-sequence": "no", "cupy-there-and-back": "no",
         "cupy-filter": "yes"}
NONE = {"t-unused"}
SELDOM = {"h200-2026-11-21b/t-good-memory"}  # the counters were read six times
# Time of the run with its loop on the CPU over its time (docs/measurements/h100.md), of the same traces. The interval promises
# nine of ten.
TIMED = {"h100-2026-11-28": {"jax-regression": 0.733, "torch-regression": 0.793, "cupy-fetch": 0.508, "torch-wide-net": 8.25},
         "h100-2026-11-28b": {
             "torch-regression": 0.716, "jax-regression": 0.744, "cupy-fetch": 0.537, "torch-small-net": 0.865,
             "cupy-small-solves": 0.501, "jax-one-orbit": 0.657, "torch-one-sequence": 1.43, "cupy-there-and-back": 1.07,
             "cupy-small-heat": 0.575, "torch-wide-net": 8.07, "torch-images": 21.3, "torch-attention": 201,
             "torch-neighbours": 17.8, "cupy-bodies": 409, "cupy-large-heat": 121, "cupy-filter": 56.9, "cupy-sort": 141,
             "jax-products": 98.1, "jax-options": 134}}
PROMISED = 0.9


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
    if worth["cause"] == "idle":
        return "" if name == "torch-words" and worth["held_bytes"] > 0 else "it did not stand still"
    if not 0 <= worth["gain_lo"] <= worth["gain"] <= worth["gain_hi"]:
        return "the typical time is not in its interval"
    return ""


def main():
    found = sorted(glob.glob(os.path.join(HERE, "traces", "h200-*", "*.json")) +
                   glob.glob(os.path.join(HERE, "worth", "*", "*.json")))
    names = {os.path.basename(path)[:-len(".json")] for path in found}
    unknown = names - set(NO) - YES - set(CLOSE) - NONE
    bad = [f"no known answer: {name}" for name in sorted(unknown)]
    inside = []
    for path in found if not unknown else []:
        case = os.path.relpath(path, os.path.join(HERE, "traces"))[:-len(".json")].replace("../worth/", "")
        worth = verdict_of(sys.argv[1], path)
        why = wrong(case, os.path.basename(case), worth)
        bad += [f"{case}: {why}; found: {worth}"] if why else []
        folder, name = os.path.split(case)
        timed = TIMED.get(folder, {}).get(name)
        inside += [worth["gain_lo"] <= timed <= worth["gain_hi"]] if timed else []
    if not inside or sum(inside) < PROMISED * len(inside):
        bad.append(f"{sum(inside)} of {len(inside)} timed ratios are in their intervals, which promise {PROMISED}")
    print("\n".join(bad) or f"{len(found)} runs: ok; {sum(inside)} of {len(inside)} timed ratios are in their intervals")
    sys.exit(bool(bad) or not found)


if __name__ == "__main__":
    main()
