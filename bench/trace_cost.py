#!/usr/bin/env python3
"""What tracing costs a training of short kernels (MNIST's shape, batch 64), on a machine with a GPU: the
training by itself and traced, in turn, until the time is over.

    bench/trace_cost.py BUILD/breakeven [--budget SECONDS] [--ways NAME,...] [--steps N] [--json FILE]
                        [--separate] [--cpus N]

Each round runs every way once, in an order that turns. A way:
  plain     the training by itself
  watched   under `breakeven run` (--separate only)
  traced    traced: looks in windows
  closed    the same with almost no window: what is left where CUPTI is held and asked for nothing
  full      traced with one window all the time
PyTorch is imported once: each run is a fork of that process, which gives the library that CUDA is to load in its
environment, as `breakeven run --trace` does; nothing watches it, so the cost is of the trace alone. With
--separate each is a program of its own, under `breakeven run`. All run on the same few CPUs.
The training prints the seconds of its steps, those of the start left out, and of each block of them. Ratios are
of runs of the same round. A traced run's blocks tell apart what windows cost and what lies between: the tenth
percentile is of blocks between windows, the ninetieth of blocks within.
"""
import argparse
import json
import os
import runpy
import statistics
import struct
import subprocess
import sys
import tempfile
import time

from overhead import median_interval, percent

LONGEST_S = 60  # a run
HERE = os.path.dirname(os.path.abspath(__file__))
WAYS = {"plain": None, "watched": {}, "traced": {}, "closed": {"BREAKEVEN_TRACE_SHARE": "0.00001"},
        "full": {"BREAKEVEN_TRACE_SHARE": "1000"}}


class Run:
    def __init__(self, steps_s, blocks, looked):
        self.steps_s, self.blocks, self.looked = steps_s, blocks, looked

    def block(self, share):
        return sorted(self.blocks)[min(int(share * len(self.blocks)), len(self.blocks) - 1)]


# ---- one run ----------------------------------------------------------------------------------------


def read_output(way, status, output, looked):
    """What the training printed; None where it failed, which is told."""
    said = {line.split(" ", 1)[0]: line.split()[1:] for line in output.splitlines() if line}
    if status or "train_s" not in said or "blocks_s" not in said:
        print(f"{way}: exit code {status}\n{output}", flush=True)
        return None
    return Run(float(said["train_s"][0]), [float(word) for word in said["blocks_s"]], looked)


def read_record(folder):
    """Of the library's file (src/observe/gpu_record.h): how much of the time it looked, in how many windows."""
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        size = struct.unpack_from("<I", data, 12)[0]
        slots = [data[at:] for at in (0, (size + 4095) // 4096 * 4096) if len(data) > at + 312]
        newest = max(slots, key=lambda slot: struct.unpack_from("<Q", slot, 16)[0])
        reason = newest[48:240].split(b"\0")[0].decode(errors="replace")
        start, now, traced, windows, own, records = struct.unpack_from("<6Q", newest, 264)
        if reason:
            return reason
        return (f"looked {1e-9 * traced:.2f} of {1e-9 * (now - start):.2f} s, {windows} windows, {records} records, "
                f"own CPU {1e-6 * own:.0f} ms")
    return "no trace"


def in_child(asked, way, folder, end):
    """The training, as if it had been started so; never returns."""
    os.dup2(end, 1)
    os.dup2(end, 2)
    if way != "plain":
        os.environ.update(WAYS[way], BREAKEVEN_TRACE_FOLDER=folder, CUDA_INJECTION64_PATH=asked.library)
    sys.argv = [asked.train, str(asked.steps), str(asked.block)]
    status = 1
    try:
        runpy.run_path(asked.train, run_name="__main__")
        status = 0
    finally:
        sys.stdout.flush()
        time.sleep(1.2 if way != "plain" else 0)  # the library writes once a second
        os._exit(status)


def forked(asked, way):
    ends = os.pipe()
    with tempfile.TemporaryDirectory() as folder:  # of this user alone, as the library asks
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            in_child(asked, way, folder, ends[1])
        os.close(ends[1])
        begin, status, output = time.monotonic(), None, b""
        os.set_blocking(ends[0], False)
        while status is None and time.monotonic() - begin < LONGEST_S:
            ended, code = os.waitpid(child, os.WNOHANG)
            status = os.waitstatus_to_exitcode(code) if ended else None
            try:
                output += os.read(ends[0], 1 << 20)
            except BlockingIOError:
                pass
            time.sleep(0.02)
        os.close(ends[0])
        if status is None:
            os.kill(child, 9)
            os.waitpid(child, 0)
            print(f"{way}: did not end in {LONGEST_S} s", flush=True)
            return None
        return read_output(way, status, output.decode(errors="replace"), way != "plain" and read_record(folder))


def separate(asked, way):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        words = [sys.executable, asked.train, str(asked.steps), str(asked.block)]
        if way != "plain":
            watch = [asked.program, "run", "--quiet", f"--trace-file={trace}"]
            words = [*watch, *([] if way == "watched" else ["--trace"]), "--", *words]
        try:
            done = subprocess.run(words, env={**os.environ, **(WAYS[way] or {})}, capture_output=True, text=True,
                                  check=False, timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            print(f"{way}: did not end in {LONGEST_S} s", flush=True)
            return None
        looked = ""
        if way != "plain" and os.path.exists(trace):
            with open(trace, encoding="utf-8") as file:
                cupti = [one for one in json.load(file)["sources"] if one["name"] == "cupti"]
            looked = " ".join(one["detail"] or one["absent"] or "" for one in cupti)
        return read_output(way, done.returncode, done.stdout + (done.stderr if done.returncode else ""), looked)


# ---- rounds -----------------------------------------------------------------------------------------


def measure(asked):
    """Rounds until another might not end in time; at least one."""
    begin, longest, rounds, broken = time.monotonic(), 0.0, [], set()
    while not rounds or time.monotonic() - begin + longest < asked.budget:
        ways = [way for way in asked.ways if way not in broken]
        started, done = time.monotonic(), {}
        for way in ways if len(rounds) % 2 == 0 else ways[::-1]:
            run = asked.once(asked, way)
            if not run:
                broken.add(way)
                continue
            done[way] = run
            print(f"[{time.monotonic() - begin:4.0f} s] {way:8} {done[way].steps_s:8.3f} s  "
                  f"blocks {1e3 * done[way].block(0.1):.2f} / {1e3 * done[way].block(0.5):.2f} / "
                  f"{1e3 * done[way].block(0.9):.2f} ms  {done[way].looked or ''}", flush=True)
        if "plain" in broken:
            sys.exit("the training itself fails: nothing can be compared")
        rounds.append(done)
        longest = max(longest, time.monotonic() - started)
    return rounds


def table(asked, rounds):
    print(f"\n{len(rounds)} rounds of {asked.steps} steps, blocks of {asked.block}; load average "
          f"{os.getloadavg()[0]:.1f}\n")
    print("| way | steps | to plain: all steps | its tenth percentile of blocks | median | ninetieth |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for way in asked.ways:
        having = [one for one in rounds if way in one]
        if not having:
            print(f"| {way} | failed | | | | |")
            continue
        seconds, _, _ = median_interval([one[way].steps_s for one in having])
        if way == "plain":
            print(f"| plain | {seconds:.3f} s | | | | |")
            continue
        shares = [statistics.median(one[way].block(share) / one["plain"].block(share) for one in having)
                  for share in (0.1, 0.5, 0.9)]
        print(f"| {way} | {seconds:.3f} s | {percent([one[way].steps_s / one['plain'].steps_s for one in having])}"
              f" | {' | '.join(f'{100 * (share - 1):+.1f} %' for share in shares)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--budget", type=float, default=95, help="seconds for all of it (95)")
    parser.add_argument("--ways", default="plain,traced", help="of each round (plain,traced)")
    parser.add_argument("--steps", type=int, default=2000, help="a run (2000: 3.5 s on an H200)")
    parser.add_argument("--block", type=int, default=25, help="steps timed together (25)")
    parser.add_argument("--train", default=os.path.join(HERE, "gpu_watch", "train.py"))
    parser.add_argument("--separate", action="store_true", help="a program of its own each, under `breakeven run`")
    parser.add_argument("--cpus", type=int, default=6, help="that all run on (6)")
    parser.add_argument("--imports", default="torch", help="what is imported before the forks (torch)")
    parser.add_argument("--json", help="all times go there")
    asked = parser.parse_args()
    asked.ways = asked.ways.split(",")
    if "plain" not in asked.ways or set(asked.ways) - set(WAYS):
        parser.error(f"--ways: plain and some of {', '.join(list(WAYS)[1:])}")
    if "watched" in asked.ways and not asked.separate:
        parser.error("--ways watched: with --separate")
    asked.library = os.path.join(os.path.dirname(os.path.abspath(asked.program)), "libbreakeven_trace.so")
    asked.once = separate if asked.separate else forked
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:asked.cpus])
    if not asked.separate:
        __import__(asked.imports)
    rounds = measure(asked)
    table(asked, rounds)
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump([{way: vars(run) for way, run in one.items()} for one in rounds], file)


if __name__ == "__main__":
    main()
