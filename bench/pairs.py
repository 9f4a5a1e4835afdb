#!/usr/bin/env python3
"""Does `breakeven ask` know what a GPU would do for a program on CPUs? Over forty programs in two versions (bench/pairs): the one
for CPUs runs under it; the one for a GPU is timed, with as many steps.

    pairs.py BREAKEVEN [--machine NAME] [--seconds S] [--part I/N] [--only NAME,...]
             [--calls] [--library] [--stand-in | --cpu-only] [--out FILE]
    pairs.py [BREAKEVEN] --again FILE [--library] [--left-out]

CPU / GPU is of the whole run, as it was started: Python, libraries, preparation, steps. "Longer": of the steps alone, as a
long run has them. Right: "yes" and CPU / GPU of 1.25 or more, "no" and less. Near: the typical ratio is within a factor of 1.5. Where the GPU does not end in time, as many steps as
are lacking count at their mean. Both versions have to give the same numbers (bench/pairs/pair.py says how close). A
program whose packages are missing is named and left out. `--cpu-only` asks, and times no GPU. `--stand-in` tries all of it where there
is no GPU: its times mean nothing, and are not printed.
`--library` tells `ask` which library the version for a GPU uses. `--out` keeps all numbers; `--again` prints the table of such
a file (lines of JSON; files of several parts may be joined), with BREAKEVEN as that program answers today. `--left-out` takes
the library's start and time of a call from the other programs alone, for each.
"""
import argparse
import copy
import importlib.util
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "pairs"))
import program  # noqa: E402

PROGRAM = os.path.join(HERE, "pairs", "program.py")
WORTH = 1.25  # a GPU that brings less is not worth it: as in src/ask/verdict.c
TYPICAL = 1.5  # a ratio foretold within this factor is right
LONGEST_S = 120


def missing(options, pair):
    """NumPy stands for CuPy where there is no GPU."""
    wanted = pair.cpu.split() + ([] if options.cpu_only else pair.gpu.split())
    wanted = ["numpy" if one == "cupy" and options.stand_in else one for one in wanted]
    return [one for one in dict.fromkeys(wanted) if not importlib.util.find_spec(one)]


def start(words, folder):
    """What the program says, with its time; an error: it failed, and why."""
    begin = time.monotonic()
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=LONGEST_S, cwd=folder)
    except subprocess.TimeoutExpired as error:
        raise ChildProcessError(f"did not end in {LONGEST_S} s") from error
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        raise ChildProcessError((done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1][:160])
    return {**json.loads(lines[-1]), "elapsed_s": time.monotonic() - begin}


def said_library(options, name):
    return [f"--with={program.pairs()[name].gpu.split()[0]}"] if options.library else []


def on_cpu(options, name, folder):
    answer = os.path.join(folder, "answer.json")
    said = start([options.breakeven, "ask", "--json", f"--output={answer}", f"--machine={options.machine}",
                  *(["--calls"] if options.calls else []), *said_library(options, name), "--", sys.executable, "-B", "-W", "ignore", PROGRAM, name, "cpu",
                  "--seconds", f"{options.seconds:g}", *(["--small"] if options.small else [])], folder)
    with open(answer, encoding="utf-8") as file:
        return said, json.load(file)


def on_gpu(options, name, steps, folder):
    return start([sys.executable, "-B", "-W", "ignore", PROGRAM, name, "gpu", "--steps", f"{steps}", "--limit",
                  f"{options.limit:g}", *(["--stand-in"] if options.stand_in else []),
                  *(["--small"] if options.small else [])], folder)


def one(options, pair, folder):
    """All that is known of a pair."""
    row = {"name": pair.name, "libraries": [pair.cpu.split()[0], pair.gpu.split()[0]], "stand_in": options.stand_in}
    lacking = missing(options, pair)
    if lacking:
        return {**row, "why": f"{' '.join(lacking)} is not here"}
    try:
        row["cpu"], row["answer"] = on_cpu(options, pair.name, folder)
        row["load"] = os.getloadavg()[0]
        if not options.cpu_only:
            row["gpu"] = on_gpu(options, pair.name, row["cpu"]["steps"], folder)
    except (ChildProcessError, OSError, ValueError) as error:
        row["why"] = str(error)
    return row


def answer_today(options, row, folder):
    """The row, as the program answers now from the same samples; recorded calls are not among them."""
    if "answer" not in row:
        return row
    before = os.path.join(folder, "before.json")
    with open(before, "w", encoding="utf-8") as file:
        json.dump(row["answer"], file)
    done = subprocess.run([options.breakeven, "ask", "--json", f"--again={before}", f"--machine={options.machine}",
                           *said_library(options, row["name"])], capture_output=True, text=True, check=True)
    return {**row, "answer": json.loads(done.stdout)}


# ---- from the other programs alone -----------------------------------------------------------------

CALL_S = 0.4e-6  # as in src/ask/gpu_library.c
PREPARES = 0.05  # a program of which so much is preparation of calls tells what a call takes


def calls_made(row):
    return sum(part["later_s"] for part in row["answer"]["parts"] if part["kind"] == "calls") / CALL_S


def start_of(row):
    """Seconds before the second step, less those of the version for CPUs."""
    run, cpu, gpu = row["answer"]["run"], row["cpu"], row["gpu"]
    return gpu["elapsed_s"] - gpu["loop_s"] - (run["elapsed_s"] - cpu["loop_s"])


def call_of(row):
    """Seconds of a call on the GPU; NAN: the program makes too few to tell."""
    gpu, calls = row["gpu"], calls_made(row)
    few = calls * CALL_S < PREPARES * row["cpu"]["loop_s"]
    return math.nan if few else gpu["loop_s"] / max(gpu["steps"] - 1, 1) * row["cpu"]["steps"] / calls


def median(values, otherwise):
    known = [one for one in values if not math.isnan(one)]
    return statistics.median(known) if known else otherwise


def left_out(rows, row):
    """The row, with the start and calls of its library as the other programs have them."""
    timed_rows = [one for one in rows if "gpu" in one]
    others = [one for one in timed_rows if one["name"] != row["name"] and one["libraries"][1] == row["libraries"][1]]
    if not others or "gpu" not in row:
        return row
    row = copy.deepcopy(row)
    answer, machine = row["answer"], row["answer"]["machines"][0]
    usual_s = median([call_of(one) for one in timed_rows if one["name"] != row["name"]], 0)
    more = median([call_of(one) for one in others], usual_s) / median([call_of(one) for one in others + [row]], usual_s)
    calls_s = machine["kinds"].get("calls", {"typical_s": 0})["typical_s"] * (more - 1)
    starts, start = [start_of(one) for one in others], machine["start"]
    for key, gain, start_s in (("typical_s", "gain", statistics.median(starts) + calls_s),
                               ("lo_s", "gain_hi", max(0, min(starts))), ("hi_s", "gain_lo", max(starts))):
        machine[gain] = answer["own_s"] / (machine["all"][key] - start[key] + start_s)
    long_s = answer["own_s"] - answer["prepare_s"]
    machine["long_gain"] = long_s / (long_s / machine["long_gain"] + calls_s)
    return row


# ---- what follows from it ------------------------------------------------------------------------


def timed(row):
    """CPU / GPU of the whole run, and of the steps; NAN: not measured."""
    if "gpu" not in row or row["stand_in"]:
        return math.nan, math.nan
    cpu, gpu = row["cpu"], row["gpu"]
    each_s = gpu["loop_s"] / max(gpu["steps"] - 1, 1)
    gpu_s = gpu["elapsed_s"] + each_s * max(cpu["steps"] - gpu["steps"], 0)
    own_s = row["answer"]["run"]["elapsed_s"] - row["answer"]["run"]["core_wait_s"]
    longer = cpu["loop_s"] / max(cpu["steps"] - 1, 1) / each_s if cpu["steps"] > 1 and gpu["steps"] > 1 else math.nan
    return own_s / gpu_s, longer


def agree(row):
    """Do both versions give the same? None: not both ran so many steps."""
    if "gpu" not in row or row["gpu"]["steps"] != row["cpu"]["steps"]:
        return None
    return program.are_close(row["cpu"]["numbers"], row["gpu"]["numbers"], program.pairs()[row["name"]].close)


def held(verdict, foretold, truth):
    """A verdict and (least, typical, most) against what was timed: is it right, inside, near? None: not to be told."""
    found = {"right": None, "inside": None, "typical": None}
    lo, gain, hi = foretold
    if not math.isnan(truth) and verdict in ("yes", "no"):
        found["right"] = (verdict == "yes") == (truth >= WORTH)
    if not math.isnan(truth) and not math.isnan(gain):
        found["inside"] = lo <= truth <= hi
        found["typical"] = 1 / TYPICAL <= gain / truth <= TYPICAL
    return found


def judged(row):
    """The answers of a row, each as (verdict, foretold, timed, what it is worth): of the run, and of a long one."""
    machine = (row["answer"].get("machines") or [{}])[0]
    answers = []
    for head, truth in zip(("", "long_"), timed(row)):
        verdict = machine.get(head + "verdict") or "-"
        foretold = [math.nan if machine.get(word) is None else machine[word] for word in
                    (("gain_lo", "gain", "gain_hi") if not head else ("long_lo", "long_gain", "long_hi"))]
        answers.append((verdict, foretold, truth, held(verdict, foretold, truth)))
    return answers


def largest(answer):
    sums = {}
    for part in answer["parts"]:
        sums[part["what"]] = sums.get(part["what"], 0) + part["wall_s"]
    whole = sum(sums.values()) or 1
    return ", ".join(f"{100 * wall_s / whole:.0f} % {what}" for what, wall_s in
                     sorted(sums.items(), key=lambda part: -part[1])[:3])


def show(value):
    return "-" if math.isnan(value) else f"{value:.3g}"


HEAD = ("| program | CPU, GPU | most of it | known | verdict, foretold (90 %) | timed | | longer: verdict, foretold (90 %) | timed | "
        "| same |\n| --- | --- | --- | ---: | --- | ---: | --- | --- | ---: | --- | --- |")
MARK = {True: "yes", False: "no", None: "-"}


def line_of(row):
    if "answer" not in row:
        return f"| {row['name']} | {', '.join(row['libraries'])} | not tried: {row['why']} | | | | | | | | |", None
    answers = judged(row)
    share, same = row["answer"]["known_share"], agree(row)
    cells = [f"{verdict}, {show(gain)} ({show(lo)} to {show(hi)}) | {show(truth)} | {worth_of(found)}"
             for verdict, (lo, gain, hi), truth, found in answers]
    why = f" {row['why']}" if "why" in row else ""
    found = {"known": share is not None and share >= 0.9, "agree": same, "answers": [one[-1] for one in answers]}
    return (f"| {row['name']} | {', '.join(row['libraries'])} | {largest(row['answer'])}{why} "
            f"| {'-' if share is None else f'{100 * share:.0f} %'} | {' | '.join(cells)} | {MARK[same]} |"), found


def worth_of(found):
    """"right, inside, near", with what is not."""
    words = {"right": ("right", "wrong"), "inside": ("inside", "outside"), "typical": ("near", "far")}
    return ", ".join(yes if found[word] else no for word, (yes, no) in words.items() if found[word] is not None)


def count(found, word):
    known = [one[word] for one in found if one[word] is not None]
    return f"{sum(known)} of {len(known)}"


def summary(found):
    found = [one for one in found if one]
    lines = []
    for which, name in enumerate(("the run", "a longer one")):
        answers = [one["answers"][which] for one in found]
        lines.append(f"{name}: verdict right where it is not too close: {count(answers, 'right')}; timed ratio in the "
                     f"interval: {count(answers, 'inside')}; typical within a factor of {TYPICAL}: "
                     f"{count(answers, 'typical')}\n")
    return "".join(lines) + f"90 % of the CPU time known: {count(found, 'known')}; same numbers: {count(found, 'agree')}"


# ---- options -------------------------------------------------------------------------------------


def part_of(text):
    which, _, whole = text.partition("/")
    if not (which.isdigit() and whole.isdigit() and 1 <= int(which) <= int(whole)):
        raise argparse.ArgumentTypeError(f"{text}: a part is I/N, as 1/3")
    return int(which) - 1, int(whole)


def options_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("breakeven", nargs="?", metavar="BREAKEVEN")
    parser.add_argument("--machine", default="h100", help="the GPU that is asked about: the one that is here (h100)")
    parser.add_argument("--seconds", type=float, default=4, metavar="S", help="each works on the CPU (4)")
    parser.add_argument("--limit", type=float, metavar="S", help="and on the GPU at most (as --seconds)")
    parser.add_argument("--part", type=part_of, default=(0, 1), metavar="I/N", help="every Nth program, from the Ith on")
    parser.add_argument("--only", default="", metavar="NAME,...", help="these programs")
    parser.add_argument("--calls", action="store_true", help="calls of BLAS and LAPACK are recorded")
    parser.add_argument("--cpu-only", action="store_true")
    parser.add_argument("--stand-in", action="store_true")
    parser.add_argument("--small", action="store_true", help="sizes that take a moment: to try it")
    parser.add_argument("--library", action="store_true", help="ask is told the library of the version for a GPU")
    parser.add_argument("--left-out", action="store_true", help="its start and calls by the other programs alone")
    parser.add_argument("--out", metavar="FILE")
    parser.add_argument("--again", metavar="FILE")
    options = parser.parse_args()
    if not (options.again and not options.breakeven) and not os.access(options.breakeven or "", os.X_OK):
        parser.error(f"there is no program {options.breakeven or 'named'}: its first word is BUILD/breakeven")
    options.breakeven = options.breakeven and os.path.abspath(options.breakeven)
    options.limit = options.limit or options.seconds
    known = program.pairs()
    options.names = options.only.split(",") if options.only else list(known)
    strange = set(options.names) - set(known)
    if strange:
        parser.error(f"no such program: {', '.join(sorted(strange))}; there are {', '.join(known)}")
    first, step = options.part
    options.names = options.names[first::step]
    return options


def rows_of(options):
    if options.again:
        with open(options.again, encoding="utf-8") as file, tempfile.TemporaryDirectory(prefix="pairs-") as folder:
            rows = [json.loads(line) for line in file if line.strip()]
            rows = [answer_today(options, row, folder) for row in rows] if options.breakeven else rows
        yield from (left_out(rows, row) for row in rows) if options.left_out else rows
        return
    known = program.pairs()
    with tempfile.TemporaryDirectory(prefix="pairs-") as folder:
        for name in options.names:
            yield one(options, known[name], folder)


def main():
    options = options_of()
    begin = time.monotonic()
    found = []
    print(HEAD, flush=True)
    for row in rows_of(options):
        if options.out:
            with open(options.out, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        line, outcome = line_of(row)
        found.append(outcome)
        print(line, flush=True)
    print(f"\n{summary(found)}; {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
