"""What the program says of itself: its workloads, for lists that go through all of them.

A workload is a dictionary as `breakeven compare --list --json` has it (docs/json.md).
"""

import json
import subprocess


def workloads(program):
    """All workloads of the program, by name."""
    command = [str(program), "compare", "--list", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if done.returncode:
        said = " ".join(done.stderr.split()) or f"ended with {done.returncode}"
        raise SystemExit(f"{program} does not list its workloads: {said}")
    return {w["name"]: w for w in json.loads(done.stdout)["workloads"]}


def unknown(names, known):
    """Those of the names that no workload has, sorted."""
    return sorted(set(names) - set(known))


def size_name(workload):
    """The parameter that a comparison sweeps: its first."""
    return workload["parameters"][0]["name"]


def sizes(workload):
    """The sizes of a quick look, ascending."""
    return workload["parameters"][0]["look"]
