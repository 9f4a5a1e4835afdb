"""The tables of bench/gpu_watch.sh from what its steps left in a folder.

usage: table.py FOLDER
"""
import csv
import datetime
import os
import re
import statistics
import sys

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


def number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def show(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"


def samples():
    if not os.path.exists(path("phases.csv")):
        return []
    with open(path("phases.csv")) as file:
        return [{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)]


def smi():
    """Lines of "date, util, memory util, used MiB, power W, SM MHz, temperature"; the date as epoch."""
    rows = []
    for line in text("smi.csv").splitlines():
        stamp, *rest = [part.strip() for part in line.split(",")]
        try:
            epoch = datetime.datetime.strptime(stamp, "%Y/%m/%d %H:%M:%S.%f").timestamp()
        except ValueError:
            continue
        if len(rest) == 6:
            rows.append([epoch] + [number(part) for part in rest])
    return rows


def phases():
    for line in text("phases.log").splitlines():
        name, begin, end = line.split("\t")
        yield name, float(begin), float(end)


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
        value = number((row.get(name) or "").replace(",", ""))
        if value is not None:
            return value
    return None


def table_phases():
    ours, other = samples(), smi()
    kernels = ncu()
    print("\n== counters of each phase: GPM (percent of the phase) beside ncu (one kernel of it)")
    print(f"{'phase':22} {'SM':>5} {'ncu':>5} {'occ':>5} {'ncu':>5} {'tens':>5} {'ncu':>5} "
          f"{'fp32':>5} {'ncu':>5} {'fp64':>5} {'ncu':>5} {'dram':>5} {'ncu':>5}")
    for name, begin, end in phases():
        inside = [row for row in ours if row["from"] > begin + 0.25 and row["to"] < end - 0.05]

        def gpm(signal):
            value = mean([row.get(signal + ".0") for row in inside])
            return None if value is None else 100 * value

        row = next_kernel(kernels, name)
        pairs = [
            (gpm("gpu_sm_active"), first(row, "sm__cycles_active.avg.pct_of_peak_sustained_elapsed")),
            (gpm("gpu_sm_occupancy"), first(row, "sm__warps_active.avg.pct_of_peak_sustained_elapsed",
                                            "sm__warps_active.avg.pct_of_peak_sustained_active")),
            (gpm("gpu_tensor"), first(row, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
                                      "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
                                      "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active")),
            (gpm("gpu_fp32"), first(row, "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed",
                                    "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active")),
            (gpm("gpu_fp64"), first(row, "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed",
                                    "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active")),
            (gpm("gpu_dram"), first(row, "dram__throughput.avg.pct_of_peak_sustained_elapsed",
                                    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed")),
        ]
        print(f"{name:22} " + " ".join(f"{show(a):>5} {show(b):>5}" for a, b in pairs))
    print("\n== the same seconds in nvidia-smi (--query-gpu, 5 a second)")
    print(f"{'phase':22} {'n':>3} {'busy':>5} {'smi':>5} {'MB':>7} {'smi':>7} {'W':>6} {'smi':>6} "
          f"{'MHz':>5} {'smi':>5} {'in GB/s':>8} {'out GB/s':>8} {'own':>4} {'other':>5}")
    for name, begin, end in phases():
        inside = [row for row in ours if row["from"] > begin + 0.25 and row["to"] < end - 0.05]
        theirs = [row for row in other if begin + 1.0 < row[0] < end]

        def own(signal, scale=1.0):
            value = mean([row.get(signal + ".0") for row in inside])
            return None if value is None else value * scale

        def smi_mean(column, scale=1.0):
            value = mean([row[column] for row in theirs])
            return None if value is None else value * scale

        print(f"{name:22} {len(inside):3} {show(own('gpu_busy', 100)):>5} {show(smi_mean(1)):>5} "
              f"{show(own('gpu_memory', 2**-20), 0):>7} {show(smi_mean(3), 0):>7} "
              f"{show(own('gpu_power')):>6} {show(smi_mean(4)):>6} "
              f"{show(own('gpu_clock', 1e-6), 0):>5} {show(smi_mean(5), 0):>5} "
              f"{show(own('gpu_bus_in', 1e-9), 2):>8} {show(own('gpu_bus_out', 1e-9), 2):>8} "
              f"{show(own('gpu_own_processes'), 0):>4} {show(own('gpu_foreign_processes'), 0):>5}")


def table_overhead():
    print("\n== training at batch 64: seconds of the steps, and of the whole process, round by round")
    rounds = {}
    for line in text("train.txt").splitlines():
        variant, train, whole = line.split()
        rounds.setdefault(variant, []).append((number(train), number(whole)))
    plain = rounds.get("plain", [])
    for variant, values in rounds.items():
        ratios = [a[0] / b[0] - 1 for a, b in zip(values, plain) if a[0] and b[0]]
        whole = [a[1] / b[1] - 1 for a, b in zip(values, plain) if a[1] and b[1]]
        print(f"{variant:10} " + " ".join(f"{show(a, 3)}/{show(b, 2)}" for a, b in values) +
              (f"   steps {100 * statistics.median(ratios):+.1f} %" if ratios else "") +
              (f"   whole {100 * statistics.median(whole):+.1f} %" if whole else ""))


def table_counts():
    print("\n== known counts beside the trace")
    print(text("known.txt").strip())
    print(re.sub(r"(?m)^(?!state|reason|records|copies|kernels|sync|device|runtime|driver|at::|cost|gaps)"
                 r".*\n?", "", text("known-trace.txt")).strip())
    print("-- torch.profiler, in another run")
    print(text("profiler.txt").strip())


print(text("gpu.txt").strip())
table_phases()
table_overhead()
table_counts()
print("\n== breakeven run --trace around the training")
print(text("run.txt").strip())
print(text("run-train.txt").strip())
print("\n== what went wrong")
print(text("wrong.txt").strip() or "nothing")
