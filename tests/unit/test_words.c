/* Advice has the words of the program that gets it, and of no other. */
#include "made_findings.h"

#include <glob.h>

#include "report/saved.h"

#define OF(library) ((be_library_set)1 << BE_LIB_##library)

/* Words that only users of one of these libraries know. */
static const struct {
    const char *word;
    be_library_set of;
} foreign[] = {
    {"torch", OF(TORCH)},
    {"DataLoader", OF(TORCH)},
    {"num_workers", OF(TORCH)},
    {"pin_memory", OF(TORCH)},
    {"DistributedSampler", OF(TORCH)},
    {"non_blocking", OF(TORCH)},
    {".item()", OF(TORCH)},
    {"jax", OF(JAX)},
    {"jnp.", OF(JAX)},
    {"tensorflow", OF(TENSORFLOW)},
    {"tf.", OF(TENSORFLOW)},
    {"cupy", OF(CUPY)},
    {"numba", OF(NUMBA)},
    {"scikit", OF(SKLEARN)},
    {"pandas", OF(PANDAS)},
    {"numpy ", OF(NUMPY)},
    {"python", OF(PYTHON)},
    {"multiprocessing", OF(PYTHON)},
    {"concurrent.futures", OF(PYTHON)},
    {"n_jobs", OF(PYTHON)},
    {"py-spy", OF(PYTHON)},
    {"julia", OF(JULIA)},
    {"CuArray", OF(JULIA)},
    {"CUDA.math", OF(JULIA)},
    {"CUDA.pin", OF(JULIA)},
    {"CUDA.functional", OF(JULIA)},
    {"CUDA.synchronize", OF(JULIA)},
    {"parcellfun", OF(OCTAVE)},
    {"np.add", OF(NUMPY)},
    {"reference", OF(REFBLAS)},
    {"parfor", OF(MATLAB)},
    {"gpuArray", OF(MATLAB)},
    {"mclapply", OF(R)},
    {"cudaMalloc", OF(CUDA)},
    {"cudaGraph", OF(CUDA)},
    {"cudaDevice", OF(CUDA)},
    {"cublas", OF(CUDA)},
    {"__launch_bounds__", OF(CUDA)},
    {"hipMalloc", OF(HIP)},
    {"hipGraph", OF(HIP)},
    {"OPENBLAS_", OF(OPENBLAS)},
    {"GOTO_", OF(OPENBLAS)},
    {"MKL_", OF(MKL)},
    {"BLIS_", OF(BLIS)},
    {"NUMEXPR_", OF(NUMEXPR)},
    {"POLARS_", OF(POLARS)},
    {"OMP_NUM_THREADS", OF(GOMP) | OF(IOMP) | OF(OMP)},
};

/* Advice of all findings; free it. */
static char *advice_of(const struct be_trace *trace) {
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    int count = be_trace_findings(trace, found);
    char *text = calloc((size_t)count + 1, BE_NOTE + 1);
    assert_non_null(text);
    for (int i = 0; i < count; i++) {
        strcat(strcat(text, found[i].advice), "\n");
    }
    return text;
}

static void no_foreign_word(const struct be_trace *trace, const char *path) {
    be_library_set set = be_libraries_read(trace->libraries);
    char *text = advice_of(trace);
    for (size_t i = 0; i < BE_COUNT(foreign); i++) {
        if (!(set & foreign[i].of) && strcasestr(text, foreign[i].word)) {
            fail_msg("%s with %s is told of %s: %s", path,
                     trace->libraries[0] ? trace->libraries : "libraries not known",
                     foreign[i].word, text);
        }
    }
    free(text);
}

/* Each trace there is as if its program were of each kind. */
static void of_every_trace(void **state) {
    (void)state;
    glob_t files;
    assert_int_equal(glob("tests/observe/traces/*/*.json", 0, NULL, &files), 0);
    assert_true(files.gl_pathc > 70);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct be_trace trace;
        struct be_error error = {0};
        FILE *in = fopen(files.gl_pathv[i], "r");
        assert_non_null(in);
        assert_int_equal(be_trace_read(in, files.gl_pathv[i], &trace, &error), BE_OK);
        fclose(in);
        no_foreign_word(&trace, files.gl_pathv[i]);
        for (int k = 0; k <= BE_LIBS; k++) {
            be_library_set one = BE_LIBS_KNOWN, python = be_library_bit(BE_LIB_PYTHON);
            one |= k < BE_LIBS ? be_library_bit((enum be_mapped)k) : 0;
            be_libraries_write(one, trace.libraries, sizeof trace.libraries);
            no_foreign_word(&trace, files.gl_pathv[i]);
            be_libraries_write(one | python, trace.libraries, sizeof trace.libraries);
            no_foreign_word(&trace, files.gl_pathv[i]);
        }
        be_trace_close(&trace);
    }
    globfree(&files);
}

/* A program's name says nothing. */
static void not_by_name(void **state) {
    (void)state;
    static const char *const names[] = {"raytracer", "pt_render", "python3", "torchrun",
                                        "train.py"};
    const struct given serial[] = {{BE_RUNNABLE, 0, 1}, {BE_PROCESS_CPU, 0, 1}};
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        struct be_trace made;
        make(&made, TICKS, 1, serial, BE_COUNT(serial));
        made.processes = 1;
        be_copy_text(made.command, sizeof made.command, names[i]);
        be_copy_text(made.process[0].name, sizeof made.process[0].name, names[i]);
        no_foreign_word(&made, names[i]);
        be_copy_text(made.libraries, sizeof made.libraries, "python");
        char *text = advice_of(&made);
        assert_non_null(strstr(text, "multiprocessing.Pool(4)"));
        free(text);
        be_trace_close(&made);
    }
}

/* The one advice of a program on 4 cores with these. */
static void told(const char *libraries, const char *settings, int processes, double cores,
                 double runnable, const char *want) {
    struct given list[8] = {{BE_RUNNABLE, 0, runnable},
                            {BE_RUN_WAIT, 0, runnable > 4 ? 0.5 : 0},
                            {BE_PROCESSES, 0, processes + 1}};
    struct be_trace made;
    make(&made, TICKS, cores, list, 3);
    made.processes = processes + 1; /* and one that started them */
    for (int i = 0; i < processes; i++) {
        made.process[i].cpu_s = made.total.user_s / processes;
    }
    be_copy_text(made.libraries, sizeof made.libraries, libraries);
    be_copy_text(made.settings, sizeof made.settings, settings);
    char *text = advice_of(&made);
    if (strlen(want) + 1 != strlen(text) || strncmp(text, want, strlen(want)) != 0) {
        fail_msg("%s, %s: %s, not %s", libraries, settings, text, want);
    }
    free(text);
    be_trace_close(&made);
}

/* Variables of libraries that are there and read them, with what they are set to. */
static void thread_variables(void **state) {
    (void)state;
    told("python numpy openblas", "OPENBLAS_NUM_THREADS=1", 1, 1, 1,
         "export OPENBLAS_NUM_THREADS=4 (now 1); or run 4 at a time");
    told("python numpy openblas", "OMP_NUM_THREADS=1", 1, 1, 1,
         "export OMP_NUM_THREADS=4 (now 1); or run 4 at a time");
    told("mkl iomp", "OMP_NUM_THREADS=1 MKL_NUM_THREADS=1", 1, 1, 1,
         "export MKL_NUM_THREADS=4 OMP_NUM_THREADS=4 (now 1, now 1); or run 4 at a time");
    /* Not held by it: it may take all, and does not. */
    told(
        "gomp", "OMP_NUM_THREADS=4", 1, 1, 1,
        "schedule(dynamic) where parts of a parallel loop take unlike long, and parallel loops for "
        "what still runs on one thread, which perf record COMMAND finds; or run 4 at a time");
    /* Nobody there reads it. */
    told("none", "OMP_NUM_THREADS=1", 1, 1, 1,
         "threads for what takes its time, which perf record COMMAND finds; or run 4 at a time");
    told("gomp", "OMP_NUM_THREADS=12", 1, 3.9, 12, "export OMP_NUM_THREADS=4 (now 12)");
    told("python numpy openblas", "OMP_NUM_THREADS=3", 1, 3.9, 12,
         "export OMP_NUM_THREADS=4 (now 3)");
    told("python numpy openblas", "", 1, 3.9, 12, "export OPENBLAS_NUM_THREADS=4 (not set)");
    told("tbb", "OMP_NUM_THREADS=12", 1, 3.9, 12,
         "no more than 4 threads: an option of it, or of what starts them, says how many");
    told("", "", 1, 3.9, 12,
         "no more than 4 threads: an option of it, or of what starts them, says how many");
}

/* More threads are the second thing where its products and solvers are slow ones. */
static void slow_libraries(void **state) {
    (void)state;
    told("octave refblas", "", 1, 1, 1,
         "OpenBLAS for products and solvers: the BLAS that it has loaded (libblas) is the slow "
         "reference; whole arrays instead of loops, or parcellfun(4, ...) of its package parallel; "
         "or run 4 at a time");
    told("octave openblas", "", 1, 1, 1,
         "whole arrays instead of loops, or parcellfun(4, ...) of its package parallel; or run 4 "
         "at a time");
    told("r openblas", "", 1, 1, 1,
         "parallel::mclapply(..., f, mc.cores = 4) for its loops, and before them f <- "
         "compiler::cmpfun(f): its processes compile nothing; or run 4 at a time");
    told("python jax", "", 1, 1, 1,
         "jax.jit around the whole step, and jax.lax.scan instead of a loop in Python. "
         "JAX_EXPLAIN_CACHE_MISSES=1 says what is compiled anew: one shape for all ends that; or "
         "run 4 at a time");
}

/* Memory that is filled anew: in the words of who takes it. */
static void arrays_used_again(void **state) {
    (void)state;
    static const struct {
        const char *libraries, *want;
    } cases[] = {{"python numpy", "np.add(a, b, out=c)"},
                 {"python torch", "torch.add(a, b, out=c)"},
                 {"none", "instead of making new ones; without a change"}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {{BE_RUNNABLE, 0, 1}, {BE_MINOR_FAULTS, 0, 200000}};
        struct be_trace made;
        make(&made, TICKS, 1, list, BE_COUNT(list));
        made.total.system_s = made.total.user_s /= 2;
        be_copy_text(made.libraries, sizeof made.libraries, cases[i].libraries);
        char *text = advice_of(&made);
        if (!strstr(text, cases[i].want) || !strstr(text, "MALLOC_TRIM_THRESHOLD_=4294967296")) {
            fail_msg("%s: %s", cases[i].libraries, text);
        }
        free(text);
        be_trace_close(&made);
    }
}

static void processes_and_threads(void **state) {
    (void)state;
    told("python sklearn numpy openblas gomp", "OPENBLAS_NUM_THREADS=2", 8, 3.9, 16,
         "4 processes (n_jobs=4) instead of 8, and one thread in each: export "
         "OPENBLAS_NUM_THREADS=1 "
         "OMP_NUM_THREADS=1 (now 2, not set)");
    told("gomp", "OMP_NUM_THREADS=4", 2, 3.9, 8, "export OMP_NUM_THREADS=2 (now 4)");
    told("python", "", 8, 3.9, 8, "4 processes (multiprocessing.Pool(4), n_jobs=4) instead of 8");
    told("none", "", 8, 3.9, 8, "4 processes at a time instead of 8");
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    const struct given list[] = {{BE_RUNNABLE, 0, 16}, {BE_RUN_WAIT, 0, 0.5}, {BE_PROCESSES, 0, 9}};
    make(&made, TICKS, 3.9, list, BE_COUNT(list));
    made.processes = 9;
    made.process[8].cpu_s = 4; /* it started the others, and imported what they need */
    for (int i = 0; i < 8; i++) {
        made.process[i].cpu_s = 10;
    }
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_non_null(strstr(found[0].evidence, "(8 processes x 2 threads)"));
    be_trace_close(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_every_trace),    cmocka_unit_test(not_by_name),
        cmocka_unit_test(thread_variables),  cmocka_unit_test(slow_libraries),
        cmocka_unit_test(arrays_used_again), cmocka_unit_test(processes_and_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
