"""bench/gpu_watch.sh with tools whose words are known, and of tools that hang or are not there."""
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "bench" / "gpu_watch" / "table.py"
SCRIPT = ROOT / "bench" / "gpu_watch.sh"

BEGIN = 1767225600  # 2026-01-01 00:00:00 UTC
PHASES = ("fma32 full", "copy in pinned")

# As nvidia-smi 580 prints it: the head again and again, a dash for what there is not, another GPU's lines.
DMON_HEAD = """\
#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa   mclk   pclk  rxpci  txpci     fb   bar1   ccpm
#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %      %      %      %      %    MHz    MHz   MB/s   MB/s     MB     MB     MB
"""
DMON_LINE = " 20260101   00:00:{:02}      {}    {power}     41      -     {sm}     30      0      0      0      0   3201   {clock}  {rx}      0   5621      2      0\n"

COLUMNS = ("gpu_busy", "gpu_memory_busy", "gpu_clock", "gpu_memory_clock", "gpu_power", "gpu_temperature",
           "gpu_bus_in", "gpu_bus_out", "gpu_memory", "gpu_sm_active", "gpu_sm_occupancy")


def ours(phase, **other):
    values = {"gpu_busy": 1.0, "gpu_memory_busy": 0.3, "gpu_clock": 1980e6, "gpu_memory_clock": 3201e6,
              "gpu_power": 264.0 + 10 * phase, "gpu_temperature": 41, "gpu_bus_in": phase * 50e9, "gpu_bus_out": 0,
              "gpu_memory": 5621 * 2**20, "gpu_sm_active": 0.998, "gpu_sm_occupancy": 0.60}
    return {**values, **other}


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write(self, name, text):
        (self.path / name).write_text(text)

    def write_ours(self, **other):
        rows = ["from,to," + ",".join(f"{name}.0" for name in COLUMNS)]
        for tick in range(80):
            phase = tick // 40
            values = ours(phase, **other)
            if tick % 40 < 10:  # what still holds of the phase before
                values["gpu_busy"], values["gpu_power"] = 0.5, 100
            at = BEGIN + 0.1 * tick
            rows.append(f"{at:.4f},{at + 0.1:.4f}," + ",".join(f"{values[name]:.7g}" for name in COLUMNS))
        self.write("phases.csv", "\n".join(rows) + "\n")
        self.write("phases.log", "".join(f"{name}\t{BEGIN + 4 * i}\t{BEGIN + 4 * i + 4}\n"
                                         for i, name in enumerate(PHASES)))

    def write_dmon(self, **other):
        text = ""
        for second in range(9):
            values = {"power": 264 + 10 * (second // 4), "sm": 100, "clock": 1980, "rx": 50001 * (second // 4), **other}
            text += DMON_HEAD if second % 3 == 0 else ""
            text += DMON_LINE.format(second, 0, **values)
            text += DMON_LINE.format(second, 1, power=70, sm=0, clock=345, rx=0)
        self.write("dmon.txt", text)

    def write_query(self, power):
        head = ("timestamp, utilization.gpu [%], utilization.memory [%], memory.used [MiB], power.draw [W], "
                "clocks.current.sm [MHz], clocks.current.memory [MHz], temperature.gpu\n")
        self.write("smi.csv", head + "".join(
            f"2026/01/01 00:00:0{tick // 5}.{200 * (tick % 5):03}, 100, 30, 5621, {power}, 1980, 3201, 41\n"
            for tick in range(40)))

    def table(self):
        done = subprocess.run([sys.executable, "-B", TABLE, self.path], env={**os.environ, "TZ": "UTC"},
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = {}
        for line in done.stdout.rpartition("== do the others")[2].splitlines()[2:]:
            rows[tuple(line.split()[:2])] = line
        return rows


class Table(Folder):
    def test_alike(self):
        self.write_ours()
        self.write_dmon()
        self.write_query("[N/A]")
        rows = self.table()
        for name in ("sm", "mem", "pclk", "mclk", "pwr", "gtemp", "rxpci", "txpci", "fb"):
            self.assertIn(" yes", rows["dmon", name])
        self.assertRegex(rows["dmon", "pwr"], r"pwr +2 +269\.0 +269\.0 +0\.00 +5 W")
        self.assertRegex(rows["dmon", "rxpci"], r"rxpci +2 +25000\.0 +25000\.5 +1\.00 .* yes copy in pinned$")
        self.assertRegex(rows["query", "clocks.sm"], r" 2 +1980\.0 +1980\.0 .* yes$")
        self.assertRegex(rows["query", "power.draw"], r" 0 +- +- +- .* -$")
        self.assertRegex(rows["ncu", "SM"], r" 0 +- +- .* -$")

    def test_what_differs_is_named_with_its_phase(self):
        self.write_ours(gpu_temperature=44, gpu_memory=5623 * 2**20)
        self.write_dmon(sm=97, rx=40000)
        self.write_query(280)
        rows = self.table()
        self.assertRegex(rows["dmon", "sm"], r"100\.0 +97\.0 +3\.00 .* NO ")
        self.assertRegex(rows["dmon", "rxpci"], r"40000\.00 .* NO ")  # in the phase that copies nothing
        self.assertRegex(rows["dmon", "gtemp"], r" 3\.00 .* NO ")
        self.assertRegex(rows["dmon", "fb"], r" 2\.00 .* NO ")
        self.assertRegex(rows["dmon", "pclk"], r" yes$")
        self.assertRegex(rows["query", "power.draw"], r" 269\.0 +280\.0 +16\.00 .* NO  fma32 full$")

    def test_a_range_that_contains_the_other_agrees(self):
        self.write_ours()
        text = (self.path / "phases.csv").read_text().splitlines()
        for i in range(1, len(text), 2):
            cells = text[i].split(",")
            cells[2] = "0.2"
            text[i] = ",".join(cells)
        self.write("phases.csv", "\n".join(text) + "\n")
        self.write_dmon(sm=27)
        self.assertRegex(self.table()["dmon", "sm"], r" 0\.00 .* yes$")

    def test_counters_beside_ncu(self):
        self.write_ours()
        self.write("ncu.csv", '"ID","Kernel Name","sm__cycles_active.avg.pct_of_peak_sustained_elapsed",'
                   '"sm__warps_active.avg.pct_of_peak_sustained_elapsed"\n"","","%","%"\n"0","fma32","100","50"\n')
        rows = self.table()
        self.assertRegex(rows["ncu", "SM"], r" 1 +99\.8 +100\.0 +0\.20 .* yes fma32 full$")
        self.assertRegex(rows["ncu", "occ"], r" 1 +60\.0 +50\.0 +10\.00 .* NO  fma32 full$")

    def test_nothing_was_recorded(self):
        rows = self.table()
        self.assertEqual(len(rows), 9 + 7 + 6)
        self.assertTrue(all(line.endswith(" -") for line in rows.values()))


class Script(Folder):
    def stand_in(self, name, text):
        self.write(name, "#!/bin/sh\n" + text)
        os.chmod(self.path / name, stat.S_IRWXU)

    def test_tools_that_hang_or_are_not_there(self):
        self.stand_in("gpu_sample", "exec sleep 1000\n")
        self.stand_in("nvidia-smi", "exec sleep 1000\n")
        self.stand_in("python", f'[ "$2" != -c ] && [ "$1" = -B ] && exec {sys.executable} "$@"\nexit 1\n')
        done = subprocess.run(["bash", SCRIPT, self.path, self.path / "results"],
                              env={**os.environ, "PATH": f"{self.path}:/usr/bin:/bin", "LIMIT_S": "9",
                                   "PYTHON": str(self.path / "python")},
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        wrong = done.stdout.partition("== what went wrong")[2]
        self.assertIn("versions: exit 1", wrong)
        self.assertRegex(wrong, r"(gpu: exit 1(24|37)|phases: left out)")
        self.assertIn("phases: left out", wrong)
        self.assertIn("== do the others say the same?", wrong)


if __name__ == "__main__":
    unittest.main()
