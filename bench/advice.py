#!/usr/bin/env python3
"""Is advice of `breakeven run` worth following? Small programs (bench/programs/table.txt) are watched, and then run in
turn as they were and as the advice has them; each prints its pieces of work a second, and the best of each counts.

    advice.py BREAKEVEN [--rounds N] [--watched S] [--each S] [--again N] [--out FOLDER] [--told] [NAME ...]

--told: what each is told, in full, and nothing is compared. A program whose packages are missing is named and left out.
On a machine that others keep busy the rates say little, and something else is found (cores-taken): the load is printed,
and --again N watches such a program up to N times more.
"""
import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
WITH = {"py": [sys.executable, "-B"], "sh": ["sh"], "R": ["Rscript"], "m": ["octave-cli", "--no-init-file"]}


class Case:
    def __init__(self, line):
        fields = [field.strip() for field in line.rstrip("\n").split("|")]
        if len(fields) != 7:
            sys.exit(f"table.txt: seven fields are needed: {line}")
        self.name, packages, before, was, after, advised, self.followed = fields
        self.packages = packages.split()
        self.before, self.after = (None if words == "none" else words.split() for words in (before, after))
        self.was, self.advised = (dict(word.split("=", 1) for word in one.split()) for one in (was, advised))

    def missing(self):
        return [one for one in self.packages if not importlib.util.find_spec(one) and not shutil.which(one)]


def command(words, built):
    """c_mutex own -> [.../c_mutex, own]; compiled first."""
    program, *arguments = words
    if program.startswith("c_"):
        source = next(path for path in (f"{HERE}/{program}.c", f"{HERE}/../faults/{program}.c")
                      if os.path.exists(path))
        target = os.path.join(built, program)
        if not os.path.exists(target):
            with open(source, encoding="utf-8") as file:
                openmp = ["-fopenmp"] if "#pragma omp" in file.read() else []
            subprocess.run(["cc", "-std=gnu17", "-O2", "-pthread", *openmp, "-o", target, source], check=True)
        return [target, *arguments]
    return [*WITH[program.rsplit(".", 1)[1]], f"{HERE}/{program}", *arguments]


def environment(more, seconds):
    return {**os.environ, **more, "FAULT_SECONDS": f"{seconds:g}"}


def rate(words, more, seconds, folder):
    """What it says of itself; NaN: it says nothing."""
    done = subprocess.run(command(words, folder), env=environment(more, seconds), cwd=folder, text=True,
                          check=True, stdout=subprocess.PIPE)
    found = re.search(r"^(\S+) pieces of work a second", done.stdout, re.M)
    return float(found[1]) if found else float("nan")


def watch(breakeven, case, seconds, folder, out):
    """The findings of a run of it, the dearest first."""
    trace = os.path.join(out or folder, f"{case.name}.json")
    subprocess.run([breakeven, "run", f"--json={trace}", "--", *command(case.before, folder)],
                   env=environment(case.was, seconds), cwd=folder, check=True, capture_output=True)
    with open(trace, encoding="utf-8") as file:
        return [one for one in json.load(file)["findings"] if one["weight"] != "good"]


def tell(case, findings):
    print(f"{case.name}: {'' if findings else 'nothing'}")
    for one in findings:
        cost = f" [{one['cost_s']:.1f} s]" if one.get("cost_s") else ""
        print(f"    {one['name']}{cost}: {one['evidence']}\n        {one['advice']}")
    sys.stdout.flush()


def row(case, findings, rounds, seconds, folder):
    names = " ".join(f"`{one['name']}`" for one in findings) or "none"
    if not case.after:
        return f"| {case.name} | {names} | | | | |"
    pairs = [(rate(case.before, case.was, seconds, folder), rate(case.after, case.advised, seconds, folder))
             for _ in range(rounds)]
    before, after = max(one for one, _ in pairs), max(one for _, one in pairs)
    return f"| {case.name} | {names} | {case.followed} | {before:.4g} | {after:.4g} | {after / before:.3g} |"


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("breakeven", metavar="BREAKEVEN")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each, of which the best counts (3)")
    parser.add_argument("--watched", type=float, default=10, metavar="S", help="seconds under watch (10)")
    parser.add_argument("--each", type=float, default=2, metavar="S", help="seconds of a compared run (2)")
    parser.add_argument("--again", type=int, default=0, metavar="N", help="times to watch again, where others were busy")
    parser.add_argument("--out", metavar="FOLDER", help="keeps the traces there")
    parser.add_argument("--told", action="store_true", help="only what each is told")
    return parser, parser.parse_intermixed_args()


def main():
    parser, asked = options()
    with open(f"{HERE}/table.txt", encoding="utf-8") as file:
        cases = [Case(line) for line in file if not line.startswith("#")]
    unknown = set(asked.names) - {case.name for case in cases}
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}; see bench/programs/table.txt")
    breakeven, out = os.path.abspath(asked.breakeven), asked.out and os.path.abspath(asked.out)
    if out:
        os.makedirs(out, exist_ok=True)
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs\n")
    if not asked.told:
        print("| program | found | followed | before | after | times |\n| --- | --- | --- | --- | --- | --- |")
    watched = {}
    with tempfile.TemporaryDirectory(prefix="advice-") as folder:
        for case in cases:
            if asked.names and case.name not in asked.names:
                continue
            if case.missing():
                print(f"| {case.name} | not tried: {', '.join(case.missing())} is not here | | | | |")
                continue
            first = case.name not in watched
            if first:
                watched[case.name] = watch(breakeven, case, asked.watched, folder, out)
                for _ in range(asked.again):
                    if any(one["name"] == "cores-taken" for one in watched[case.name]):
                        time.sleep(5)
                        watched[case.name] = watch(breakeven, case, asked.watched, folder, out)
            if not asked.told:
                print(row(case, watched[case.name], asked.rounds, asked.each, folder), flush=True)
            elif first:
                tell(case, watched[case.name])
    print(f"\nload after: {os.getloadavg()[0]:.1f}")


main()
