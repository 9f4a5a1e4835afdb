#!/usr/bin/env python3
"""Writes traces/made-up/*.json: what a run of each GPU program of bench/faults would look like, made up
by hand from what such programs are known to show. They are NOT recordings, and say so.

    made_up.py [--check]     --check: are the files those that this writes?
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "traces", "made-up")
TICKS, TICK_S = 40, 0.3
PEAK = 150e9  # bytes of memory

UNITS = {
    "cpu_busy": ("tree", "cores"), "busiest_thread": ("tree", "share"), "run_wait": ("tree", "share"),
    "runnable": ("tree", "count"), "blocked": ("tree", "count"), "memory": ("tree", "bytes"),
    "process_cpu": ("process", "cores"),
}
GPU_UNITS = {
    "gpu_memory": "bytes", "gpu_power": "W", "gpu_own_processes": "count",
    "gpu_foreign_processes": "count", "gpu_bus_in": "bytes/s", "gpu_bus_out": "bytes/s",
    "gpu_link_in": "bytes/s", "gpu_link_out": "bytes/s", "gpu_kernels": "1/s", "gpu_syncs": "1/s",
    "gpu_kernel_median": "s", "gpu_gap_median": "s", "gpu_launch_median": "s", "gpu_clock": "Hz",
}

# While the GPU is in use, unless a case says otherwise.
USUAL = {"gpu_busy": 0.98, "gpu_sm_active": 0.95, "gpu_sm_occupancy": 0.2, "gpu_tensor": 0.9,
         "gpu_fp64": 0, "gpu_fp32": 0.01, "gpu_fp16": 0, "gpu_dram": 0.18, "gpu_power": 600,
         "gpu_memory": 6e9, "gpu_bus_in": 1e7, "gpu_bus_out": 1e7, "gpu_own_processes": 1,
         "gpu_foreign_processes": 0, "cpu_busy": 1.0, "busiest_thread": 0.99, "run_wait": 0.01,
         "runnable": 1, "blocked": 0, "memory": 3e9}
NO_TENSOR = {"gpu_tensor": 0}
SMALL = {**NO_TENSOR, "gpu_dram": 0.02, "gpu_power": 150, "gpu_memory": 1e9}
TRACED = {"gpu_kernels": 4000, "gpu_kernel_share": 0.97, "gpu_kernel_median": 200e-6,
          "gpu_gap_median": 2e-6, "gpu_launch_median": 4e-6, "gpu_copy_in_share": 0.01,
          "gpu_copy_out_share": 0, "gpu_copy_pageable": 1, "gpu_syncs": 10, "gpu_sync_gap": 0.005,
          "gpu_nccl_share": 0}
EVERY_THIRD = [0.95, 0, 0]
LIBRARIES = {"t": "python torch numpy cuda", "j": "python jax numpy cuda", "cp": "python cupy numpy cuda"}
IDLE = {name: 0 for name in USUAL if name.startswith("gpu_")}

# name: signals (a list repeats over the ticks), and what else differs: begin (of use, of 1), workers,
# gpus (of the second and further: their signals), job, compilers (how many, over all of it).
CASES = {
    "t-good-matmul": ({}, {}),
    "t-good-train": ({**TRACED, "gpu_sm_active": 0.9, "gpu_tensor": 0.75, "gpu_dram": 0.3}, {}),
    "t-good-memory": ({**NO_TENSOR, "gpu_dram": 0.9, "gpu_sm_occupancy": 0.85, "gpu_fp32": 0.03}, {}),
    "t-loader-workers": ({**SMALL, "gpu_busy": 0.3, "gpu_sm_active": 0.25, "cpu_busy": 2.4,
                          "busiest_thread": 0.99}, {"workers": [0.99, 0.98]}),
    "t-loader-main": ({**SMALL, "gpu_busy": EVERY_THIRD, "gpu_sm_active": EVERY_THIRD}, {}),
    "t-launch": ({**SMALL, **TRACED, "gpu_sm_active": 0.05, "gpu_kernels": 100000,
                  "gpu_kernel_median": 1e-6, "gpu_kernel_share": 0.1, "gpu_gap_median": 9e-6}, {}),
    "t-launch-plain": ({**SMALL, "gpu_busy": 0.6, "gpu_sm_active": 0.05}, {}),
    "t-tiny-batch": ({**SMALL, **TRACED, "gpu_sm_active": 0.03, "gpu_kernels": 80000,
                      "gpu_kernel_median": 2e-6, "gpu_kernel_share": 0.2}, {}),
    "t-pageable": ({**SMALL, **TRACED, "gpu_busy": 0.35, "gpu_sm_active": 0.1, "gpu_kernels": 60,
                    "gpu_kernel_share": 0.12, "gpu_copy_in_share": 0.75, "gpu_bus_in": 1.5e10,
                    "gpu_syncs": 60, "gpu_sync_gap": 0.1}, {}),
    "t-copy-each-step": ({**SMALL, **TRACED, "gpu_sm_active": 0.04, "gpu_kernels": 50,
                          "gpu_kernel_share": 0.03, "gpu_copy_in_share": 0.96,
                          "gpu_copy_pageable": 0, "gpu_bus_in": 5.8e10}, {}),
    "t-copy-plain": ({**SMALL, "gpu_sm_active": 0.04, "gpu_bus_in": 5.8e10}, {}),
    "t-wait": ({**SMALL, **TRACED, "gpu_busy": 0.5, "gpu_sm_active": 0.3, "gpu_kernels": 12000,
                "gpu_kernel_median": 45e-6, "gpu_kernel_share": 0.4, "gpu_syncs": 6000,
                "gpu_sync_gap": 0.5, "gpu_fp32": 0.15}, {}),
    "t-fp64": ({**NO_TENSOR, "gpu_fp64": 0.7, "gpu_dram": 0.35, "gpu_sm_occupancy": 0.6}, {}),
    "t-no-tensor": ({**NO_TENSOR, "gpu_fp32": 0.77, "gpu_dram": 0.05, "gpu_sm_occupancy": 0.12}, {}),
    "t-one-block": ({**SMALL, "gpu_busy": 1, "gpu_sm_active": 0.008, "gpu_sm_occupancy": 0.001}, {}),
    "t-idle-second": ({}, {"gpus": [IDLE]}),
    "t-startup": ({}, {"begin": 0.8, "seconds": 30}),
    "t-unused": (IDLE, {"job": "slurm 1"}),
    "t-too-big": ({**SMALL, "gpu_busy": 0.06, "gpu_sm_active": 0.06, "cpu_busy": 0.1,
                   "busiest_thread": 0.1}, {}),
    "t-memory-full": ({"gpu_memory": [0.05 * PEAK * i for i in range(1, 20)] + [0.95 * PEAK] * 21}, {}),
    "j-good": ({"gpu_memory": 0.75 * PEAK}, {}),
    "j-retrace": ({**SMALL, "gpu_busy": 0.02, "gpu_sm_active": [0, 0, 0, 0.1], "cpu_busy": 1.6},
                  {"compilers": 24}),
    "cp-good": ({}, {}),
    "cp-copies": ({**SMALL, **TRACED, "gpu_busy": 0.4, "gpu_sm_active": 0.03, "gpu_kernels": 150,
                   "gpu_kernel_share": 0.02, "gpu_copy_in_share": 0.4, "gpu_copy_out_share": 0.4,
                   "gpu_syncs": 150, "gpu_sync_gap": 0.1}, {}),
    "cp-scalar": ({**SMALL, **TRACED, "gpu_sm_active": 0.01, "gpu_kernels": 60000,
                   "gpu_kernel_median": 1.5e-6, "gpu_kernel_share": 0.1}, {}),
}


def one_series(name, of, values, seconds):
    scope, unit = UNITS.get(name, ("gpu", GPU_UNITS.get(name, "share")))
    known = [value for value in values if value is not None]
    source = ("cupti" if name in TRACED else "nvml") if scope == "gpu" else "proc"
    return {"signal": name, "unit": unit, "scope": scope, "of": of, "source": source,
            "mean": sum(known) / len(known), "least": min(known), "most": max(known),
            "measured_s": seconds * len(known) / TICKS, "cover": 1, "values": values}


def spread(value, first):
    """Over the ticks; before the first one with use, nothing but memory of a context."""
    values = value if isinstance(value, list) else [value]
    return [0 if i < first else float(f"{values[i % len(values)]:.5g}") for i in range(TICKS)]


def trace_of(name):
    signals, more = CASES[name]
    seconds = more.get("seconds", TICKS * TICK_S)
    first = int(more.get("begin", 0.15) * TICKS)
    series = []
    for signal, value in {**USUAL, **signals}.items():
        start = first if signal.startswith("gpu_") and signal != "gpu_own_processes" else 0
        series.append(one_series(signal, 0, spread(value, start), seconds))
    for i, other in enumerate(more.get("gpus", []), 1):
        for signal, value in other.items():
            series.append(one_series(signal, i, spread(value, first), seconds))
    for i, cpu in enumerate(more.get("workers", []), 1):
        series.append(one_series("process_cpu", i, spread(cpu, first), seconds))
    gpus = 1 + len(more.get("gpus", []))
    libraries = LIBRARIES[name.split("-")[0]]
    processes = [{"pid": 1 + i, "start_s": 0, "name": "python3", "main": i == 0, "cpu_s": seconds,
                  "peak_bytes": 3e9, "libraries": libraries} for i in range(1 + len(more.get("workers", [])))]
    compilers = more.get("compilers", 0)
    processes += [{"pid": 1000 + i, "start_s": seconds * i / compilers, "name": "ptxas", "main": False,
                   "cpu_s": 0.1, "peak_bytes": 5e7, "libraries": "none"} for i in range(compilers)]
    return {
        "schema": "breakeven/1", "command": "run", "version": "0.1.0",
        "run": {"date": "2026-01-01T00:00:00Z", "host": "", "cpu": None, "command": name,
                "job": more.get("job"), "pid": 1, "end": "exited", "code": 0,
                "note": "a made-up trace: nothing was measured", "elapsed_s": seconds, "stopped_s": 0,
                "interval_s": 0, "own_cpu_s": None, "own_peak_bytes": None, "samples": 2 * TICKS,
                "merges": 1, "libraries": libraries, "settings": None},
        "limits": {"cpus": 16, "cpus_by": "affinity", "cpus_machine": 16, "cpus_quota": None,
                   "memory_bytes": None, "memory_by": "machine", "memory_machine_bytes": 128e9,
                   "asked": False},
        "totals": {"user_s": seconds, "system_s": 0.1, "peak_process_bytes": 3e9,
                   "peak_group_bytes": None, "read_bytes": 0, "written_bytes": 0, "major_faults": 0,
                   "minor_faults": 0, "switches": 0, "preempted": 0, "orphans": 0, "left": 0},
        "sources": [{"name": source, "gpu": source != "proc", "detail": None, "absent": None,
                     "sampled": 2 * TICKS, "missed": 0, "cost_s": None}
                    for source in ("proc", "nvml", "cupti")],
        "absent": [],
        "gpus": [{"id": f"nvml:{i}", "name": "made up, as an H200", "uuid": None, "note": None,
                  "memory_bytes": PEAK, "bus_bytes_s": 6.3e10, "power_limit_w": 700,
                  "fp64_ratio": 0.5, "slice": False} for i in range(gpus)],
        "processes": processes,
        "threads": [], "findings": [],
        "ticks": [float(f"{seconds * (i + 1) / TICKS:.12g}") for i in range(TICKS)],
        "series": series,
    }


def text_of(trace):
    """A line a record, as breakeven writes them."""
    parts = []
    for name, value in trace.items():
        text = json.dumps(value, separators=(",", ":"))
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in value) + "\n]"
        parts.append(f"{json.dumps(name)}:{text}")
    return "{" + ",\n".join(parts) + "}\n"


def main():
    wrong = 0
    os.makedirs(FOLDER, exist_ok=True)
    for name in CASES:
        path = os.path.join(FOLDER, name + ".json")
        text = text_of(trace_of(name))
        if "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        elif not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            print(f"{path}: not what made_up.py writes")
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
