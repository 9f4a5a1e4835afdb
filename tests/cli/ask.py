"""`breakeven ask` on programs whose kinds of work are planted: each function takes a known share of the CPU time, in a
library that is called as a known one. Shares are held to what so few samples allow (4.5 standard deviations), times to
nothing.

usage: ask.py BUILD/breakeven [TEST...]"""
import ctypes
import errno
import json
import math
import os
import platform
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
HZ = 199

# A function that takes so many seconds of its thread's CPU time.
SPEND = r"""
#define _GNU_SOURCE
#include <time.h>
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
volatile double sink_of_NAME;
void NAME(double seconds) {
    for (double end = now() + seconds; now() < end;) {
        double x = sink_of_NAME;
        for (int i = 0; i < 200000; i++) x += x * 1e-9 + 1;
        sink_of_NAME = x;
    }
}
"""

MAIN = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
void dgemm_kernel_PLANTED(double), n1fv_64(double), inflate(double), step(double);
static void *in_thread(void *seconds) {
    inflate(*(double *)seconds);
    return NULL;
}
int main(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *what = argv[i];
        double seconds = atof(argv[i + 1]);
        if (!strcmp(what, "matrix")) dgemm_kernel_PLANTED(seconds);
        if (!strcmp(what, "fft")) n1fv_64(seconds);
        if (!strcmp(what, "parsing")) inflate(seconds);
        if (!strcmp(what, "own")) step(seconds);
        if (!strcmp(what, "sleep")) usleep((unsigned)(1e6 * seconds));
        if (!strcmp(what, "remove")) unlink(argv[i + 1]);
        if (!strcmp(what, "say")) puts(argv[i + 1]), fflush(stdout);
        if (!strcmp(what, "signal")) raise(atoi(argv[i + 1]));
        if (!strcmp(what, "exit")) exit(atoi(argv[i + 1]));
        if (!strcmp(what, "child") && fork() == 0) n1fv_64(seconds), _exit(0);
        if (!strcmp(what, "thread")) {
            pthread_t thread;
            pthread_create(&thread, NULL, in_thread, &seconds);
            pthread_join(thread, NULL);
        }
        if (!strcmp(what, "wait")) while (wait(NULL) > 0) ;
    }
    return 0;
}
"""

LIBRARIES = {"libopenblas.so.0": "dgemm_kernel_PLANTED", "libfftw3.so.3": "n1fv_64", "libz.so.1": "inflate"}


def compile_all(folder, static=False):
    def run(*words):
        subprocess.run(["cc", "-O1", "-pthread", *words], check=True, cwd=folder)

    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="ascii") as out:
            out.write(text)

    write("main.c", MAIN)
    write("step.c", SPEND.replace("NAME", "step"))
    for library, function in LIBRARIES.items():
        write(function + ".c", SPEND.replace("NAME", function))
        if not static:
            run("-shared", "-fPIC", f"-Wl,-soname,{library}", "-o", library, function + ".c")
    parts = [function + ".c" for function in LIBRARIES.values()] if static else list(LIBRARIES)
    run(*(["-static"] if static else []), "-o", "planted", "main.c", "step.c", *parts, "-Wl,-rpath,$ORIGIN")


def forbid_perf_events():
    """A filter of system calls, as containers have it: perf_event_open (298 on x86-64) is not permitted."""
    load, jump_if, give = 0x20, 0x15, 0x06
    code = [(load, 0, 0, 0), (jump_if, 0, 1, 298), (give, 0, 0, 0x00050000 | errno.EPERM), (give, 0, 0, 0x7FFF0000)]
    text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in code))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(text)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(program)):
        os._exit(99)


DOT = """
#include <stdio.h>
#include <time.h>
double a[1000], b[1000];
__attribute__((noinline)) double dot(void) {
    double sum = 0;
    for (int i = 0; i < 1000; i++) sum += a[i] * b[i];
    return sum;
}
int main(void) {
    double sum = 0;
    while (clock() < 0.6 * CLOCKS_PER_SEC) for (int i = 0; i < 100; i++) a[i] = 1e-9 * sum, sum += dot();
    printf("%g\\n", sum);
}
"""


class Ask(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        compile_all(cls.folder)
        answer = subprocess.run([PROGRAM, "ask", "--json", "--", "true"], stderr=subprocess.PIPE, text=True, check=True)
        cls.unsampled = json.loads(answer.stderr)["unsampled"]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def ask(self, *words, folder=None, code=0, options=(), before=None):
        done = subprocess.run([PROGRAM, "ask", *options, "--", *words], cwd=folder or self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=before, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def planted(self, *words, folder=None, **more):
        folder = folder or self.folder
        done = self.ask(os.path.join(folder, "planted"), *words, options=("--json",), folder=folder, **more)
        return json.loads(done.stderr)

    def need_samples(self):
        if self.unsampled:
            self.skipTest(self.unsampled)

    def longest(self, answer):
        """The longest part that ran: a busy host keeps a virtual machine waiting, which nobody inside can tell from waiting of
        the program's own."""
        return next(part for part in answer["parts"] if part["kind"] != "waiting")

    def shares(self, answer):
        kinds = {}
        for part in answer["parts"]:
            kinds[part["kind"]] = kinds.get(part["kind"], 0) + part["cpu_s"]
        whole = sum(kinds.values())
        return {kind: cpu_s / whole for kind, cpu_s in kinds.items()}

    def assert_shares(self, answer, planted):
        """`planted`: seconds a kind. The kernel's part, of starting processes and of interrupts, is none of it."""
        whole = sum(planted.values())
        found = self.shares(answer)
        outside = 1 - found.pop("kernel", 0)
        found = {kind: share / outside for kind, share in found.items()}
        for kind, seconds in planted.items():
            share = seconds / whole
            off = 4.5 * math.sqrt(share * (1 - share) / (HZ * whole)) + 0.02
            self.assertAlmostEqual(found.get(kind, 0), share, delta=off, msg=f"{kind}: {found}")

    def test_kinds_have_their_shares(self):
        self.need_samples()
        answer = self.planted("matrix", "0.8", "fft", "0.4", "own", "0.4", "parsing", "0.2")
        self.assert_shares(answer, {"matrix": 0.8, "fft": 0.4, "own": 0.4, "parsing": 0.2})
        top = self.longest(answer)
        self.assertEqual((top["kind"], top["library"], top["function"]),
                         ("matrix", "libopenblas.so.0", "dgemm_kernel_PLANTED"))
        self.assertGreater(answer["known_share"], 0.97)

    def test_threads_and_children_count(self):
        self.need_samples()
        answer = self.planted("child", "0.4", "thread", "0.4", "wait", "0", "matrix", "0.4")
        self.assert_shares(answer, {"fft": 0.4, "parsing": 0.4, "matrix": 0.4})

    def test_sleep_is_waiting(self):
        self.need_samples()
        answer = self.planted("own", "0.3", "sleep", "1.6")
        waited = sum(part["wall_s"] for part in answer["parts"] if part["kind"] == "waiting")
        self.assertGreater(waited, 0.8)
        self.assert_shares(answer, {"own": 0.3, "waiting": 0})

    def test_preparation_ends_where_the_work_begins(self):
        self.need_samples()
        answer = self.planted("parsing", "0.6", "matrix", "0.8", "parsing", "0.2")
        later = {part["kind"]: part["later_s"] for part in answer["parts"]}
        whole = {part["kind"]: part["wall_s"] for part in answer["parts"]}
        self.assertAlmostEqual(later["parsing"] / whole["parsing"], 0.25, delta=0.15)
        self.assertAlmostEqual(later["matrix"], whole["matrix"], delta=0.1 * whole["matrix"])
        before = whole["parsing"] - later["parsing"]
        self.assertGreater(answer["prepare_s"], 0.9 * before)
        answer = self.planted("parsing", "0.4")
        self.assertIsNone(answer["prepare_s"])

    def test_children_that_exec_have_their_own_maps(self):
        self.need_samples()
        planted = os.path.join(self.folder, "planted")
        done = self.ask("sh", "-c", f"{planted} matrix 0.3 & {planted} fft 0.3; wait", options=("--json",))
        self.assert_shares(json.loads(done.stderr), {"matrix": 0.3, "fft": 0.3})

    def test_static_program(self):
        self.need_samples()
        with tempfile.TemporaryDirectory() as folder:
            try:
                compile_all(folder, static=True)
            except subprocess.CalledProcessError:
                self.skipTest("no static C library is here")
            answer = self.planted("own", "0.5", folder=folder)
            self.assert_shares(answer, {"own": 0.5})
            self.assertEqual(self.longest(answer)["function"], "step")

    def test_a_removed_library_is_read_while_it_is_mapped_or_said(self):
        self.need_samples()
        with tempfile.TemporaryDirectory() as folder:
            compile_all(folder)
            answer = self.planted("remove", "libopenblas.so.0", "matrix", "0.5", folder=folder)
            self.assert_shares(answer, {"matrix": 0.5})
            top = self.longest(answer)
            self.assertTrue(top["function"] == "dgemm_kernel_PLANTED" or answer["missing_files"] == 1, answer)

    def test_a_program_that_crashes_is_answered_and_stays_a_crash(self):
        answer = self.planted("own", "0.2", "signal", str(int(signal.SIGSEGV)), code=128 + signal.SIGSEGV)
        self.assertGreater(answer["run"]["user_s"], 0.1)

    def test_output_and_exit_code_are_the_program_s(self):
        done = self.ask(os.path.join(self.folder, "planted"), "say", "hello", "exit", "7", code=7)
        self.assertEqual(done.stdout, "hello\n")
        self.assertIn("planted ran", done.stderr)

    def test_nothing_to_sample(self):
        done = self.ask("true")
        if not self.unsampled:
            self.assertIn("too short to tell", done.stderr)

    def test_no_perf_events_allowed(self):
        if os.uname().machine != "x86_64":
            self.skipTest("the filter knows x86-64")
        done = self.ask(os.path.join(self.folder, "planted"), "own", "0.1", "exit", "3", code=3, before=forbid_perf_events)
        self.assertIn("Kinds of work are not known: perf events are forbidden here", " ".join(done.stderr.split()))
        answer = self.planted("own", "0.1", before=forbid_perf_events)
        self.assertIsNone(answer["known_share"])
        self.assertEqual([part["kind"] for part in answer["parts"] if part["cpu_s"] > 0], ["unknown"])

    def test_lines_fit_a_terminal(self):
        done = self.ask(os.path.join(self.folder, "planted"), "matrix", "0.2", "fft", "0.2", "own", "0.2")
        self.assertEqual([line for line in done.stderr.split("\n") if len(line) > 80], [])

    def test_an_interpreter_is_not_worth_a_gpu(self):
        self.need_samples()
        loop = "import sys\ni = 0\nwhile i < 30000000: i += 1"
        done = self.ask(sys.executable, "-c", loop)
        said = " ".join(done.stderr.split())
        self.assertRegex(said, r"Worth a GPU\? No\. [0-9]+ % of the time is the Python interpreter")
        answer = json.loads(self.ask(sys.executable, "-c", loop, options=("--json",)).stderr)
        self.assertEqual([one["machine"] for one in answer["machines"]], ["h200", "a100-80", "t4"])
        for machine in answer["machines"]:
            self.assertEqual((machine["verdict"], machine["cause"]), ("no", "staying"))
            self.assertLess(machine["gain_at_most"], 1.25)
            self.assertLessEqual(machine["gain_hi"], machine["gain_at_most"])

    def test_own_code_is_named_and_not_judged(self):
        self.need_samples()
        done = self.ask(os.path.join(self.folder, "planted"), "own", "1", options=("--machine=h100",))
        said = " ".join(done.stderr.split())
        self.assertIn("Samples cannot tell", said)
        # With objdump its loop is looked at.
        self.assertRegex(said, r"what planted: step computes|planted: step has \d+ % of the time, most of it in a loop")

    @unittest.skipUnless(shutil.which("objdump") and platform.machine() == "x86_64", "objdump and x86-64 code are needed")
    def test_the_loop_of_own_code_is_counted(self):
        """A dot product: an addition and a multiplication of float64 for each 16 bytes, and its iterations add up."""
        self.need_samples()
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "dot.c"), os.path.join(folder, "dot")
            with open(source, "w", encoding="utf-8") as out:
                out.write(DOT)
            subprocess.run(["cc", "-O1", "-o", program, source], check=True)
            answer = json.loads(self.ask(program, options=("--json", "--machine=h100")).stderr)
        own, there = answer["own"], answer["machines"][0]["own"]
        self.assertEqual((own["function"], own["why"], own["loop"]["chain"]), ("dot", None, "sum"), own)
        self.assertGreater(own["loop"]["flops64"], 0)
        self.assertEqual(own["loop"]["read_bytes"], 8 * own["loop"]["flops64"])
        self.assertEqual((own["loop"]["flops32"], own["loop"]["write_bytes"]), (0, 0))
        self.assertLess(0, there["lo_s"])
        self.assertLess(there["lo_s"], there["typical_s"])
        self.assertLess(there["typical_s"], there["hi_s"])

    def test_machines(self):
        self.need_samples()
        planted = os.path.join(self.folder, "planted")
        answer = json.loads(self.ask(planted, "fft", "1", options=("--json", "--machine=h100,l4")).stderr)
        self.assertEqual([(one["machine"], one["scaled_from"]) for one in answer["machines"]],
                         [("h100", None), ("l4", "h100")])
        for machine in answer["machines"]:
            self.assertEqual(machine["verdict"], "too close")
            self.assertLess(machine["kinds"]["fft"]["lo_s"], machine["kinds"]["fft"]["hi_s"])
        done = subprocess.run([PROGRAM, "ask", "--machine=gold", "--", "touch", os.path.join(self.folder, "ran")],
                              text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("machine gold", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "ran")))

    def test_calls_are_recorded_where_there_are_some(self):
        answer = json.loads(self.ask("true", options=("--json", "--calls")).stderr)
        self.assertIsNone(answer["longest_call"])
        self.assertEqual([one["calls_recorded"] for one in answer["machines"]], [False, False, False])

    def test_without_times_of_gpus_the_kinds_are_an_answer(self):
        self.need_samples()
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "breakeven")
            shutil.copy(PROGRAM, program)
            done = subprocess.run([program, "ask", "--", os.path.join(self.folder, "planted"), "fft", "0.5"], text=True,
                                  capture_output=True, check=True, env={**os.environ, "HOME": folder})
        said = " ".join(done.stderr.split())
        if "No GPU is judged" not in said: # one is installed where this was built for
            self.assertIn("h200", said)
        self.assertIn("Fourier transforms", said)

    def test_wrong_use(self):
        for words in (["ask"], ["ask", "--gold", "--", "true"], ["ask", "-o", "-", "--", "true"],
                      ["ask", "-o", "x", "--json=x", "--", "true"]):
            done = subprocess.run([PROGRAM, *words], cwd=self.folder, text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode, 2, f"{words}: {done.stderr}")
        self.assertEqual(self.ask("no-such-command-here", code=127).stdout, "")

    def test_files(self):
        self.ask("true", options=("-o", "answer.txt", "--json=answer.json"))
        with open(os.path.join(self.folder, "answer.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["command"], "ask")
        with open(os.path.join(self.folder, "answer.txt"), encoding="utf-8") as file:
            self.assertIn("true ran", file.read())


class Again(unittest.TestCase):
    """An answer that was written before, of a program that calls NumPy on small arrays, for other machines and libraries."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        part = {"library": None, "function": None, "samples": 100}
        times = (("interpreter", "the Python interpreter", 1.75), ("calls", "NumPy's preparation of calls", 1.75),
                 ("elementwise", "elementwise loops over arrays", 0.5))
        self.saved = {"schema": "breakeven/1", "command": "ask", "own_s": 4.0, "prepare_s": 0, "samples": 800, "lost": 0,
                      "rate_hz": 199, "kernel_sampled": True, "known_share": 1, "missing_files": 0,
                      "run": {"command": "python3", "elapsed_s": 4.0, "user_s": 4.0, "system_s": 0, "core_wait_s": 0, "threads": 2},
                      "parts": [{**part, "kind": kind, "what": what, "cpu_s": s, "wall_s": s, "later_s": s} for kind, what, s in times]}

    def again(self, *options, code=0, **changes):
        path = os.path.join(self.folder.name, "saved.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**self.saved, **changes}, file)
        done = subprocess.run([PROGRAM, "ask", f"--again={path}", *options], text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr if code else done.stdout

    def test_libraries_differ_and_machines_may_be_others(self):
        found = {}
        for library in ("cupy", "torch", "jax"):
            answer = json.loads(self.again("--machine=h200,t4", f"--with={library}", "--json"))
            self.assertEqual([one["machine"] for one in answer["machines"]], ["h200", "t4"])
            self.assertEqual({one["kind"]: one["wall_s"] for one in answer["parts"]},
                             {one["kind"]: one["wall_s"] for one in self.saved["parts"]})
            found[library] = answer["machines"][0]
        self.assertLess(found["torch"]["gain"], found["cupy"]["gain"])
        self.assertLess(found["cupy"]["gain"], 0.2)
        self.assertEqual((found["cupy"]["verdict"], found["torch"]["verdict"]), ("no", "no"))
        self.assertGreater(found["torch"]["start"]["typical_s"], 2 * found["cupy"]["start"]["typical_s"])
        self.assertGreater(found["jax"]["gain_hi"], found["cupy"]["gain_hi"])  # whole functions are compiled

    def test_files_from_before_there_were_calls(self):
        old = [{**one, "kind": "interpreter" if one["kind"] == "calls" else one["kind"]} for one in self.saved["parts"]]
        wanted = json.loads(self.again("--machine=h200", "--json"))["machines"]
        self.assertEqual(json.loads(self.again("--machine=h200", "--json", parts=old))["machines"], wanted)

    def test_the_text_is_for_people(self):
        large = [{**one, "wall_s": 4.0, "later_s": 4.0} if one["kind"] == "elementwise" else
                 {**one, "wall_s": 0.01, "later_s": 0.0} for one in self.saved["parts"]]
        text = " ".join(self.again("--machine=h200", parts=large).split())
        self.assertIn("python3 ran 4.00 s", text)
        self.assertIn("(`--with=cupy`, torch or jax says which library's)", text)

    def test_wrong_use(self):
        for options, changes, words in (
                (("--", "true"), {}, "runs nothing: give no command"),
                (("--with=cuda",), {}, "--with=cuda: is none of cupy, torch, jax"),
                ((), {"command": "run"}, "the file holds the trace of a run"),
                ((), {"parts": [{"kind": "thinking"}]}, "parts[0].kind: is no kind of work"),
                ((), {"own_s": 0}, "own_s: seconds above 0 are needed")):
            with self.subTest(words=words):
                self.assertIn(words, " ".join(self.again(*options, code=2, **changes).split()))


if __name__ == "__main__":
    unittest.main()
