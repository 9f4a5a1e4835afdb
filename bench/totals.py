#!/usr/bin/env python3
"""Totals of `breakeven run` beside /usr/bin/time and the kernel's control groups, of the same runs.
usage: bench/totals.py BUILD/breakeven [--rounds N]

Each program runs under /usr/bin/time, which runs under `breakeven run`, which runs in a control group
of its own where one may be made (as root, version 1 or 2; else that column is left out). What the group
counted includes the watching, whose CPU time is taken off."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

BURN = "import time, os\nn = 0\nend = time.process_time() + %g\nwhile time.process_time() < end:\n    n += 1\n"
PROGRAMS = {
    "one core": BURN % 4,
    "8 processes": "import os\nfor k in range(8):\n    if os.fork() == 0:\n"
                   + "".join(f"        {line}\n" for line in (BURN % 0.7).splitlines())
                   + "        os._exit(0)\nfor k in range(8):\n    os.wait()\n",
    "orphans": "import os\nfor k in range(8):\n    if os.fork() == 0:\n        if os.fork():\n"
               "            os._exit(0)\n"
               + "".join(f"        {line}\n" for line in (BURN % 0.5).splitlines())
               + "        os._exit(0)\n    os.wait()\nimport time\ntime.sleep(6)\n",
    "8000 short ones": "import subprocess\nfor k in range(8000):\n    subprocess.run(['/bin/true'])\n",
    "400 MB, copied 6 times": "import os\na = bytearray(os.urandom(1 << 20)) * 400\n"
                             "for k in range(6):\n    b = a[::-1]\n",
    "700 MB to disk": "import os\nf = open('out', 'wb')\nfor k in range(700):\n"
                      "    f.write(os.urandom(1 << 20))\nf.flush()\nos.fsync(f.fileno())\n",
}
FORMAT = "%U %S %M %F %R"  # time(1): user s, system s, largest resident KiB, major and minor faults
V1, V2 = "/sys/fs/cgroup", ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")


class Group:
    """A new control group, or none."""

    def __init__(self):
        self.folders = []
        name = f"breakeven-totals-{os.getpid()}"
        v2 = [f"{mount}/{name}" for mount in V2 if os.path.exists(f"{mount}/cgroup.controllers")]
        parts = [f"{V1}/{part}/{name}" for part in ("cpuacct", "memory", "cpu", "blkio")
                 if os.path.exists(f"{V1}/{part}/cgroup.procs")]
        for folder in parts + v2:
            try:
                os.mkdir(folder)
                self.folders.append(folder)
            except OSError:
                pass
        self.version = 1 if parts else 2

    def enter(self):
        for folder in self.folders:
            with open(f"{folder}/cgroup.procs", "w", encoding="ascii") as procs:
                procs.write("0")

    def cpu_s(self):
        """What it counted so far: NAN where it does not tell."""
        for folder in self.folders:
            try:
                if os.path.exists(f"{folder}/cpuacct.usage"):
                    with open(f"{folder}/cpuacct.usage", encoding="ascii") as text:
                        return 1e-9 * int(text.read())
                if self.version == 2 and os.path.exists(f"{folder}/cpu.stat"):
                    with open(f"{folder}/cpu.stat", encoding="ascii") as text:
                        return 1e-6 * int(dict(line.split() for line in text)["usage_usec"])
            except (OSError, ValueError, KeyError):
                pass
        return float("nan")

    def close(self):
        for folder in self.folders:
            os.rmdir(folder)


def once(program, source, folder):
    group = Group()
    trace, times = os.path.join(folder, "trace.json"), os.path.join(folder, "times")
    try:
        subprocess.run([program, "run", "--quiet", f"--trace-file={trace}", "--",
                        "/usr/bin/time", "-o", times, "-f", FORMAT, sys.executable, "-c", source],
                       check=True, cwd=folder, preexec_fn=group.enter)
        counted = group.cpu_s()
    finally:
        group.close()
    with open(trace, encoding="utf-8") as text:
        saved = json.load(text)
    with open(times, encoding="ascii") as text:
        user, system, kib, major, minor = map(float, text.read().split()[-5:])
    total, own = saved["totals"], saved["run"]["own_cpu_s"]
    cpu = total["user_s"] + total["system_s"]
    return {"CPU": (cpu, user + system), "group": (cpu, counted - own),
            "memory": (total["peak_process_bytes"], 1024 * kib),
            "faults": (total["minor_faults"] + total["major_faults"], major + minor)}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    group = Group()
    version = f"version {group.version}" if group.folders else "none could be made"
    group.close()
    print(f"control groups: {version}; {asked.rounds} rounds, the median of each and the farthest off\n")
    print("| program | CPU time | beside /usr/bin/time | beside the control group | largest process | "
          "page faults |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, source in PROGRAMS.items():
            rounds = [once(os.path.abspath(asked.program), source, folder)
                      for _ in range(asked.rounds)]

            def off(what):
                ratios = [100 * (r[what][0] / r[what][1] - 1) for r in rounds if r[what][1] > 0]
                return (f"{statistics.median(ratios):+.2f} % ({max(ratios, key=abs):+.2f})"
                        if ratios else "-")

            def off_ms(what):
                known = [1e3 * (r[what][0] - r[what][1]) for r in rounds if r[what][1] > 0]
                return f"{off(what)}, {statistics.median(known):+.0f} ms" if known else "-"

            cpu = statistics.median(r["CPU"][0] for r in rounds)
            print(f"| {name} | {cpu:.2f} s | {off_ms('CPU')} | {off_ms('group')} | {off('memory')} | "
                  f"{off('faults')} |", flush=True)


if __name__ == "__main__":
    main()
