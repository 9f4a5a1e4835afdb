"""Every workload of the program on the GPU and on the CPU of this machine.

usage: workloads.py PROGRAM [--only NAME,...] [--device cuda:0] [--budget SECONDS] [--out FOLDER]
       [-- more options of compare]

Runs `breakeven compare` once a case and prints a line for each placement: the fastest variant, its
median and interval, how far that is from the hardware's limit, and what is to be reached. Keeps
every JSON under FOLDER/workloads. A workload that CASES does not name is measured at the largest
size of a quick look.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

from program import size_name, sizes, unknown, workloads

# Sizes beside the usual one, and what is to be reached: workload, options, {placement: seconds to reach}.
CASES = [
    ("add", "--size=1e8", {}),
    ("chain", "--size=1e8", {}),
    ("recurrence", "--size=1e8", {}),
    ("generate", "--size=1e8", {}),
    ("reduce", "--size=1e8", {}),
    ("gather", "--size=1e8", {}),
    ("sort", "--size=1e8", {}),
    ("distance", "--points=4096", {"resident": 0.06e-3}),
    ("distance", "--points=27000", {"resident": 1.7e-3, "preload": 0.25}),
    ("solve", "--systems=10000 --order=10", {"resident": 0.03e-3}),
    ("solve", "--systems=10000 --order=32", {"resident": 0.10e-3}),
    ("solve", "--systems=1000 --order=128", {"resident": 0.7e-3}),
    ("solve", "--systems=100 --order=1000", {"resident": 15e-3}),
    ("solve", "--systems=1 --order=10000", {"resident": 45e-3}),
    ("eigen", "--systems=1000000 --order=3", {}),
    ("eigen", "--systems=100000 --order=32", {}),
    ("eigen", "--systems=10000 --order=128", {}),
    ("regress", "--samples=10000 --features=51 --steps=10000", {"resident": 30e-3}),
    ("regress", "--samples=1000000 --features=51 --steps=10000 --variant=fused,gram",
     {"resident": 0.60}),
    ("matmul", "--order=4096", {}),
    ("matmul", "--order=4096 --type=float64", {}),
    ("mandelbrot", "--width=4096 --steps=200", {"resident": 0.40e-3}),
    ("stencil", "--side=16384", {}),
    ("spmv", "--rows=3000000", {}),
    ("fft", "--size=16777216", {}),
    ("nbody", "--bodies=65536", {}),
]


def cases(known):
    """CASES, and one of each workload that they do not name, by name where CASES has no order."""
    strangers = unknown((workload for workload, _, _ in CASES), known)
    if strangers:
        raise SystemExit(f"bench/workloads.py: CASES has {', '.join(strangers)}: no such workload")
    named = {workload for workload, _, _ in CASES}
    return CASES + [(name, f"--{size_name(known[name])}={sizes(known[name])[-1]}", {})
                    for name in sorted(set(known) - named)]


SHOWN = ("host", "copy", "preload", "resident")


def seconds(value):
    for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def run(program, workload, options, arguments, path):
    command = [program, "compare", workload, *options.split(), f"--device=cpu,{arguments.device}",
               "--cache=hot", "--no-refine", "--quiet", f"--budget={arguments.budget}",
               f"--json={path}", "--machine=none" if not arguments.machine
               else f"--machine={arguments.machine}", *arguments.more]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=arguments.limit)
    return done, time.monotonic() - began, " ".join(command[1:])


def fastest(results, placement, threads):
    found = [r for r in results if r["placement"] == placement and r["status"] == "ok"
             and r["variant"] != "as-published" and (r["threads"] or 0) == threads]
    return min(found, key=lambda r: r["phases"]["total"]["median_s"]) if found else None


def line(case, placement, result, target):
    total = result["phases"]["total"]
    limit = result.get("limit_s")
    spread = (total["hi_s"] - total["lo_s"]) / 2 / total["median_s"] if total["n"] > 1 else 0
    beside = ""
    if target:
        reached = f"no, x{total['median_s'] / target:.2f}"
        if total["n"] > 1 and total["lo_s"] <= target:
            reached = "yes" if total["hi_s"] <= target else "unclear"
        beside = f"{seconds(target)}: {reached}"
    ratio = f"x{total['median_s'] / limit:.2f} {result.get('limit_by') or ''}" if limit else ""
    place = f"{result['threads']} cores" if placement == "host" else placement
    return (f"| {case} | {place} | {result['variant']} | {seconds(total['median_s'])} "
            f"± {100 * spread:.1f} % | {ratio} | {beside} |")


def report(case, results, targets):
    lines = []
    threads = sorted({r["threads"] or 0 for r in results if r["placement"] == "host"})
    for count in threads:
        best = fastest(results, "host", count)
        if best:
            lines.append(line(case, "host", best, None))
    for placement in SHOWN[1:]:
        best = fastest(results, placement, 0)
        if best:
            lines.append(line(case, placement, best, targets.get(placement)))
    for r in results:
        if r["status"] in ("wrong", "impossible", "failed"):
            lines.append(f"| {case} | {r['device']} {r['placement']} | {r['variant']} | "
                         f"**{r['status']}**: {(r.get('note') or '')[:150]} | | |")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--only", default="")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--budget", default="0.1")
    parser.add_argument("--machine", default="", help="a profile: spares measuring the limits")
    parser.add_argument("--limit", type=float, default=300, help="seconds a case")
    parser.add_argument("--out", default="results")
    given = sys.argv[1:]
    own = given[:given.index("--")] if "--" in given else given
    arguments = parser.parse_args(own)
    arguments.more = given[len(own) + 1:]
    folder = pathlib.Path(arguments.out) / "workloads"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = set(filter(None, arguments.only.split(",")))
    known = workloads(arguments.program)
    if unknown(wanted, known):
        parser.error(f"--only {','.join(unknown(wanted, known))}: no such workload")
    print("| case | where | variant | time | x limit | to reach |")
    print("| --- | --- | --- | --- | --- | --- |")
    for number, (workload, options, targets) in enumerate(cases(known)):
        if wanted and workload not in wanted:
            continue
        path = folder / f"{number:02d}-{workload}.json"
        case = f"{workload} {options.replace('--', '').replace('=', ' ')}"
        try:
            done, took, command = run(arguments.program, workload, options, arguments, path)
        except subprocess.TimeoutExpired:
            print(f"| {case} | | | over {arguments.limit:.0f} s: left out | | |", flush=True)
            continue
        if done.returncode not in (0, 3, 4) or not path.exists():
            said = " ".join(done.stderr.split()) or "nothing said"
            print(f"| {case} | | | failed: {said[:200]} | | |", flush=True)
            continue
        print(f"{command}: {took:.1f} s", file=sys.stderr, flush=True)
        results = json.loads(path.read_text(encoding="utf-8"))["results"]
        for text in report(case, results, targets):
            print(text, flush=True)


if __name__ == "__main__":
    main()
