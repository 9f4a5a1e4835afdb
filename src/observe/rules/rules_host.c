/* Waits of a GPU for the host: those that feed it, storage, compilers, the program itself. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "observe/rules/words.h"

/* ---- 11: those that feed it --------------------------------------------------------------------- */

/* Processes that feed: more at work than there are processes on GPUs, which are ranks. */
static int feeding(const struct be_trace *trace, const struct be_gpu_look *look, double *mean) {
    int workers = be_look_workers(trace, look->from_s, look->to_s, be_t(BE_T_WORKER), mean);
    double own = 0;
    for (int i = 0; i < trace->gpus; i++) {
        own += fmax(0, be_trace_max(trace, BE_GPU_OWN_PROCESSES, i));
    }
    return own > 1.5 && workers <= own ? 0 : workers;
}

/* Cores' worth that the program's own process takes: what each batch takes there grows with the batches. Where it waits for
 * the GPU in a loop that is in it, too. NAN: not known. */
static double own_process(const struct be_trace *trace, const struct be_gpu_look *look) {
    for (int i = 0; i < trace->processes; i++) {
        if (trace->process[i].main) {
            return be_look_mean(trace, BE_PROCESS_CPU, i, look->from_s, look->to_s);
        }
    }
    return NAN;
}

static int fewest(int a, int b) {
    return a < b ? a : b;
}

/* More of them: as many as would keep up, as there are cores for beside the program, or as the program's own process keeps
 * up with, which takes the batches one by one; and what that would bring if each does as much as now. */
static void advise_workers(const struct be_trace *trace, const struct be_gpu_look *look,
                           int workers, struct be_run_finding *finding) {
    enum { MAX_TIMES = 8 };
    const double full = 0.9; /* nobody keeps a GPU at work without a pause */
    const double own = fmin(fmax(own_process(trace, look), 1.0 / MAX_TIMES), 1);
    const double times = fmin(full / fmax(look->running, 0.01), MAX_TIMES);
    const int capacity = trace->limits.cpus ? trace->limits.cpus - 1 : INT_MAX;
    const int wanted = (int)ceil(workers * times), kept_up = (int)ceil(workers / own);
    const int more = fewest(fewest(wanted, capacity), kept_up);
    const double reached = look->running * fmin((double)more / workers, 1 / own);
    char so_many[BE_NOTE], by_own[BE_NAME * 2] = "";
    be_words(trace, BE_SAY_WORKERS, more > workers ? more : wanted, so_many);
    if (more <= workers) {
        be_found_advice(finding,
                        kept_up <= workers
                            ? "cheaper steps in the loader, and in the program's own process: "
                              "%.120s instead of %d do not help while that is at a full core"
                            : "cheaper steps in the loader, or more cores for %.120s instead of %d",
                        so_many, workers);
        return;
    }
    if (more == kept_up && more < wanted) {
        snprintf(by_own, sizeof by_own, ", as many as its own process (%.0f %% of a core) takes,",
                 100 * own);
    }
    be_found_advice(
        finding, "%.120s instead of %d%s could keep it at work for about %.0f %% of the time%s",
        so_many, workers,
        by_own[0]       ? by_own
        : more < wanted ? ", as many as there are cores for,"
                        : "",
        100 * fmin(full, reached), more < wanted ? "" : "; or cheaper steps in the loader");
}

static bool worker_stall(const struct be_trace *trace, const struct be_gpu_look *look,
                         struct be_run_finding *finding) {
    double each;
    int workers = feeding(trace, look, &each);
    if (!workers || !(look->running < be_t(BE_T_WAITING_GPU))) {
        return false;
    }
    be_found_evidence(
        finding,
        "the GPU waits for data %.0f %% of the time: %d worker process%s at %.0f %% of "
        "a core while it idles.",
        100 * (1 - look->running), workers, workers == 1 ? "" : "es", 100 * each);
    advise_workers(trace, look, workers, finding);
    return true;
}

static bool storage_stall(const struct be_gpu_look *look, struct be_run_finding *finding) {
    double wait = fmax(look->io_pressure, look->blocked > 1 ? 1 : look->blocked);
    if (!(wait > be_t(BE_T_IO_WAIT)) || !(look->running < be_t(BE_T_WAITING_GPU))) {
        return false;
    }
    be_found_evidence(finding,
                      "the GPU waits for storage: threads of the program waited for it %.0f %% of "
                      "the time, and kernels ran %.0f %%.",
                      100 * wait, 100 * look->running);
    be_found_advice(finding, "copy the data to the node's own disk first (cp -r DATA $TMPDIR), or "
                             "fewer, larger files");
    return true;
}

bool be_check_loader_stall(const struct be_trace *trace, struct be_run_finding *finding) {
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    bool held = storage_stall(&look, finding) || worker_stall(trace, &look, finding);
    if (held) {
        be_found(finding, BE_WEIGHT_COST, look.length_s * (1 - look.running));
    }
    return held;
}

/* ---- 35: compilers ---------------------------------------------------------------------------------- */

enum { PARTS = 4 };

/* Did some begin in each part of the time of use? How many in all; `name`: of the last of them. */
static int compilers(const struct be_trace *trace, const struct be_gpu_look *look,
                     const char **name) {
    bool begun[PARTS] = {false}, each = true;
    int count = 0;
    for (int i = 0; i < trace->processes; i++) {
        const struct be_trace_process *one = &trace->process[i];
        double at = (one->start_s - look->from_s) / look->length_s;
        if (be_look_compiles(one) && at >= 0 && at < 1) {
            begun[(int)(at * PARTS)] = true;
            *name = one->name;
            count++;
        }
    }
    for (int i = 0; i < PARTS; i++) {
        each = each && begun[i];
    }
    return each ? count : 0;
}

bool be_check_compiling(const struct be_trace *trace, struct be_run_finding *finding) {
    struct be_gpu_look look;
    const char *name = "";
    char words[BE_NOTE];
    be_look_gpu(trace, finding->gpu, &look);
    const int count = compilers(trace, &look, &name);
    if (!count || !(look.running < be_t(BE_T_WAITING_GPU))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, look.length_s * (1 - look.running));
    be_found_evidence(finding,
                      "the GPU waits %.0f %% of the time while the program compiles: it started at "
                      "least %d compilers (%s), to the end.",
                      100 * (1 - look.running), count, name);
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_COMPILE, 0, words));
    return true;
}

/* Areas of code that it had made by then. */
static double made_until(const struct be_trace *trace, double share) {
    double made = NAN;
    for (int i = 0; i < trace->ticks && trace->end_s[i] <= share * trace->elapsed_s; i++) {
        double now = be_trace_at(trace, BE_CODE_MADE, 0, i);
        made = isnan(now) ? made : now;
    }
    return made;
}

/* It is looked at more rarely the older a process is, but at least once while that grows to twice its age. */
bool be_check_compiling_cpu(const struct be_trace *trace, struct be_run_finding *finding) {
    const double early = made_until(trace, 0.25), half = made_until(trace, 0.5);
    const double all = be_trace_max(trace, BE_CODE_MADE, 0);
    const double a_s = (all - half) / (0.5 * trace->elapsed_s);
    char words[BE_NOTE];
    if (!(half > early) || !(all - half >= be_t(BE_T_CODE_GROWS) * all) ||
        !(a_s >= be_t(BE_T_CODE_MADE)) || be_look_gpus_used(trace) > 0) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, NAN);
    be_found_evidence(finding,
                      "the program compiles all the time: it has made %.0f areas of code in its "
                      "memory, %.3g a second to the end.",
                      all, a_s);
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_COMPILE, 0, words));
    return true;
}

/* ---- 34: the program itself ------------------------------------------------------------------------ */

static bool waits_for_program(const struct be_trace *trace, const struct be_gpu_look *look,
                              int gpu) {
    double stalled = be_look_stalled(trace, gpu, look->from_s, look->to_s, be_t(BE_T_WORKER));
    bool busy_bus = be_look_copying(trace, look, gpu);
    bool waits = look->running < be_t(BE_T_WAITING_GPU);
    bool gaps = stalled >= be_t(BE_T_STALLED_TIME) && !busy_bus;
    /* Traced: a thread at a full core that is not launching. */
    bool traced = look->kernels * be_t(BE_T_SHORT_KERNEL) < be_t(BE_T_LAUNCHING) &&
                  look->thread >= be_t(BE_T_WORKER) && waits && !busy_bus &&
                  !(look->sync_gap / look->syncs < be_t(BE_T_SYNC_IDLE));
    /* Not traced: large kernels with pauses between. */
    bool untraced = be_look_fed_by_one(trace, look, gpu) && waits &&
                    look->sm >= be_t(BE_T_EMPTY) * look->running;
    return gaps || traced || untraced;
}

bool be_check_host_bound(const struct be_trace *trace, struct be_run_finding *finding) {
    struct be_gpu_look look;
    double in_kernel;
    char words[BE_NOTE], rate[BE_WORD];
    be_look_gpu(trace, finding->gpu, &look);
    if (!waits_for_program(trace, &look, finding->gpu)) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, look.length_s * (1 - look.running));
    if (be_look_fetches(trace, &look, &in_kernel)) {
        be_found_evidence(
            finding,
            "the GPU waits %.0f %% of the time for the program itself: %.0f %% of its CPU time is "
            "in the kernel and %s on the bus, as of many small copies or results fetched one by "
            "one.",
            100 * (1 - look.running), 100 * in_kernel,
            be_format_rate(rate, sizeof rate, fmax(look.bus_in, look.bus_out), ""));
        be_found_advice(finding, "%s", be_words(trace, BE_SAY_FETCH, 0, words));
        return true;
    }
    const int beside = trace->limits.cpus > 2 ? (int)fmin(8, trace->limits.cpus - 1) : 1;
    be_found_evidence(
        finding,
        "the GPU waits %.0f %% of the time for the program itself: one of its threads "
        "is at %.0f %% of a core.",
        100 * (1 - look.running), 100 * look.thread);
    be_found_advice(finding, "%s%s", be_words(trace, BE_SAY_PREPARE, beside, words),
                    isnan(look.kernel_s) ? "; breakeven run --trace says more" : "");
    return true;
}
