"""What every workload costs on this CPU over size, and what memory it takes: `make cost`.

usage: cost_run.py BUILD [--out FOLDER] [--name NAME] [--only WORKLOAD,...] [--threads LIST]
       [--device ID] [--limit SECONDS] [--machine NAME|FILE] [--budget SECONDS] [--again]

BUILD holds breakeven and bench_memory. Writes FOLDER/cost-NAME.md, a table for each workload and one
of memory, FOLDER/cost-NAME.svg, the same as a drawing, and FOLDER/WORKLOAD.json, what was measured. A few
minutes, and 1.3 GB.

--device=cuda:0: on that device, with inputs and results there, also at larger sizes; without memory, which
is counted on the host. --limit shares the time among the workloads; sizes left out for it are named. What the
hardware can do is probed once before, quickly, or is that of --machine: each run would measure it again.
"""

import argparse
import contextlib
import io
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

import cost
import cost_chart
import program

PAST = 64e6  # bytes from which the caches do not matter
ALLOWED = 1.1  # times inputs and outputs
STREAM = "1e4,1e5,3e5,1e6,3e6,1e7,3e7"
# Workload, what else is asked for, the swept parameter and its sizes, and the size of which memory is
# measured; all as the command line says it. Those that are not here have usual ones.
RUNS = (
    ("add", {}, "size", STREAM + ",1e8", "2e7"),
    ("chain", {}, "size", STREAM, "1e7"),
    ("recurrence", {}, "size", STREAM, "1e7"),
    ("generate", {"type": "float64"}, "size", STREAM + ",1e8", "2e7"),
    ("reduce", {}, "size", STREAM + ",1e8,2e8", "2e7"),
    ("gather", {}, "size", STREAM, "1e7"),
    ("sort", {}, "size", STREAM + ",6e7", "2e7"),
    ("fft", {}, "size", "4096,32768,262144,1048576,4194304,8388608", "8388608"),
    ("solve", {"type": "float64", "order": "32"}, "systems", "100,300,1000,3000,1e4,3e4", "1e4"),
    ("eigen", {"type": "float64", "order": "16"}, "systems", "100,300,1000,3000,1e4,3e4", "3e4"),
    ("regress", {"features": "32", "steps": "10"}, "samples", "1e3,1e4,1e5,3e5,1e6,3e6", "1e6"),
    ("spmv", {"type": "float64"}, "rows", "1e3,1e4,1e5,3e5,1e6,2e6", "1e6"),
    ("stencil", {}, "side", "128,512,1024,2048,4096,8192", "4096"),
    ("distance", {"type": "float64"}, "points", "100,300,1000,2000,4096,8192", "4096"),
    ("matmul", {}, "order", "64,128,256,512,1024,2048,3000", "3000"),
    ("mandelbrot", {"type": "float64", "steps": "50"}, "width", "64,256,1024,2048,4096", "4096"),
    ("cg", {"iterations": "10"}, "rows", "1e3,1e4,1e5,3e5,1e6,3e6", "1e6"),
    ("convolve", {}, "height", "64,256,1024,2048,4096,8192", "4096"),
    ("neighbours", {"queries": "1000"}, "points", "1e3,1e4,1e5,1e6", "1e6"),
    ("nbody", {}, "bodies", "256,1024,4096,16384,32768", "32768"),
)
# More sizes on a device, whose memory is faster and whose caches may be larger.
LARGER = {
    **dict.fromkeys(("chain", "recurrence", "gather"), "1e8"),
    "fft": "16777216,33554432",
    "solve": "1e5",
    "eigen": "1e5",
    "regress": "6e6",
    "spmv": "4e6",
    "stencil": "16384",
    "distance": "16384",
    "matmul": "6000",
    "mandelbrot": "8192",
    "nbody": "65536",
}


def runs(known):
    """RUNS, and a line of each workload of the program that they do not name: of one that is computed element
    by element the sizes of a stream, of another those of a quick look."""
    strangers = program.unknown([*(run[0] for run in RUNS), *LARGER, *VARIANTS], known)
    if strangers:
        raise SystemExit(f"bench/cost_run.py names {', '.join(strangers)}: no such workload")
    more = []
    for name in sorted(set(known) - {run[0] for run in RUNS}):
        look = [str(size) for size in program.sizes(known[name])]
        sizes, last = (STREAM, "1e7") if known[name]["elementwise"] else (",".join(look), look[-1])
        more.append((name, {}, program.size_name(known[name]), sizes, last))
    return (*more, *RUNS)


def larger(workload):
    """More sizes of it on a device, or none."""
    return LARGER.get(workload["name"], "1e8" if workload["elementwise"] and workload["name"] != "add" else None)


# Of these sizes one that takes so long in one call is left out: code that is there to be slow.
PATIENCE_S = 0.2
# Code of as many passes as its published form is not what is looked at.
VARIANTS = {"mandelbrot": "kernel", "distance": "fused", "regress": "fused,gram", "solve": "batched", "eigen": "batched"}


def say(words):
    print(f"cost: {words}", file=sys.stderr, flush=True)


def least(whole):
    """The shortest call in place of the median one: what other programs here disturb least."""
    for r in whole["results"]:
        if r["phases"]["total"]["n"]:
            r["phases"]["total"]["median_s"] = r["phases"]["total"]["min_s"]
    return whole


def asked(options, workload):
    """How the command line says where, and with what code."""
    if options.device == "cpu":
        return ["--device=cpu"] + [f"--variant={VARIANTS.get(workload)}"] * (workload in VARIANTS)
    words = [f"--device={options.device}", "--placement=resident", f"--patience={PATIENCE_S}"]
    return words + ["--variant=device"] * (workload == "generate")  # not what the host makes for it


def probed(options):
    """What --machine takes: a profile of the CPU and the device, made now; none where that failed."""
    path = pathlib.Path(options.out) / "profile.json"
    words = [f"{options.build}/breakeven", "probe", "--quick", f"--device=cpu,{options.device}", "--quiet"]
    began = time.monotonic()
    done = subprocess.run([*words, "--name=cost", f"--output={path}"], stdout=subprocess.DEVNULL)
    say(f"probe: {time.monotonic() - began:.0f} s")
    return "none" if done.returncode else str(path)


def measured(options, workload, more, swept, sizes, total_s):
    """The results of one workload, or none, with why on stderr."""
    path = pathlib.Path(options.out) / f"{workload}.json"
    if options.again and path.exists():
        return least(json.loads(path.read_text(encoding="utf-8")))
    path.unlink(missing_ok=True)
    words = [f"{options.build}/breakeven", "compare", workload, f"--{swept}={sizes}"]
    words += [f"--{name}={value}" for name, value in more.items()]
    words += [*asked(options, workload), f"--threads={options.threads}", "--cache=hot", "--no-refine"]
    words += ["--quiet", f"--budget={options.budget}", f"--machine={options.machine}", f"--json={path}"]
    words += [f"--total={total_s:.1f}"] * (total_s is not None)
    began = time.monotonic()
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    say(f"{workload}: {time.monotonic() - began:.0f} s")
    if done.returncode or not path.exists():
        say(f"{workload}: ended with {done.returncode}: {done.stderr.strip()[:200]}")
        return {}
    return least(json.loads(path.read_text(encoding="utf-8")))


def of_device(whole, device):
    """What was measured there: beside a device the CPU is measured too."""
    return [r for r in whole["results"] if r["device"] == device]


def facts_of(whole, device):
    """Of `device` as the machine has it, {} where it is the CPU."""
    return next((d for d in whole["machine"]["devices"] if d["id"] == device and device != "cpu"), {})


def past_of(whole, device):
    """Bytes from which the caches do not matter: twice as much as a device's cache, where that is more."""
    return max(PAST, 2 * (facts_of(whole, device).get("cache_bytes") or 0))


def left_out(found):
    """What a limit of time took away, as the program says it."""
    remarks = [remark for whole in found.values() for remark in whole.get("remarks") or []]
    return [remark.split(": ", 1)[1] for remark in remarks if remark.startswith("sizes left out")]


def panel(workload, results):
    """What cost_chart.py draws of one workload."""
    best = cost.fastest(results)
    rows = sorted(best.values(), key=lambda r: r["size"])
    if not rows:
        return {"title": workload, "unit": "byte", "places": {}}
    unit = cost.unit_of(rows)
    places = {}
    for r in rows:
        point = (r["bytes"], 1e9 * cost.median(r) / r[unit])
        places.setdefault(cost.place(r), []).append(point)
    return {"title": workload, "unit": {"bytes": "byte", "operations": "flop"}[unit], "places": places}


def memory(options, workload, more, swept, size, cores):
    """Lines of bench_memory: [parameters, variant, bytes of arrays, bytes at most]."""
    named = [f"{name}={value}" for name, value in more.items() if name != "type"]
    words = [f"{options.build}/bench_memory", workload, more.get("type", "float32"), str(cores)]
    done = subprocess.run(
        [*words, f"{swept}={size}", *named], stdout=subprocess.PIPE, text=True, check=False
    )
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [[words[1], row[1], row[2], float(row[3]), float(row[4])] for row in rows if len(row) == 5]


def memory_table(rows):
    out = ["| workload | variant | inputs and outputs | at most | ratio | at most 1.1 |"]
    out.append("| --- | --- | ---: | ---: | ---: | --- |")
    for workload, parameters, variant, arrays, most in rows:
        ratio = most / arrays
        out.append(
            f"| {workload} {parameters} | {variant} | {arrays / 1e6:.1f} MB | {most / 1e6:.1f} MB "
            f"| {ratio:.2f} | {'yes' if ratio <= ALLOWED else 'no'} |"
        )
    return "\n".join(out)


def tables(found, device):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for workload, whole in found.items():
            results = of_device(whole, device)
            words = [workload, results[0]["dtype"], results[0].get("parameters") or ""]
            past = past_of(whole, device)
            cost.table(", ".join(word for word in words if word), results, past)
    return out.getvalue()


def document(options, found, rows, load):
    whole = next(iter(found.values()))
    facts = facts_of(whole, options.device)
    cores, all_cores = len(os.sched_getaffinity(0)), whole["machine"]["cores"]
    head = f"{whole['machine']['cpu']}, {cores} of {all_cores} cores"
    where = f"{options.device}, {facts['name']}" if facts else "the CPU"
    state = f"inputs and results stay there, and calls above {PATIENCE_S} s are left out" if facts else "data hot"
    past = past_of(whole, options.device)
    short = left_out(found)
    return "\n".join(
        [
            f"# Cost with size, on {where}",
            "",
            f"Machine: {head}",
            f"Date: {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}; load before: {load:.1f}",
            f"Command: `{options.command}`",
            "",
            f"The shortest call of the fastest variant at each size; {state}. Flat past the caches, from "
            f"{past / 1e6:.0f} MB on: the last line of each table says the most over the least there.",
            "",
            *([f"Sizes left out, to end in {options.limit:g} s: {'; '.join(short)}.", ""] if short else []),
            f"![time of a byte or an operation over size]({options.stem}.svg)",
            "",
            *(memory_words(rows) if rows else []),
            tables(found, options.device),
        ]
    )


def memory_words(rows):
    return [
        "## Memory",
        "",
        "The most that was in memory until a call had ended, less what was there before there were "
        "arrays; each variant in a process of its own (bench/memory.c).",
        "",
        memory_table(rows),
    ]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--out", default="results")
    parser.add_argument("--name", default="", help="of the machine, for the names of the files")
    parser.add_argument("--only", default="", metavar="WORKLOAD,...", help="default: all")
    parser.add_argument("--threads", default="", help="default: 1,all; beside a device all")
    parser.add_argument("--device", default="cpu", metavar="ID", help="one device; default: cpu")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="of all; default: none")
    parser.add_argument("--machine", default="", metavar="NAME|FILE", help="limits; default: none on the CPU")
    parser.add_argument("--again", action="store_true", help="times as FOLDER has them")
    parser.add_argument("--budget", type=float, default=0.05, help="seconds of samples a case")
    return parser


def each(options):
    """Workload after workload: its results, and lines of memory."""
    cores = len(os.sched_getaffinity(0))
    only = [word for word in options.only.split(",") if word]
    known = program.workloads(f"{options.build}/breakeven")
    wrong = program.unknown(only, known)
    if wrong:
        raise SystemExit(f"cost: --only {','.join(wrong)}: no such workload; there are: {', '.join(known)}")
    lines = [run for run in runs(known) if not only or run[0] in only]
    began = time.monotonic()
    if not options.machine:
        options.machine = "none" if options.device == "cpu" or options.again else probed(options)
    found, rows = {}, []
    for at, (workload, more, swept, sizes, size) in enumerate(lines):
        total_s = None
        if options.limit:
            left_s = options.limit - (time.monotonic() - began)
            total_s = max(left_s, 1) / (len(lines) - at)
        if options.device != "cpu" and larger(known[workload]):
            sizes = f"{sizes},{larger(known[workload])}"
        whole = measured(options, workload, more, swept, sizes, total_s)
        if whole.get("results") and of_device(whole, options.device):
            found[workload] = whole
        if options.device == "cpu":
            rows += memory(options, workload, more, swept, size, cores)
    return found, rows


def main():
    parser = arguments()
    options = parser.parse_args()
    options.stem = f"cost-{options.name}" if options.name else "cost"
    options.command = shlex.join(["python3", *sys.argv])
    for name in ("breakeven", "bench_memory")[: 2 if options.device == "cpu" else 1]:
        if not os.access(f"{options.build}/{name}", os.X_OK):
            parser.error(f"{options.build}/{name} is not there: make cost builds it")
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
    load = os.getloadavg()[0]
    threads = options.threads or ("1,all" if options.device == "cpu" else "all")
    options.threads = threads.replace("all", str(len(os.sched_getaffinity(0))))
    found, rows = each(options)
    if not found:
        parser.error("nothing was measured")
    whole = next(iter(found.values()))
    facts = facts_of(whole, options.device)
    panels = [panel(name, of_device(run, options.device)) for name, run in found.items()]
    head = f"Cost with size: {facts.get('name') or whole['machine']['cpu']}"
    cache = (facts or whole["machine"]).get("cache_bytes") or 0
    drawing = cost_chart.svg(panels, head, cache)
    out = pathlib.Path(options.out)
    (out / f"{options.stem}.svg").write_text(drawing, encoding="utf-8")
    text = document(options, found, rows, load)
    (out / f"{options.stem}.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
