#!/usr/bin/env python3
"""NumPy and SciPy under the recorder of calls: the same bytes as without it, and calls in the record.
usage: same_numbers.py BREAKEVEN [PYTHON]   77: there is no NumPy here

PYTHON is the one that has NumPy; this one, unless it is given."""
import json
import os
import subprocess
import sys
import tempfile

# Every result of linear algebra that goes through BLAS or LAPACK, in four types, as bytes.
PROGRAM = r"""
import hashlib
import numpy as np
try:
    import scipy.linalg as sl
except ImportError:
    sl = None

def show(name, dtype, call):
    with np.errstate(all="raise"):
        try:
            result = call()
        except Exception as fault:
            result = (np.array([type(fault).__name__ + str(fault)]),)
    parts = result if isinstance(result, tuple) else (result,)
    digest = hashlib.sha256(b"".join(np.ascontiguousarray(p).tobytes() for p in parts)).hexdigest()
    print(name, dtype.__name__, digest)

rng = np.random.default_rng(1)
for dtype in (np.float32, np.float64, np.complex64, np.complex128):
    def make(*shape):
        return (rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if dtype().dtype.kind == "c" else 0)).astype(dtype)
    a, b, s = make(70, 50), make(50, 60), make(40, 40)
    h = s @ s.conj().T + 40 * np.eye(40, dtype=dtype)
    calls = {
        "product": lambda: a @ b, "by rows": lambda: np.asfortranarray(a) @ b, "transposed": lambda: a.T @ make(70, 5),
        "syrk": lambda: a.T @ a, "gemv": lambda: a @ b[:, 0], "strided": lambda: a[::2] @ b[:, ::3],
        "batch": lambda: np.matmul(make(6, 9, 8), make(6, 8, 7)), "empty": lambda: a[:0] @ b, "einsum": lambda: np.einsum("ij,jk", a, b, optimize=True),
        "solve": lambda: np.linalg.solve(s, make(40, 3)), "inv": lambda: np.linalg.inv(s), "det": lambda: np.linalg.det(s),
        "singular": lambda: np.linalg.inv(np.zeros((3, 3), dtype)), "cholesky": lambda: np.linalg.cholesky(h),
        "not definite": lambda: np.linalg.cholesky(-h), "qr": lambda: tuple(np.linalg.qr(a)), "svd": lambda: tuple(np.linalg.svd(a)),
        "values": lambda: np.linalg.svd(a, compute_uv=False), "eigh": lambda: tuple(np.linalg.eigh(h)), "eigvalsh": lambda: np.linalg.eigvalsh(h),
        "eig": lambda: tuple(np.linalg.eig(s)), "lstsq": lambda: np.linalg.lstsq(a, make(70, 2), rcond=None)[0],
    }
    if sl:
        calls |= {
            "lu": lambda: sl.lu_factor(s), "lu solve": lambda: sl.lu_solve(sl.lu_factor(s), make(40, 2)), "schur": lambda: tuple(sl.schur(s)),
            "scipy solve": lambda: sl.solve(h, make(40, 2), assume_a="pos"), "scipy symmetric": lambda: sl.solve(h, make(40, 2), assume_a="her"),
            "general eigh": lambda: tuple(sl.eigh(h, h + np.eye(40, dtype=dtype))), "scipy svd": lambda: tuple(sl.svd(a, lapack_driver="gesvd")),
            "triangular": lambda: sl.solve_triangular(h, make(40, 2)), "qr pivot": lambda: tuple(sl.qr(a, pivoting=True)), "hessenberg": lambda: sl.hessenberg(s),
            "gemm": lambda: sl.blas.get_blas_funcs("gemm", (a, b))(2, a, b), "trsm": lambda: sl.blas.get_blas_funcs("trsm", (s,))(1, h, make(40, 3)),
        }
    for name, call in calls.items():
        show(name, dtype, call)
"""


def run(python, before):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
    return subprocess.run([*before, python, "-c", PROGRAM], env=environment, capture_output=True, text=True)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if sys.argv[1:] and sys.argv[1] in ("-h", "--help") else 2
    python = sys.argv[2] if len(sys.argv) == 3 else sys.executable
    if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode:
        print(f"{python} has no NumPy")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        plain = run(python, [])
        recorded = run(python, [sys.argv[1], "run", "--calls", "--quiet", f"--trace-file={trace}", "--"])
        with open(trace) as file:
            calls = json.load(file)["calls"]
    wrong = 0
    if plain.returncode or (plain.returncode, plain.stderr) != (recorded.returncode, recorded.stderr):
        print(f"exit code {plain.returncode}, recorded {recorded.returncode}:\n{plain.stderr}\n{recorded.stderr}")
        wrong += 1
    for one, other in zip(plain.stdout.splitlines(), recorded.stdout.splitlines(), strict=False):
        if one != other:
            print(f"another result: {one} | {other}")
            wrong += 1
    if plain.stdout != recorded.stdout:
        wrong += 1
    seen = sorted({row["function"] for row in calls["functions"]})
    for function in ("dgemm", "dsyrk", "dgesv", "zgemm"):
        if function not in seen and "others" not in seen:
            print(f"{function} is not in the record: {', '.join(seen)}")
            wrong += 1
    print(f"{len(plain.stdout.splitlines())} results, {wrong} differ; recorded: {', '.join(seen)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
