#!/usr/bin/env python3
"""Does the manual page have every option that --help shows, and no other? Does -h show the same?

usage: options.py PROGRAM MANUAL
"""
import re
import subprocess
import sys

program, manual = sys.argv[1:]
# Parameters of workloads: the page says --PARAMETER, and that compare --help lists them.
PARAMETER = re.compile(r"^ +--([a-z]+)=LIST\|A\.\.B", re.M)
KINDS = {"consumer", "window"}


def help_of(*words, option="--help"):
    return subprocess.run([program, *words, option], capture_output=True, encoding="utf-8",
                          check=True).stdout


def shown(command):
    """The long options in the help of a command."""
    return set(re.findall(r"^ {2,6}(?:-., )?--([a-z][a-z-]*)", PARAMETER.sub("", help_of(command)),
                          re.M))


def described():
    """Long options behind the macro Fl: `.It Fl d , Fl -device Ns = Ns Ar LIST`."""
    with open(manual, encoding="utf-8") as page:
        lines = [line for line in page if re.search(r"(^\.|\s)Fl\s", line)]
    return {name for line in lines for name in re.findall(r"(?<=\s)-([a-z][a-z-]+)", line)}


commands = re.findall(r"^  ([a-z]+) ", help_of(), re.M)
every = {command: shown(command) for command in commands}
parameters = set(PARAMETER.findall(help_of("compare"))) | KINDS
page = described() - parameters
wrong = [f"{command} --{name} is not in the manual page"
         for command in commands for name in sorted(every[command] - page - parameters)]
wrong += [f"--{name} of the manual page: no command has it"
          for name in sorted(page - set().union(*every.values(), {"help", "version"}))]
wrong += [f"{command} -h is not {command} --help" for command in commands
          if help_of(command, option="-h") != help_of(command)]
if not parameters or not all(every.values()) or wrong:
    sys.exit("\n".join(wrong) or "help without options")
