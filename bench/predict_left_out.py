#!/usr/bin/env python3
"""How right is `breakeven predict` for own workloads that it has not learned from? Writes a table of docs/prediction.md.

usage: predict_left_out.py PROGRAM [MACHINE]
  MACHINE   h100 (the default) or h200

Times are those of share/results/MACHINE.json. Each workload in turn is left out of them; the data sheet of the H100, or the
profile of another H200, and the profile h200, whose host has the same CPU and as many cores, learn from the rest (`predict --learn`). Then the workload that
was left out is predicted from its least operations and bytes, as one kernel on data that stay on the GPU. A side is
right where the faster one is named; sides within 25 % of each other have no right answer. A verdict counts where the
prediction does not say that it is too close to call.
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import predict_eval  # noqa: E402
import predict_own  # noqa: E402


def ask(program, *words):
    answer = subprocess.run([program, "predict", "--quiet", "--json", *words], check=True, capture_output=True,
                            encoding="utf-8").stdout
    return json.loads(answer)


def learn_without(program, folder, workload, machine):
    """Two profiles, of the GPU and of the CPU, that learned from all workloads but this one."""
    run = json.loads((predict_eval.ROOT / f"share/results/{machine}.json").read_text())
    at = run["columns"].index("workload")
    run["rows"] = [row for row in run["rows"] if row[at] != workload]
    path = pathlib.Path(folder) / "run.json"
    path.write_text(json.dumps(run))
    profiles = []
    for side, name in zip(("gpu", "cpu"), predict_eval.OWN_MACHINES[machine]):
        kept = pathlib.Path(folder) / f"learned-{side}.json"
        ask(program, f"--learn={path}", f"--machine={name}", f"--save={kept}")
        profiles.append(kept)
    return profiles


def judge(p, gpu_s, cpu_s):
    """What became of one size, as numbers that add up, and both errors."""
    n = collections.Counter(times=1, gpu_held=p["gpu"]["lo_s"] <= gpu_s <= p["gpu"]["hi_s"])
    gpu_off = abs(p["gpu"]["typical_s"] / gpu_s - 1)
    if cpu_s is None:
        return n, gpu_off, None
    n.update(cpu_times=1, cpu_held=p["cpu"]["lo_s"] <= cpu_s <= p["cpu"]["hi_s"])
    if not 1 / predict_own.CLOSE < cpu_s / gpu_s < predict_own.CLOSE:
        right, sure = (p["ratio"] > 1) == (cpu_s > gpu_s), p["verdict"] in ("GPU", "CPU")
        n.update(sided=1, right=right, sure=sure, sure_right=sure and right)
    return n, gpu_off, abs(p["cpu"]["typical_s"] / cpu_s - 1)


def line(name, n, gpu, cpu):
    print(f"| {name} | {n['times']} | {100 * statistics.median(gpu):.0f} % | {n['gpu_held']} | "
          f"{100 * statistics.median(cpu):.0f} % | {n['cpu_held']} of {n['cpu_times']} | {n['right']} of {n['sided']} | "
          f"{n['sure_right']} of {n['sure']} |")


def main():
    parser = argparse.ArgumentParser(usage="predict_left_out.py PROGRAM [MACHINE]", description=__doc__.split("\n\n")[0])
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("machine", metavar="MACHINE", nargs="?", default="h100", choices=predict_eval.OWN_MACHINES)
    program, name = vars(parser.parse_args()).values()
    rows = [r for r in predict_eval.own_times(name) if r["cache"] != "cold" and r["dtype"] in ("float32", "float64")]
    cpu, gpu = {}, {}
    for row in rows:
        of = cpu if row["device"] == "cpu" else gpu if row["placement"] == "resident" else None
        if of is not None and (predict_own.key(row) not in of or row["median_s"] < of[predict_own.key(row)]["median_s"]):
            of[predict_own.key(row)] = row
    count = collections.defaultdict(collections.Counter)
    off = {side: collections.defaultdict(list) for side in ("gpu", "cpu")}
    with tempfile.TemporaryDirectory() as folder:
        for workload in sorted({key[0] for key in gpu}):
            machine, host = learn_without(program, folder, workload, name)
            for key, row in gpu.items():
                if key[0] != workload:
                    continue
                words = [f"--machine={machine}", f"--cpu={host}", f"--type={row['dtype']}", f"--bytes={row['bytes']!r}",
                         f"--memory={row['bytes']!r}"]
                words += [f"--flops={row['operations']!r}"] if row["operations"] else []
                p = ask(program, *words)["predictions"][0]
                n, gpu_off, cpu_off = judge(p, row["median_s"], cpu[key]["median_s"] if key in cpu else None)
                for of in (workload, "all"):
                    count[of].update(n)
                    off["gpu"][of].append(gpu_off)
                    off["cpu"][of] += [] if cpu_off is None else [cpu_off]
    print("| left out | times | GPU: median error | in the interval | CPU: median error | in the interval | side right | "
          "verdict right |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in sorted(count, key=lambda name: (name == "all", name)):
        line(name, count[name], off["gpu"][name], off["cpu"][name])


main()
