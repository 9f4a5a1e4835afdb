"""Ours beside every other program that is here, in turn, on the same cores, in one sitting.

usage: versus.py PROGRAM [--peers-python PYTHON] [OPTION...]     (bench/versus.sh finds the peers)

A round is one run of `breakeven compare` for each variant of ours and one of each peer, in random order;
each gives the median of its calls, and the ratio of a round is the peer's median over ours. (The first
round tells which variants are worth that, in one run of them all, where each finds the caches as others
left them.) Peers live in one process for a workload and number of cores, which keeps the data between
rounds. The result of every peer is checked in each round. Writes OUT/versus.md and OUT/versus.json, again after each case.
"""

import argparse
import json
import os
import pathlib
import queue
import random
import shlex
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "peers"))

import program  # noqa: E402
from cases import CASES, PEER_TYPES, chosen, every, strangers  # noqa: E402
from medians import middle  # noqa: E402
from table import document, joined  # noqa: E402

SLOWER = 4  # a peer so many times slower than the best in the first round is not run again
OURS_SLOWER = 3  # the same of our own variants
SETTLED_S = 0.1  # all cores idle for so long, and the next turn begins
SETTLE_S = 1  # or after so long
THREADS_OF = ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB", "BLIS")


def first(pair):
    return pair[0]


def say(text):
    print(f"versus: {text}", file=sys.stderr, flush=True)


def environment(threads):
    """What the libraries read of the number of threads, which affinity alone does not tell all."""
    found = dict(os.environ)
    for name in THREADS_OF:
        found[f"{name}_NUM_THREADS"] = str(threads)
    # torch.compile would start a process for each core, and they work on in others' turns.
    found["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    if threads == 1:
        found["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    return found


def busy_seconds(cores):
    """How long these have worked since the machine started, whoever for; 0 where nothing says so."""
    try:
        lines = pathlib.Path("/proc/stat").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    rows = [line.split() for line in lines]
    user_nice_system = [sum(map(int, r[1:4])) for r in rows if r[0] in {f"cpu{c}" for c in cores}]
    return sum(user_nice_system) / os.sysconf("SC_CLK_TCK")


def settle(cores):
    """What the turn before left at work (threads that spin for more, processes that end) is waited for,
    SETTLE_S at most: somebody else may be here as well."""
    until = time.monotonic() + SETTLE_S
    while time.monotonic() < until:
        since = busy_seconds(cores)
        time.sleep(SETTLED_S)
        if busy_seconds(cores) - since <= SETTLED_S / 5:  # of one core; the clock has ticks of 10 ms
            return


class Peers:
    """The process that runs other programs' code, pinned to some cores."""

    def __init__(self, options, cores, gpu):
        self.options, self.cores, self.gpu, self.said = options, cores, gpu, []
        self.process = None

    def start(self):
        command = [self.options.peers_python, "-W", "ignore", str(HERE / "peers" / "peers.py")]
        self.process = subprocess.Popen(
            command + ["--serve", "--gpu-only" if self.gpu else "--cpu-only"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(len(self.cores)),
            preexec_fn=lambda: os.sched_setaffinity(0, self.cores),
        )
        self.lines = queue.Queue()
        for stream, keep in ((self.process.stdout, True), (self.process.stderr, False)):
            threading.Thread(target=self.read, args=(stream, self.lines, keep), daemon=True).start()

    def read(self, stream, lines, keep):
        for line in stream:
            if keep and line.startswith("{"):
                lines.put(json.loads(line))
            elif line.startswith("peers: ") and line.strip() not in self.said:
                self.said.append(line.strip())
        if keep:
            lines.put(None)

    def ask(self, words):
        """The lines that the peers answer with. Raises RuntimeError when they end or hang."""
        if not self.process:
            self.start()
        where = "--gpu-only" if self.gpu else "--cpu-only"
        if words != ["--workloads"]:
            words = [*words, where, f"--threads={len(self.cores)}", "--no-fewer"]
        found, until = [], time.monotonic() + self.options.limit
        try:
            print(shlex.join(words), file=self.process.stdin, flush=True)
            while True:
                line = self.lines.get(timeout=max(0.1, until - time.monotonic()))
                if line is None:
                    raise RuntimeError("its process ended")
                if "done" in line:
                    if line["error"]:
                        raise RuntimeError(line["error"])
                    return found
                found.append(line)
        except queue.Empty:
            self.stop()
            raise RuntimeError(f"over {self.options.limit:.0f} s") from None
        except (BrokenPipeError, RuntimeError):
            if self.process and self.process.poll() is not None:
                self.stop()
            raise

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None


def beats_limit(result):
    """Whether some call took less time than the hardware is said to need."""
    if result["status"] == "impossible":
        return True
    return result["status"] == "ok" and result["phases"]["total"]["min_s"] < (result.get("limit_s") or 0)


def parameters(case):
    return [f"--{name}={value}" for name, value in case.parameters.items()]


class Block:
    """One case on some cores, or on the GPU: all rounds of it."""

    def __init__(self, run, case, cores, gpu):
        self.run, self.case, self.cores, self.gpu = run, case, cores, gpu
        self.ours, self.theirs = {}, {}  # {(name, placement): {round: seconds}}
        self.limits = {}  # {(variant, placement): (seconds that the hardware needs, what of it)}
        self.least = {}  # {(whose, name, placement): seconds}, of all calls of all rounds
        self.versions, self.problems, self.kept = {}, {}, []
        self.peers = run.peers(cores, gpu)
        self.refused = self.title = None
        self.no_peer = False  # whether nobody has written one

    def where(self):
        return "cuda:0" if self.gpu else f"{len(self.cores)} core" + "s" * (len(self.cores) > 1)

    def problem(self, who, text):
        self.problems.setdefault(f"{who}: {text}", 0)
        self.problems[f"{who}: {text}"] += 1

    def command(self, machine, variants=""):
        options, case = self.run.options, self.case
        threads = len(self.cores)
        words = [options.program, "compare", case.workload, *parameters(case), *case.ours]
        words += [f"--device={'cuda:0' if self.gpu else 'cpu'}", f"--threads={threads}"]
        words += [f"--cache={options.cache}", "--no-refine", "--quiet"]
        words += [f"--budget={options.budget}", f"--machine={machine}"]
        words += [f"--type={case.type}"] * ((case.workload, case.type) not in PEER_TYPES)
        if self.gpu and options.placement:
            words.append(f"--placement={options.placement}")
        return words + [f"--variant={variants}"] * bool(variants)

    def our_results(self, machine, variants):
        path = self.run.scratch / "ours.json"
        path.unlink(missing_ok=True)
        try:
            done = subprocess.run(
                [*self.command(machine, variants), f"--json={path}"],
                capture_output=True,
                text=True,
                timeout=self.run.options.limit,
                env=environment(len(self.cores)),
                preexec_fn=lambda: os.sched_setaffinity(0, self.cores),
            )
        except subprocess.TimeoutExpired:
            self.problem("ours", f"over {self.run.options.limit:.0f} s")
            return []
        if done.returncode not in (0, 4) or not path.exists():
            said = done.stderr.split("\n\n")[0]
            self.refused = " ".join(said.split()) or f"ended with {done.returncode}"
            return []
        whole = json.loads(path.read_text(encoding="utf-8"))
        self.run.machine = self.run.machine or whole
        return [r for r in whole["results"] if self.gpu == (r["placement"] != "host")]

    def note(self, whose, name, number, median, least):
        times = self.ours if whose == "ours" else self.theirs
        times.setdefault(name, {})[number] = median
        key = (whose, *name)
        self.least[key] = min(least, self.least.get(key, least))

    def turn_of_ours(self, number, variants):
        settle(self.cores)
        results = self.our_results(self.run.profile, variants)
        if any(map(beats_limit, results)) and self.run.profile != "none":
            results = self.our_results("none", variants)  # the machine was slower when it was measured
        for r in results:
            self.title = r["title"]
            name = (r["variant"], r["placement"])
            if r["status"] == "ok" and r["variant"] != "as-published":
                total = r["phases"]["total"]
                self.note("ours", name, number, total["median_s"], total["min_s"])
                if r.get("limit_s"):  # the least: a busy moment makes a ceiling look low
                    limit = (r["limit_s"], r["limit_by"])
                    self.limits[name] = min(self.limits.get(name, limit), limit, key=first)
            elif r["status"] in ("wrong", "failed", "impossible"):
                self.problem("ours", f"{r['variant']} {r['placement']}: {r['status']}: {r['note']}")

    def words(self):
        case = self.case
        return [case.peer or case.workload, *parameters(case), f"--type={case.peer_type()}"]

    def turn_of(self, number, name):
        options = self.run.options
        settle(self.cores)
        try:
            lines = self.peers.ask(
                [*self.words(), f"--exactly={name}", f"--budget={options.budget}"]
                + [f"--longest={options.longest}", f"--placement={options.placement}"]
            )
        except RuntimeError as error:
            self.problem(name, str(error))
            return False
        for line in lines:
            if line["ok"]:
                key = (line["peer"], line["placement"])
                self.note("theirs", key, number, line["median_s"], line["min_s"])
                self.versions[line["peer"]] = line["version"]
                self.asked[key] = name
            else:
                why = line.get("error") or f"wrong: residual {line['residual']}"
                self.problem(f"{line['peer']} {line['placement']}", why)
        return any(line["ok"] for line in lines)

    def names(self):
        """The peers of the case; none of a workload that nobody wrote one for."""
        options = self.run.options
        if self.words()[0] not in self.run.with_peers(self.peers):
            self.no_peer = True
            return []
        listed = self.peers.ask([*self.words(), "--list", f"--only={options.peers}"])
        return list(dict.fromkeys(listed[0]["peers"])) if listed else []

    def measure(self):
        self.asked, names = {}, None
        for number in range(self.run.options.rounds):
            if number == 0:
                # first, so that an unknown workload costs nothing
                self.turn_of_ours(0, self.case.variants)
                if self.refused:
                    return
                names = self.names()
                turns = random.sample(names, len(names))
                names = [name for name in turns if self.turn_of(0, name)]
                self.leave_slow(names)
                continue
            # none in the first round: all have another chance
            turns = [(self.turn_of_ours, name) for name in self.kept or [self.case.variants]]
            turns += [(self.turn_of, name) for name in names]
            for turn, name in random.sample(turns, len(turns)):
                turn(number, name)

    def leave_slow(self, names):
        """Only what has a chance to be the fastest of some placement takes part in all rounds."""
        fast = {self.asked[key] for key in quickest(self.theirs, SLOWER)}
        names[:] = [name for name in names if name in fast]
        self.kept = list(dict.fromkeys(name for name, _ in quickest(self.ours, OURS_SLOWER)))


def quickest(times, factor):
    """The names that are within a factor of the fastest of their placement."""
    best = {}
    for (_, placement), rounds in times.items():
        median = middle(sorted(rounds.values()))
        best[placement] = min(median, best.get(placement, median))
    return [k for k, r in times.items() if middle(sorted(r.values())) <= factor * best[k[1]]]


class Run:
    def __init__(self, options, known):
        self.options, self.known, self.machine, self.blocks = options, known, None, []
        self.servers, self.said, self.peered = {}, [], None
        self.folder = tempfile.TemporaryDirectory()
        self.scratch = pathlib.Path(self.folder.name)
        self.profile, self.load = options.machine, os.getloadavg()[0]
        self.cores = len(os.sched_getaffinity(0))
        self.date = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
        if not self.profile:
            self.probe()

    def probe(self):
        """What ours takes its limits from, once instead of each time."""
        self.profile = str(self.scratch / "profile.json")
        device = "cpu,cuda:0" if self.options.gpu else "cpu"
        command = [self.options.program, "probe", "--quick", "--quiet", f"--device={device}"]
        done = subprocess.run([*command, f"--output={self.profile}"], capture_output=True)
        if done.returncode or not pathlib.Path(self.profile).exists():
            self.profile = "none"

    def peers(self, cores, gpu):
        """One process for the same cores; others are ended, so that they hold no memory."""
        key = (tuple(cores), gpu)
        for other in [k for k in self.servers if k != key]:
            self.servers[other].stop()
        return self.servers.setdefault(key, Peers(self.options, cores, gpu))

    def with_peers(self, peers):
        """The workloads that peers have code for, as they say it."""
        if self.peered is None:
            self.peered = peers.ask(["--workloads"])[0]["workloads"]
            wrong = strangers(self.peered, self.known)
            if wrong:
                raise SystemExit(
                    f"bench/peers has code for {', '.join(wrong)}, which {self.options.program} does not have"
                )
        return self.peered

    def places(self):
        cores = sorted(os.sched_getaffinity(0))
        if self.options.gpu:
            return [(cores, True)]
        counts = {"1": [cores[-1]], "all": cores}
        several = [counts.get(word) or cores[-int(word) :] for word in self.options.threads.split(",")]
        return [(list(c), False) for c in dict.fromkeys(map(tuple, several))]

    def run(self, cases):
        began = time.monotonic()
        # Place by place: what is pinned to one core stays there, and nothing is started again.
        for cores, gpu in self.places():
            for case in cases:
                if time.monotonic() - began > self.options.total:
                    self.said.append(f"not begun after {self.options.total:.0f} s: {case.label()}")
                    continue
                block = Block(self, case, cores, gpu)
                since, load = time.monotonic(), os.getloadavg()[0]
                block.measure()
                block.load = load
                if block.refused:
                    self.said.append(f"{case.label()}, ours: {block.refused}")
                else:
                    self.blocks.append(block)
                took = time.monotonic() - since
                say(f"{case.label()}, {block.where()}: {took:.0f} s{', refused' if block.refused else ''}")
                self.write()
            for server in self.servers.values():
                self.said += [text for text in server.said if text not in self.said]
        for server in self.servers.values():
            server.stop()
        return self.write()

    def write(self):
        report = joined(self)
        out = pathlib.Path(self.options.out)
        out.mkdir(parents=True, exist_ok=True)
        (out / "versus.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
        text = document(report)
        (out / "versus.md").write_text(text, encoding="utf-8")
        return text


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    add = parser.add_argument
    add("program")
    add("--peers-python", default=sys.executable, help="an interpreter that has NumPy, Numba, ...")
    add("--only", default="", metavar="WORKLOAD,...", help="ours, or the peers' word for one, as svd; default: all")
    add("--peers", default="", metavar="TEXT,...", help="peers with one of these in their name")
    add("--size", default="", metavar="N,...", help="instead of the sizes there are")
    add("--device", default="cpu", help="cpu, or cuda:0")
    add("--placement", default="", metavar="NAME,...", help="on a GPU: copy, preload, resident")
    add("--threads", default="1,all", help="cores: default 1,all")
    add("--rounds", type=int, default=5)
    add("--budget", type=float, default=0.2, help="seconds of samples a turn")
    add("--cache", default="hot", choices=("hot", "cold"))
    add("--machine", default="", help="a profile, or none; default: a quick probe, before all")
    add("--limit", type=float, default=300, help="seconds a turn may take")
    add("--longest", type=float, default=20, help="seconds a call of a peer may take")
    add("--total", type=float, default=86400, help="no new case after so many seconds")
    add("--quick", action="store_true", help="one size of each workload")
    add("--targets", action="store_true", help="only cases with a time to reach on an H200")
    add("--out", default="results", help="folder for versus.md and versus.json")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    options.gpu = options.device != "cpu"
    if options.gpu and options.device != "cuda:0":
        parser.error("--device: cpu, or cuda:0, which is what the peers use")
    return options


def main():
    options = arguments()
    size_list = [int(float(word)) for word in options.size.split(",") if word]
    names = [word for word in options.only.split(",") if word]
    where = "gpu" if options.gpu else "cpu"
    known = program.workloads(options.program)
    wrong = program.unknown([name for name in names if name not in {c.peer for c in CASES}], known)
    if wrong:
        sys.exit(f"versus: --only {','.join(wrong)}: no such workload; there are: {', '.join(known)}")
    cases = chosen(names, where, options.quick, size_list, options.targets, every(known))
    sys.stdout.write(Run(options, known).run(cases))


if __name__ == "__main__":
    main()
