"""bench/faults.sh on machines that this one is not: which program runs when, on which GPU and cores, and
what is left in the end. The GPUs, the frameworks and breakeven are stand-ins; nothing is measured.

    suite.py
"""
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

BREAKEVEN = """
    #!{python} -B
    # Writes down what was started, where; runs it; says that nothing was found.
    import json, os, subprocess, sys, time
    words = sys.argv[1:]
    of = lambda name: words[words.index(name) + 1]
    command = words[words.index("--") + 1:]
    begin = time.monotonic_ns()
    time.sleep(0.05)
    end = time.monotonic_ns()
    trace = {{"run": {{"samples": 50, "host": "h", "pid": 1}}, "sources": [], "processes": [], "threads": [],
             "gpus": [], "findings": [], "ticks": [1, 2], "series": []}}
    json.dump(trace, open(of("--trace-file"), "w"))
    open(of("--output"), "w").write("nothing was found\\n")
    name = os.path.basename(of("--trace-file"))[:-len(".trace.json")]
    with open({log!r}, "a") as log:
        log.write(json.dumps([name, begin, end, os.environ.get("CUDA_VISIBLE_DEVICES"),
                              sorted(os.sched_getaffinity(0))]) + "\\n")
    if name == "t-fp64":
        sys.stderr.write("a word before it broke\\nit broke\\n")
        sys.exit(3)
"""
SMI = """
    #!/bin/sh
    i=0
    while [ "$1" = -L ] && [ $i -lt {gpus} ]; do
        echo "GPU $i: Stand-in (UUID: GPU-$i)"
        i=$((i + 1))
    done
"""


def write(path, text, **values):
    with open(path, "w", encoding="utf-8") as file:
        file.write(textwrap.dedent(text.format(**values)).lstrip())
    os.chmod(path, 0o755)


def suite(folder, gpus, **settings):
    """The script's output, the programs that ran in their order, and what is in its archives."""
    log = os.path.join(folder, "log")
    tools, stubs, results = (os.path.join(folder, name) for name in ("tools", "stubs", "results"))
    for path in (tools, stubs, results):
        os.makedirs(path)
    write(os.path.join(tools, "breakeven"), BREAKEVEN, python=sys.executable, log=log)
    write(os.path.join(tools, "nvidia-smi"), SMI, gpus=gpus)
    for name in ("torch", "cupy", "jax"):
        write(os.path.join(stubs, name + ".py"), "raise SystemExit(0)\n")
    environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", PYTHONPATH=stubs,
                       PYTHON=sys.executable, **settings)
    for name in ("CUDA_VISIBLE_DEVICES", "OUT"):
        environment.pop(name, None)
    done = subprocess.run([os.path.join(ROOT, "bench/faults.sh"), tools, results], env=environment,
                          capture_output=True, text=True, check=False)
    with open(log, encoding="utf-8") as file:
        ran = [json.loads(line) for line in file]
    kept = []
    for name in sorted(os.listdir(results)):
        with tarfile.open(os.path.join(results, name)) as archive:
            kept += [one for one in archive.getnames() if "." in one]
    return done, ran, kept


def overlap(one, other):
    return one[1] < other[2] and other[1] < one[2]


def check(what, right, done):
    if not right:
        sys.exit(f"{what}\n{done.stdout}{done.stderr}")


def one_gpu(folder):
    done, ran, kept = suite(folder, 1, FIRST="t-unused")
    names = [one[0] for one in ran]
    check("two at a time on one GPU", not any(overlap(a, b) for a in ran for b in ran if a is not b), done)
    check("one that needs two GPUs ran on one", "t-idle-second" not in names, done)
    check("it is not said why", "t-idle-second     gpus-uneven             -                              "
          "skipped: needs two GPUs" in done.stdout, done)
    check("not FIRST first, and then those that are seldom seen",
          names[:3] == ["t-unused", "t-tiny-batch", "cp-copies"], done)
    check("not all of them", len(names) == len(set(names)) == 24, done)
    check("a GPU was hidden", all(one[3] is None for one in ran), done)
    check("what was found wrong ends well", done.returncode == 1, done)
    for file in ("faults/cp-good.json", "faults/cp-good.txt", "faults/table.txt", "whole/cp-good.json.gz",
                 "faults/t-fp64.err"):
        check(f"{file} is not kept", file in kept, done)
    check("what a failing program said is not told", "FAILED: exit code 3: it broke" in done.stdout, done)


def two_gpus(folder):
    done, ran, _ = suite(folder, 2, LANES="all")
    names = [one[0] for one in ran]
    check("that which needs both GPUs is not first", names[0] == "t-idle-second" and ran[0][3] is None, done)
    check("not all of them", len(names) == len(set(names)) == 25, done)
    check("GPUs other than 0 and 1", {one[3] for one in ran[1:]} == {"0", "1"}, done)
    for gpu in "01":
        lane = [one for one in ran if one[3] in (gpu, None)]
        check("two at a time on one GPU", not any(overlap(a, b) for a in lane for b in lane if a is not b),
              done)
    cores = [{tuple(one[4]) for one in ran if one[3] == gpu} for gpu in "01"]
    check("the cores of a GPU's programs change", all(len(one) == 1 for one in cores), done)
    shared = set(*cores[0]) & set(*cores[1])
    check(f"programs share cores {shared}", not shared or len(os.sched_getaffinity(0)) == 1, done)


def few(folder):
    done, ran, _ = suite(folder, 1, ONLY="cp-good,t-unused", WARM="0")
    check("not those asked for", [one[0] for one in ran] == ["cp-good", "t-unused"], done)
    check("healthy programs are as expected", done.stdout.count(" ok\n") >= 1, done)


def wrong_name(folder):
    log = os.path.join(folder, "log")
    with open(log, "w", encoding="utf-8"):
        pass
    done, ran, _ = suite(folder, 1, ONLY="cp-godo")
    check("a wrong name is passed over", not ran and "not in table.txt: cp-godo" in done.stderr, done)


def recorded(_):
    """Each program that needs no GPU has a trace that replays."""
    folders = os.path.join(ROOT, "tests/observe/traces")
    kept = {name for folder in os.listdir(folders) if folder.startswith("cpu-")
            for name in os.listdir(os.path.join(folders, folder))}
    with open(os.path.join(ROOT, "bench/faults/table.txt"), encoding="utf-8") as file:
        rows = [line.split(" | ") for line in file if line.strip() and line[0] != "#"]
    without = [row[0] for row in rows if not {"torch", "jax", "cupy"} & set(row[2].split())]
    missing = [name for name in without if name + ".json" not in kept]
    if missing or not without:
        sys.exit(f"no trace was recorded of: {', '.join(missing)}")


for test in (one_gpu, two_gpus, few, wrong_name, recorded):
    with tempfile.TemporaryDirectory() as place:
        test(place)
    print(f"{test.__name__}: ok")
