#!/usr/bin/env python3
"""Does the manual page have every option that --help shows, and no other? Does -h show the same? Is every
workload where all are listed? Does the page have every variable of the environment that is asked for?

usage: options.py PROGRAM MANUAL
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

program, manual = sys.argv[1:]
# Parameters of workloads: the page says --PARAMETER, and that compare --help lists them.
PARAMETER = re.compile(r"^ +--([a-z]+)=LIST\|A\.\.B", re.M)
KINDS = {"consumer", "filter", "kind", "map", "what", "window"}


def help_of(*words, option="--help"):
    return subprocess.run([program, *words, option], capture_output=True, encoding="utf-8",
                          check=True).stdout


def shown(command):
    """The long options in the help of a command, with their other names: `-S, --since=TIME, --starttime=TIME`."""
    heads = re.findall(r"^ {2,6}((?:-., )*--[a-z][a-z-]*(?:\S*, --[a-z][a-z-]*)*)", PARAMETER.sub("", help_of(command)),
                       re.M)
    return {name for head in heads for name in re.findall(r"--([a-z][a-z-]*)", head)}


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

root = os.path.join(os.path.dirname(manual), "..")
workloads = re.findall(r"^  ([a-z]+) ", help_of("compare").split("\nWorkloads")[-1].split("\n\n")[0], re.M)
with open(os.path.join(root, "docs/workloads.md"), encoding="utf-8") as file:
    text = file.read()
wrong += [f"docs/workloads.md: no workload {name}" for name in workloads
          if f"| [{name}](workloads/{name}.md) |" not in text]
# These two name some of them, and say where all are listed.
for page, listed in (("man/breakeven.1", r"compare -+help\n.*lists the workloads|lists the workloads, each with a line"),
                     ("README.md", r"compare --help` lists all")):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        if not re.search(listed, file.read()):
            wrong.append(f"{page}: does not say where all workloads are listed")
wrong += [f"docs/workloads/{name}.md is not there" for name in workloads
          if not os.path.exists(os.path.join(root, "docs", "workloads", name + ".md"))]

# The version stands in two places beside the header.
version = subprocess.run([program, "--version"], capture_output=True, encoding="utf-8", check=True).stdout.split()[1]
for name, wanted in (("CITATION.cff", f"version: {version}\n"), ("CHANGELOG.md", f"## {version}")):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        if wanted not in file.read():
            wrong.append(f"{name}: not version {version}")

# Every program's own need no word. "$NAME/lib" is how a folder of foreign libraries is listed.
asked = set()
for path in glob.glob(os.path.join(root, "src", "**", "*.c"), recursive=True) + glob.glob(os.path.join(root, "inject", "*.c")):
    with open(path, encoding="utf-8") as file:
        text = file.read()
        asked.update(re.findall(r'(?:getenv\(|be_variable\(environment, )"([A-Z_0-9]+)"', text))
        asked.update(re.findall(r'"\$([A-Z_]+)/', text) if "/dyn/" in path else [])
with open(manual, encoding="utf-8") as page:
    environment = page.read().split(".Sh ENVIRONMENT")[1].split(".Sh ")[0]
told = set(re.findall(r"[A-Z][A-Z_0-9]{3,}|(?<=^\.It Ev )[A-Z]+", environment, re.M))
wrong += [f"{name} is not in the manual page" for name in sorted(asked - told - {"HOME", "PATH", "USER"})]

# Help begins with two examples at least; the list for shells has what help shows.
for command in commands:
    head = help_of(command).split("\n\n")[0]
    if "\nExamples:\n" not in head or head.count(f"\n  breakeven {command}") < 2:
        wrong.append(f"{command} -h does not begin with two examples")
    if any(len(line) > 80 for line in help_of(command).splitlines()):
        wrong.append(f"{command} -h is wider than 80 columns")
    listed = dict(line.split("\t") for line in help_of(command, option="--list-options").splitlines())
    if not all(listed.values()) or {name.strip("-=") for name in listed} < every[command]:
        wrong.append(f"{command} --list-options lacks what help has")
listed = [line.split("\t")[0] for line in help_of(option="--list-commands").splitlines()]
wrong += [] if listed == commands else [f"--list-commands has {listed}"]
listed = {line.split("\t")[0] for line in help_of(option="--list-workloads").splitlines()}
wrong += [] if listed == set(workloads) else [f"--list-workloads has {listed}"]

# A page a command, with each option of it.
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([os.path.join(root, "man/pages.sh"), program, folder], check=True)
    for command in commands:
        with open(os.path.join(folder, f"breakeven-{command}.1"), encoding="utf-8") as page:
            text = page.read()
        wrong += [f"breakeven-{command}.1 has no --{name}" for name in sorted(every[command])
                  if not re.search(rf"^\.It .*Fl -{name}\b", text, re.M)]

wrong += [f"{command} -h is not {command} --help" for command in commands
          if help_of(command, option="-h") != help_of(command)]
if not parameters or not workloads or not asked or not all(every.values()) or wrong:
    sys.exit("\n".join(wrong) or "help without options")
