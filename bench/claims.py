"""Short tables of what bench/claims.sh measured, for docs/claims.md.

usage: claims.py FOLDER

FOLDER holds claims.txt, a line a run: its name, a tab, its command; and claims-NAME.json. Prints, of
each run, the command, from which size on the device is ahead, and every time.
"""
import argparse
import json
import pathlib

STATUS = {
    "always": "ahead at all sizes, from {smallest:g} to {largest:g}",
    "from": "ahead from {from:.3g} on ({lo:.3g} - {hi:.3g})",
    "never": "behind up to {largest:g}",
    "between": "ahead only between {from:g} and {until:g}",
    "close": "too close to call at {largest:g}",
}


def seconds(value):
    for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def time_of(result):
    """Median and half of its interval; "-" where it has no time."""
    total = result["phases"]["total"]
    if result["status"] != "ok" or not total["n"]:
        return f"- ({result['status']})"
    text = seconds(total["median_s"])
    if total["lo_s"] is not None and total["hi_s"] is not None:
        text += f" ± {50 * (total['hi_s'] - total['lo_s']) / total['median_s']:.0f} %"
    return text


def place(result):
    if result["placement"] == "host":
        return f"{result['threads']} core" + ("s" if result["threads"] > 1 else "")
    return f"{result['device']} {result['placement']}"


def answers(whole):
    """Where the device is ahead, in words: as written where there is that, else the best of each side."""
    written = any(even.get("as_written") for even in whole["breakevens"])
    for even in whole["breakevens"]:
        if bool(even.get("as_written")) == written and not even.get("callable"):
            known = {key: value if value is not None else float("nan") for key, value in even.items()}
            cores = f"{even['threads']} core" + ("s" if (even["threads"] or 0) > 1 else "")
            yield (f"{even['device']}, {even['placement']}, {'as written, ' if written else ''}against {cores}: "
                   f"{STATUS[even['status']].format(**known)}")


def table(results):
    """A row a size and variant, a column a place; in between sizes that only narrow a break-even are not shown."""
    shown = [r for r in results if not r.get("refines")]
    places = list(dict.fromkeys(place(r) for r in shown))
    rows = {}
    for r in shown:
        rows.setdefault((r["size"], r["variant"]), {})[place(r)] = time_of(r)
    out = [f"| {shown[0].get('size_name') or 'size'} | variant | " + " | ".join(places) + " |"]
    out.append("| ---: | --- |" + " ---: |" * len(places))
    for (size, variant), cells in sorted(rows.items()):
        out.append(f"| {size:g} | {variant} | " + " | ".join(cells.get(at, "") for at in places) + " |")
    return out


def head(whole):
    machine, around = whole["machine"], whole.get("environment") or {}
    devices = [f"{d['id']} {d['name']} ({d['driver']})" for d in machine["devices"] if d["id"] != "cpu"]
    return (f"{machine['cpu']}, {machine['cores_allowed']} of {machine['cores']} cores; {'; '.join(devices)}; "
            f"{around.get('date')}; load before {around.get('load_average')}")


def document(runs):
    """runs: [(name, command, what it saved)]"""
    out = ["# Figures for docs/claims.md", "", head(runs[0][2])]
    for name, command, whole in runs:
        out += ["", f"## {name}", "", f"`{command}`", ""]
        out += [f"- {answer}" for answer in answers(whole)]
        out += [f"- {remark}" for remark in whole.get("remarks") or [] if "left out" in remark]
        out += ["", *(table(whole["results"]) if whole["results"] else ["nothing was measured"])]
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(usage="claims.py FOLDER", description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    runs = []
    try:
        for line in (options.folder / "claims.txt").read_text(encoding="utf-8").splitlines():
            name, command = line.split("\t")
            saved = (options.folder / f"claims-{name}.json").read_text(encoding="utf-8")
            runs.append((name, command, json.loads(saved)))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if not runs:
        parser.error(f"{options.folder}: nothing was measured")
    print(document(runs))


if __name__ == "__main__":
    main()
