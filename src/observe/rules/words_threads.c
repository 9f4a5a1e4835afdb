/* How many threads and processes, by the variables of the libraries that are there. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "observe/rules/words.h"

/* Readers of each variable, by their manuals. A library of linear algebra asks its own first, and then OpenMP's. */
static const struct {
    enum be_mapped library;
    enum be_thread_setting own, else_other, else_omp;
} readers[] = {
    {BE_LIB_NUMBA, BE_SET_NUMBA, BE_SET_NUMBA, BE_SET_NUMBA},
    {BE_LIB_JULIA, BE_SET_JULIA, BE_SET_JULIA, BE_SET_JULIA},
    {BE_LIB_POLARS, BE_SET_POLARS, BE_SET_POLARS, BE_SET_POLARS},
    {BE_LIB_MKL, BE_SET_MKL, BE_SET_MKL, BE_SET_OMP},
    {BE_LIB_OPENBLAS, BE_SET_OPENBLAS, BE_SET_GOTO, BE_SET_OMP},
    {BE_LIB_BLIS, BE_SET_BLIS, BE_SET_BLIS, BE_SET_OMP},
    {BE_LIB_GOMP, BE_SET_OMP, BE_SET_OMP, BE_SET_OMP},
    {BE_LIB_IOMP, BE_SET_OMP, BE_SET_OMP, BE_SET_OMP},
    {BE_LIB_OMP, BE_SET_OMP, BE_SET_OMP, BE_SET_OMP},
    {BE_LIB_NUMEXPR, BE_SET_NUMEXPR, BE_SET_NUMEXPR, BE_SET_OMP},
};

/* The variable that decides for it: the first that is set, or its own. */
static enum be_thread_setting deciding(const struct be_settings *settings, size_t reader) {
    const enum be_thread_setting order[] = {readers[reader].own, readers[reader].else_other,
                                            readers[reader].else_omp};
    for (size_t i = 0; i < BE_COUNT(order); i++) {
        if (settings->threads[order[i]] > 0) {
            return order[i];
        }
    }
    return readers[reader].own;
}

/* "export OPENBLAS_NUM_THREADS=2 (now 8)" of all whose libraries are there. `at_most`: only those that are set, to no
 * more than that; 0: all. False: there is none. */
static bool export_line(const struct be_trace *trace, int threads, double at_most,
                        char to[BE_NOTE]) {
    const struct be_settings settings = be_settings_read(trace->settings);
    bool said[BE_SETTINGS] = {false};
    char now[BE_NOTE] = "";
    int count = 0;
    snprintf(to, BE_NOTE, "export");
    for (size_t i = 0; i < BE_COUNT(readers); i++) {
        const enum be_thread_setting one = deciding(&settings, i);
        const int is = settings.threads[one];
        const bool fits = at_most > 0 ? is > 0 && is <= at_most : is != threads;
        size_t length = strlen(to), now_length = strlen(now);
        if (!be_look_uses(trace, readers[i].library) || said[one] || !fits) {
            continue;
        }
        said[one] = true;
        snprintf(to + length, BE_NOTE - length, " %s=%d", be_thread_settings[one], threads);
        if (is) {
            snprintf(now + now_length, sizeof now - now_length, "%snow %d", count ? ", " : "", is);
        } else {
            snprintf(now + now_length, sizeof now - now_length, "%snot set", count ? ", " : "");
        }
        count++;
    }
    size_t length = strlen(to);
    snprintf(to + length, BE_NOTE - length, " (%s)", now);
    return count > 0;
}

/* ---- too many ------------------------------------------------------------------------------------ */

/* Those that had half of what the busiest had: who starts them has some too, for what it imports. No more workers
 * than there were at a time, where they are replaced. */
void be_look_team(const struct be_trace *trace, int *processes, int *threads) {
    static const double part_min = 0.5;
    double most_s = 0, runnable = be_trace_mean(trace, BE_RUNNABLE, 0);
    int count = 0, at_a_time = (int)round(fmax(be_trace_mean(trace, BE_PROCESSES, 0), 0));
    for (int i = 0; i < trace->processes; i++) {
        most_s = fmax(most_s, trace->process[i].cpu_s);
    }
    for (int i = 0; i < trace->processes; i++) {
        count += trace->process[i].cpu_s >= part_min * most_s;
    }
    *processes = at_a_time > 0 && at_a_time < count ? at_a_time : count;
    *threads = *processes && runnable > 0 ? (int)fmax(1, round(runnable / *processes)) : 0;
}

void be_advise_fewer(const struct be_trace *trace, struct be_run_finding *finding, int cores) {
    char line[BE_NOTE], team[BE_NOTE];
    int processes, threads;
    be_look_team(trace, &processes, &threads);
    const int left = processes < cores ? processes : cores; /* of them */
    const int each = left > 0 ? cores / left : cores;       /* threads */
    const bool variable = export_line(trace, each, 0, line);
    if (processes > 1 && threads <= 1) {
        be_found_advice(finding, "%s instead of %d",
                        be_words(trace, BE_SAY_FEWER_PROCESSES, left, team), processes);
    } else if (processes > left) {
        be_found_advice(finding, "%s instead of %d, and one thread in each%s%s",
                        be_words(trace, BE_SAY_FEWER_PROCESSES, left, team), processes,
                        variable ? ": " : "", variable ? line : "");
    } else if (variable) {
        be_found_advice(finding, "%s", line);
    } else {
        be_found_advice(
            finding,
            "no more than %d thread%s%s: an option of it, or of what starts them, says how many",
            each, each == 1 ? "" : "s", processes > 1 ? " in each of its processes" : "");
    }
}

/* ---- too few ------------------------------------------------------------------------------------- */

static void advise_job(const struct be_trace *trace, struct be_run_finding *finding, double used) {
    char line[BE_NOTE], more[BE_NOTE];
    const int each = trace->limits.cpus / (trace->limits.tasks > 1 ? trace->limits.tasks : 1);
    const bool held = export_line(trace, each, used, more);
    if (be_look_spread(trace)) {
        be_found_advice(finding,
                        "fewer tasks or nodes: %.0f cores in all, or let it use what it has", used);
        return;
    }
    be_found_advice(finding, "%s, or let it use what it has%s%s", be_batch_cores(trace, used, line),
                    held ? ": " : "", held ? more : "");
}

void be_advise_more(const struct be_trace *trace, struct be_run_finding *finding, double used) {
    char line[BE_NOTE], words[BE_NOTE];
    const int cpus = trace->limits.cpus;
    if (trace->job[0] || be_look_spread(trace)) {
        advise_job(trace, finding, used);
        return;
    }
    const double times = floor(cpus / used);
    if (be_look_builds(trace)) {
        be_found_advice(finding, "%s", be_words(trace, BE_SAY_BUILD, cpus, words));
        return;
    }
    const char *said =
        export_line(trace, cpus, used, line) ? line : be_words(trace, BE_SAY_PARALLEL, cpus, words);
    const char *slow = be_look_uses(trace, BE_LIB_REFBLAS)
                           ? "OpenBLAS for products and solvers: the BLAS that it has loaded "
                             "(libblas) is the slow reference; "
                           : "";
    if (times >= 2) {
        be_found_advice(finding, "%s%s; or run %.0f at a time", slow, said, times);
    } else {
        be_found_advice(finding, "%s%s", slow, said);
    }
}
