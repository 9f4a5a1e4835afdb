"""Cases of the corpus: a list that each of its files adds to."""
import collections

Case = collections.namedtuple("Case", "rule fires script words")

CASES = []
CLUSTER = ("--cluster=breakeven",)


def job(directives="", commands="hostname\n", head="#!/bin/bash\n"):
    """A script: one directive a line, hyphens as they are to stand."""
    lines = "".join(f"#SBATCH {line}\n" for line in directives.split("\n") if line)
    return (head + lines + commands).encode()


def add(rule, fires, *scripts, words=()):
    for script in scripts:
        CASES.append(Case(rule, fires, script if isinstance(script, bytes) else job(script), words))


def on_cluster(rule, fires, *scripts):
    add(rule, fires, *scripts, words=CLUSTER)


T = "--time=5\n"
