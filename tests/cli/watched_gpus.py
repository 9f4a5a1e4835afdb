"""A command under `breakeven run` while the driver of a GPU, a fake one, gives errors, hangs, or loses the GPU
half-way: the command's outcome is its own, the run ends, and the report says what was not seen, from when, and why.

usage: watched_gpus.py BUILD/breakeven [TEST...], with FAKE_NVML and FAKE_DCGM, the fake libnvidia-ml.so.1 and libdcgm.so.4,
in the environment"""
import os
import sys
import time

from watched import WAIT, PYTHON, Watched, main, wait_until

OURS = WAIT + "os.write(1, b'begun\\n'); wait(); os.write(1, b'done\\n'); os._exit(7)"
COUNTERS = "SM activity, occupancy, tensor, FP64, FP32, FP16, memory bandwidth, bus"
DRIVER = "running kernels, memory, power"


class Gpus(Watched):
    def setUp(self):
        super().setUp()
        libraries = os.path.join(self.folder.name, "libraries")
        os.mkdir(libraries)
        os.symlink(os.environ["FAKE_NVML"], os.path.join(libraries, "libnvidia-ml.so.1"))
        self.told = os.path.join(self.folder.name, "told")
        self.environment.update(LD_LIBRARY_PATH=libraries, BE_FAKE_TOLD=self.told)

    def run_while(self, fail, devices=1):
        """Its report as one line, of a run that goes on for a while after the first call that failed."""
        self.environment.update(BE_FAKE_FAIL=fail, BE_FAKE_DEVICES=str(devices))
        process = self.start(PYTHON, "-c", OURS, self.go)
        self.said(process, "begun")
        self.assertTrue(wait_until(lambda: os.path.exists(self.told)), "nothing has failed")
        time.sleep(1.5)  # what is missing for less than a second at the end is not spoken of
        self.let_it_end()
        out, err = self.end(process)
        self.assertEqual((process.returncode, out), (7, "done\n"), err)
        self.assertIn("exit code 7", err)
        return " ".join(err.split())

    def source(self, name):
        return next(one for one in self.read_trace()["sources"] if one["name"] == name)

    def last_seen(self, signal):
        """The tick, of the first GPU: what is missing at the end of a series is left out."""
        one = next(one for one in self.read_trace()["series"] if one["signal"] == signal)
        return one["first"] + len(one["values"])

    def expect_one_ended(self, report, ended, going_on):
        self.assertEqual(report.count("absent after"), 1, report)
        self.assertGreater(self.last_seen(going_on), self.last_seen(ended))

    # ---- was it worth it ------------------------------------------------------------------------------

    def test_there_is_a_verdict_unless_none_is_wanted(self):
        said = "verdict Worth a GPU: not known. There is no data sheet of Fake GPU here"
        for options, count in (((), 1), (("--no-verdict",), 0)):
            with self.subTest(options=options):
                code, _, err = self.run_it("sh", "-c", "sleep 1.5; exit 7", options=options)
                self.assertEqual((code, " ".join(err.split()).count(said)), (7, count), err)
                self.assertEqual("worth_a_gpu" in self.read_trace(), bool(count))

    def test_an_a100_has_a_verdict_by_nv_hostengine(self):
        self.environment.update(BE_FAKE_NAME="NVIDIA A100-SXM4-80GB", BE_FAKE_FAIL="nvmlGpmQueryDeviceSupport 1 3",
                                BREAKEVEN_DCGM_PORT="0")
        for library, wanted in (
                (False, "Worth a GPU: not known. Kernels ran for .* no counters of this GPU's units "
                        r"\(NVIDIA's libdcgm is not here \(libdcgm.so.4\); BREAKEVEN_DCGM_PORT=0: not asked\)"),
                (True, r"Worth a GPU: yes. All that the GPU did \([\d.]+ TFLOP")):
            if library:
                os.symlink(os.environ["FAKE_DCGM"], os.path.join(self.folder.name, "libraries", "libdcgm.so.4"))
            code, _, err = self.run_it("sh", "-c", "sleep 2.5; exit 7")
            self.assertEqual(code, 7)
            self.assertRegex(" ".join(err.split()), wanted)
        self.assertEqual(self.source("libdcgm")["detail"], "untested on hardware")

    # ---- the GPU is gone ------------------------------------------------------------------------------

    def test_it_falls_off_the_bus(self):
        report = self.run_while("nvmlDeviceGetUtilizationRates 3 15 lost")
        self.assertRegex(report, r"absent after [\d.]+ m?s: running kernels, .*: the GPU fell off the bus")
        ended = report.partition("absent after")[2].partition(" timeline ")[0]  # at once, or the counters a tick later
        for name in f"{DRIVER}, {COUNTERS}".split(", "):
            self.assertIn(name, ended)
        for name in ("nvml", "gpm"):
            self.assertEqual(self.source(name)["absent"], "the GPU fell off the bus")
        self.assertIn("running kernels 60 %", report)  # what was seen stays
        self.assertGreater(self.last_seen("cpu_busy"), self.last_seen("gpu_busy"))

    def test_two_give_errors(self):
        report = self.run_while("nvmlDeviceGetUtilizationRates 5 999", devices=2)
        said = ": running kernels: nvmlDeviceGetUtilizationRates: NVML error 999"
        self.assertEqual((report.count(said), report.count("absent after")), (2, 2), report)

    # ---- it gives errors ------------------------------------------------------------------------------

    def test_one_call_gives_errors(self):
        report = self.run_while("nvmlDeviceGetUtilizationRates 3 999")
        self.assertRegex(report, r"absent after [\d.]+ m?s: running kernels: nvmlDeviceGetUtilizationRates: "
                         "NVML error 999")
        self.expect_one_ended(report, "gpu_busy", "gpu_memory")
        self.expect_one_ended(report, "gpu_busy", "gpu_sm_active")
        self.assertIsNone(self.source("nvml")["absent"])

    def test_counters_give_errors(self):
        for call in ("nvmlGpmSampleGet 5 999", "nvmlGpmMetricsGet 3 999"):
            with self.subTest(call=call):
                report = self.run_while(call)
                self.assertRegex(report, rf"absent after [\d.]+ m?s: {COUNTERS}: {call.split()[0]}: "
                                 "NVML error 999")
                self.expect_one_ended(report, "gpu_sm_active", "gpu_busy")
                os.unlink(self.go)
                os.unlink(self.told)

    # ---- it hangs -------------------------------------------------------------------------------------

    def test_a_call_hangs(self):
        report = self.run_while("nvmlDeviceGetUtilizationRates 3 hang")
        self.assertRegex(report, rf"absent after [\d.]+ m?s: {DRIVER}: its driver does not answer any more")
        self.expect_one_ended(report, "gpu_busy", "gpu_sm_active")

    def test_counters_hang(self):
        report = self.run_while("nvmlGpmSampleGet 5 hang")
        self.assertRegex(report, rf"absent after [\d.]+ m?s: {COUNTERS}: its driver does not answer any more")
        self.expect_one_ended(report, "gpu_sm_active", "gpu_busy")

    def test_opening_hangs(self):
        report = self.run_while("nvmlInit_v2 1 hang")
        self.assertRegex(report, r"GPU none: gpm: opening it was not over after [\d.]+ s")

    def test_closing_hangs(self):
        self.environment.update(BE_FAKE_FAIL="nvmlShutdown 1 hang")
        code, _, err = self.run_it("sh", "-c", "sleep 1; exit 7")
        self.assertEqual(code, 7)
        self.assertIn("GPU      running kernels 60 %", err)


if __name__ == "__main__":
    if not {"FAKE_NVML", "FAKE_DCGM"} <= os.environ.keys():
        sys.exit(__doc__)
    main()
