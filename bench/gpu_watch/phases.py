"""Kernels of known shape, one phase after the other, for tools that watch from outside.

    phases.py LOG [SECONDS]    each phase for SECONDS; LOG gets a line "name begin end" (epoch) each
    phases.py --once           each kernel once between profiler start and stop, for ncu
"""
import sys
import time

import cupy as cp
import torch

SOURCE = r"""
extern "C" __global__ void fma32(float *to, int turns) {
    float a = threadIdx.x, b = 1.0001f, c = 0.5f, d = a + 1, e = a + 2, f = a + 3;
    for (int i = 0; i < turns; i++) {
        a = fmaf(a, b, c); d = fmaf(d, b, c); e = fmaf(e, b, c); f = fmaf(f, b, c);
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = a + d + e + f;
}
extern "C" __global__ void fma64(double *to, int turns) {
    double a = threadIdx.x, b = 1.0001, c = 0.5, d = a + 1, e = a + 2, f = a + 3;
    for (int i = 0; i < turns; i++) {
        a = fma(a, b, c); d = fma(d, b, c); e = fma(e, b, c); f = fma(f, b, c);
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = a + d + e + f;
}
extern "C" __global__ void mad_int(int *to, int turns) {
    int a = threadIdx.x, b = 12345 + blockIdx.x, c = 7, d = a + 1, e = a + 2, f = a + 3;
    for (int i = 0; i < turns; i++) {
        a = a * b + c; d = d * b + c; e = e * b + c; f = f * b + c;
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = a + d + e + f;
}
"""


def phases():
    """name -> a function that puts some 10 ms of work into the queue."""
    units = torch.cuda.get_device_properties(0).multi_processor_count
    module = cp.RawModule(code=SOURCE)
    fma32, fma64, mad = (module.get_function(name) for name in ("fma32", "fma64", "mad_int"))
    out = cp.empty(units * 8 * 256, dtype=cp.float64)

    def raw(function, blocks, turns):
        return lambda: function((blocks,), (256,), (out, cp.int32(turns)))

    def product(kind, n, tf32=False):
        a = torch.randn(n, n, device="cuda", dtype=kind)
        b = torch.randn(n, n, device="cuda", dtype=kind)
        c = torch.empty_like(a)

        def run():
            torch.backends.cuda.matmul.allow_tf32 = tf32
            torch.matmul(a, b, out=c)

        return run

    x = torch.randn(1 << 28, device="cuda")
    y = torch.empty_like(x)
    host = torch.empty(1 << 26, dtype=torch.float32).pin_memory()
    pageable = torch.ones(1 << 24, dtype=torch.float32)
    z = torch.empty(1 << 26, device="cuda")
    return {
        # One wave: 8 blocks of 256 threads a multiprocessor are its 2048 threads; 1 is an eighth.
        "fma32 full": raw(fma32, units * 8, 100000),
        "fma32 1 block an SM": raw(fma32, units, 400000),
        "fma32 half the SMs": raw(fma32, units // 2, 400000),
        "fma64 full": raw(fma64, units * 8, 50000),
        "int full": raw(mad, units * 8, 100000),
        "matmul fp32": product(torch.float32, 8192),
        "matmul tf32": product(torch.float32, 8192, tf32=True),
        "matmul bf16": product(torch.bfloat16, 8192),
        "matmul fp64": product(torch.float64, 6144),
        "add": lambda: torch.add(x, 1.0, out=y),
        "copy in pinned": lambda: z.copy_(host, non_blocking=True),
        "copy in pageable": lambda: z[: 1 << 24].copy_(pageable),
        "copy out pinned": lambda: host.copy_(z, non_blocking=True),
    }


def for_ncu():
    todo = {name: work for name, work in phases().items() if not name.startswith("copy")}
    for work in todo.values():
        work()
    torch.cuda.synchronize()
    for work in todo.values():
        torch.cuda.cudart().cudaProfilerStart()
        work()
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStop()


def for_watching(log, seconds):
    # cupy has a stream of its own: the default one, like torch's.
    todo = phases()
    with open(log, "w") as file:
        for name, work in todo.items():
            work()
            torch.cuda.synchronize()
            begin = time.time()
            while time.time() < begin + seconds:
                for _ in range(4):
                    work()
                torch.cuda.synchronize()
            file.write(f"{name}\t{begin:.4f}\t{time.time():.4f}\n")
        begin = time.time()
        time.sleep(seconds)
        file.write(f"nothing\t{begin:.4f}\t{time.time():.4f}\n")


if sys.argv[1] == "--once":
    for_ncu()
else:
    for_watching(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 2.0)
