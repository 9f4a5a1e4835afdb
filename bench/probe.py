"""Two profiles of one machine -> how far they agree, and the targets.

usage: probe.py FIRST.json SECOND.json [--triad FILE]
  FILE: what likwid-bench was told, then a line for each turn: GB/s of our triad, of its
"""
import argparse
import json
import statistics

parser = argparse.ArgumentParser()
parser.add_argument("first")
parser.add_argument("second")
parser.add_argument("--triad")
arguments = parser.parse_args()


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def key(figure):
    return tuple(figure.get(k) for k in ("device", "what", "dtype", "threads", "bytes", "peer"))


first, second = load(arguments.first), load(arguments.second)
a = {key(f): f for f in first["figures"]}
b = {key(f): f for f in second["figures"]}
environment = first["environment"]
print(f"{first['machine']['cpu']}, {first['machine']['cores_allowed']} cores; {environment['date']}, "
      f"load before {environment['load_average']}, stolen {environment.get('steal')}")
for device in first["machine"]["devices"]:
    if device["kind"] == "gpu":
        print(f"{device['id']}: {device['name']}, {device['driver']}")
print()


def value(device, what, dtype="", threads=None, largest=True):
    """The figure's value, at the largest size and most threads unless told."""
    found = [f for k, f in a.items()
             if k[0] == device and k[1] == what and (k[2] or "") == dtype and
             (threads is None or k[3] == threads)]
    found.sort(key=lambda f: (f["threads"] or 0, f["bytes"] or 0))
    return found[-1]["value"] if found else None


def row(name, measured, scale, unit, target, sense):
    if measured is None:
        print(f"| {name} | {sense} {target:g} {unit} | not measured | |")
        return
    held = measured / scale >= target if sense == ">=" else measured / scale <= target
    print(f"| {name} | {sense} {target:g} {unit} | {measured / scale:.4g} {unit} | "
          f"{'yes' if held else 'no'} |")


if any(d["id"] == "cuda:0" for d in first["machine"]["devices"]):
    print("| cuda:0 | to reach | measured | reached |\n| --- | --- | --- | --- |")
    row("device copy", value("cuda:0", "copy"), 1e12, "TB/s", 4.1, ">=")
    row("host to device, pinned", value("cuda:0", "bus_in_pinned"), 1e9, "GB/s", 55, ">=")
    row("device to host, pinned", value("cuda:0", "bus_out_pinned"), 1e9, "GB/s", 55, ">=")
    row("FP64 matrix", value("cuda:0", "matmul", "float64"), 1e12, "TFLOP/s", 54, ">=")
    row("BF16 matrix", value("cuda:0", "matmul", "bfloat16"), 1e12, "TFLOP/s", 740, ">=")
    row("FP32 multiply-add", value("cuda:0", "fma", "float32"), 1e12, "TFLOP/s", 55, ">=")
    row("launch and wait", value("cuda:0", "launch_wait"), 1e-6, "us", 8, "<=")
    print()

# The CPU's multiply-adds against its clock: operations a cycle and core must be a whole number of
# vector multiply-adds.
threads = max((k[3] or 0) for k in a if k[0] == "cpu" and k[1] == "fma")
for dtype in ("float64", "float32"):
    fma, clock = value("cpu", "fma", dtype, threads), value("cpu", "clock", "", threads)
    if fma and clock:
        print(f"CPU {dtype}: {fma / 1e12:.4g} TFLOP/s with {threads} threads at {clock / 1e9:.3f} GHz: "
              f"{fma / clock / threads:.2f} operations a cycle and core")


def beside(path):
    """The triad and somebody else's in turns: medians, least and most of the turns."""
    with open(path, encoding="utf-8") as file:
        command, *turns = file.read().splitlines() or [""]
    rates = [[float(word) for word in turn.split()] for turn in turns]
    if not rates:
        return "likwid-bench is not here"
    columns = [*zip(*rates), [ours / theirs for ours, theirs in rates]]
    ours, theirs, ratio = (f"{statistics.median(c):.4g} ({min(c):.4g} - {max(c):.4g})" for c in columns)
    return f"in {len(rates)} turns {ours} GB/s; {command}: {theirs} GB/s; ratio {ratio}"


triad = value("cpu", "triad")
if triad:
    print(f"triad, all cores: {triad / 1e9:.1f} GB/s in the probe; {beside(arguments.triad) if arguments.triad else ''}")
print()

late, all_of = [], 0
for k in sorted(a.keys() & b.keys(), key=str):
    if a[k]["n"] <= 1:  # happens once by its nature
        continue
    all_of += 1
    off = abs(b[k]["value"] / a[k]["value"] - 1)
    limit = 0.10 if a[k]["unit"] == "s" else 0.03
    if off > limit:
        late.append((off, k, limit))
offs = {"rates": [abs(b[k]["value"] / a[k]["value"] - 1) for k in a.keys() & b.keys()
                  if a[k]["n"] > 1 and a[k]["unit"] != "s"],
        "times": [abs(b[k]["value"] / a[k]["value"] - 1) for k in a.keys() & b.keys()
                  if a[k]["n"] > 1 and a[k]["unit"] == "s"]}
print(f"two probes agree (rates within 3 %, times within 10 %): {all_of - len(late)} of {all_of}")
for what, values in offs.items():
    if values:
        print(f"  {what}: median {100 * statistics.median(values):.2f} %, worst {100 * max(values):.1f} %")
for off, k, _ in sorted(late, reverse=True)[:40]:
    print(f"  {100 * off:5.1f} %  " + " ".join(str(part) for part in k if part not in (None, "")))
