"""Job scripts for the linter, each with the rule that it is about and whether that must speak.

usage: corpus.py FOLDER      writes them there, a file each

    CASES: list of Case. A pair of scripts for each rule at least: one where it speaks, and one that
    is as near as can be where it must not.
"""
import os
import sys

from corpus_case import CASES, job  # noqa: F401
from corpus_words import VALUES  # noqa: F401
import corpus_options  # noqa: F401
import corpus_jobs  # noqa: F401
import corpus_cluster  # noqa: F401


if __name__ == "__main__":
    for number, case in enumerate(CASES):
        with open(os.path.join(sys.argv[1], f"{case.rule}-{number}"), "wb") as out:
            out.write(case.script)
