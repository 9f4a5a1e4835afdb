#!/usr/bin/env python3
"""`breakeven probe` on an OpenCL device that is the CPU (PoCL): the profile says what was measured there, and
why its bus was not.
usage: probe_opencl.py BUILD/breakeven

Exit 77 where there is no such device, unless BREAKEVEN_REQUIRE_OPENCL is 1."""
import json
import os
import subprocess
import sys
import tempfile

# The figures that such a device has, and their units. No cache_read: that is where a cache is
# known.
UNITS = {
    "fma": "flop/s", "triad": "bytes/s", "copy": "bytes/s", "read": "bytes/s", "write": "bytes/s",
    "working_set": "bytes/s", "launch": "s", "launch_wait": "s", "launch_rate": "1/s", "alloc": "s", "release": "s",
    "first_context": "s", "first_module": "s",
}
ABSENT = 3
wrong = []


def expect(holds, said):
    if not holds:
        wrong.append(said)


def missing(why):
    required = os.environ.get("BREAKEVEN_REQUIRE_OPENCL") == "1"
    print(f"{'failed' if required else 'skipped'}: {why}")
    sys.exit(1 if required else 77)


def check_figure(figure):
    name = f"{figure['what']} {figure['dtype'] or ''} of {figure['bytes']} bytes"
    value, median, lo, hi = (figure[key] for key in ("value", "median", "lo", "hi"))
    expect(value > 0 and median > 0, f"{name}: {value}, median {median}")
    expect(figure["source"] == "measured" and figure["method"] and figure["date"], f"{name}: not said how and when")
    expect(figure["what"] not in UNITS or figure["unit"] == UNITS[figure["what"]], f"{name}: in {figure['unit']}")
    if figure["n"] == 1:  # once by its nature
        expect(figure["what"].startswith("first_") and lo is None and hi is None, f"{name}: once, {lo} - {hi}")
    else:
        expect(lo is not None and hi is not None and 0 < lo <= median <= hi, f"{name}: {median}, {lo} - {hi}")


def check_device(profile, device):
    figures = [figure for figure in profile["figures"] if figure["device"] == device]
    kinds = {(figure["what"], figure["dtype"]) for figure in figures}
    facts = {fact["name"]: fact["number"] for fact in profile["facts"] if fact["device"] == device}
    for what in UNITS.keys() - {kind[0] for kind in kinds}:
        wrong.append(f"{device}: no {what}")
    expect(("fma", "float32") in kinds, f"{device}: no fma of float32")
    expect(facts.get("fp64") != 1 or ("fma", "float64") in kinds, f"{device}: has float64, and no fma of it")
    expect(not any(kind[0].startswith("bus_") for kind in kinds), f"{device}: is the CPU, and has a bus")
    for figure in figures:
        check_figure(figure)


def main():
    program = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        saved = os.path.join(folder, "profile.json")
        done = subprocess.run([program, "probe", "--quick", "--device=opencl", "--quiet", f"--json={saved}",
                               "--output=none"], capture_output=True, text=True, check=False, cwd=folder)
        if done.returncode == ABSENT:
            missing(done.stderr.strip())
        if done.returncode != 0:
            sys.exit(f"failed: exit {done.returncode}: {done.stderr}")
        with open(saved, encoding="utf-8") as file:
            profile = json.load(file)
        shown = subprocess.run([program, "report", saved], capture_output=True, text=True, check=True).stdout
    devices = [device["id"] for device in profile["machine"]["devices"]
               if device["backend"] == "opencl" and device["kind"] == "cpu"]
    if not devices:
        missing("no OpenCL device here is the CPU")
    for device in devices:
        check_device(profile, device)
        why = f"{device}: bus: it is the CPU, whose memory is the host's: there is none"
        expect(why in profile["remarks"], f"not among the remarks: {why}")
        expect(why in " ".join(shown.split()), f"not in what is printed: {why}")
    expect(not profile["partial"], "partial")
    print("\n".join(wrong) or f"{len(profile['figures'])} figures, {', '.join(devices)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
