/* Programs of everyday kinds: what each was told, and what following it brought. */
#include "report/trace/rules_text.h"

enum verdict { HELPS, RIGHTLY_NONE, NOT_SHOWN, USELESS, MISSED, HELPS_TOO, NOT_SHOWN_TOO, BEFORE };

static const char *const verdicts[] = {
    [HELPS] = "helps",
    [RIGHTLY_NONE] = "rightly none",
    [NOT_SHOWN] = "not shown",
    [USELESS] = "true, but does nothing",
    [MISSED] = "missed",
    /* of the row above */
    [HELPS_TOO] = "helps",
    [NOT_SHOWN_TOO] = "not shown",
    [BEFORE] = "wrong, mended",
};

/* Names as bench/programs/table.txt has them; pieces of work a second, 0: there is nothing to follow. */
/* clang-format off */
static const struct {
    const char *program, *what, *found, *followed;
    double before, after;
    enum verdict verdict;
} everyday[] = {
    {"matmul", "NumPy: products, all BLAS threads", "none", "", 0, 0, RIGHTLY_NONE},
    {"matmul-1", "the same, one BLAS thread", "`serial`", "`OPENBLAS_NUM_THREADS=2`", 8.775, 8.828, NOT_SHOWN},
    {"elements", "NumPy: elementwise, 20 M numbers", "`serial`, alone `page-faults` too", "arrays used again (`out=`)", 17.25, 23.89, HELPS},
    {"", "", "", "`MALLOC_MMAP_MAX_=0 ...`", 17.24, 25, HELPS_TOO},
    {"", "", "", "parts in a `ThreadPoolExecutor`", 17.25, 24.82, HELPS_TOO},
    {"threads-4", "4 threads of Python", "`serial`", "`multiprocessing.Pool(2)`", 368, 675.1, HELPS},
    {"joblib-4x2", "joblib: 4 processes x 2 BLAS threads", "`oversubscribed`", "`n_jobs=2`, one thread in each", 3.168, 13.69, HELPS},
    {"pool-8", "Pool(8) of pure Python", "`oversubscribed`, a note without a cost", "`multiprocessing.Pool(2)`", 647.2, 671, RIGHTLY_NONE},
    {"asyncio", "waits for many answers", "`cores-idle`", "more at a time", 247.9, 2433, HELPS},
    {"sleep", "sleeps", "`cores-idle`", "strace: it sleeps", 0, 0, USELESS},
    {"denormals", "numbers too small; no slower on this processor", "`serial`", "threads", 1.053e5, 1.285e5, HELPS},
    {"faults", "temporaries made anew", "`page-faults` `serial`", "one array, used again", 40, 753, HELPS},
    {"mutex-8", "8 threads under one mutex", "beside others `oversubscribed`; recorded alone `one-lock`", "a sum of each thread's own", 9.144e6, 2.43e7, HELPS},
    {"neighbours", "false sharing", "none", "counters in cache lines of their own", 3.869e9, 4.171e9, MISSED},
    {"ping-pong", "two processes over pipes", "`switching`", "100 numbers a message", 2.295e5, 2.175e7, HELPS},
    {"names", "a shell loop of short processes", "`short-processes`", "`xargs -n 100`", 650, 1.87e4, HELPS},
    {"fsync", "waits for the disk after each record", "alone `cores-idle`", "larger writes", 939.9, 6.997e4, HELPS},
    {"sleepers-12", "12 short sleepers", "`cores-idle`", "more at a time", 24, 96, HELPS},
    {"pandas", "pandas: groupby", "`page-faults` `serial`", "`MALLOC_MMAP_MAX_=0 ...`", 39.35, 47.74, HELPS},
    {"", "", "", "each part in a process of its own", 39.35, 37.43, NOT_SHOWN_TOO},
    {"r", "R: a loop", "alone `serial`", "`mclapply(mc.cores = 2)` of a `cmpfun`", 199, 195.5, NOT_SHOWN},
    {"", "", "", "`mclapply` alone, as was advised before: R's compiler is off in its processes", 199, 20.7, BEFORE},
    {"octave", "Octave: `a \\\\ b`", "none", "", 0, 0, RIGHTLY_NONE},
    {"octave-netlib", "the same with the reference BLAS", "alone `serial`", "OpenBLAS", 3.915, 18.1, HELPS},
    {"svc", "scikit-learn: SVC", "alone `serial`", "two fits at a time", 9.524, 8.712, NOT_SHOWN},
    {"forest", "scikit-learn: RandomForest", "alone `serial`", "`n_jobs=2`", 2.199, 3.634, HELPS},
    {"numba", "Numba: `prange`", "none", "", 0, 0, RIGHTLY_NONE},
    {"jax-tiny", "JAX: updates of 100 numbers", "`serial`", "`jax.lax.scan`", 6e4, 1.311e8, HELPS},
    {"jax-shapes", "JAX: compiled anew for each length", "not known, only `cores-taken`", "arguments of one shape", 6.468, 1872, NOT_SHOWN},
    {"mapped", "a mapped file larger than the group's memory", "`thrashing`", "more memory", 200, 4.368e7, HELPS},
    {"bound", "6 threads bound to one core", "`cores-bound`", "not bound", 119.5, 334, HELPS},
};
/* clang-format on */

void be_rules_everyday(struct be_text *out) {
    int kinds = 0, good = 0;
    for (size_t i = 0; i < sizeof everyday / sizeof everyday[0]; i++) {
        kinds += everyday[i].verdict < HELPS_TOO;
        good += everyday[i].verdict <= RIGHTLY_NONE;
    }
    be_text_add(out,
                "\n### Programs of everyday kinds\n\n"
                "The programs of `bench/programs`, %d kinds, under `breakeven run`, and then as "
                "the advice has them: pieces of work a second, the best of 2 to 15 runs of 1 to 2 "
                "s (`make advice`; 2026-11-25, two cores of a virtual machine, AMD EPYC, Linux "
                "6.18). Others kept the machine busy meanwhile (load 3 to 12). So gains by a "
                "second core are too small or not shown: a second thread mostly got no second "
                "core. Most programs were told `cores-taken` first or alone, with what that cost. "
                "\"Alone\" is what the same trace says without the CPU time of others, and not a "
                "run on an idle machine. Helps or rightly none: %d of %d.\n",
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
}
