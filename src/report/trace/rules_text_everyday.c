/* Programs of everyday kinds: what each was told, and what following it brought. */
#include "report/trace/rules_text.h"

enum verdict { HELPS, RIGHTLY_NONE, MISSED, HELPS_TOO };

static const char *const verdicts[] = {
    [HELPS] = "helps",
    [RIGHTLY_NONE] = "rightly none",
    [MISSED] = "missed: no signal in reach tells it",
    [HELPS_TOO] = "helps", /* the row above, in another way */
};

/* Names as bench/programs/table.txt has them; pieces of work a second, 0: there is nothing to follow. */
/* clang-format off */
static const struct {
    const char *program, *what, *found, *followed;
    double before, after;
    enum verdict verdict;
} everyday[] = {
    {"matmul", "NumPy: products, all BLAS threads", "none", "", 0, 0, RIGHTLY_NONE},
    {"matmul-1", "the same, one BLAS thread", "`serial`", "`OPENBLAS_NUM_THREADS=2`", 8.105, 15.74, HELPS},
    {"elements", "NumPy: elementwise, 20 M numbers", "`serial` `page-faults`", "arrays used again (`out=`)", 12.68, 20.58, HELPS},
    {"", "", "", "`MALLOC_MMAP_MAX_=0 ...`", 13.34, 20.96, HELPS_TOO},
    {"", "", "", "parts in a `ThreadPoolExecutor`", 13.07, 19.9, HELPS_TOO},
    {"threads-4", "4 threads of Python", "`serial`", "`multiprocessing.Pool(2)`", 285.2, 513.8, HELPS},
    {"joblib-4x2", "joblib: 4 processes x 2 BLAS threads", "`oversubscribed`", "`n_jobs=2`, one thread in each", 9.654, 22.38, HELPS},
    {"pool-8", "Pool(8) of pure Python", "`oversubscribed`, a note without a cost", "`multiprocessing.Pool(2)`", 491.3, 519.6, RIGHTLY_NONE},
    {"asyncio", "waits for many answers", "`cores-idle`, a note", "more at a time", 248.2, 2448, HELPS},
    {"sleep", "sleeps", "`cores-idle`, a note without a cost: it sleeps", "", 0, 0, RIGHTLY_NONE},
    {"denormals", "numbers too small for full precision", "`serial`", "threads", 7.992e4, 1.596e5, HELPS},
    {"", "", "", "denormals taken for zero", 8.65e4, 9.942e4, HELPS_TOO},
    {"faults", "temporaries made anew", "`page-faults` `serial`", "one array, used again", 35.5, 569.5, HELPS},
    {"mutex-8", "8 threads under one mutex", "`one-lock`", "a sum of each thread's own", 2.99e6, 4.084e7, HELPS},
    {"neighbours", "false sharing", "none", "counters in cache lines of their own", 1.53e9, 7.307e9, MISSED},
    {"ping-pong", "two processes over pipes", "`switching`", "100 numbers a message", 2.65e4, 2.319e6, HELPS},
    {"names", "a shell loop of short processes", "`short-processes`", "`xargs -n 100`", 1400, 3.42e4, HELPS},
    {"fsync", "waits for the disk after each record", "`cores-idle`: storage", "larger writes", 7068, 4.272e5, HELPS},
    {"sleepers-12", "12 short sleepers", "`cores-idle`, a note", "more at a time", 24, 96, HELPS},
    {"pandas", "pandas: groupby", "`serial` `page-faults`", "`MALLOC_MMAP_MAX_=0 ...`", 32.51, 51.24, HELPS},
    {"", "", "", "each part in a process of its own", 32.95, 59.55, HELPS_TOO},
    {"octave", "Octave: `a \\\\ b`", "none", "", 0, 0, RIGHTLY_NONE},
    {"octave-netlib", "the same with the reference BLAS", "`serial`", "OpenBLAS", 4.518, 35.2, HELPS},
    {"r", "R: a loop", "`serial`", "`mclapply(mc.cores = 2)` of a `cmpfun`", 152.9, 289.6, HELPS},
    {"svc", "scikit-learn: SVC", "`serial`", "two fits at a time", 8.242, 14.05, HELPS},
    {"forest", "scikit-learn: RandomForest", "`serial`", "`n_jobs=2`", 2.471, 3.891, HELPS},
    {"numba", "Numba: `prange`", "none", "", 0, 0, RIGHTLY_NONE},
    {"jax-tiny", "JAX: updates of 100 numbers", "`serial`", "`jax.lax.scan`", 5.973e4, 1.409e8, HELPS},
    {"jax-shapes", "JAX: compiled anew for each length", "`compiling`", "arguments of one shape", 10.45, 2020, HELPS},
    {"mapped", "a mapped file larger than the group's memory", "`thrashing`", "more memory", 250, 8.16e7, HELPS},
    {"bound", "6 threads bound to one core", "`cores-bound`", "not bound", 247.5, 490.5, HELPS},
    {"arrays", "arrays of 40 MB sent between processes", "`page-faults` `sending` `cores-idle`", "memory that both processes have", 3.869, 879.2, HELPS},
    {"files", "small files, each of its own", "`cores-idle`: storage", "one file", 7495, 1.639e5, HELPS},
    {"spin", "OpenMP: a parallel loop of unequal parts", "`spinning`", "`schedule(dynamic)`", 605, 1182, HELPS},
};
/* clang-format on */

void be_rules_everyday(struct be_text *out) {
    int kinds = 0, good = 0;
    for (size_t i = 0; i < sizeof everyday / sizeof everyday[0]; i++) {
        kinds += everyday[i].verdict < HELPS_TOO;
        good += everyday[i].verdict <= RIGHTLY_NONE;
    }
    be_text_add(
        out,
        "\n### Programs of everyday kinds\n\n"
        "The programs of `bench/programs`, %d kinds, under `breakeven run`, and then as "
        "the advice has them: pieces of work a second, the best of 3 runs of 2 s each, "
        "in turn (`make advice`; 2026-11-27, two cores of a virtual machine, AMD EPYC, "
        "Linux 6.18, with nothing else at work; `jax-shapes` was told of `one-lock` too, which now "
        "gives way to `compiling`). Helps or rightly none: %d of %d.\n",
        kinds, good, kinds);
    be_text_add(out,
                "\n| program | what it is | found | followed | before | after | times | verdict |\n"
                "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof everyday / sizeof everyday[0]; i++) {
        be_text_add(out, "| %s | %s | %s | %s |", everyday[i].program, everyday[i].what,
                    everyday[i].found, everyday[i].followed);
        if (everyday[i].before > 0) {
            be_text_add(out, " %.4g | %.4g | %.3g |", everyday[i].before, everyday[i].after,
                        everyday[i].after / everyday[i].before);
        } else {
            be_text_add(out, " | | |");
        }
        be_text_add(out, " %s |\n", verdicts[everyday[i].verdict]);
    }
    be_text_add(
        out,
        "\nFalse sharing (`neighbours`) is the one miss. Threads that write to one cache line run "
        "without waiting for anything that the kernel knows: they are at a full core, make no "
        "calls, "
        "and are never switched away. The processor's own count of loads that find a line changed "
        "by another core tells them (`perf c2c`), or few instructions a cycle. `perf_event_open` "
        "of "
        "cycles, instructions and cache misses fails on the virtual machine of the table (ENOENT; "
        "only events of the kernel's software open, 2026-11-28), as on most clouds. On bare metal "
        "`perf c2c record ./prog` shows the line. No rule guesses it from what is left: well-tuned "
        "programs look the same.\n");
}
