#!/usr/bin/env python3
"""In how many scripts of a folder each rule of `breakeven lint` speaks, and how often it is right, where somebody has
judged its findings: the table of docs/lint.md. Scripts of other people stay where they are; only counts are printed.

A file of verdicts has a line for each finding that was judged wrong: rule and script, "no-launcher train.sh", with a
remark behind it if need be. Every other finding counts as right: it is for those who looked at each.

usage: bench/lint_corpus.py PROGRAM FOLDER [--wrong FILE] [--show RULE]
"""
import argparse
import collections
import json
import os
import subprocess
import sys


def findings_of(program, path):
    done = subprocess.run([program, "lint", "--json", "--fail-on=never", path], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{path}: {done.stderr.strip()}")
    return json.loads(done.stdout)["findings"]


def scripts_in(folder):
    paths = sorted(os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
    if not paths:
        sys.exit(f"{folder}: no file there")
    return paths


def wrong_in(path, known):
    """{(rule, script)}: which verdicts say that a finding is wrong."""
    wrong = set()
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if len(words) < 2 or tuple(words[:2]) not in known:
                sys.exit(f"{path}: no such finding: {line.strip()}")
            wrong.add(tuple(words[:2]))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="bench/lint_corpus.py PROGRAM FOLDER [--wrong FILE] [--show RULE]")
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--wrong", metavar="FILE", help="verdicts: rule and script of each wrong finding")
    parser.add_argument("--show", metavar="RULE", help="also print the findings of this rule; all: of each")
    options = parser.parse_args()
    paths = scripts_in(options.folder)
    texts, scripts = collections.defaultdict(list), collections.defaultdict(set)
    for path in paths:
        for finding in findings_of(options.program, path):
            name = os.path.relpath(path, options.folder)
            scripts[finding["rule"]].add(name)
            texts[finding["rule"]].append(f"{name}:{finding['line']}: {finding['severity']}: {finding['text']}")
    known = {(rule, name) for rule, names in scripts.items() for name in names}
    wrong = wrong_in(options.wrong, known) if options.wrong else set()
    print(f"{len(paths)} scripts\n\n| rule | scripts |" + (" right |\n| --- | --- | --- |" if options.wrong else "\n| --- | --- |"))
    total = right = 0
    for rule, names in sorted(scripts.items(), key=lambda item: (-len(item[1]), item[0])):
        good = sum((rule, name) not in wrong for name in names)
        total, right = total + len(names), right + good
        print(f"| `{rule}` | {len(names)} |" + (f" {good} |" if options.wrong else ""))
    print(f"| together | {total} |" + (f" {right} |" if options.wrong else ""))
    for rule, lines in sorted(texts.items()):
        if options.show in (rule, "all"):
            print(f"\n{rule}", *lines, sep="\n")


if __name__ == "__main__":
    main()
