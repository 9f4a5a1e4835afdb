"""Joins rounds of `breakeven compare --json` and of power.py: ours beside the best peer.

A row is a case of ours. Its peer is the one with the least median of those that do the same: same
workload, size and placement, and for one core also one thread; against all cores any CPU peer
stands. The ratio is peer / ours, above 1: ours is faster. Its interval is that of the rounds.
"""
import argparse
import json
import statistics
import sys
from pathlib import Path

CASE = ("workload", "size", "device", "placement", "threads")


def read_ours(path):
    """{case: seconds}, and what was left out. A case: workload, size, device, placement, threads."""
    whole = json.loads(Path(path).read_text())
    times, problems = {}, []
    for r in whole["results"]:
        if r.get("cache") == "cold" or r.get("variant") == "as-published":
            continue
        name = (r["workload"], r["size"], r["device"], r["placement"], r.get("threads"))
        if r["status"] == "ok":
            times[name] = r["phases"]["total"]["median_s"]
        else:
            problems.append(f"ours: {label(name)}: {r['status']}: {r.get('note')}")
    return whole, times, problems


def read_peers(path):
    """{(workload, size, placement, threads, peer): seconds}, and what was left out."""
    times, problems = {}, []
    for line in Path(path).read_text().splitlines():
        r = json.loads(line)
        name = (r["workload"], r["size"], r["placement"], r["threads"], r["peer"])
        if r["ok"]:
            times[name] = r["median_s"]
        else:
            why = r.get("error") or f"residual {r['residual']}"
            problems.append(f"{r['peer']}: {r['workload']} {r['size']} {r['placement']}: {why}")
    return times, problems


def medians(rounds):
    """{name: median over the rounds that have it}"""
    names = {name for times in rounds for name in times}
    return {n: statistics.median(times[n] for times in rounds if n in times) for n in names}


def rivals(case, peers, all_threads):
    """The peers that do what this case of ours does: {peer's name: key}."""
    workload, size, device, placement, threads = case
    found = {}
    for key in peers if device in ("cpu", "cuda:0") else ():  # theirs use the first GPU
        fits = key[:3] == (workload, size, placement)
        if placement == "host":
            fits = fits and (threads == all_threads or key[3] == threads)
        if fits:
            found[key[4]] = key
    return found


def ratios(case, key, ours_rounds, peer_rounds):
    """peer / ours of each round that has both: median, least, most."""
    found = [
        theirs[key] / mine[case]
        for mine, theirs in zip(ours_rounds, peer_rounds)
        if case in mine and key in theirs
    ]
    if not found:
        return {"ratio": None, "ratio_lo": None, "ratio_hi": None}
    return {"ratio": statistics.median(found), "ratio_lo": min(found), "ratio_hi": max(found)}


def join(ours_rounds, peer_rounds):
    ours, peers = medians(ours_rounds), medians(peer_rounds)
    all_threads = max((case[4] or 0 for case in ours), default=0)
    rows = []
    for case in sorted(ours, key=lambda c: (c[0], c[1], c[2], -(c[4] or 0), c[3])):
        row = dict(zip(CASE, case))
        row["ours_s"] = ours[case]
        row["peers"] = {
            name: {"median_s": peers[key], **ratios(case, key, ours_rounds, peer_rounds)}
            for name, key in sorted(rivals(case, peers, all_threads).items())
        }
        row["best"] = min(row["peers"], key=lambda n: row["peers"][n]["median_s"], default=None)
        rows.append(row)
    return rows


def seconds(value):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value * 1e9:.3g} ns"


def elements(size):
    text = f"{size:.3g}".replace("e+0", "e").replace("e+", "e")
    return text if float(text) == size else str(size)


def label(case):
    workload, size, device, placement, threads = case
    where = f"{device} {placement}"
    if placement == "host":
        where = "1 core" if threads == 1 else f"{threads} cores"
    return f"{workload} {elements(size)}, {where}"


def ratio_text(peer):
    if peer["ratio"] is None:
        return ""
    return f"{peer['ratio']:.2f} ({peer['ratio_lo']:.2f} - {peer['ratio_hi']:.2f})"


def markdown(report):
    machine, environment = report["machine"], report["environment"]
    devices = [d["name"] for d in machine.get("devices", []) if d["kind"] == "gpu"]
    lines = [
        f"Machine: {machine.get('cpu')}, {machine.get('cores_allowed')} cores"
        + "".join(f"; {name}" for name in devices),
        f"Date: {environment.get('date')}; breakeven {report['version']}; "
        f"load before: {environment.get('load_average')}",
        "Peers: " + ", ".join(report["versions"]),
        f"Command: `{report['command']}`",
        "",
        f"Medians of {report['rounds']} rounds, ours and theirs in turn; ratio: peer / ours, "
        "least and most of the rounds in brackets. Data hot where they fit a cache.",
        "",
        "| case | ours | best peer | its time | ratio |",
        "| --- | ---: | --- | ---: | ---: |",
    ]
    for row in report["cases"]:
        cells = [label(tuple(row[name] for name in CASE)), seconds(row["ours_s"])]
        if row["best"] is None:
            cells += ["none here", "", ""]
        else:
            best = row["peers"][row["best"]]
            cells += [row["best"], seconds(best["median_s"]), ratio_text(best)]
        lines.append("| " + " | ".join(cells) + " |")
    for key, value in sorted(report["unsynchronised"].items()):
        lines += ["", f"Never counted: {key}: {seconds(value)}, the clock read before the end."]
    if report["problems"]:
        lines += ["", "Left out:"] + [f"- {text}" for text in report["problems"]]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", nargs="+", required=True, help="JSON of each round")
    parser.add_argument("--peers", nargs="+", required=True, help="JSON lines of each round")
    parser.add_argument("--command", default="", help="how this was made, for the record")
    parser.add_argument("--out", required=True, help="writes OUT.json and OUT.md")
    options = parser.parse_args()
    ours = [read_ours(path) for path in options.ours]
    peers = [read_peers(path) for path in options.peers]
    versions = {
        f"{r['peer']} {r['version']}"
        for path in options.peers
        for r in map(json.loads, Path(path).read_text().splitlines())
    }
    peer_times = [times for times, _ in peers]
    report = {
        "command": options.command,
        "version": ours[0][0].get("version"),
        "machine": ours[0][0]["machine"],
        "environment": ours[0][0].get("environment", {}),
        "versions": sorted(versions),
        "rounds": len(ours),
        "cases": join([times for _, times, _ in ours], peer_times),
        "unsynchronised": {
            f"{key[4]}, {key[0]} {elements(key[1])}": value
            for key, value in medians(peer_times).items()
            if key[2] == "unsynchronised"
        },
        "problems": sorted(
            {text for _, _, p in ours for text in p} | {text for _, p in peers for text in p}
        ),
    }
    Path(options.out + ".json").write_text(json.dumps(report, indent=1) + "\n")
    text = markdown(report)
    Path(options.out + ".md").write_text(text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
