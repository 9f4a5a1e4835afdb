#!/usr/bin/env python3
"""Seconds of CPU that each test takes, as the kernel counts them of it and of all that it started and waited for.

    tests/cost.py BUILD [-R REGEX] [-E REGEX] [-L LABEL] [-n 30]

A build with tests (-DBREAKEVEN_TESTS=ON) is asked for its tests, and each runs alone, one after the other, as ctest
would run it: seconds of CPU are comparable where others work on the machine, seconds of wall time are not. The
dearest are listed, and the sum of all. Daemons that a test leaves behind (Slurm's) are not counted.
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time


def tests_of(build, options):
    """The tests that ctest would run: [{name, command, environment, folder, labels}], fixtures first."""
    command = ["ctest", "--test-dir", build, "--show-only=json-v1"]
    for letter, value in (("-R", options.regex), ("-E", options.exclude), ("-L", options.label)):
        if value:
            command += [letter, value]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode:
        sys.exit(f"cost.py: ctest knows no tests in {build}: {answer.stderr.strip()}")
    tests = []
    for test in json.loads(answer.stdout)["tests"]:
        if "command" not in test: # not built
            continue
        known = {p["name"]: p["value"] for p in test.get("properties", [])}
        order = 0 if "FIXTURES_SETUP" in known else 2 if "FIXTURES_CLEANUP" in known else 1
        tests.append({
            "name": test["name"], "command": test["command"], "order": order,
            "environment": dict(entry.split("=", 1) for entry in known.get("ENVIRONMENT", [])),
            "folder": known.get("WORKING_DIRECTORY", build), "skip": known.get("SKIP_RETURN_CODE", 77)})
    return sorted(tests, key=lambda test: test["order"])


def run(test):
    """(seconds of CPU, seconds, status) of one test."""
    with tempfile.TemporaryFile() as output:
        begin = time.monotonic()
        process = subprocess.Popen(test["command"], cwd=test["folder"], stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=output, env={**os.environ, **test["environment"]})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, process.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", metavar="BUILD")
    parser.add_argument("-R", dest="regex", metavar="REGEX", help="only tests whose names match")
    parser.add_argument("-E", dest="exclude", metavar="REGEX", help="no tests whose names match")
    parser.add_argument("-L", dest="label", metavar="REGEX", help="only tests with such a label")
    parser.add_argument("-n", dest="count", type=int, default=30, metavar="N", help="list the N dearest (30; 0: all)")
    options = parser.parse_args()
    rows = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for test in tests_of(options.build, options):
            cpu, seconds, status = run(test)
            said = "" if status == 0 else "skipped" if status == test["skip"] else f"failed: {status}"
            rows.append((cpu, seconds, test["name"], said))
    except KeyboardInterrupt: # so far
        print("interrupted")
    rows.sort(reverse=True)
    print(f"{'CPU s':>8} {'wall s':>8}  test")
    for cpu, seconds, name, said in rows[:options.count or None]:
        print(f"{cpu:8.2f} {seconds:8.2f}  {name}{'  ' + said if said else ''}")
    print(f"{sum(row[0] for row in rows):8.2f} {sum(row[1] for row in rows):8.2f}  all {len(rows)}")
    failed = [row[2] for row in rows if row[3].startswith("failed")]
    if failed:
        print("failed: " + ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
