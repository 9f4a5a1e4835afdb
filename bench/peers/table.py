"""Joins the rounds of bench/versus.py: ours beside the best peer, and beside all others.

A row is a case in a place (cores, or the GPU in a placement): our fastest variant, and the peer with
the least median. Ratio: peer / ours, above 1: ours is faster; median of the rounds, and its interval.
"""

import shlex
import sys

from medians import ratio, summary, verdict


def joined(run):
    """What versus.json holds, of a run with its blocks."""
    whole = run.machine or {}
    problems, versions, rows = list(run.said), {}, []
    for server in run.servers.values():
        problems += [text for text in server.said if text not in problems]
    for block in run.blocks:
        versions |= block.versions
        rows += rows_of(block)
        where = f"{block.case.label()}, {block.where()}"
        for text, times in block.problems.items():
            problems.append(f"{where}: {text}" + f" ({times} rounds)" * (times > 1))
    options = run.options
    return {
        "command": "bench/versus.sh build/breakeven " + shlex.join(after_python(sys.argv)),
        "version": whole.get("version"),
        "machine": whole.get("machine", {}),
        "cores": run.cores,
        "date": run.date,
        "load": run.load,
        "versions": dict(sorted(versions.items())),
        "rounds": options.rounds,
        "budget_s": options.budget,
        "cache": options.cache,
        "cases": rows,
        "problems": problems,
    }


def after_python(words):
    """Without the paths of this machine."""
    return [word for word in words[2:] if not word.startswith("--peers-python")]


def rows_of(block):
    placements = dict.fromkeys(placement for _, placement in block.ours)
    return [row(block, placement) for placement in placements]


IN_PLACE = ("in place", "in-place")  # in the name of what overwrites its inputs: a peer, a variant


def row(block, placement):
    case = block.case
    ours = {v: r for (v, p), r in block.ours.items() if p == placement}
    theirs = {n: r for (n, p), r in block.theirs.items() if p == placement}
    variant = fastest(ours)
    median, lo, hi = summary(ours[variant].values())
    peers = {name: beside(times, ours[variant]) for name, times in sorted(theirs.items())}
    least = min(block.least[("ours", v, placement)] for v in ours)
    for name, peer in peers.items():
        peer["ratio_least"] = block.least[("theirs", name, placement)] / least
    best = fastest(theirs)
    apart = kept_inputs(ours), kept_inputs(theirs)
    mixed = variant not in apart[0] or best and best not in apart[1]
    made = {
        "case": case.label(),
        "workload": case.workload,
        "parameters": case.parameters,
        "size": next(iter(case.parameters.values())),
        "type": case.type,
        "device": "cuda:0" if block.gpu else "cpu",
        "placement": placement,
        "threads": None if block.gpu else len(block.cores),
        "load": block.load,
        "variant": variant,
        "ours_s": median,
        "ours_lo_s": lo,
        "ours_hi_s": hi,
        "ours_least_s": least,
        **limit_of(block, variant, placement),
        "rounds": len(ours[variant]),
        "variants": {v: summary(r.values())[0] for v, r in sorted(ours.items())},
        "peers": peers,
        "best": best,
        "no_peer": block.no_peer,
        "apart": beside_apart(*apart, block, placement) if mixed else None,
    }
    return made | {"targets": targets(case, made)}


def kept_inputs(times):
    return {name: r for name, r in times.items() if not any(word in name for word in IN_PLACE)}


def beside_apart(ours, theirs, block, placement):
    """The best of those that keep their inputs beside the best of those."""
    variant, best = fastest(ours), fastest(theirs)
    if not variant or not best:
        return None
    median, lo, hi = summary(ours[variant].values())
    least = min(block.least[("ours", v, placement)] for v in ours)
    peer = beside(theirs[best], ours[variant])
    peer["ratio_least"] = block.least[("theirs", best, placement)] / least
    made = {"variant": variant, "ours_s": median, "ours_lo_s": lo, "ours_hi_s": hi}
    made |= {"ours_least_s": least, "best": best, "peer": peer}
    return made | limit_of(block, variant, placement)


def limit_of(block, variant, placement):
    limit_s, limit_by = block.limits.get((variant, placement), (None, None))
    return {"limit_s": limit_s, "limit_by": limit_by}


def fastest(times):
    """Of {name: {round: seconds}} the least median of those that took part in most rounds: one lucky
    round is no median."""
    most = max(map(len, times.values()), default=0)
    several = {n: summary(r.values())[0] for n, r in times.items() if len(r) > most / 2}
    return min(several, key=several.get, default=None)


def beside(times, ours):
    found = ratio(times, ours) or (None, None, None)
    made = {"median_s": summary(times.values())[0], "rounds": len(times)}
    return made | dict(zip(("ratio", "ratio_lo", "ratio_hi"), found))


def within(made, limit):
    """Whether our time is at most that: the whole interval decides, as of a ratio."""
    if made["ours_hi_s"] <= limit:
        return "yes"
    return "no" if made["ours_lo_s"] > limit else "unclear"


def targets(case, made):
    """[(what is to be reached, whether it was)]"""
    found = []
    if made["placement"] != "host":
        limit = case.seconds.get(made["placement"])
        return [(f"{seconds(limit)} on an H200", within(made, limit))] if limit else []
    if case.library:
        return [("same library", "-")]
    if made["best"]:
        found.append(judged(f"{case.ratio:g}", made["peers"][made["best"]], case.ratio))
    numpy = [p for name, p in made["peers"].items() if name.startswith("numpy")]
    if case.numpy and numpy:
        best = min(numpy, key=lambda p: p["median_s"])
        found.append(judged(f"NumPy {case.numpy:g}", best, case.numpy))
    return found


def judged(text, peer, target):
    if peer["ratio"] is None:
        return text, "not measured"
    return text, verdict([peer[k] for k in ("ratio", "ratio_lo", "ratio_hi")], target)


# ---- in words ---------------------------------------------------------------------------------


def seconds(value):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value * 1e9:.3g} ns"


def ratio_text(peer):
    if peer["ratio"] is None:
        return ""
    return f"{peer['ratio']:.2f} [{peer['ratio_lo']:.2f}, {peer['ratio_hi']:.2f}]"


def limit_text(made):
    """How far our least time is from what the hardware needs: near 1 nobody can be much faster."""
    if not made["limit_s"]:
        return ""
    times = made["ours_least_s"] / made["limit_s"]
    return f"{times:.2f} {made['limit_by']}" if times >= 1 else f"{made['limit_by']}, measured too low"


def place_text(made):
    if made["placement"] == "host":
        return "1 core" if made["threads"] == 1 else f"{made['threads']} cores"
    return f"{made['device']} {made['placement']}"


def first_table(rows):
    lines = [
        "| case | where | ours | median | best peer | its median | ratio | of least times | ours x limit | to reach |",
        "| --- | --- | --- | ---: | --- | ---: | ---: | ---: | --- | --- |",
    ]
    for made in rows:
        spread = (made["ours_hi_s"] - made["ours_lo_s"]) / 2 / made["ours_s"]
        cells = [made["case"], place_text(made), made["variant"]]
        cells.append(f"{seconds(made['ours_s'])} ± {100 * spread:.0f} %")
        if made["best"] is None:
            cells += [f"no peer for {made['workload']}" if made["no_peer"] else "none here", "", "", ""]
        else:
            best = made["peers"][made["best"]]
            cells += [made["best"], seconds(best["median_s"]), ratio_text(best)]
            cells.append(f"{min(p['ratio_least'] for p in made['peers'].values()):.2f}")
        cells.append(limit_text(made))
        reached = [text if said == "-" else f"{text}: {said}" for text, said in made["targets"]]
        lines.append("| " + " | ".join([*cells, "; ".join(reached)]) + " |")
        if made.get("apart"):
            lines.append(apart_row(made, made["apart"]))
    return lines


def apart_row(made, apart):
    peer = apart["peer"]
    spread = (apart["ours_hi_s"] - apart["ours_lo_s"]) / 2 / apart["ours_s"]
    cells = [f"{made['case']}, inputs kept", place_text(made), apart["variant"]]
    cells += [f"{seconds(apart['ours_s'])} ± {100 * spread:.0f} %", apart["best"]]
    cells += [seconds(peer["median_s"]), ratio_text(peer), f"{peer['ratio_least']:.2f}"]
    return "| " + " | ".join([*cells, limit_text(apart), "both keep them"]) + " |"


def second_table(rows):
    lines = ["| case | where | peer | median | ratio | of least times |"]
    lines.append("| --- | --- | --- | ---: | ---: | ---: |")
    for made in rows:
        order = sorted(made["peers"].items(), key=lambda item: item[1]["median_s"])
        for name, peer in order:
            if name != made["best"]:
                cells = [made["case"], place_text(made), name, seconds(peer["median_s"])]
                cells += [ratio_text(peer), f"{peer['ratio_least']:.2f}"]
                lines.append("| " + " | ".join(cells) + " |")
    return lines


def versions_text(versions):
    """Each library once, without what the names of its ways to compute add."""
    found = {}
    for name, version in versions.items():
        words = name.split()
        library = " ".join(words[:2] if words[1:2] in (["cpu"], ["cuda"]) else words[:1])
        found[library] = version
    return ", ".join(f"{name} {version}" for name, version in found.items())


def document(report):
    machine = report["machine"]
    devices = [d["name"] for d in machine.get("devices", []) if d["kind"] == "gpu"]
    lines = [
        "# Beside other programs",
        "",
        f"Machine: {machine.get('cpu')}, {report['cores']} cores"
        + "".join(f"; {name}" for name in devices),
        f"Date: {report['date']}; breakeven {report['version']}; load before: {report['load']:.1f}",
        f"Peers: {versions_text(report['versions'])}",
        f"Command: `{report['command']}`",
        "",
        f"{report['rounds']} rounds, ours and theirs in turn in random order, {report['budget_s']:g} s "
        f"of samples a turn; data {report['cache']}. Ratio: peer / ours; median of the rounds, in "
        "brackets its 95 % interval, below 6 rounds the least and most. Of least times: the shortest "
        "call of any peer over our shortest, what a busy machine disturbs least. x limit: our shortest "
        "over what this hardware needs at least: near 1 nobody is much faster; `measured too low` where "
        "a call took less than that. To reach: `yes` when all of the interval does, `unclear` when a part "
        "does.",
        "",
        *first_table(report["cases"]),
        "",
        "## All other peers",
        "",
        "Those far behind in the first round were not run again; they have one ratio.",
        "",
        *second_table(report["cases"]),
    ]
    if report["problems"]:
        lines += ["", "## Left out", ""] + [f"- {text}" for text in report["problems"]]
    return "\n".join(lines) + "\n"
