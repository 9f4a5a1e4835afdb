#!/usr/bin/env python3
"""How long does a program wait that asks `be.worth` at run time? Prints a line for a formula, for numbers, and for the
program that is started for the same question.

usage: python_worth.py [ROUNDS]
  ROUNDS   rounds of 20 questions each, in turn; the shortest counts; default 300
"""
import subprocess
import sys
import time

try:
    import breakeven as be
except ImportError as missing:
    be = missing

MACHINES = {"machine": "h200", "cpu": "cpu-2"}


def by_program():
    """The same question as a command."""
    subprocess.run([str(be._library.program_path()), "predict", "--flops=2*n^3", "--transfer=24*n^2", "--size=1000",
                    "--machine=h200", "--cpu=cpu-2", "--json"], check=True, stdout=subprocess.DEVNULL)


WAYS = {
    "a formula": lambda: be.worth(1000, flops="2*n**3", transfer="24*n**2", **MACHINES),
    "numbers": lambda: be.worth(flops=2e9, transfer=24e6, **MACHINES),
}


def mean_of(function, calls):
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - start) / calls


def main(words):
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if len(words) > 1 or not all(word.isdigit() and int(word) for word in words):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if isinstance(be, ImportError):
        print(f"python_worth.py: {be}: run it with a Python that has the wheel (make wheel)", file=sys.stderr)
        return 1
    rounds, best = int(words[0]) if words else 300, dict.fromkeys(WAYS, float("inf"))
    for _ in range(rounds):
        for name, function in WAYS.items():
            best[name] = min(best[name], mean_of(function, 20))
    for name, seconds in best.items():
        print(f"{name}: {seconds * 1e6:.1f} us")
    print(f"the program: {min(mean_of(by_program, 1) for _ in range(10)) * 1e6:.0f} us")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
