#!/usr/bin/env python3
"""What tracing costs a training of short kernels (MNIST's shape, batch 64), on a machine with a GPU.

    bench/trace_cost.py BUILD/breakeven [--budget SECONDS] [--ways NAME,...] [--turn SECONDS] [--cpus N]
                        [--vary NAME:VARIABLE=VALUE,...]... [--json FILE]

Programs that do the same differ by a tenth from start to start, so the ways are not run one after the other: all
are started at once, and then work in short turns, in an order that changes, each alone on the same CPUs and the same
GPU. The machine's own speed drifts within seconds, so the shorter the turns, the more alike are those of a round. The
sum of all turns counts, since windows are rare; its interval is of stretches of ten rounds, drawn again and again.
A way:
  plain     the training by itself
  control   the same once more: what two programs that do the same differ by here
  watched   under `breakeven run`
  traced    under `breakeven run --trace`
  paced     the same, with as large a share of its own turns looked at as of all its time if it were alone
  library   the library of --trace alone, without what watches
  closed    the library with almost no window
  full      the library with one window all the time
--vary adds one like `library`, with variables of the library (docs/gpu-signals.md) set.

The others' turns are idle time to a traced program, and windows are spread over all its time: with N ways it has up
to N times as many of them in its own turns as it would have by itself, each of which may cost it its share. So where
--trace is said to cost C % by `traced`, it costs at most that; `paced` asks for an N-th of the share.
"""
import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
WAYS = {"plain": ([], None), "control": ([], None), "watched": (["--quiet"], None),
        "traced": (["--quiet", "--trace"], None), "paced": None, "library": ([], {}),
        "closed": ([], {"BREAKEVEN_TRACE_SHARE": "0.00001"}), "full": ([], {"BREAKEVEN_TRACE_SHARE": "1000"})}

LATER_SHARE = 0.005  # of its time that looking may cost a program, after the first windows (inject/trace.c)
STRETCH = 10  # rounds, about a second: what follows each other so closely is not independent

# ---- programs ---------------------------------------------------------------------------------------


class Program:
    """One way's training. It is told how many blocks to do, and answers with the seconds of each."""

    def __init__(self, asked, name, folder):
        options, variables = asked.all_ways[name]
        self.name, self.folder = name, os.path.join(folder, name)
        os.mkdir(self.folder, 0o700)
        words = [sys.executable, asked.train, "turns", str(asked.block)]
        environment = dict(os.environ)
        if options:
            trace = os.path.join(self.folder, "trace.json")
            words = [asked.program, "run", *options, f"--trace-file={trace}", "--", *words]
        elif variables is not None:
            environment.update(BREAKEVEN_TRACE_FOLDER=self.folder, CUDA_INJECTION64_PATH=asked.library)
        environment.update(variables or {})
        self.process = subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.turns = []  # lists of seconds

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.name}: ended, exit code {self.process.wait()}")
        return line.split()

    def turn(self, blocks):
        self.process.stdin.write(f"{blocks}\n")
        self.process.stdin.flush()
        return [float(word) for word in self.read()]

    def end(self):
        """Exit code, and what the library says of its looks."""
        self.process.stdin.close()
        code = self.process.wait(timeout=30)
        trace = os.path.join(self.folder, "trace.json")
        if not os.path.exists(trace):
            return code, read_record(self.folder)
        with open(trace, encoding="utf-8") as file:
            sources = json.load(file)["sources"]
        return code, " ".join(one["detail"] or one["absent"] or "" for one in sources if one["name"] == "cupti")


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
        return (f"{reason} looked {1e-9 * traced:.2f} of {1e-9 * (now - start):.2f} s, {windows} windows, "
                f"{records} records, own CPU {1e-6 * own:.0f} ms").strip()
    return ""


# ---- rounds -----------------------------------------------------------------------------------------


def measure(asked, programs):
    """Rounds until the time is over; each turn's blocks are kept by its program."""
    begin = time.monotonic()
    for one in programs:
        one.read()  # ready
    print(f"[{time.monotonic() - begin:4.0f} s] all {len(programs)} are ready", flush=True)
    seconds = [sum(one.turn(2)) / 2 for one in programs]
    blocks = max(1, round(asked.turn / min(seconds)))
    rounds = 0
    while time.monotonic() - begin < asked.budget or rounds < 2:
        order = programs[rounds % len(programs):] + programs[:rounds % len(programs)]
        for one in order if rounds % 2 else order[::-1]:
            one.turns.append(one.turn(blocks))
        rounds += 1
    return blocks, rounds


def ratio_interval(turns, plain):
    """Sum over sum, and the 95 % interval by drawing stretches of rounds again and again."""
    step = STRETCH if len(turns) >= 10 * STRETCH else 1
    own, other = ([sum(map(sum, all[i:i + step])) for i in range(0, len(all), step)] for all in (turns, plain))
    generator, drawn = random.Random(1), []
    for _ in range(4000):
        some = generator.choices(range(len(own)), k=len(own))
        drawn.append(sum(own[i] for i in some) / sum(other[i] for i in some))
    drawn.sort()
    return sum(own) / sum(other), drawn[100], drawn[-101]


def block_at(turns, share):
    blocks = sorted(block for one in turns for block in one)
    return blocks[min(int(share * len(blocks)), len(blocks) - 1)]


def table(asked, programs, blocks, rounds):
    print(f"\n{rounds} rounds; a turn is {blocks} blocks of {asked.block} steps; {asked.cpus} CPUs, load average "
          f"{os.getloadavg()[0]:.1f}\n")
    print("| way | a turn | beside plain | its blocks at 10 % | 50 % | 90 % |\n| --- | --- | --- | --- | --- | --- |")
    plain = programs[0].turns
    for one in programs:
        ratio = [100 * (value - 1) for value in ratio_interval(one.turns, plain)]
        shares = [100 * (block_at(one.turns, share) / block_at(plain, share) - 1) for share in (0.1, 0.5, 0.9)]
        mean = sum(map(sum, one.turns)) / rounds
        print(f"| {one.name} | {mean:.3f} s | " + ("| | | |" if one is programs[0] else
              f"{ratio[0]:+.2f} % ({ratio[1]:+.2f} .. {ratio[2]:+.2f}) | " +
              " | ".join(f"{share:+.1f} %" for share in shares) + " |"))


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--budget", type=float, default=95, help="seconds for all of it (95)")
    parser.add_argument("--ways", default="plain,control,traced,paced", help="(plain,control,traced,paced)")
    parser.add_argument("--vary", action="append", default=[], metavar="NAME:VARIABLE=VALUE,...")
    parser.add_argument("--turn", type=float, default=0.05, help="seconds of a turn, at least a block (0.05)")
    parser.add_argument("--block", type=int, default=25, help="steps timed together (25)")
    parser.add_argument("--train", default=os.path.join(HERE, "gpu_watch", "train.py"))
    parser.add_argument("--cpus", type=int, default=6, help="that all run on (6)")
    parser.add_argument("--json", help="all times go there")
    asked = parser.parse_args()
    asked.all_ways = dict(WAYS)
    asked.ways = asked.ways.split(",")
    for one in asked.vary:
        name, _, settings = one.partition(":")
        asked.all_ways[name] = ([], dict(setting.split("=", 1) for setting in settings.split(",") if setting))
        asked.ways.append(name)
    asked.all_ways["paced"] = (WAYS["traced"][0], {"BREAKEVEN_TRACE_SHARE": str(LATER_SHARE / len(asked.ways))})
    if asked.ways[0] != "plain" or set(asked.ways) - set(asked.all_ways):
        parser.error(f"--ways: plain, then some of {', '.join(list(WAYS)[1:])}")
    asked.library = os.path.join(os.path.dirname(os.path.abspath(asked.program)), "libbreakeven_trace.so")
    return asked


def main():
    asked = read_arguments()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:asked.cpus])
    with tempfile.TemporaryDirectory() as folder:
        programs = [Program(asked, name, folder) for name in asked.ways]
        blocks, rounds = measure(asked, programs)
        for one in programs:
            code, looked = one.end()
            print(f"{one.name:8} exit code {code}  {looked}", flush=True)
    table(asked, programs, blocks, rounds)
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump({one.name: one.turns for one in programs}, file)


if __name__ == "__main__":
    main()
