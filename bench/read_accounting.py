#!/usr/bin/env python3
"""How fast `breakeven queue` reads an accounting of millions of jobs, beside awk, pandas, DuckDB and
polars making the same table. Every program reads the same file in turns; the best of the rounds counts, because
others that use the machine only ever slow it. Standard library only; the others are peers where they are: with
`python3 -m venv FOLDER; FOLDER/bin/pip install pandas duckdb polars`, say --python FOLDER/bin/python3.

usage: bench/read_accounting.py PROGRAM GENERATOR [--jobs 5000000] [--rounds 5] [--folder DIR] [--out FILE]
"""
import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time

AWK = r"""
function seconds(t) { return mktime(substr(t,1,4) " " substr(t,6,2) " " substr(t,9,2) " " \
                                    substr(t,12,2) " " substr(t,15,2) " " substr(t,18,2), 1) }
function span(t,   d, p, n) { d = 0; n = index(t, "-")
    if (n) { d = substr(t, 1, n - 1); t = substr(t, n + 1) }
    split(t, p, ":"); return d * 86400 + p[1] * 3600 + p[2] * 60 + p[3] }
BEGIN { FS = "|" }
$17 !~ /^PENDING/ && $13 != "Unknown" {
    hours = $19 * span($24) / 3600
    bin = hours < 4 ? 0 : hours < 16 ? 1 : hours < 64 ? 2 : 3
    wait = seconds($13) - seconds($11)
    key = $4 " " bin
    list[key, n[key]++] = wait
}
END {
    for (key in n) {
        split("", value)
        for (i = 0; i < n[key]; i++) value[i] = list[key, i]
        count = asort(value)
        middle = count % 2 ? value[(count + 1) / 2] : (value[count / 2] + value[count / 2 + 1]) / 2
        print key, n[key], middle
    }
}
"""

PANDAS = r"""
import sys
import pandas as pd
names = ("jobidraw jobid cluster partition qos account group gid user uid submit eligible start end "
         "elapsed exitcode state nnodes ncpus reqcpus reqmem reqtres alloctres timelimit nodelist "
         "jobname").split()
frame = pd.read_csv(sys.argv[1], sep="|", names=names, quoting=3,
                    usecols=["partition", "submit", "start", "ncpus", "timelimit"])
start = pd.to_datetime(frame.start, format="%Y-%m-%dT%H:%M:%S")
submit = pd.to_datetime(frame.submit, format="%Y-%m-%dT%H:%M:%S")
limit = pd.to_timedelta(frame.timelimit.str.replace("-", " days ", regex=False)).dt.total_seconds()
frame["wait"] = (start - submit).dt.total_seconds()
frame["bin"] = pd.cut(frame.ncpus * limit / 3600, [-1, 4, 16, 64, float("inf")], right=False,
                      labels=[0, 1, 2, 3])
for (partition, size), waits in frame.groupby(["partition", "bin"], observed=True)["wait"]:
    print(partition, size, len(waits), waits.median())
"""


NAMES = ("jobidraw jobid cluster partition qos account group gid user uid submit eligible start end "
         "elapsed exitcode state nnodes ncpus reqcpus reqmem reqtres alloctres timelimit nodelist "
         "jobname").split()

# Limits are "2-03:00:00" or "03:00:00"; both programs split the text, as pandas' own parser of spans does.
DUCKDB = r"""
import sys
import duckdb
duckdb.sql("SET enable_progress_bar = false")  # it would be among the rows
kinds = dict(submit="TIMESTAMP", start="TIMESTAMP", ncpus="INTEGER")
columns = ", ".join(f"'{name}': '{kinds.get(name, 'VARCHAR')}'" for name in "NAMES".split())
for row in duckdb.sql(f'''
        WITH jobs AS (
            SELECT partition, ncpus, epoch(start) - epoch(submit) AS wait,
                   CASE WHEN contains(timelimit, '-') THEN split_part(timelimit, '-', 1)::INT ELSE 0 END AS days,
                   split_part(split_part(timelimit, '-', -1), ':', 1)::INT AS hours,
                   split_part(timelimit, ':', 2)::INT AS minutes, split_part(timelimit, ':', 3)::INT AS seconds
            FROM read_csv('{sys.argv[1]}', delim='|', header=false, quote='', escape='', columns={{{columns}}})),
        sized AS (
            SELECT partition, wait,
                   ncpus * (days * 86400 + hours * 3600 + minutes * 60 + seconds) / 3600 AS size FROM jobs)
        SELECT partition,
               CASE WHEN size < 4 THEN 0 WHEN size < 16 THEN 1 WHEN size < 64 THEN 2 ELSE 3 END AS bin,
               count(*), quantile_cont(wait, 0.5)
        FROM sized GROUP BY ALL''').fetchall():
    print(*row)
""".replace("NAMES", " ".join(NAMES))

POLARS = r"""
import sys
import polars as pl
names = "NAMES".split()
clock = pl.col("timelimit").str.split("-").list.last().str.split(":").list
days = pl.when(pl.col("timelimit").str.contains("-", literal=True)).then(
    pl.col("timelimit").str.split("-").list.first()).otherwise(pl.lit("0")).cast(pl.Int64)
limit = (days * 86400 + clock.get(0).cast(pl.Int64) * 3600 + clock.get(1).cast(pl.Int64) * 60 +
         clock.get(2).cast(pl.Int64))
moment = "%Y-%m-%dT%H:%M:%S"
hours = pl.col("ncpus") * limit / 3600
wait = (pl.col("start").str.to_datetime(moment) - pl.col("submit").str.to_datetime(moment)).dt.total_seconds()
jobs = pl.scan_csv(sys.argv[1], separator="|", has_header=False, new_columns=names, quote_char=None,
                   schema_overrides={name: pl.Int64 if name == "ncpus" else pl.String for name in names})
size = pl.when(hours < 4).then(0).when(hours < 16).then(1).when(hours < 64).then(2).otherwise(3)
table = (jobs.select("partition", wait.alias("wait"), size.alias("bin"))
         .group_by("partition", "bin").agg(pl.len().alias("n"), pl.col("wait").median()).collect())
for row in table.iter_rows():
    print(*row)
""".replace("NAMES", " ".join(NAMES))


def run(command):
    """Seconds, processor seconds, peak bytes and output of a command."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE)
        said = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - begin
        out.seek(0)
        text = out.read().decode()
    if process.returncode:
        raise SystemExit(f"{command[0]}: exit {process.returncode}: {said.decode()[-300:]}")
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, text


def ours(text):
    rows = json.loads(text)["rows"]
    return {(row["row"], i): (cell["n"], cell["wait_s"])
            for row in rows for i, cell in enumerate(row["cells"]) if cell["n"]}


def theirs(text):
    table = {}
    for line in text.splitlines():
        partition, size, count, median = line.split()
        table[partition, int(size)] = (int(count), float(median))
    return table


def peers(python):
    found = [("breakeven", lambda file, program: [program, "queue", "--json", file], ours)]
    if shutil.which("gawk"):
        found.append(("gawk", lambda file, program: ["gawk", AWK, file], theirs))
    for name, text in (("pandas", PANDAS), ("duckdb", DUCKDB), ("polars", POLARS)):
        version = subprocess.run([python, "-c", f"import {name}; print({name}.__version__)"],
                                 capture_output=True, text=True, check=False)
        if version.returncode == 0:
            found.append((f"{name} {version.stdout.strip()}",
                          lambda file, program, text=text: [python, "-c", text, file], theirs))
    return found


def cpu_name():
    with open("/proc/cpuinfo") as lines:
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def report(options, size, results, load):
    version = subprocess.run([options.program, "--version"], capture_output=True, text=True,
                             check=True).stdout.strip()
    lines = ["| program | runs | least s | least processor s | MB/s a core | most memory, MB | "
             "processor time to ours |", "| --- | --- | --- | --- | --- | --- | --- |"]
    best = min(used for _, used, _ in results["breakeven"])
    for name, rounds in results.items():
        seconds = min(one[0] for one in rounds)
        used = min(one[1] for one in rounds)
        peak = max(one[2] for one in rounds)
        lines.append(f"| {name} | {len(rounds)} | {seconds:.2f} | {used:.2f} | {size / used / 1e6:.0f} "
                     f"| {peak / 1e6:.0f} | {used / best:.1f} |")
    lines += ["", f"{options.jobs:,} jobs, {size / 1e9:.2f} GB, in the page cache; {version}, "
              f"{time.strftime('%Y-%m-%d')}; {cpu_name()}, {os.cpu_count()} cores; load average "
              f"{load[0]:.1f} before and {load[1]:.1f} after, this program's included. MB/s a core is by "
              "processor time, which others that use the machine lengthen less than time by the clock. "
              "All programs made the same table: counts are equal and medians differ by less than "
              "0.01 s."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("generator")
    parser.add_argument("--jobs", type=int, default=5000000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-rounds", type=int, default=2, help="of the peers")
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--python", default=sys.executable, help="one that has pandas, duckdb, polars")
    parser.add_argument("--out")
    options = parser.parse_args()
    if shutil.disk_usage(options.folder).free < 3 * 350 * options.jobs:
        raise SystemExit(f"{options.folder}: too little room for {options.jobs} jobs; --folder")
    results, expected = {}, None
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        file = os.path.join(folder, "jobs.sacct")
        with open(file, "wb") as out:
            subprocess.run([options.generator, str(options.jobs)], stdout=out, check=True)
        size = os.path.getsize(file)
        before = os.getloadavg()[0]
        beside = peers(options.python)
        for turn in range(options.rounds):
            for name, command, read in beside:
                if name != "breakeven" and turn >= options.slow_rounds:
                    continue
                seconds, used, peak, text = run(command(file, options.program))
                table = read(text)
                expected = expected or table
                if table.keys() != expected.keys() or any(
                        table[key][0] != expected[key][0] or
                        abs(table[key][1] - expected[key][1]) > 0.01 for key in table):
                    raise SystemExit(f"{name}: another table than breakeven's")
                results.setdefault(name, []).append((seconds, used, peak))
                print(f"{name}: {seconds:.2f} s, {used:.2f} s of a processor, {peak / 1e6:.0f} MB",
                      file=sys.stderr)
        text = report(options, size, results, (before, os.getloadavg()[0]))
    if options.out:
        with open(options.out, "w") as out:
            out.write(text)
    print(text, end="")


if __name__ == "__main__":
    main()
