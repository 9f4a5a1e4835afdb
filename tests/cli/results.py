#!/usr/bin/env python3
"""Are these the results that docs/json.md describes?

usage: results.py json|csv|null|energy FILE [results=N] [partial=True|False] [status=WORD]
"""
import csv
import json
import sys

PHASES = ("first", "in", "work", "out", "total")
SUMMARY = ("n", "outliers", "stop", "median_s", "lo_s", "hi_s", "mad_s", "min_s", "max_s")
WHOLE = ("schema", "command", "version", "machine", "environment", "partial", "quick",
         "results", "breakevens", "remarks")
RESULT = ("workload", "title", "variant", "as_written", "code", "dtype", "parameters", "size",
          "size_name", "device", "threads", "placement", "cache", "status", "note", "residual",
          "tolerance", "bytes", "operations", "limit_s", "limit_by", "times_limit",
          "clock_hz", "slow_clock",
          "throttle", "temperature_c", "joules", "joules_lo", "joules_hi", "host_joules", "energy_s",
          "energy_source", "energy_note", "refines")
EVEN = ("workload", "dtype", "as_written", "callable", "device", "against", "threads", "placement", "cache",
        "status", "from", "lo", "hi", "until", "until_lo", "until_hi", "smallest", "largest", "repaid",
        "calls_to_repay_copy", "calls_to_repay_copy_lo", "calls_to_repay_copy_hi",
        "calls_to_repay_first", "calls_to_repay_first_lo", "calls_to_repay_first_hi", "why")


def need(true, text):
    if not true:
        sys.exit(text)


def has(record, fields, name):
    for field in fields:
        need(field in record, f"{name}: no {field}")


def no_constant(word):
    sys.exit(f"{word} is not JSON")


def load(file):
    with open(file, encoding="utf-8") as text:
        return json.load(text, parse_constant=no_constant)


def check_json(file, wanted):
    whole = load(file)
    has(whole, WHOLE, file)
    need(whole["schema"] == "breakeven/1" and whole["command"] == "compare", "schema or command")
    has(whole["machine"], ("host", "cpu", "cores", "cores_allowed", "devices", "absent"), "machine")
    has(whole["environment"], ("date", "compiler", "flags", "seed", "order", "simd", "libraries"), "environment")
    need(isinstance(whole["partial"], bool), "partial is no truth value")
    for i, result in enumerate(whole["results"]):
        name = f"results[{i}]"
        has(result, RESULT + ("phases",), name)
        has(result["phases"], PHASES, name)
        for phase in PHASES:
            has(result["phases"][phase], SUMMARY, f"{name}.phases.{phase}")
        need("status" not in wanted or result["status"] == wanted["status"],
             f"{name}: {result['status']}: {result['note']}")
        if result["status"] == "ok":
            total = result["phases"]["total"]
            times = total["median_s"] / result["limit_s"]
            need(abs(result["times_limit"] / times - 1) < 1e-9, f"{name}: {result['times_limit']} x limit, not {times}")
            need(total["n"] > 0 and total["min_s"] <= total["median_s"] <= total["max_s"], name)
            need(result["residual"] <= result["tolerance"], f"{name}: residual")
    for i, even in enumerate(whole["breakevens"]):
        has(even, EVEN, f"breakevens[{i}]")
    need("results" not in wanted or len(whole["results"]) == int(wanted["results"]),
         f"{len(whole['results'])} results")
    need("partial" not in wanted or str(whole["partial"]) == wanted["partial"], "partial")


def check_csv(file, wanted):
    with open(file, encoding="utf-8", newline="") as text:
        raw = text.read()
    need(raw.endswith("\r\n"), "a line does not end in CRLF")
    header, *rows = csv.reader(raw.splitlines(keepends=True), strict=True)
    known = list(RESULT) + [f"{phase}_{field}" for phase in PHASES for field in SUMMARY]
    need([name for name in header if name in known] == known, f"columns: {header}")
    need(all(len(row) == len(header) for row in rows), "a row has other columns")
    need(len(rows) == int(wanted["results"]), f"{len(rows)} rows")


def check_null(file, wanted):
    """Checks the lazy device: placements ok; the published row is there, and is not counted."""
    check_json(file, {})
    rows = [r for r in load(file)["results"] if r["device"] == "null:0"]
    published = [r for r in rows if r["variant"] == "as-published"]
    honest = [r for r in rows if r["variant"] != "as-published"]
    need([r["placement"] for r in honest] == ["copy", "preload", "resident"], "placements")
    need(all(r["status"] == "ok" for r in honest), f"{[r['note'] for r in honest]}")
    need(len(published) == 1, "no published row")
    need(published[0]["status"] in ("impossible", "skipped"), published[0]["status"])
    need(published[0]["status"] == "impossible" or "never counted" in published[0]["note"], "note")
    evens = load(file)["breakevens"]
    need(len(evens) == 3 and all(e["status"] == "never" for e in evens), "break-evens")


def check_energy(file, wanted):
    """Asked for: a figure within what its counter leaves open, or a reason."""
    check_json(file, wanted)
    for r in load(file)["results"]:
        if r["joules"] is None:
            need(r["energy_note"] and r["energy_source"] is None, f"{r['device']}: no reason")
        else:
            need(0 < r["joules_lo"] <= r["joules"] <= r["joules_hi"] and r["energy_source"], r["device"])
            need(r["energy_s"] > 0, f"{r['device']}: seconds")
        need(r["device"] != "null:0" or r["joules"] is None, "a pretend device has no counter")


if __name__ == "__main__":
    check = {"json": check_json, "csv": check_csv, "null": check_null,
             "energy": check_energy}[sys.argv[1]]
    check(sys.argv[2], dict(word.split("=") for word in sys.argv[3:]))
