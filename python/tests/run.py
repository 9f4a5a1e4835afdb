#!/usr/bin/env python3
"""The tests of the package: of the one that is installed, or with BREAKEVEN_LIBRARY and BREAKEVEN_PROGRAM of a build.

usage: run.py [WORD...]    words as `python -m unittest` takes them: -v, -k NAME. Exit 77: no NumPy is here.
"""
import importlib.util
import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def main(words):
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if not importlib.util.find_spec("numpy"):
        print("skipped: no NumPy is here")
        return 1 if os.environ.get("BREAKEVEN_REQUIRE_NUMPY") else 77
    if not importlib.util.find_spec("breakeven"):
        sys.path.insert(0, str(HERE.parent))
    found = unittest.main(module=None, argv=["run.py", "discover", "-s", str(HERE), *words], exit=False)
    return 0 if found.result.wasSuccessful() and found.result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
