"""The program `breakeven`, which the wheel holds: its commands as functions.

It knows how a command is spelled, and nothing of what it computes.
"""

import os
import subprocess
import sys

from . import _library


def main():
    """The command `breakeven` of an environment: becomes the program."""
    program = str(_library.program_path())
    os.execv(program, [program, *sys.argv[1:]])


def option(name, value):
    """--name=value as the program spells it; nothing for None and False."""
    name = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [name]
    if isinstance(value, (list, tuple)):
        value = ",".join(map(str, value))
    return [f"{name}={value}"]


def run(arguments, stdin=None):
    """What a command prints; BreakevenError with its message where it failed."""
    done = subprocess.run([str(_library.program_path()), *map(str, arguments)], input=stdin, capture_output=True,
                          text=True, check=False)
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split()) or f"it ended with {done.returncode}"
        said = said.removeprefix("breakeven: ")
        raise _library.BreakevenError(said, "usage" if done.returncode == 2 else "absent" if done.returncode == 3 else "file")
    return done.stdout
