"""Do two tools that watched the same seconds say the same? Numbers in, verdicts out; reads nothing itself.

Compared are phases in which the same is done over and over, without their first second: a value of nvidia-smi is a
mean of up to a second before it, and what we hold is up to a second old. In each phase a tool's values have a least and
a most. Two tools are apart by as much as these two ranges miss each other, and agree where that is at most the
resolution in every phase.
"""

SETTLE_S = 1.1  # of a phase, before what we say is of it alone

# What of nvidia-smi is which signal of ours, in its unit: its name in dmon, in --query-gpu, our signal, factor,
# resolution, and which share of the value that is where it is more, as said.
COLUMNS = (
    ("sm", "utilization.gpu", "gpu_busy", 100, 1, 0, "1 %"),
    ("mem", "utilization.memory", "gpu_memory_busy", 100, 1, 0, "1 %"),
    ("pclk", "clocks.sm", "gpu_clock", 1e-6, 15, 0, "15 MHz, a step"),
    ("mclk", "clocks.mem", "gpu_memory_clock", 1e-6, 1, 0, "1 MHz"),
    ("pwr", "power.draw", "gpu_power", 1, 5, 0, "5 W"),  # nvidia-smi --help-query-gpu: "within +/- 5 watts"
    ("gtemp", "temperature.gpu", "gpu_temperature", 1, 1, 0, "1 C"),
    ("rxpci", None, "gpu_bus_in", 1e-6, 5, 0.05, "5 %, 5 MB/s"),
    ("txpci", None, "gpu_bus_out", 1e-6, 5, 0.05, "5 %, 5 MB/s"),
    ("fb", "memory.used", "gpu_memory", 2**-20, 1, 0, "1 MiB"),
)


def number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def steady(phase):
    """Of a phase, (name, begin, end): from when to when all that we say is of it."""
    return phase[1] + SETTLE_S, phase[2]


def ours_in(rows, phase, signal, factor=1.0):
    """Our values of a phase: `rows` are ticks with `from` and `to`, as epoch."""
    begin, end = steady(phase)
    inside = [row.get(signal + ".0") for row in rows if row["from"] >= begin and row["to"] <= end]
    return [value * factor for value in inside if value is not None]


def theirs_in(rows, phase, column):
    """Another tool's: `rows` are (earliest and latest time that a line can be of, values by name)."""
    inside = [row[2].get(column) for row in rows if row[0] >= phase[1] and row[1] <= phase[2]]
    return [value for value in inside if value is not None]


def apart(one, other):
    """By how much the ranges of two lists miss each other; 0 where they meet."""
    return max(0.0, min(one) - max(other), min(other) - max(one))


def compare(ours, theirs, phases, columns):
    """For each of `columns`, (name of theirs, signal, factor, resolution, share, as said), a row to print."""
    for column, signal, factor, resolution, share, said in columns:
        worst, count, sums = (-1.0, 0.0, "", True), 0, [0.0, 0.0]
        for phase in phases:
            one, other = ours_in(ours, phase, signal, factor), theirs_in(theirs, phase, column)
            if not one or not other:
                continue
            count += 1
            means = [sum(values) / len(values) for values in (one, other)]
            sums = [a + b for a, b in zip(sums, means)]
            allowed = max(resolution, share * max(map(abs, means)))
            away = apart(one, other)
            worst = max(worst, (away / allowed, away, phase[0], away <= allowed))
        yield {"what": column, "signal": signal, "phases": count, "resolution": said,
               "ours": sums[0] / count if count else None, "theirs": sums[1] / count if count else None,
               "apart": worst[1] if count else None, "phase": worst[2] if count and worst[1] > 0 else "",
               "verdict": "-" if not count else "yes" if worst[3] else "NO"}


def of_dmon(text, when):
    """Lines of `nvidia-smi dmon -o DT`, of the first GPU. A line has whole seconds: what it is of, up to a second
    before, may begin a second before its time and ends within the second. `when` makes an epoch of date and time."""
    names, rows = [], []
    for line in text.splitlines():
        words = line.replace("#", " ").split()
        if "#" in line:
            names = [word.lower() for word in words] if "gpu" in words else names
            continue
        values = dict(zip(names, words)) if len(words) == len(names) else {}
        second = when(values.get("date", ""), values.get("time", ""))
        if second is not None and values.get("gpu") == "0":
            values.setdefault("gtemp", values.get("temp"))
            rows.append((second - 1, second + 1, {name: number(value) for name, value in values.items()}))
    return rows


def dmon_columns():
    return [(dmon, *rest) for dmon, _, *rest in COLUMNS]


def query_columns():
    return [(query, *rest) for _, query, *rest in COLUMNS if query]


# GPM beside ncu, on kernels of known shape: which counter on which phases. Named as in table.py.
KNOWN = (
    ("SM", ("fma32 full", "fma32 1 block an SM", "fma32 half the SMs", "fma64 full")),
    ("occ", ("fma32 full", "fma32 1 block an SM", "fma32 half the SMs", "fma64 full")),
    ("tens", ("matmul tf32", "matmul bf16")),
    ("fp32", ("fma32 full", "fma32 1 block an SM", "fma32 half the SMs")),
    ("fp64", ("fma64 full",)),
    ("dram", ("add",)),
)


def compare_counters(pairs):
    """`pairs`: counter -> {phase: (ours, ncu's)}, in percent. They are to be within 5 % of what ncu says."""
    for counter, names in KNOWN:
        found = [(name, *pairs.get(counter, {}).get(name, (None, None))) for name in names]
        found = [one for one in found if one[1] is not None and one[2] is not None]
        worst = max(((abs(a - b) / max(b, 0.01), abs(a - b), name) for name, a, b in found), default=None)
        count = len(found)
        yield {"what": counter, "signal": "GPM", "phases": count, "resolution": "5 % of it",
               "ours": sum(one[1] for one in found) / count if count else None,
               "theirs": sum(one[2] for one in found) / count if count else None,
               "apart": worst[1] if worst else None, "phase": worst[2] if worst else "",
               "verdict": "-" if not worst else "yes" if worst[0] <= 0.05 else "NO"}
