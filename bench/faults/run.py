#!/usr/bin/env python3
"""Small programs with one planted fault each, or none, under `breakeven run`: is each fault found by its
right name, and none where there is none?

    run.py BREAKEVEN [--cpu|--gpu] [--out FOLDER] [--only NAME,...] [--limit SECONDS] [--together N]
                     [--lanes N] [--warm SECONDS] [--again N] [--halt GROUP]
    run.py BREAKEVEN --replay FOLDER      traces saved before, instead of programs

The last thing printed is a table: program, what is expected, what was found. Exit code 0: all as
expected; 1: not. With --out each trace is kept there, cut down to what the rules look at, and whole in
FOLDER/whole, compressed.
"""
import argparse
import concurrent.futures
import contextlib
import functools
import gzip
import importlib.util
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FRAMEWORKS = {"torch": "torch", "jax": "jax", "cupy": "cupy", "numpy": "numpy"}
LONGEST_S = 90
CANNOT = 77  # exit code of a program that may not do here what it needs
TICKS = 64  # of a trace that is kept, at most: a run of some seconds keeps all of its own
# What reads a framework's libraries and its kernels from the disk, before anything is watched.
WARM = {
    "torch": "import torch; a = torch.ones(64, 64, device='cuda'); (a @ a).sum().item()",
    "jax": "import jax, jax.numpy as jnp; a = jnp.ones((64, 64)); (a @ a).block_until_ready()",
    "cupy": "import cupy; a = cupy.ones((64, 64), cupy.float32); (a @ a).sum().item()",
}


class Case:
    def __init__(self, line):
        # A bar between blanks separates; one without is part of a field.
        fields = [field.strip() for field in re.split(r" \|(?= )", line)]
        if len(fields) != 7:
            sys.exit(f"table.txt: seven fields are needed: {line}")
        self.name, program, needs, options, environment, expected, self.planted = fields
        self.program, *self.arguments = program.split()
        self.needs, self.options = needs.split(), options.split()
        self.environment = dict(word.split("=", 1) for word in environment.split())
        self.expected = [] if expected == "none" else expected.split("|")

    def on_gpu(self):
        return any(need in ("torch", "jax", "cupy") for need in self.needs)

    def alone(self, lanes):
        """Nothing may run beside it: it needs all GPUs, or none has been set apart for it."""
        return self.on_gpu() and ("gpu2" in self.needs or not lanes)


class Lane:
    """Cores of its own, and where several programs use GPUs at a time, a GPU of its own."""

    def __init__(self, cpus=None, gpu=None):
        self.cpus, self.gpu = cpus, gpu

    def enter(self):
        if self.cpus:
            os.sched_setaffinity(0, self.cpus)


class Halted:
    """A process group that stands still as long as somebody needs the cores for themselves."""

    def __init__(self, group):
        self.group, self.needed, self.lock = group, 0, threading.Lock()

    @contextlib.contextmanager
    def stands(self, wanted):
        self.count(wanted)
        try:
            yield
        finally:
            self.count(-wanted)

    def count(self, more):
        with self.lock:
            before, self.needed = self.needed, self.needed + more
            if self.group and bool(before) != bool(self.needed):
                with contextlib.suppress(ProcessLookupError):  # it may have ended by itself
                    os.killpg(self.group, signal.SIGSTOP if self.needed else signal.SIGCONT)


class Outcome:
    def __init__(self, verdict, found=(), note=""):
        self.verdict, self.found, self.note = verdict, list(found), note


def read_table():
    with open(os.path.join(HERE, "table.txt"), encoding="utf-8") as file:
        return [Case(line.rstrip("\n")) for line in file if line.strip() and line[0] != "#"]


# ---- what is here -----------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def gpus():
    if not shutil.which("nvidia-smi"):
        return 0
    done = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    return done.stdout.count("UUID: GPU")


def missing(case):
    """Why the program cannot run here; empty: it can."""
    if case.on_gpu() and gpus() < (2 if "gpu2" in case.needs else 1):
        return "needs two GPUs" if gpus() else "no GPU here"
    for need in case.needs:
        if need in FRAMEWORKS and not importlib.util.find_spec(FRAMEWORKS[need]):
            return f"no {FRAMEWORKS[need]} here"
    return ""


def build(case, folder):
    """The words that start it; None: it does not build here."""
    path = os.path.join(HERE, case.program)
    if case.program.endswith(".py"):
        return [sys.executable, path, *case.arguments]
    program = os.path.join(folder, case.name)
    compiler = os.environ.get("CC", "cc").split()
    flags = ["-fopenmp"] if "openmp" in case.needs else []
    try:
        subprocess.run([*compiler, "-O2", *flags, "-o", program, path, "-pthread", "-lm"], check=True,
                       capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return None
    return [program, *case.arguments]


# ---- one program ------------------------------------------------------------------------------------


def judge(case, trace):
    counted = [one["name"] for one in trace["findings"] if one["weight"] != "good"]
    good = set(case.expected) & set(counted) if case.expected else not counted
    return Outcome("ok" if good else "WRONG", counted)


def watch(options, case, words, lane, folder, seconds):
    """Runs it once; the trace, or why there is none."""
    trace_file = os.path.join(folder, case.name + ".trace.json")
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("SLURM_", "OMP_", "LSB_", "PBS_"))}
    environment.update(case.environment, FAULT_SECONDS=str(seconds))
    if not case.on_gpu():
        environment["CUDA_VISIBLE_DEVICES"] = ""
    elif lane.gpu is not None:
        environment["CUDA_VISIBLE_DEVICES"] = str(lane.gpu)
    command = [options.breakeven, "run", *case.options, "--trace-file", trace_file,
               "--output", report_of(case, folder), "--", *words]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False,
                              timeout=LONGEST_S, preexec_fn=lane.enter)
    except subprocess.TimeoutExpired:
        return None, f"did not end in {LONGEST_S} s"
    if done.returncode == CANNOT:
        return None, "it may not do here what it needs"
    if done.returncode != 0:
        if options.out:
            with open(os.path.join(options.out, case.name + ".err"), "w", encoding="utf-8") as file:
                file.write(done.stderr)
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        return None, f"exit code {done.returncode}: {last[:100]}"
    with open(trace_file, encoding="utf-8") as file:
        return json.load(file), ""


def report_of(case, folder):
    return os.path.join(folder, case.name + ".txt")


def disturbed(trace):
    """Others took the cores, or there was too little time for enough samples: no test of the rules."""
    mean = {one["signal"]: one["mean"] for one in trace["series"] if one["scope"] in ("tree", "node")}
    others = mean.get("node_cpu", 0) - mean.get("cpu_busy", 0)
    return others > 0.3 * os.cpu_count() or trace["run"]["samples"] < 10


def run(options, case, folder, lane):
    why = missing(case)
    words = None if why else build(case, folder)
    if not words:
        return Outcome("skipped", note=why or "does not compile here")
    wrong = 0
    for turn in range(1 if case.on_gpu() else 3 + options.again):
        with options.halted.stands(int(turn > 0 or not case.expected)):
            trace, why = watch(options, case, words, lane, folder, options.seconds * (1 + turn))
        if not trace:
            return Outcome("skipped" if "may not do" in why else "FAILED", note=why)
        outcome = judge(case, trace)
        if outcome.verdict == "ok":
            break
        if disturbed(trace):
            outcome = Outcome("skipped", outcome.found, f"others took the cores, {turn + 1} times")
            continue
        wrong += 1
        if wrong > options.again:
            break
    if options.out:
        keep(options, case, trace, report_of(case, folder))
    return outcome


def warm(options, cases):
    """All at once: what is read from the disk then is there for the programs, and costs no run its time."""
    needs = {need for case in cases if not missing(case) for need in case.needs} & set(WARM)
    begin = time.monotonic()
    started = {need: subprocess.Popen([sys.executable, "-c", WARM[need]], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
               for need in sorted(needs)}
    for need, process in started.items():
        try:
            _, said = process.communicate(timeout=max(1, options.warm - (time.monotonic() - begin)))
        except subprocess.TimeoutExpired:
            process.kill()
            _, said = process.communicate()
            said = f"not ready after {options.warm:.0f} s"
        last = (said.strip().splitlines() or [""])[-1] if process.returncode else ""
        print(f"[{time.monotonic() - begin:3.0f} s] {need} {last or 'is in memory'}", flush=True)


def lanes_of(options):
    """Side by side only on cores of their own: two a program without a GPU, a share with one each."""
    mine = sorted(os.sched_getaffinity(0))
    if options.gpu and options.lanes > 1:
        share = max(1, len(mine) // options.lanes)
        return [Lane(set(mine[i * share:(i + 1) * share]) or set(mine), i) for i in range(options.lanes)]
    if options.gpu:
        return [Lane()]
    pairs = [set(mine[i:i + 2]) for i in range(0, len(mine) - 1, 2)] or [set(mine)]
    return [Lane(pair) for pair in pairs[:max(1, options.together)]]


def run_all(options, cases):
    """Those that need all GPUs first, one after the other; then the others, one a lane."""
    begin = time.monotonic()
    if options.warm:
        warm(options, cases)
    lanes = lanes_of(options)
    free = queue.Queue()
    for lane in lanes:
        free.put(lane)
    done = threading.Lock()  # a row at a time, whole

    def one(case, whole=None):
        outcome = try_one(case, whole)
        with done:
            print(f"[{time.monotonic() - begin:3.0f} s] {row(case, outcome)}", flush=True)
            if outcome.verdict == "WRONG" and options.gpu and options.out:
                with open(report_of(case, options.out), encoding="utf-8") as file:
                    print(file.read(), flush=True)
        return outcome

    def try_one(case, whole):
        if time.monotonic() - begin > options.limit:
            return Outcome("skipped", note="no time left")
        lane = whole or free.get()
        try:
            with tempfile.TemporaryDirectory() as folder:
                return run(options, case, folder, lane)
        finally:
            if lane in lanes:
                free.put(lane)

    alone = {case.name: one(case, Lane()) for case in cases if case.alone(options.gpu)}
    with concurrent.futures.ThreadPoolExecutor(len(lanes)) as pool:
        others = pool.map(lambda case: alone.get(case.name) or one(case), cases)
        return list(others)


# ---- traces that are kept ---------------------------------------------------------------------------


def merged(values, factor, largest):
    out = []
    for i in range(0, len(values), factor):
        some = [value for value in values[i:i + factor] if value is not None]
        value = None if not some else max(some) if largest else sum(some) / len(some)
        out.append(value if value is None else float(f"{value:.4g}"))
    return out


LARGEST = ("bytes", "count", "celsius")
LOOKED_AT = {"cpu_system", "cpu_children", "spawned", "major_faults", "minor_faults", "switches", "lock_wait", "mutex_wait",
             "asleep_timer", "asleep_message", "asleep_lock", "code_areas", "waiting_code",
             "read", "write_calls", "allowed_cores", "node_cpu", "node_spawned", "cpu_busy", "busiest_thread",
             "run_wait", "runnable", "blocked", "memory", "memory_pss", "processes", "threads", "process_cpu"}


def slim(trace):
    """What the rules look at, in at most TICKS ticks; nothing that tells the machine."""
    busy = {}
    for series in trace["series"]:
        if series["signal"] == "process_cpu" and series["mean"] > 0.05:
            busy[series["of"]] = len(busy)
    trace["processes"] = [trace["processes"][of] for of in busy]
    trace["threads"] = []
    trace["run"].update(host="", pid=0)
    for gpu in trace["gpus"]:
        gpu["uuid"] = ""
    for source in trace["sources"]:
        if source["name"] == "cgroup":
            source["detail"] = (source["detail"] or "").split(" ")[0]  # its version, not where it is
    kept = []
    factor = -(-len(trace["ticks"]) // TICKS) or 1
    for series in trace["series"]:
        scope = series["scope"]
        looked_at = scope in ("gpu", "group") or series["signal"] in LOOKED_AT
        if not looked_at or (scope == "process" and series["of"] not in busy):
            continue
        if scope == "process":
            series["of"] = busy[series["of"]]
        before, ticks = series.pop("first", 0), len(trace["ticks"])
        values = [None] * before + series["values"]
        series["values"] = merged(values + [None] * (ticks - len(values)), factor, series["unit"] in LARGEST)
        kept.append(series)
    last = trace["ticks"][-1:]
    trace["ticks"] = trace["ticks"][factor - 1::factor]
    if last and trace["ticks"][-1:] != last:
        trace["ticks"] += last
    trace["series"] = kept
    trace["findings"] = []
    return trace


def keep(options, case, trace, report):
    """A line a record, as breakeven writes them."""
    shutil.copy(report, report_of(case, options.out))
    whole = os.path.join(options.out, "whole", case.name + ".json.gz")
    os.makedirs(os.path.dirname(whole), exist_ok=True)
    with gzip.open(whole, "wt", encoding="utf-8") as file:
        json.dump(trace, file, separators=(",", ":"))
    trace = slim(json.loads(json.dumps(trace)))
    parts = []
    for name, value in trace.items():
        text = json.dumps(value, separators=(",", ":"))
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in value) + "\n]"
        parts.append(f"{json.dumps(name)}:{text}")
    path = os.path.join(options.out, case.name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        file.write("{" + ",\n".join(parts) + "}\n")


def known_otherwise(folder):
    """other.txt of a folder of traces: "name | what is found in it | why that is not what is planted", a line each."""
    path = os.path.join(folder, "other.txt")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split(" | ") for line in file if line.strip() and line[0] != "#"]
    return {name: [] if found == "none" else found.split("|") for name, found, _ in rows}


def replay(options, case):
    path = os.path.join(options.replay, case.name + ".json")
    if not os.path.exists(path):
        return Outcome("skipped", note="no trace of it was kept")
    done = subprocess.run([options.breakeven, "report", "--json", path], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        return Outcome("FAILED", note=done.stderr.strip()[:100])
    return judge(case, json.loads(done.stdout))


# ---- the table --------------------------------------------------------------------------------------


def row(case, outcome):
    found = ", ".join(outcome.found) or ("none" if outcome.verdict in ("ok", "WRONG") else "-")
    return (f"{case.name:<17} {'|'.join(case.expected) or 'none':<23} {found:<30} "
            f"{outcome.verdict}{': ' if outcome.note else ''}{outcome.note}")


def table(cases, outcomes):
    print(f"\n{'program':<17} {'expected':<23} {'found':<30} verdict")
    for case, outcome in zip(cases, outcomes):
        print(row(case, outcome))
    count = {word: sum(one.verdict == word for one in outcomes)
             for word in ("ok", "WRONG", "FAILED", "skipped")}
    print(f"{len(cases)} programs: {count['ok']} as expected, {count['WRONG']} not, "
          f"{count['FAILED']} failed, {count['skipped']} skipped")
    return 1 if count["WRONG"] or count["FAILED"] or not count["ok"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("breakeven")
    parser.add_argument("--cpu", action="store_true", help="only those that need no GPU")
    parser.add_argument("--gpu", action="store_true", help="only those that need one")
    parser.add_argument("--out", help="keep traces and reports there")
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--replay", help="a folder of traces to look at instead")
    parser.add_argument("--limit", type=float, default=1e9, help="start none after so many seconds")
    parser.add_argument("--seconds", type=float, default=4, help="how long each works")
    parser.add_argument("--together", type=int, default=1, help="programs at a time, on cores of their own")
    parser.add_argument("--again", type=int, default=0, metavar="N",
                        help="without a GPU: wrong is who is wrong so many times more. What a host takes from "
                             "its guest is seen nowhere")
    parser.add_argument("--halt", type=int, metavar="GROUP",
                        help="processes that stand still where they would disturb: while a program runs in which "
                             "nothing is to be found, or one runs again")
    parser.add_argument("--lanes", type=int, default=1,
                        help="with --gpu: GPUs that each have a program at a time, on their share of the cores")
    parser.add_argument("--warm", type=float, default=0, metavar="SECONDS",
                        help="first start each framework once, for at most so long")
    options = parser.parse_args()
    options.breakeven = os.path.abspath(options.breakeven)
    options.halted = Halted(options.halt)
    only = options.only.split(",") if options.only else []
    strange = set(only) - {case.name for case in read_table()}
    if strange:
        sys.exit(f"not in table.txt: {', '.join(sorted(strange))}")
    cases = [case for case in read_table()
             if (case.name in only if only else True)
             and not (options.cpu and case.on_gpu()) and not (options.gpu and not case.on_gpu())]
    if only:
        cases.sort(key=lambda case: only.index(case.name))
    if options.out:
        os.makedirs(options.out, exist_ok=True)
    if options.replay:
        if not os.path.isdir(options.replay):
            parser.error(f"--replay: {options.replay} is no folder")
        other = known_otherwise(options.replay)
        for case in cases:
            case.expected = other.get(case.name, case.expected)
        cases = [case for case in cases if os.path.exists(os.path.join(options.replay, case.name + ".json"))]
        known = {case.name for case in read_table()}
        names = {name[:-5] for name in os.listdir(options.replay) if name.endswith(".json")}
        if names - known:
            sys.exit(f"not in table.txt: {', '.join(sorted(names - known))}")
        outcomes = [replay(options, case) for case in cases]
    else:
        outcomes = run_all(options, cases)
    return table(cases, outcomes)


if __name__ == "__main__":
    sys.exit(main())
