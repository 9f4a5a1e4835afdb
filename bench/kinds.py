#!/usr/bin/env python3
"""Kinds of work by `breakeven ask`, beside `perf record`: small programs of everyday kinds (bench/programs) run under both
at once. Printed of each: the share of the CPU time whose kind is known, the largest kinds, and how far the two are apart
in points of the kind where they differ most. perf's samples are put into kinds by share/kinds.json, too: what is compared
are samples, maps of processes and names of functions.

    kinds.py BREAKEVEN [--seconds S] [--out FILE] [NAME ...]

A program with fewer than 50 samples (it waits, or its processes are short) is not compared.
A program whose packages are missing is named and left out, as perf is where it is not installed. Shares of n samples are
apart by chance: 3 points are usual with 600.
"""
import argparse
import fnmatch
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
PYTHON = [sys.executable, "-B"]

ENOUGH = 50  # samples, before shares are compared

# name | packages | command in bench/programs
CASES = [
    ("products", "numpy", [*PYTHON, "products.py"]),
    ("elements", "numpy", [*PYTHON, "elements.py"]),
    ("groups", "pandas", [*PYTHON, "groups.py"]),
    ("svc", "sklearn", [*PYTHON, "classes.py", "svc"]),
    ("forest", "sklearn", [*PYTHON, "classes.py", "forest"]),
    ("joblib", "numpy joblib", [*PYTHON, "nested.py", "2"]),
    ("numba", "numba", [*PYTHON, "sines.py"]),
    ("jax", "jax", [*PYTHON, "updates.py"]),
    ("jax-shapes", "jax", [*PYTHON, "shapes.py"]),
    ("threads", "", [*PYTHON, "tasks.py", "threads", "2"]),
    ("processes", "", [*PYTHON, "tasks.py", "processes", "2"]),
    ("asyncio", "", [*PYTHON, "answers.py"]),
    ("fsync", "", [*PYTHON, "saves.py"]),
    ("shell", "", ["sh", "names.sh"]),
    ("r", "Rscript", ["Rscript", "loop.R"]),
    ("octave", "octave-cli", ["octave-cli", "--no-init-file", "solve.m"]),
    ("mixture", "scipy pandas", [*PYTHON, "mixture.py"]),
]


def missing(packages):
    return [one for one in packages.split() if not importlib.util.find_spec(one) and not shutil.which(one)]


def run(breakeven, command, seconds, data):
    """The answer; perf's samples go to the file `data`, where it is one."""
    with tempfile.NamedTemporaryFile() as answer:
        perf = ["perf", "record", "-q", "-F", "199", "-e", "cpu-clock", "-o", data, "--"] if data else []
        subprocess.run([*perf, breakeven, "ask", f"--output={answer.name}", "--json", "--", *command], cwd=PROGRAMS,
                       env={**os.environ, "FAULT_SECONDS": f"{seconds:g}"}, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)
        said = json.load(open(answer.name, encoding="utf-8"))
    if said["unsampled"]:
        sys.exit(f"kinds.py: nothing can be sampled here: {said['unsampled']}")
    return said


def by_ask(said):
    """Shares of all, and of samples alone, since perf does not know time that was counted."""
    shares, sampled = {}, {}
    for part in said["parts"]:
        for of in (shares, sampled) if part["samples"] else (shares,):
            of[part["kind"]] = of.get(part["kind"], 0) + part["cpu_s"]
    return normed(shares), normed(sampled)


def normed(shares):
    whole = sum(shares.values())
    return {kind: value / whole for kind, value in shares.items() if value > 0} if whole else {}


def fits(pattern, path):
    return fnmatch.fnmatchcase(path if "/" in pattern else path.rsplit("/", 1)[-1], pattern)


def listed(value):
    return value if isinstance(value, list) else [value]


class Table:
    def __init__(self, path):
        self.rules = json.load(open(path, encoding="utf-8"))["rules"]
        self.known = {}

    def kind(self, path, symbol, beside):
        key = (path, symbol) if path != "[memory]" else (path, symbol, frozenset(beside))
        if key not in self.known:
            self.known[key] = next((rule["kind"] for rule in self.rules if self.holds(rule, path, symbol, beside)), "unknown")
        return self.known[key]

    @staticmethod
    def holds(rule, path, symbol, beside):
        return (any(fits(one, path) for one in listed(rule["library"])) and
                ("symbol" not in rule or any(fnmatch.fnmatchcase(symbol, one) for one in listed(rule["symbol"]))) and
                ("beside" not in rule or any(fits(one, other) for one in listed(rule["beside"]) for other in beside)))


MAPPED = re.compile(r"PERF_RECORD_MMAP2? +(-?\d+)/.*: r-xp (.*)$|PERF_RECORD_MMAP2? +(-?\d+)/.* (/[^ ]*)$")
SAMPLE = re.compile(r"^ *(.*?) +(\d+) +([0-9a-f]+) (.*) \((.*)\)$")


def by_perf(table, data):
    """perf's own maps and names. What `breakeven` itself did is left out."""
    said = subprocess.run(["perf", "script", "-i", data, "-F", "comm,pid,ip,sym,dso", "--no-demangle",
                           "--show-mmap-events"], text=True, errors="replace", capture_output=True, check=True).stdout
    beside, shares = {}, {}
    for line in said.split("\n"):
        mapped, sample = MAPPED.search(line), SAMPLE.match(line)
        if mapped:
            beside.setdefault(int(mapped[1] or mapped[3]), set()).add(mapped[2] or mapped[4])
        elif sample and not sample[1].startswith("breakeven"):
            pid, symbol, path = int(sample[2]), sample[4].strip(), sample[5]
            symbol = "" if symbol == "[unknown]" else symbol.split("+0x")[0]
            if path.startswith("[") and path not in ("[vdso]", "[unknown]", "[heap]", "[stack]"):
                path = "[kernel]"
            elif not path.startswith("/") or path.startswith("//") or path.startswith("/tmp/perf-"):
                path = "[memory]"
            kind = table.kind(path, symbol, beside.get(pid, set()))
            shares[kind] = shares.get(kind, 0) + 1
    return normed(shares), sum(shares.values())


def largest(shares):
    return ", ".join(f"{100 * share:.0f} % {kind}" for kind, share in sorted(shares.items(), key=lambda one: -one[1])[:4])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("breakeven")
    parser.add_argument("names", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--out")
    asked = parser.parse_args()
    if not os.access(asked.breakeven, os.X_OK):
        parser.error(f"{asked.breakeven}: no program")
    breakeven = os.path.abspath(asked.breakeven)
    unknown = set(asked.names) - {name for name, _, _ in CASES}
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    table = Table(os.path.join(HERE, "..", "share", "kinds.json"))
    perf = shutil.which("perf") is not None
    lines, apart_all = [], []
    print("program     samples known  apart  load   largest kinds", flush=True)
    for name, packages, command in CASES:
        if asked.names and name not in asked.names:
            continue
        if missing(packages):
            print(f"{name:<11} left out: {' '.join(missing(packages))} is not here", flush=True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "perf.data") if perf else None
            said = run(breakeven, command, asked.seconds, data)
            shares, sampled = by_ask(said)
            line = {"name": name, "known": said["known_share"], "samples": said["samples"], "ask": shares,
                    "load": os.getloadavg()[0]}
            if perf:
                line["perf"], line["perf_samples"] = by_perf(table, data)
        apart = ""
        if perf and min(line["samples"], line["perf_samples"]) >= ENOUGH:
            off = {kind: abs(sampled.get(kind, 0) - line["perf"].get(kind, 0)) for kind in {*sampled, *line["perf"]}}
            line["apart"] = max(off.values(), default=0)
            apart_all.append(line["apart"])
            apart = f"{100 * line['apart']:.1f}"
        lines.append(line)
        print(f"{name:<11} {line['samples']:7.0f} {100 * line['known']:4.0f} %  {apart:>5}  {line['load']:4.1f}   {largest(shares)}", flush=True)
    if lines:
        enough = sum(line["known"] >= 0.9 for line in lines)
        print(f"{enough} of {len(lines)} have 90 % of their CPU time in known kinds")
        if apart_all:
            print(f"{sum(one <= 0.05 for one in apart_all)} of {len(apart_all)} are within 5 points of perf in each kind")
    if asked.out:
        with open(asked.out, "w", encoding="utf-8") as out:
            json.dump(lines, out, indent=1)


if __name__ == "__main__":
    main()
