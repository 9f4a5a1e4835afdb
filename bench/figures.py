"""What a run says about the targets, as Markdown: the tables, then each target, met or not.

Reads two runs of one `breakeven compare --json`, what `--self-test` printed, and what
bench/versus.sh left. A target whose file is missing, or that this machine cannot measure, is "not
measured", never met.
"""
import argparse
import json
import re
import sys
from pathlib import Path

GIB = 2**30


def seconds(value):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= unit:
            return f"{value / unit:.4g} {name}"
    return f"{value * 1e9:.3g} ns"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows] + [""]


def key(r):
    return (r["workload"], r["size"], r["device"], r["placement"], r.get("threads"), r.get("cache"))


def case_text(r):
    where = f"{r['device']} {r['placement']}"
    if r["placement"] == "host":
        where = f"{r['threads']} core{'s' if r['threads'] != 1 else ''}"
    return f"{r['workload']} {r['size']:,}, {where}" + (", cold" if r.get("cache") == "cold" else "")


def median(r, phase="total"):
    return r["phases"][phase]["median_s"]


class Run:
    def __init__(self, path):
        self.whole = json.loads(Path(path).read_text())
        counted = [r for r in self.whole["results"] if r.get("variant") != "as-published"]
        self.ok = [r for r in counted if r["status"] == "ok"]
        self.bad = [r for r in counted if r["status"] != "ok"]

    def find(self, **wanted):
        """The hot one of the cases with these fields, whatever its status; or None."""
        found = [r for r in self.ok + self.bad if all(r.get(k) == v for k, v in wanted.items())]
        return min(found, key=lambda r: r.get("cache") == "cold", default=None)

    def gpu(self):
        """The first CUDA device, or None."""
        devices = self.whole["machine"].get("devices", [])
        return next((d for d in devices if d["id"].startswith("cuda:")), None)

    def all_cores(self):
        return max((r["threads"] or 0 for r in self.ok if r["placement"] == "host"), default=0)


# Each of these appends to `lines` and returns rows of (target, asked, measured, met).


def power(versus, lines):
    target, asked = "CPU, all cores: power beside Numba parallel + fastmath", ">= 1.5 x"
    rows, last = [], None
    cases = versus["cases"] if versus else []
    threads = max((c["threads"] or 0 for c in cases), default=0)
    for c in cases:
        if c["placement"] != "host" or c["threads"] != threads or c["workload"] != "power":
            continue
        numba = {n: p for n, p in c["peers"].items() if n.startswith("numba") and p["ratio"]}
        if numba:
            name = min(numba, key=lambda n: numba[n]["median_s"])
            p = numba[name]
            ratio = f"{p['ratio']:.2f} ({p['ratio_lo']:.2f} - {p['ratio_hi']:.2f})"
            rows.append((case_text(c), seconds(c["ours_s"]), name, seconds(p["median_s"]), ratio))
            last = (c["size"], p, ratio)
    if not last:
        return [(target, asked, "not measured", "-")]
    lines += ["## Power beside Numba, same cores", ""]
    lines += table(("case", "ours", "Numba", "its time", "ratio (rounds)"), rows)
    met = "yes" if last[1]["ratio"] >= 1.5 else "no"
    return [(f"{target}, {last[0]:,}", asked, f"{last[2]} x", met)]


def bandwidth(run, triad, paired, lines):
    target, asked = "CPU, all cores: multiply / the machine's own triad", ">= 90 %"
    threads = run.all_cores()
    rows = []
    for r in run.ok:
        if r["workload"] == "multiply" and r["threads"] == threads and r["limit_by"] == "memory":
            if r.get("cache") == "cold":
                continue
            share = r["limit_s"] / median(r)
            rate = r["bytes"] / median(r) / 1e9
            limit = r["bytes"] / r["limit_s"] / 1e9
            rows.append((case_text(r), f"{rate:.1f} GB/s", f"{limit:.1f} GB/s", f"{share:.1%}"))
    lines += ["## Multiply beside the triad", "", f"In turns: {paired}", ""]
    lines += table(("case", "measured", "ceiling, best seen", "share"), rows)
    lines += [f"STREAM triad of likwid-bench: {triad}", ""]
    found = re.search(r"(\d+) floats.* multiply / triad ([\d.]+) (\(.*\))", paired)
    if not found:
        return [(target, asked, "not measured", "-")]
    share = float(found[2])
    met = "yes" if share >= 0.9 else "no"
    return [(f"{target}, in turns, {int(found[1]):,}", asked, f"{share:.1%} {found[3]}", met)]


def repeat(run, again, lines):
    target, asked = "same command twice, cases over 1 ms", "within 3 %"
    rows = []
    others = {key(r): r for r in again.ok} if again else {}
    for r in run.ok:
        other = others.get(key(r))
        if other and min(median(r), median(other)) > 1e-3:
            change = median(other) / median(r) - 1
            rows.append((abs(change), case_text(r), seconds(median(r)), seconds(median(other)),
                         f"{change:+.1%}"))
    if not rows:
        return [(target, asked, "not measured", "-")]
    lines += ["## The same command twice", ""]
    lines += table(("case", "first", "again", "difference"), [row[1:] for row in rows])
    loads = [x.whole.get("environment", {}).get("load_average") for x in (run, again)]
    lines += ["Load average before: " + ", ".join("?" if x is None else f"{x:.2f}" for x in loads), ""]
    within = sum(row[0] <= 0.03 for row in rows)
    text = f"{within} of {len(rows)} cases; worst {max(row[0] for row in rows):.1%}"
    return [(target, asked, text, "yes" if within == len(rows) else "no")]


def self_test(path, lines):
    target, asked = "self-test says same", ">= 99 of 100"
    if not path or not Path(path).is_file():
        return [(target, asked, "not measured", "-")]
    text = Path(path).read_text()
    found = re.findall(r"^(cpu x \d+|\S+)\s+(\d+)\s+(\d+)\s+(\d+)\s", text, re.MULTILINE)
    if not found:
        return [(target, asked, "not measured", "-")]
    lines += ["## A case against itself", "", "```", text.rstrip(), "```", ""]
    rows = []
    for device, *counts in found:
        same, differ, unclear = map(int, counts)
        pairs = same + differ + unclear
        measured = f"{same} of {pairs}; differ {differ}, unclear {unclear}"
        met = "yes" if same >= 0.99 * pairs else "no"
        rows.append((f"{target}: {device}", asked, measured, met if pairs >= 100 else "-"))
    return rows


def gpu(run):
    device = run.gpu()
    if not device:
        return []
    rows = []

    def row(target, asked, r, value, text, met):
        if r is not None and r["status"] != "ok":
            missing = r["status"] in ("skipped", "absent")
            rows.append((target, asked, r["status"], "-" if missing else "no"))
        elif r is None or value(r) is None:
            rows.append((target, asked, "not measured", "-"))
        else:
            rows.append((target, asked, text(value(r)), "yes" if met(value(r)) else "no"))

    def case(placement, size):
        return run.find(workload="power", device=device["id"], placement=placement, size=size)

    def rate(phase, item_bytes):
        def of(r):
            s = median(r, phase)
            return item_bytes * r["size"] / s / 1e9 if s else None

        return of

    resident = case("resident", 300_000_000)
    row("power 3e8, resident / limit measured here", "<= 1.2", resident,
        lambda r: median(r) / r["limit_s"], lambda v: f"{v:.3f}", lambda v: v <= 1.2)
    if "H200" in device["name"]:
        row("power 3e8, resident (limit at 4.25 TB/s)", "<= 1.02 ms", resident, median, seconds,
            lambda v: v <= 1.02e-3)
    row("power 3e8, copy from ordinary memory", "<= 100 ms", case("copy", 300_000_000), median,
        seconds, lambda v: v <= 0.1)
    # x and y go in, z comes out: 1 GiB each at these sizes.
    row("host to device from ordinary memory, 1 GiB", ">= 30 GB/s", case("copy", GIB // 8),
        rate("in", 8), lambda v: f"{v:.1f} GB/s", lambda v: v >= 30)
    row("device to host into ordinary memory, 1 GiB", ">= 25 GB/s", case("copy", GIB // 4),
        rate("out", 4), lambda v: f"{v:.1f} GB/s", lambda v: v >= 25)
    return rows


def header(run, command):
    machine, environment = run.whole["machine"], run.whole.get("environment", {})
    lines = ["# Speeds", ""]
    lines.append(f"- CPU: {machine.get('cpu')}, {machine.get('cores_allowed')} of "
                 f"{machine.get('cores')} cores ({machine.get('allowed_by')}), "
                 f"{environment.get('simd')}")
    for d in machine.get("devices", []):
        if d["kind"] == "gpu":
            lines.append(f"- GPU: {d['name']}, {d.get('driver')} ({d['id']})")
    lines.append(f"- Date: {environment.get('date')}; breakeven {run.whole.get('version')}, "
                 f"{environment.get('compiler')}")
    return lines + [f"- Command: `{command}`", ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", required=True, help="JSON of breakeven compare")
    parser.add_argument("--again", help="JSON of the same command once more")
    parser.add_argument("--self-test", help="what --self-test printed")
    parser.add_argument("--versus", help="versus.json")
    parser.add_argument("--triad", default="not measured", help="STREAM triad, in words")
    parser.add_argument("--paired", default="not measured", help="what bench_triad printed")
    parser.add_argument("--command", default="", help="how this was made, for the record")
    parser.add_argument("--out", required=True, help="the Markdown; the targets are printed too")
    options = parser.parse_args()
    run = Run(options.run)
    again = Run(options.again) if options.again and Path(options.again).is_file() else None
    versus = None
    if options.versus and Path(options.versus).is_file():
        versus = json.loads(Path(options.versus).read_text())
    lines = header(run, options.command)
    targets = gpu(run)
    targets += power(versus, lines)
    targets += bandwidth(run, options.triad, options.paired, lines)
    targets += repeat(run, again, lines)
    targets += self_test(options.self_test, lines)
    if run.bad:
        lines += ["## Cases without a time", ""]
        lines += [f"- {case_text(r)}: {r['status']}: {r.get('note')}" for r in run.bad] + [""]
    summary = table(("target", "asked", "measured", "met"), targets)
    Path(options.out).write_text("\n".join(lines + ["## Targets", ""] + summary))
    sys.stdout.write("\n".join(summary))


if __name__ == "__main__":
    main()
