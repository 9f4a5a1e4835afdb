"""The tables of bench/gpu_watch.sh from what its steps left in a folder.

usage: table.py FOLDER
"""
import csv
import datetime
import os
import re
import sys

import agree

if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
    asked = sys.argv[1:] in (["-h"], ["--help"])
    print(__doc__, file=sys.stdout if asked else sys.stderr)
    sys.exit(0 if asked else 2)
folder = sys.argv[1]


def path(name):
    return os.path.join(folder, name)


def text(name):
    try:
        with open(path(name), errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def show(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"


def samples():
    if not os.path.exists(path("phases.csv")):
        return []
    with open(path("phases.csv")) as file:
        return [{key: agree.number(value) for key, value in row.items()} for row in csv.DictReader(file)]


def epoch(stamp, form):
    try:
        return datetime.datetime.strptime(stamp, form).timestamp()
    except ValueError:
        return None


def smi():
    """Lines of --query-gpu: each is of up to a second before its time."""
    rows = []
    for line in csv.DictReader(text("smi.csv").splitlines(), skipinitialspace=True):
        values = {name.split(" [")[0].replace("clocks.current.", "clocks."): value
                  for name, value in line.items() if name and isinstance(value, str)}
        time = epoch(values.get("timestamp", ""), "%Y/%m/%d %H:%M:%S.%f")
        if time is not None:
            rows.append((time - 1, time, {name: agree.number(value) for name, value in values.items()}))
    return rows


def dmon():
    return agree.of_dmon(text("dmon.txt"), lambda date, time: epoch(f"{date} {time}", "%Y%m%d %H:%M:%S"))


def phases():
    found = [line.split("\t") for line in text("phases.log").splitlines()]
    return [(name, float(begin), float(end)) for name, begin, end in found]


KERNELS = {
    "fma32": "fma32", "fma64": "fma64", "int": "mad_int", "add": "elementwise",
    "matmul": "gemm|cutlass|nvjet|xmma|cublas",
}


def ncu():
    """One dict a kernel, in the order of the phases."""
    lines = [line for line in text("ncu.csv").splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(lines)) if lines else []
    return [row for row in rows if row.get("ID", "").strip().isdigit()]


def next_kernel(rows, phase):
    """The next kernel of the phase's sort, taken from the front of `rows`."""
    wanted = KERNELS.get(phase.split()[0])
    while wanted and rows:
        row = rows.pop(0)
        if re.search(wanted, row.get("Kernel Name", "")) and "splitK" not in row["Kernel Name"]:
            return row
    return {}


def first(row, *names):
    for name in names:
        value = agree.number((row.get(name) or "").replace(",", ""))
        if value is not None:
            return value
    return None


COUNTERS = {
    "SM": ("gpu_sm_active", "sm__cycles_active.avg.pct_of_peak_sustained_elapsed"),
    "occ": ("gpu_sm_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_elapsed",
            "sm__warps_active.avg.pct_of_peak_sustained_active"),
    "tens": ("gpu_tensor", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
             "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
             "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active"),
    "fp32": ("gpu_fp32", "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed",
             "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"),
    "fp64": ("gpu_fp64", "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed",
             "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"),
    "dram": ("gpu_dram", "dram__throughput.avg.pct_of_peak_sustained_elapsed",
             "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"),
}


def table_counters(ours):
    """Prints them, and gives counter -> {phase: (ours, ncu's)}."""
    kernels, pairs = ncu(), {name: {} for name in COUNTERS}
    print("\n== counters of each phase: GPM (percent of the phase) beside ncu (one kernel of it)")
    print(f"{'phase':22} " + " ".join(f"{name:>5} {'ncu':>5}" for name in COUNTERS))
    for phase in phases():
        row = next_kernel(kernels, phase[0])
        for name, (signal, *metrics) in COUNTERS.items():
            pairs[name][phase[0]] = (mean(agree.ours_in(ours, phase, signal, 100)), first(row, *metrics))
        print(f"{phase[0]:22} " + " ".join(f"{show(a):>5} {show(b):>5}"
                                           for a, b in (pairs[name][phase[0]] for name in COUNTERS)))
    return pairs


def table_smi(ours, query):
    print("\n== the same seconds in nvidia-smi (--query-gpu, 5 a second)")
    print(f"{'phase':22} {'n':>3} {'busy':>5} {'smi':>5} {'MiB':>7} {'smi':>7} {'W':>6} {'smi':>6} "
          f"{'MHz':>5} {'smi':>5} {'in GB/s':>8} {'out GB/s':>8} {'own':>4} {'other':>5}")
    for phase in phases():

        def own(signal, factor=1.0):
            return mean(agree.ours_in(ours, phase, signal, factor))

        def theirs(column):
            return mean(agree.theirs_in(query, phase, column))

        print(f"{phase[0]:22} {len(agree.ours_in(ours, phase, 'gpu_busy')):3} "
              f"{show(own('gpu_busy', 100)):>5} {show(theirs('utilization.gpu')):>5} "
              f"{show(own('gpu_memory', 2**-20), 0):>7} {show(theirs('memory.used'), 0):>7} "
              f"{show(own('gpu_power')):>6} {show(theirs('power.draw')):>6} "
              f"{show(own('gpu_clock', 1e-6), 0):>5} {show(theirs('clocks.sm'), 0):>5} "
              f"{show(own('gpu_bus_in', 1e-9), 2):>8} {show(own('gpu_bus_out', 1e-9), 2):>8} "
              f"{show(own('gpu_own_processes'), 0):>4} {show(own('gpu_foreign_processes'), 0):>5}")


def table_agreement(ours, query, counters):
    """The short one: does each tool say what we say?"""
    tools = (("dmon", agree.compare(ours, dmon(), phases(), agree.dmon_columns())),
             ("query", agree.compare(ours, query, phases(), agree.query_columns())),
             ("ncu", agree.compare_counters(counters)))
    print("\n== do the others say the same? Means over the phases compared; apart: the most, and in which phase")
    print(f"{'tool':5} {'what':18} {'n':>2} {'ours':>9} {'theirs':>9} {'apart':>7} {'resolution':14} agree")
    for tool, rows in tools:
        for row in rows:
            print(f"{tool:5} {row['what']:18} {row['phases']:2} {show(row['ours']):>9} {show(row['theirs']):>9} "
                  f"{show(row['apart'], 2):>7} {row['resolution']:14} {row['verdict']:3} {row['phase']}".rstrip())


def table_counts():
    print("\n== known counts beside the trace")
    print(text("known.txt").strip())
    print(re.sub(r"(?m)^(?!state|reason|records|copies|kernels|sync|device|runtime|driver|at::|cost|gaps)"
                 r".*\n?", "", text("known-trace.txt")).strip())
    print("-- torch.profiler, in another run")
    print(text("profiler.txt").strip())


watched, queried = samples(), smi()
print(text("gpu.txt").strip())
counted = table_counters(watched)
table_smi(watched, queried)
table_counts()
print("\n== breakeven run --trace around the training")
print(text("run.txt").strip())
print(text("run-train.txt").strip())
print("\n== what went wrong")
print(text("wrong.txt").strip() or "nothing")
table_agreement(watched, queried, counted)
