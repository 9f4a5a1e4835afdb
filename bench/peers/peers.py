"""Other programs' times for one computation: `peers.py WORKLOAD --PARAM VALUE ...`, or with --serve
a line of the same arguments at a time from stdin, the data kept from one line to the next where it
is the same. One JSON line a case. `--workloads` alone: one line with the workloads that have peers.

Each peer is written as its good user would write it: arrays there before the clock starts, outputs
reused where the library allows it, warmed up, and waited for before the clock is read. "as written"
is the code as published, or as near as that can be told. What is not installed, or has no device,
is left out, and said once on stderr. Every result is checked against NumPy in float64: the
tolerances stand in the first lines of each file of families/.
"""

import argparse
import gc
import importlib
import json
import os
import pathlib
import shlex
import sys

FAMILIES = pathlib.Path(__file__).resolve().parent / "families"


def workloads():
    """What the files of families/ have, by name."""
    found = {}
    for path in sorted(FAMILIES.glob("*.py")):
        more = importlib.import_module(f"families.{path.stem}").WORKLOADS
        twice = set(found) & set(more)
        if twice:
            raise SystemExit(f"peers: {path.name}: another file has {', '.join(twice)} already")
        found |= more
    return found


def whole(word):
    number = float(word)
    if number != int(number) or number < 0:
        raise argparse.ArgumentTypeError(f"not a whole number: {word}")
    return int(number)


def common(parser):
    parser.add_argument("--budget", type=float, default=0.5, help="seconds of samples a case")
    parser.add_argument(
        "--longest", type=float, default=20.0, help="seconds a call may take, where that is known"
    )
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="peers with this in the name, or one of a,b,c"
    )
    parser.add_argument("--exactly", default="", metavar="NAME", help="the one peer of this name")
    parser.add_argument("--list", action="store_true", help="only the names, as `peers`")
    parser.add_argument(
        "--no-fewer", action="store_true", help="none on one core of those that can use all"
    )
    parser.add_argument("--cpu-only", action="store_true", help="no GPU")
    parser.add_argument("--gpu-only", action="store_true", help="nothing on the CPU")
    parser.add_argument("--placement", default="", metavar="NAME,...", help="on a GPU; default: all")
    parser.add_argument("--threads", type=whole, default=len(os.sched_getaffinity(0)))


def arguments(known):
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    several = parser.add_subparsers(dest="workload", required=True, metavar="WORKLOAD")
    for name, workload in known.items():
        one = several.add_parser(name, allow_abbrev=False)
        for index, (parameter, preset) in enumerate(workload.parameters.items()):
            flags = [f"--{parameter}"] + ["--size"] * (index == 0 and parameter != "size")
            one.add_argument(*flags, type=whole, default=preset, dest=parameter)
        one.add_argument("--type", choices=workload.dtypes, default=workload.dtypes[0])
        common(one)
    return parser


def asked_for(name, only):
    return any(part in name for part in only.split(","))


def full_name(where, peer):
    words = [where] + [peer.detail] * bool(peer.detail) + ["as written"] * peer.as_written
    return " ".join(words)


class Runner:
    def __init__(self):
        self.workloads = workloads()
        self.parser = arguments(self.workloads)
        self.left_out = set()
        self.kept = (None, None)  # the last problem, and what it was made from

    def names(self, workload, options):
        from libraries import ways

        several = [full_name(w, p) for p in workload.peers for w, _ in ways(p, options)]
        return [name for name in several if asked_for(name, options.only)]

    def problem(self, workload, options):
        from problem import room_for

        parameters = {name: getattr(options, name) for name in workload.parameters}
        key = (options.workload, options.type, tuple(parameters.values()), options.threads)
        if self.kept[0] != key:
            self.kept = (None, None)
            gc.collect()
            made = workload.build(parameters, options.type, room_for(options.threads))
            self.kept = (key, made)
        return self.kept[1]

    def cases(self, workload, problem, options):
        """Cases of every peer that is here and asked for. Why one is not is said once."""
        from libraries import ways

        for peer in workload.peers:
            for where, cases in ways(peer, options):
                name = full_name(where, peer)
                if options.exactly not in ("", name) or not asked_for(name, options.only):
                    continue
                try:
                    yield from cases(peer, problem, options)
                except Exception as error:  # each library has its own ways to say that it cannot
                    self.leave_out(where, name, problem, error)
                gc.collect()

    def leave_out(self, where, name, problem, error):
        from measure import first_line

        text = str(error).lower()
        missing = isinstance(error, ImportError) or "no device" in text or "backend" in text
        subject = where if missing else f"{problem.workload}, {name}"
        if subject not in self.left_out:
            print(f"peers: {subject}: left out: {first_line(error)}", file=sys.stderr, flush=True)
        self.left_out.add(subject)

    def run(self, words):
        from measure import measure

        if words == ["--workloads"]:
            print(json.dumps({"workloads": sorted(self.workloads)}), flush=True)
            return
        options = self.parser.parse_args(words)
        workload = self.workloads[options.workload]
        if options.list:
            print(json.dumps({"peers": self.names(workload, options)}), flush=True)
            return
        problem = self.problem(workload, options)
        head = {"workload": problem.workload, "dtype": problem.dtype}
        head |= {"parameters": problem.parameters}
        head["size"] = next(iter(problem.parameters.values()))
        for case in self.cases(workload, problem, options):
            line = {name: getattr(case, name) for name in ("peer", "version", "placement")}
            line |= {"threads": case.threads, "as_written": case.as_written}
            line |= head | measure(case, problem, options.budget)
            print(json.dumps(line), flush=True)
            del case


def serve(runner):
    """A line in: what to run. A line {"done": ...} out: it was run."""
    for line in sys.stdin:
        try:
            runner.run(shlex.split(line))
            error = None
        except SystemExit:
            error = "a usage error"
        except Exception as problem:
            error = (str(problem) or type(problem).__name__).splitlines()[0]
        gc.collect()
        print(json.dumps({"done": True, "error": error}), flush=True)


def main():
    # Before anything is imported that would read them.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    if "--cpu-only" in sys.argv:
        os.environ["JAX_PLATFORMS"] = "cpu"
    runner = Runner()
    if "--serve" in sys.argv:
        serve(runner)
    else:
        runner.run(sys.argv[1:])


if __name__ == "__main__":
    main()
