"""What ours and the peers are both asked to do: workloads, sizes, and what is to be reached.

CASES has what was chosen by hand. A workload of the program that it does not name has cases too, at
its usual sizes, so that no workload is left out; whether there is a peer for it is seen later.
"""

from dataclasses import dataclass, field, replace

CPU, GPU = ("cpu",), ("gpu",)
BOTH = CPU + GPU
PEER_TYPES = {
    ("fft", "float32"): "complex64",
    ("fft2", "float32"): "complex64",
    ("sort", "float32"): "uint32",
}


@dataclass(frozen=True)
class Case:
    workload: str
    parameters: dict  # by the names of the command line
    where: tuple = BOTH
    type: str = "float32"  # as ours calls it
    ratio: float = 1.5  # of the best peer's time on a CPU to ours, to be reached
    numpy: float = 0  # the same of NumPy's
    library: bool = False  # a call of the same library is what either does
    seconds: dict = field(default_factory=dict)  # {placement: seconds to reach} on an H200
    variants: str = ""  # only these of ours: others take minutes
    quick: bool = False  # part of `--quick`, as the first of each workload is
    peer: str = ""  # what the peers call the workload, where they have another word
    ours: tuple = ()  # options that only ours takes

    def peer_type(self):
        return PEER_TYPES.get((self.peer or self.workload, self.type), self.type)

    def label(self):
        words = [f"{name} {number(value)}" for name, value in self.parameters.items()]
        if set(self.parameters) == {"size"}:
            words = [number(self.parameters["size"])]
        words += [self.type] * (self.type != "float32")
        name = f"{self.workload} {self.peer}" if self.peer else self.workload
        return f"{name} {', '.join(words)}"


def number(value):
    """10000000 as 1e7; what has more digits than that as it is."""
    text = f"{value:.0e}".replace("e+0", "e")
    return text if value >= 100_000 and float(text) == value else str(value)


def sizes(workload, *several, **more):
    return [Case(workload, {"size": int(size)}, **more) for size in several]


def solve(systems, order, target_s, **more):
    return Case(
        "solve",
        {"systems": systems, "order": order},
        type="float64",
        seconds={"resident": target_s} if target_s else {},
        **more,
    )


def eigen(systems, order, **more):
    return Case("eigen", {"systems": systems, "order": order}, type="float64", **more)


def svd(systems, order, rows=0, **more):
    parameters = {"systems": systems, "order": order, **({"rows": rows} if rows else {})}
    return Case("eigen", parameters, type="float64", peer="svd", ours=("--what=svd",), **more)


def regress(samples, features, steps, target_s=None, **more):
    parameters = {"samples": samples, "features": features, "steps": steps}
    return Case("regress", parameters, seconds={"resident": target_s} if target_s else {}, **more)


def products(rows, steps, where=BOTH, **more):
    """spmv --steps."""
    parameters = {"rows": rows, "nonzeros": 32, "band": 4096, "steps": steps}
    return Case("spmv", parameters, where, "float64", peer="products", **more)


def fft(kind, size, where=BOTH, quick=False, **more):
    """Peers have each kind by its name."""
    return Case("fft", {"size": size, **more}, where, peer=kind, ours=(f"--kind={kind}",), quick=quick)


def distance(points, where=BOTH, **seconds):
    return Case("distance", {"points": points}, where, "float64", seconds=seconds)


CASES = [
    *sizes("power", 1e7),
    *sizes("power", 3e8, where=GPU),
    *sizes("multiply", 1e7),
    *sizes("multiply", 3e8, where=GPU),
    *sizes("add", 1e7, 1e5),
    *sizes("add", 1e7, type="float64"),
    *sizes("add", 1e8, where=GPU),
    *sizes("axpy", 1e7, 1e5),
    *sizes("axpy", 1e7, type="float64"),
    *sizes("axpy", 1e8, where=GPU),
    *sizes("chain", 1e7, 1e5),
    *sizes("chain", 1e8, where=GPU),
    *sizes("recurrence", 1e7, 1e5),
    *sizes("recurrence", 1e8, where=GPU),
    *sizes("generate", 1e7, type="float64"),
    *sizes("generate", 1e8, type="float64", where=GPU),
    *sizes("reduce", 1e7, 1e5),
    *sizes("reduce", 1e8, where=GPU),
    *sizes("gather", 1e7),
    *sizes("gather", 1e8, where=GPU),
    *sizes("sort", 1e7),
    *sizes("sort", 1e8, where=GPU),
    distance(4096, resident=0.06e-3),
    distance(64),
    distance(800),
    distance(27000, GPU, resident=1.7e-3, preload=0.25),
    Case(
        "distance",
        {"points": 8192, "bins": 256},
        CPU,
        "float64",
        peer="histogram",
        ours=("--consumer=histogram",),
        quick=True,
    ),
    solve(10000, 32, 0.10e-3, numpy=5),
    solve(10, 10, None, numpy=5),
    solve(10000, 10, 0.03e-3, numpy=5, quick=True),
    solve(1000, 128, 0.7e-3, numpy=5, quick=True),
    solve(100, 1000, 15e-3, library=True),
    solve(1, 4096, None, library=True),
    solve(1, 10000, 45e-3, where=GPU, library=True),
    eigen(100000, 3),
    eigen(10000, 16, quick=True),
    eigen(1000, 32, quick=True),
    eigen(1000, 64),
    eigen(100, 128, quick=True),
    eigen(10000, 16, where=CPU, peer="qr", ours=("--what=qr",), quick=True),
    eigen(1000, 64, where=CPU, peer="qr", ours=("--what=qr",)),
    svd(1000, 16, where=CPU, quick=True),
    svd(300, 32, where=CPU),
    svd(100, 64, where=CPU),
    svd(24, 128, where=CPU),
    svd(1000, 3, rows=60),
    svd(10000, 3, where=CPU),
    svd(100000, 3, where=GPU),
    svd(10000, 16, where=GPU, quick=True),
    svd(1000, 64, where=GPU),
    svd(100, 128, where=GPU),
    eigen(1000000, 3, where=GPU),
    eigen(100000, 32, where=GPU),
    eigen(10000, 128, where=GPU),
    regress(10000, 51, 1000, where=CPU),
    regress(50, 2, 10000, where=CPU, quick=True),
    regress(10000, 2, 1000, where=CPU),
    regress(1000000, 51, 10, where=CPU, quick=True),
    regress(10000, 51, 10000, 30e-3, where=GPU),
    regress(1000000, 51, 10000, 0.60, where=GPU),
    Case("matmul", {"order": 1024}, library=True),
    Case("matmul", {"order": 1024}, type="float64", library=True),
    Case("matmul", {"order": 64}, where=CPU, library=True),
    Case("matmul", {"order": 4096}, where=GPU, library=True),
    Case("matmul", {"m": 1, "n": 4096, "k": 4096}, peer="product"),
    Case("matmul", {"m": 4096, "n": 1, "k": 4096}, peer="product"),
    Case("matmul", {"order": 32, "batch": 10_000}, peer="product"),
    Case("matmul", {"order": 4, "batch": 100_000}, peer="product"),
    Case("mandelbrot", {"width": 1024, "steps": 200}, type="float64", variants="kernel"),
    Case("mandelbrot", {"width": 256, "steps": 100}, type="float64", variants="kernel"),
    Case(
        "mandelbrot",
        {"width": 4096, "steps": 200},
        GPU,
        "float64",
        seconds={"resident": 0.40e-3},
        variants="kernel",
    ),
    Case("stencil", {"side": 4096}),
    Case("stencil", {"side": 512}, CPU),
    Case("stencil", {"side": 16384}, GPU),
    Case("spmv", {"rows": 1_000_000, "nonzeros": 32, "band": 4096}, type="float64"),
    Case("spmv", {"rows": 10_000, "nonzeros": 32, "band": 4096}, CPU, "float64"),
    products(100_000, 100, quick=True),
    products(10_000, 100, CPU),
    products(1_000_000, 10),
    *sizes("fft", 2**22, 2**12),
    *sizes("fft", 2**24, where=GPU),
    fft("rfft", 2**22, quick=True),
    fft("rfft", 1000000, CPU),
    fft("rfft", 1024, batch=1024),
    fft("fft2", 1024),
    fft("rfft2", 1024, quick=True),
    fft("rfft2", 256, batch=64),
    fft("rfft2", 1920, CPU, rows=1080),
    fft("rfft2", 4096, GPU),
    Case("steps", {"chains": 10_000, "steps": 1000, "map": 0}, type="float64"),
    Case("steps", {"chains": 10_000, "steps": 1000, "map": 1}, type="float64"),
    Case("steps", {"chains": 10_000, "steps": 1000, "map": 2}, type="float64"),
    Case("steps", {"chains": 1, "steps": 100_000, "map": 0}, type="float64"),
    Case("matvec", {"order": 1000, "steps": 100, "batch": 1}),
    Case("matvec", {"order": 64, "steps": 1000, "batch": 1}),
    Case("matvec", {"order": 256, "steps": 100, "batch": 64}),
    Case("trisolve", {"rows": 1_000_000}, type="float64"),
    Case("cg", {"rows": 100_000, "iterations": 100}, type="float64"),
    Case("cg", {"rows": 4_000_000, "iterations": 100}, GPU, "float64"),
    Case("convolve", {"height": 2048, "taps": 5}, peer="filter"),
    Case("convolve", {"height": 2048, "taps": 31}, peer="filter"),
    Case(
        "convolve",
        {"height": 4096, "taps": 9},
        peer="filter-separable",
        ours=("--filter=separable",),
    ),
    Case("histogram", {"size": 10_000_000, "bins": 256}, peer="counts"),
    Case("histogram", {"size": 10_000_000, "bins": 65536}, peer="counts"),
    Case("neighbours", {"points": 4096, "queries": 4096, "k": 1, "dimension": 3}, type="float64"),
    Case("neighbours", {"points": 100_000, "queries": 10_000, "k": 8, "dimension": 3}, type="float64"),
    Case("neighbours", {"points": 10_000, "queries": 1000, "k": 8, "dimension": 64}, type="float32"),
    Case("neighbours", {"points": 1_000_000, "queries": 100_000, "k": 8, "dimension": 3}, GPU, "float64"),
    Case("nbody", {"bodies": 16384}),
    Case("nbody", {"bodies": 1024}, CPU),
    Case("nbody", {"bodies": 65536}, GPU),
]


def usual(workload):
    """Cases of a workload that nobody chose sizes for: its preset, and on a GPU the largest of a look."""
    numbers = [p for p in workload["parameters"] if "kinds" not in p]
    presets = {p["name"]: p["preset"] for p in numbers}
    larger = presets | {numbers[0]["name"]: numbers[0]["look"][-1]}
    several = ((presets, CPU), (larger, GPU))
    return [Case(workload["name"], values, where, workload["types"][0]) for values, where in several]


def every(known):
    """CASES, and the usual ones of each workload of the program that they do not name."""
    wrong = sorted({c.workload for c in CASES} - set(known))
    if wrong:
        raise SystemExit(f"bench/peers/cases.py has cases of {', '.join(wrong)}: no such workload")
    named = {c.workload for c in CASES}
    return CASES + [case for name in sorted(set(known) - named) for case in usual(known[name])]


def strangers(peers, known):
    """Workloads that there are peers for and the program does not have; some cases call theirs otherwise."""
    return sorted(set(peers) - set(known) - {c.peer for c in CASES})


def chosen(names, where, quick, size_list, targets=False, cases=None):
    """Those of the cases (none: CASES) that are of these workloads (none: all), or of what the peers alone call so, on a
    cpu or gpu; other sizes where given."""
    cases = CASES if cases is None else cases
    words = set(names) - {c.workload for c in cases}
    found = [c for c in cases if where in c.where and (not names or c.workload in names or c.peer in words)]
    found = [c for c in found if c.seconds or not targets]
    if quick or size_list:
        leading = {c.workload: c for c in reversed(found)}
        found = [c for c in found if c is leading[c.workload] or (c.quick and quick)]
    if size_list:
        found = [
            replace(c, parameters=c.parameters | {first(c): size}, seconds={})
            for c in found
            for size in size_list
        ]
    return found


def first(case):
    return next(iter(case.parameters))
