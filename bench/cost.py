"""What an element costs, size by size, from the saved results of `breakeven compare`.

usage: cost.py RESULTS.json... [--past BYTES]

Prints a table for each workload, type and parameters: time of the fastest variant on one core, on
all cores, and for each device and placement, over the bytes that the size needs at least, or over
its operations where they grow faster; below it how far from flat that is past the caches: the
largest over the least of the sizes whose bytes are at least --past (default: 64e6).
"""
import argparse
import json


def median(result):
    return result["phases"]["total"]["median_s"]


def place(result):
    if result["placement"] == "host":
        return f"{result['threads']} core" + ("s" if result["threads"] > 1 else "")
    return f"{result['device']} {result['placement']}"


def unit_of(rows):
    """What grows faster with the size sets the cost: operations, where there are any."""
    small, large = rows[0], rows[-1]
    if not small["operations"] or not large["operations"]:
        return "bytes"
    operations = large["operations"] / small["operations"]
    return "operations" if operations > 1.05 * large["bytes"] / small["bytes"] else "bytes"


def fastest(results):
    best = {}
    for r in results:
        if r["status"] != "ok" or r["cache"] == "cold" or not r["phases"]["total"]["n"]:
            continue
        key = (r["size"], place(r))
        if key not in best or median(r) < median(best[key]):
            best[key] = r
    return best


def flatness(best, where, unit, past):
    costs = [median(r) / r[unit]
             for (_, at), r in best.items() if at == where and r["bytes"] >= past]
    return f"{max(costs) / min(costs):.2f} of {len(costs)}" if len(costs) > 1 else ""


def table(title, results, past):
    best = fastest(results)
    if not best:
        return
    rows = sorted({id(r): r for r in best.values()}.values(), key=lambda r: r["size"])
    unit = unit_of(rows)
    places = list(dict.fromkeys(place(r) for r in rows))
    name = {"bytes": "byte", "operations": "operation"}[unit]
    print(f"\n## {title}\n")
    print(f"ns for each {name} that the size needs at least.\n")
    print("| " + " | ".join([rows[0].get("size_name") or "size"] + places) + " |")
    print("| ---: |" + " ---: |" * len(places))
    for size in sorted({size for size, _ in best}):
        cells = []
        for where in places:
            r = best.get((size, where))
            cells.append(f"{1e9 * median(r) / r[unit]:.3g}" if r else "")
        print(f"| {size:g} | " + " | ".join(cells) + " |")
    print("| past the caches, most / least | "
          + " | ".join(flatness(best, where, unit, past) for where in places) + " |")


def main():
    usage, about = __doc__.split("\n", 3)[2:]
    parser = argparse.ArgumentParser(usage=usage.removeprefix("usage: "), description=about)
    parser.add_argument("results", nargs="+", metavar="RESULTS.json",
                        help="what `breakeven compare --json=FILE` wrote")
    parser.add_argument("--past", type=float, default=64e6, metavar="BYTES",
                        help="past the caches are sizes of so many bytes (default: 64e6)")
    arguments = parser.parse_args()
    groups = {}
    for path in arguments.results:
        try:
            with open(path, encoding="utf-8") as file:
                whole = json.load(file)
        except (OSError, ValueError) as error:
            parser.error(f"{path}: {error}")
        if not isinstance(whole, dict) or "results" not in whole:
            parser.error(f"{path}: not the results of `breakeven compare`")
        for r in whole["results"]:
            groups.setdefault((r["workload"], r["dtype"], r.get("parameters") or ""), []).append(r)
    for what, results in groups.items():
        table(", ".join(word for word in what if word), results, arguments.past)


if __name__ == "__main__":
    main()
