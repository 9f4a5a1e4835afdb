#!/usr/bin/env python3
"""Writes share/profiles/datasheet-*.json: what NVIDIA and AMD say of their GPUs, as profiles.

usage: scripts/datasheets.py [--check] [PROFILE.json]

PROFILE.json is a profile measured on an H200 SXM. Of each figure that it has, the share
measured / data sheet of the H200 becomes `achievable` of the same figure of every other GPU of
NVIDIA; without it, and for figures that it has not, `achievable` is null: not known.
--check writes nothing; it fails when a file is not what would be written, is missing, or is left
over from a sheet that is no longer here.
"""

import json
import pathlib
import sys

# When the numbers were taken down. They were compared with copies of the sheets that computing
# centres and resellers show, and plain rates with multiprocessors x lanes x 2 x highest clock.
READ_ON = "2026-11-21"
VERSION = "0.1.0"  # the breakeven whose form of profile this is
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "share" / "profiles"
GIB = 2**30
BUS_BYTES = GIB  # the largest copy that a probe measures

# Bytes a second in one direction of a link 16 lanes wide, of its generation: transfers a second
# x 16 lanes x 128/130 (encoding; 8/10 before generation 3) / 8 bits. Packet headers take some of it: see
# `achievable`.
PCIE_X16 = {gen: gt * 1e9 * 16 * 128 / 130 / 8 for gen, gt in ((3, 8), (4, 16), (5, 32))}
PCIE_X16[2] = 5e9 * 16 * 8 / 10 / 8

A100 = "NVIDIA A100 Tensor Core GPU data sheet, 2021"
AMPERE = "NVIDIA A100 Tensor Core GPU Architecture, whitepaper, 2020"
V100 = "NVIDIA V100 Tensor Core GPU data sheet, 2020"
VOLTA = "NVIDIA Tesla V100 GPU Architecture, whitepaper, 2017"
P100 = "NVIDIA Tesla P100 PCIe data sheet, 2016"
PASCAL = "NVIDIA Tesla P100, whitepaper, 2016"
T4 = "NVIDIA T4 Tensor Core GPU data sheet, 2019"
T4_BRIEF = "NVIDIA T4 Tensor Core GPU product brief, 2018"
TURING = "NVIDIA Turing GPU Architecture, whitepaper, 2018"
L40S = "NVIDIA L40S data sheet, 2023"
L40S_BRIEF = "NVIDIA L40S product brief, 2023"
L4 = "NVIDIA L4 Tensor Core GPU data sheet, 2023"
P4 = "NVIDIA Tesla P4 data sheet, 2016"
P4_CHIP = "NVIDIA Tesla P4 product brief, 2016"
ADA = "NVIDIA Ada GPU Architecture, whitepaper, 2023"
H100 = "NVIDIA H100 Tensor Core GPU data sheet, 2023"
HOPPER = "NVIDIA H100 Tensor Core GPU Architecture, whitepaper, 2022"

# Of a sheet, `rates` holds (what, dtype, TFLOP/s, source): dense, without sparsity. `fma` is plain
# multiply-adds; `matmul` stands only where the chip has matrix units for the type. Not here is what
# no source gives.
# Cards that people report about, read on LATER: cores x 2 x highest clock where a page gives no rate.
LATER = "2026-11-25"
KEPLER = "NVIDIA Kepler GK110, whitepaper, 2012"
TITAN_BLACK = "NVIDIA GeForce GTX TITAN Black, specifications, 2014"
GT_640M = "NVIDIA GeForce GT 640M, specifications, 2012"
K620 = "NVIDIA Quadro K620 data sheet, 2014"
TITAN_X = "NVIDIA GeForce GTX TITAN X, specifications, 2015"
GTX_1050 = "NVIDIA GeForce GTX 1050, specifications, 2016"
GTX_1080 = "NVIDIA GeForce GTX 1080, whitepaper, 2016"
GV100 = "NVIDIA Quadro GV100 data sheet, 2018"
RTX_3070_TI = "NVIDIA GeForce RTX 3070 Ti, specifications, 2021"
L40 = "NVIDIA L40 data sheet, 2022"


def card(source, float32, thin, others=()):
    """Rates of a card whose float64 is float32 / thin."""
    return [("fma", "float64", float32 / thin, f"{source}: 1/{thin} of float32"),
            ("fma", "float32", float32, source)] + [("matmul", *other, source) for other in others]


A100_RATES = [
    ("fma", "float64", 9.7, A100),
    ("fma", "float32", 19.5, A100),
    ("fma", "float16", 78, AMPERE),
    ("matmul", "float64", 19.5, A100),
    ("matmul", "tf32", 156, A100),
    ("matmul", "float16", 312, A100),
    ("matmul", "bfloat16", 312, A100),
]
V100_SXM_RATES = [
    ("fma", "float64", 7.8, V100),
    ("fma", "float32", 15.7, V100),
    ("fma", "float16", 31.4, AMPERE),
    ("matmul", "float16", 125, V100),
]
HOPPER_SXM_RATES = [
    ("fma", "float64", 34, H100),
    ("fma", "float32", 67, H100),
    ("fma", "float16", 133.8, HOPPER),
    ("matmul", "float64", 67, H100),
    ("matmul", "tf32", 494.7, HOPPER),
    ("matmul", "float16", 989.4, HOPPER),
    ("matmul", "bfloat16", 989.4, HOPPER),
]


def sheet(name, gpu, memory_gib, bandwidth, source, rates, **more):
    """bandwidth in GB/s; `more`: sms, l2_mib, clock_mhz, pcie, nvlink (GB/s, both directions of all
    links together; None: it has none), watts, capability, chip (source of sms, l2_mib, clock_mhz).
    None where no source gives it."""
    return dict(more, name=name, gpu=gpu, memory_gib=memory_gib, bandwidth=bandwidth,
                source=source, rates=rates)


AMPERE_CHIP = dict(chip=AMPERE, sms=108, l2_mib=40, clock_mhz=1410, pcie=4, nvlink=600,
                   capability="8.0")
VOLTA_CHIP = dict(chip=VOLTA, sms=80, l2_mib=6, pcie=3, capability="7.0")

# Cards added on the third day, by figures as they are commonly tabled: no sheet was opened, and about ten cards were held
# against public tables. Multiprocessors x lanes x 2 x highest clock gives each rate to 1 %; that of the MI300X is twice as
# high, for two operations packed into one. Bandwidth, L2 and power have no such check.
THIRD = "2026-11-28"
KEPLER_BOARD = "NVIDIA Tesla board specification, 2013-2015"
AMD = "AMD Instinct data sheet, 2020-2023"


def more_card(name, gpu, memory_gib, bandwidth, float32, thin, chip, source=None):
    """A card of one line; `chip`: multiprocessors, L2 in MiB, MHz, PCIe generation, watts, capability."""
    sms, l2_mib, clock_mhz, pcie, watts, capability = chip
    source = source or f"{'' if gpu.startswith('NVIDIA') else 'NVIDIA '}{gpu}, specifications"
    return sheet(name, gpu, memory_gib, bandwidth, source, card(source, float32, thin), chip=source,
                 sms=sms, l2_mib=l2_mib, clock_mhz=clock_mhz, pcie=pcie, nvlink=None, watts=watts,
                 capability=capability, read_on=THIRD)


SHEETS = [
    sheet("a100-40", "NVIDIA A100-SXM4-40GB", 40, 1555, A100, A100_RATES, watts=400,
          **AMPERE_CHIP),
    sheet("a100-40-pcie", "NVIDIA A100-PCIE-40GB", 40, 1555, A100, A100_RATES, watts=250,
          **AMPERE_CHIP),
    sheet("a100-80", "NVIDIA A100-SXM4-80GB", 80, 2039, A100, A100_RATES, watts=400,
          **AMPERE_CHIP),
    sheet("a100-80-pcie", "NVIDIA A100 80GB PCIe", 80, 1935, A100, A100_RATES, watts=300,
          **AMPERE_CHIP),
    sheet("v100-16", "Tesla V100-SXM2-16GB", 16, 900, V100, V100_SXM_RATES, watts=300,
          clock_mhz=1530, nvlink=300, **VOLTA_CHIP),
    sheet("v100-32", "Tesla V100-SXM2-32GB", 32, 900, V100, V100_SXM_RATES, watts=300,
          clock_mhz=1530, nvlink=300, **VOLTA_CHIP),
    sheet("v100-16-pcie", "Tesla V100-PCIE-16GB", 16, 900, V100,
          [("fma", "float64", 7, V100), ("fma", "float32", 14, V100),
           ("matmul", "float16", 112, V100)],
          watts=250, clock_mhz=1380, nvlink=None, **VOLTA_CHIP),
    sheet("p100-16", "Tesla P100-PCIE-16GB", 16, 732, P100,
          [("fma", "float64", 4.7, P100), ("fma", "float32", 9.3, P100),
           ("fma", "float16", 18.7, P100)],
          chip=PASCAL, sms=56, l2_mib=4, clock_mhz=None, pcie=3, nvlink=None, watts=250,
          capability="6.0"),
    sheet("t4", "Tesla T4", 16, 320, T4_BRIEF,
          [("fma", "float64", 8.1 / 32, TURING + ": 1/32 of float32"),
           ("fma", "float32", 8.1, T4), ("matmul", "float16", 65, T4)],
          chip=TURING, sms=40, l2_mib=4, clock_mhz=1590, pcie=3, nvlink=None, watts=70,
          capability="7.5"),
    sheet("l40s", "NVIDIA L40S", 48, 864, L40S,
          [("fma", "float64", 91.6 / 64, ADA + ": 1/64 of float32"),
           ("fma", "float32", 91.6, L40S), ("matmul", "tf32", 183, L40S),
           ("matmul", "float16", 362.05, L40S), ("matmul", "bfloat16", 362.05, L40S)],
          chip=L40S_BRIEF, sms=142, l2_mib=None, clock_mhz=2520, pcie=4, nvlink=None, watts=350,
          capability="8.9"),
    sheet("l4", "NVIDIA L4", 24, 300, L4,
          [("fma", "float64", 30.3 / 64, ADA + ": 1/64 of float32"),
           ("fma", "float32", 30.3, L4), ("matmul", "tf32", 60, L4),
           ("matmul", "float16", 121, L4), ("matmul", "bfloat16", 121, L4)],
          chip=ADA, sms=58, l2_mib=48, clock_mhz=2040, pcie=4, nvlink=None, watts=72,
          capability="8.9"),
    sheet("p4", "Tesla P4", 8, 192, P4,
          [("fma", "float64", 5.5 / 32, P4_CHIP + ": 1/32 of float32"), ("fma", "float32", 5.5, P4)],
          chip=P4_CHIP, sms=20, l2_mib=2, clock_mhz=None, pcie=3, nvlink=None, watts=75,
          capability="6.1"),
    sheet("h100-80", "NVIDIA H100 80GB HBM3", 80, 3350, H100, HOPPER_SXM_RATES,
          chip=HOPPER, sms=132, l2_mib=50, clock_mhz=1980, pcie=5, nvlink=900, watts=700,
          capability="9.0"),
    sheet("gt-640m", "GeForce GT 640M", 2, 64, GT_640M, card(GT_640M, 0.48, 24), chip=GT_640M,
          sms=2, l2_mib=None, clock_mhz=625, pcie=3, nvlink=None, watts=32, capability="3.0",
          read_on=LATER),
    sheet("titan-black", "GeForce GTX TITAN Black", 6, 336, TITAN_BLACK,
          card(TITAN_BLACK, 5.12, 3), chip=KEPLER, sms=15, l2_mib=1.5, clock_mhz=980, pcie=3,
          nvlink=None, watts=250, capability="3.5", read_on=LATER),
    sheet("k620", "Quadro K620", 2, 28.8, K620, card(K620, 0.863, 32), chip=K620, sms=3, l2_mib=2,
          clock_mhz=1124, pcie=2, nvlink=None, watts=45, capability="5.0", read_on=LATER),
    sheet("titan-x", "GeForce GTX TITAN X", 12, 336.5, TITAN_X, card(TITAN_X, 6.6, 32),
          chip=TITAN_X, sms=24, l2_mib=3, clock_mhz=1075, pcie=3, nvlink=None, watts=250,
          capability="5.2", read_on=LATER),
    sheet("gtx-1050", "GeForce GTX 1050", 2, 112, GTX_1050, card(GTX_1050, 1.862, 32),
          chip=GTX_1050, sms=5, l2_mib=1, clock_mhz=1455, pcie=3, nvlink=None, watts=75,
          capability="6.1", read_on=LATER),
    sheet("gtx-1080", "GeForce GTX 1080", 8, 320, GTX_1080, card(GTX_1080, 8.873, 32),
          chip=GTX_1080, sms=20, l2_mib=2, clock_mhz=1733, pcie=3, nvlink=None, watts=180,
          capability="6.1", read_on=LATER),
    sheet("gv100", "Quadro GV100", 32, 870, GV100,
          card(GV100, 14.8, 2, [("float16", 118.5)]), chip=VOLTA, sms=80, l2_mib=6, clock_mhz=None,
          pcie=3, nvlink=None, watts=250, capability="7.0", read_on=LATER),
    sheet("rtx-2080-ti", "GeForce RTX 2080 Ti", 11, 616, TURING,
          card(TURING, 13.4, 32, [("float16", 107.6)]), chip=TURING, sms=68, l2_mib=5.5,
          clock_mhz=1545, pcie=3, nvlink=None, watts=250, capability="7.5", read_on=LATER),
    sheet("rtx-3070-ti", "GeForce RTX 3070 Ti", 8, 608, RTX_3070_TI, card(RTX_3070_TI, 21.75, 64),
          chip=RTX_3070_TI, sms=48, l2_mib=4, clock_mhz=1770, pcie=4, nvlink=None, watts=290,
          capability="8.6", read_on=LATER),
    sheet("l40", "NVIDIA L40", 48, 864, L40,
          card(L40, 90.5, 64, [("tf32", 90.5), ("float16", 181.05), ("bfloat16", 181.05)]),
          chip=L40, sms=142, l2_mib=None, clock_mhz=2490, pcie=4, nvlink=None, watts=300,
          capability="8.9", read_on=LATER),
    # Cards that further reports are about. A card with two processors has the figures of one.
    more_card("k40", "Tesla K40", 12, 288, 5.04, 3, (15, 1.5, 875, 3, 235, "3.5"), KEPLER_BOARD),
    more_card("k80", "Tesla K80", 12, 240, 4.37, 3, (13, 1.5, 875, 3, 150, "3.7"),
              KEPLER_BOARD + ", one of its two GPUs"),
    more_card("gtx-750-ti", "GeForce GTX 750 Ti", 2, 86.4, 1.389, 32, (5, 2, 1085, 3, 60, "5.0")),
    more_card("gtx-970", "GeForce GTX 970", 4, 224, 3.92, 32, (13, 1.75, 1178, 3, 145, "5.2")),
    more_card("gtx-980", "GeForce GTX 980", 4, 224, 4.981, 32, (16, 2, 1216, 3, 165, "5.2")),
    more_card("m6000", "Quadro M6000 24GB", 24, 317, 6.844, 32, (24, 3, 1114, 3, 250, "5.2")),
    more_card("m60", "Tesla M60", 8, 160, 4.825, 32, (16, 2, 1178, 3, 150, "5.2"),
              "NVIDIA Tesla M60, specifications, one of its two GPUs"),
    more_card("gtx-1060", "GeForce GTX 1060 6GB", 6, 192, 4.372, 32, (10, 1.5, 1708, 3, 120, "6.1")),
    more_card("gtx-1070", "GeForce GTX 1070", 8, 256, 6.463, 32, (15, 2, 1683, 3, 150, "6.1")),
    more_card("gtx-1080-ti", "GeForce GTX 1080 Ti", 11, 484, 11.34, 32,
              (28, 2.75, 1582, 3, 250, "6.1")),
    more_card("titan-x-pascal", "NVIDIA TITAN X (Pascal)", 12, 480, 10.97, 32,
              (28, 3, 1531, 3, 250, "6.1")),
    more_card("titan-xp", "NVIDIA TITAN Xp", 12, 547.7, 12.15, 32, (30, 3, 1582, 3, 250, "6.1")),
    more_card("gtx-1660-ti", "GeForce GTX 1660 Ti", 6, 288, 5.437, 32,
              (24, 1.5, 1770, 3, 120, "7.5")),
    more_card("rtx-2060", "GeForce RTX 2060", 6, 336, 6.451, 32, (30, 3, 1680, 3, 160, "7.5")),
    more_card("rtx-2070", "GeForce RTX 2070", 8, 448, 7.465, 32, (36, 4, 1620, 3, 175, "7.5")),
    more_card("rtx-2080", "GeForce RTX 2080", 8, 448, 10.07, 32, (46, 4, 1710, 3, 215, "7.5")),
    more_card("rtx-5000", "Quadro RTX 5000", 16, 448, 11.15, 32, (48, 4, 1815, 3, 230, "7.5")),
    more_card("t2000", "Quadro T2000", 4, 128, 3.656, 32, (16, 1, 1785, 3, 60, "7.5")),
    more_card("rtx-3060", "GeForce RTX 3060", 12, 360, 12.74, 64, (28, 3, 1777, 4, 170, "8.6")),
    more_card("rtx-3080", "GeForce RTX 3080", 10, 760, 29.77, 64, (68, 5, 1710, 4, 320, "8.6")),
    more_card("rtx-3080-ti", "GeForce RTX 3080 Ti", 12, 912, 34.1, 64, (80, 6, 1665, 4, 350, "8.6")),
    more_card("rtx-3090", "GeForce RTX 3090", 24, 936, 35.58, 64, (82, 6, 1695, 4, 350, "8.6")),
    more_card("a6000", "NVIDIA RTX A6000", 48, 768, 38.7, 64, (84, 6, 1800, 4, 300, "8.6")),
    more_card("a10", "NVIDIA A10", 24, 600, 31.2, 64, (72, 6, 1695, 4, 150, "8.6")),
    more_card("rtx-4090", "GeForce RTX 4090", 24, 1008, 82.58, 64, (128, 72, 2520, 4, 450, "8.9")),
    more_card("mi100", "AMD Instinct MI100", 32, 1228.8, 23.1, 2, (120, 8, 1502, 4, 300, None), AMD),
    more_card("mi250x", "AMD Instinct MI250X", 64, 1638.4, 23.95, 1, (110, 8, 1700, 4, 280, None),
              AMD + ", one of its two GPUs"),
    more_card("mi300x", "AMD Instinct MI300X", 192, 5300, 163.4, 2, (304, 32, 2100, 5, 750, None),
              AMD),
]

# What `achievable` is measured on. The chip computes as that of the H100 SXM.
H200 = sheet("h200", "NVIDIA H200", 141, 4800, "NVIDIA H200 Tensor Core GPU data sheet, 2024",
             HOPPER_SXM_RATES, pcie=5)


def figures_of(sheet):
    """(what, dtype, bytes, unit, value, source) of all figures of a sheet."""
    bus = PCIE_X16[sheet["pcie"]]
    link = f"{sheet['source']}: PCIe {sheet['pcie']} x16, one direction, less its encoding"
    for what, dtype, tera, source in sheet["rates"]:
        yield what, dtype, None, "flop/s", tera * 1e12, source
    yield "read", None, None, "bytes/s", sheet["bandwidth"] * 1e9, sheet["source"]
    yield "bus_in_pinned", None, BUS_BYTES, "bytes/s", bus, link
    yield "bus_out_pinned", None, BUS_BYTES, "bytes/s", bus, link


def measured(profile, what, dtype):
    """The value of the figure of the H200 at its largest size; None: it has none."""
    devices = [d["id"] for d in profile["machine"]["devices"]
               if d["backend"] == "cuda" and d["name"] == H200["gpu"]]
    if not devices:
        sys.exit(f"datasheets.py: the profile has no CUDA device called {H200['gpu']}")
    found = [f for f in profile["figures"]
             if f["device"] in devices and f["what"] == what and dtype in (None, f["dtype"])
             and f["source"] == "measured" and f["value"]]
    return max(((f["bytes"] or 0, f["value"]) for f in found), default=(0, None))[1]


def shares(profile):
    """(what, dtype) -> measured / data sheet of the H200, to three digits."""
    share = {}
    for what, dtype, _, _, value, _ in figures_of(H200) if profile else ():
        # Plain 16-bit arithmetic came out at half of the data sheet: whether programs can do no
        # better is not known.
        known = (what, dtype) not in (("fma", "float16"), ("fma", "bfloat16"))
        got = measured(profile, what, dtype) if known else None
        share[what, dtype] = round(got / value, 3) if got else None
    return share


def whole(number):
    """As an integer where it is one: 2e12 is then written with its digits, as C reads it back."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def id_of(sheet):
    return "cuda:0" if sheet["capability"] else "opencl:0"


def figure(entry, share, date, device):
    what, dtype, size, unit, value, source = entry
    value = whole(float(f"{value:.6g}"))
    return {"device": device, "what": what, "dtype": dtype, "threads": None, "bytes": size,
            "peer": None, "unit": unit, "source": "data sheet", "value": value, "median": value,
            "lo": value, "hi": value, "n": 0, "achievable": share.get((what, dtype)),
            "date": date, "method": source, "note": None}


def facts(sheet):
    if sheet["capability"]:
        yield "compute_capability", sheet["capability"], float(sheet["capability"])
    yield "power_limit_max_w", f"{sheet['watts']} W", sheet["watts"]
    yield "pcie_generation_max", str(sheet["pcie"]), sheet["pcie"]
    yield "pcie_width_max", "16", 16
    if sheet["nvlink"]:
        yield ("nvlink_bytes_s", f"{sheet['nvlink']} GB/s, both directions of all links together",
               sheet["nvlink"] * 10**9)


def remarks(sheet, share, profile):
    yield "a data sheet: nobody measured these numbers here"
    yield "memory_bytes is the size on the sheet; a driver keeps some of it, and so may ECC"
    if profile:
        yield (f"achievable: measured on an H200 SXM (profile {profile['name']}, "
               f"{profile['environment']['date']}) / its data sheet")
        lacking = [" ".join(filter(None, key)) for key in
                   ((f[0], f[1]) for f in figures_of(sheet)) if share.get(key) is None]
        if lacking:
            yield "achievable is not known of: " + ", ".join(lacking)
    else:
        yield "achievable is not known: no profile of a GPU of this kind was given"


def profile_of(sheet, share, profile):
    date = sheet.get("read_on", READ_ON)
    if not sheet["capability"]:
        share, profile = {}, None  # an H200 says nothing of another maker's GPU
    clock = sheet["clock_mhz"]
    cache = sheet["l2_mib"]
    memory = sheet["memory_gib"] * GIB
    device = {"id": id_of(sheet), "backend": id_of(sheet)[:-2], "name": sheet["gpu"], "driver": "",
              "address": None, "same_as": None, "kind": "gpu", "index": 0, "units": sheet["sms"],
              "memory_bytes": memory, "cache_bytes": cache and whole(cache * 2**20),
              "clock_hz": clock and clock * 10**6, "start_s": None}
    machine = {"host": "", "cpu": "", "cores": 0, "cores_allowed": 0, "allowed_by": "",
               "numa_nodes": 0, "memory_bytes": None, "cache_bytes": None, "devices": [device],
               "absent": []}
    environment = {"date": date, "compiler": "", "flags": "", "kernel": "", "affinity": None,
                   "governor": None, "simd": "", "slurm_job": None, "order": "",
                   "load_average": None, "cpu_hz": None, "steal": None, "seed": 0}
    sources = sorted({f[5].split(":")[0] for f in figures_of(sheet)} | {sheet["chip"]})
    return {
        "schema": "breakeven/1", "command": "probe", "version": VERSION,
        "name": "datasheet-" + sheet["name"],
        "provenance": "data sheet: " + "; ".join(sources), "source": "data sheet",
        "partial": False, "machine": machine, "environment": environment,
        "figures": [figure(entry, share, date, id_of(sheet)) for entry in figures_of(sheet)], "fits": [],
        "facts": [{"device": id_of(sheet), "name": name, "text": text, "number": whole(number)}
                  for name, text, number in facts(sheet)],
        "findings": [], "remarks": list(remarks(sheet, share, profile)),
    }


def as_text(profile):
    """One record a line, as breakeven writes it."""
    def compact(value):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    def member(key, value):
        if isinstance(value, list):
            inside = ",\n".join(compact(record) for record in value)
            return f'"{key}":[\n{inside}\n]' if value else f'"{key}":[]'
        return f'"{key}":{compact(value)}'

    return "{" + ",\n".join(member(key, value) for key, value in profile.items()) + "}\n"


def check(files):
    wrong = [f"{path.name}: not what {sys.argv[0]} writes" for path, text in files.items()
             if not path.exists() or path.read_text() != text]
    wrong += [f"{path.name}: no sheet is called so" for path in FOLDER.glob("datasheet-*.json")
              if path not in files]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


def main(words):
    checking = "--check" in words
    words = [word for word in words if word != "--check"]
    if words in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if len(words) > 1 or any(word.startswith("-") for word in words):
        print(__doc__, file=sys.stderr)
        return 2
    profile = json.loads(pathlib.Path(words[0]).read_text()) if words else None
    share = shares(profile)
    files = {FOLDER / f"datasheet-{sheet['name']}.json": as_text(profile_of(sheet, share, profile))
             for sheet in SHEETS}
    if checking:
        return check(files)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
