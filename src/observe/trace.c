/* Traces: filling, merging, reading. */
#include "observe/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- opening -------------------------------------------------------------------------------- */

const struct be_trace_totals be_trace_no_totals = {
    .user_s = NAN,
    .system_s = NAN,
    .peak_process_bytes = NAN,
    .peak_group_bytes = NAN,
    .read_bytes = NAN,
    .written_bytes = NAN,
    .major_faults = NAN,
    .minor_faults = NAN,
    .switches = NAN,
    .preempted = NAN,
    .orphans = NAN,
    .left = NAN,
};

static const struct be_core_rates no_core_rates = {NAN, NAN, NAN, NAN};

enum be_status be_trace_open(struct be_trace *trace, struct be_error *error) {
    *trace = (struct be_trace){0};
    trace->end_s = malloc(BE_TICKS_MAX * sizeof *trace->end_s);
    if (!trace->end_s) {
        return be_fail(error, BE_NOMEM, "trace: out of memory");
    }
    trace->limits.cpus_quota = NAN;
    trace->limits.memory_bytes = NAN;
    trace->limits.memory_machine_bytes = NAN;
    trace->total = be_trace_no_totals;
    trace->own_cpu_s = NAN;
    trace->own_peak_bytes = NAN;
    trace->calls.flops32 = trace->calls.flops64 = NAN;
    trace->kinds = (struct be_trace_kinds){.samples = NAN,
                                           .own_s = NAN,
                                           .known = NAN,
                                           .most = NAN,
                                           .gain = NAN,
                                           .gain_lo = NAN,
                                           .gain_hi = NAN};
    trace->rates = (struct be_trace_rates){.one = no_core_rates, .all = no_core_rates};
    return BE_OK;
}

void be_trace_close(struct be_trace *trace) {
    for (size_t i = 0; i < trace->series; i++) {
        free(trace->one[i].value);
    }
    free(trace->one);
    free(trace->end_s);
    *trace = (struct be_trace){0};
}

/* ---- ticks ---------------------------------------------------------------------------------- */

double be_trace_length(const struct be_trace *trace, int tick) {
    return trace->end_s[tick] - (tick ? trace->end_s[tick - 1] : 0);
}

/* Two values of neighbouring ticks as one; what was measured in one of them only holds for both. */
static float join(enum be_merge merge, float a, float b, double a_s, double b_s) {
    if (isnan(a) || isnan(b)) {
        return isnan(a) ? b : a;
    }
    if (merge == BE_MERGE_MAX) {
        return a > b ? a : b;
    }
    return (float)((a * a_s + b * b_s) / (a_s + b_s));
}

static void merge_series(const struct be_trace *trace, struct be_signal_series *series, int pairs) {
    enum be_merge merge = be_signals[series->signal].merge;
    for (int i = 0; i < pairs; i++) {
        int a = 2 * i;
        series->value[i] = join(merge, series->value[a], series->value[a + 1],
                                be_trace_length(trace, a), be_trace_length(trace, a + 1));
    }
    if (trace->ticks % 2) {
        series->value[pairs] = series->value[trace->ticks - 1];
    }
}

void be_trace_merge(struct be_trace *trace) {
    int pairs = trace->ticks / 2;
    for (size_t i = 0; i < trace->series; i++) {
        merge_series(trace, &trace->one[i], pairs);
    }
    for (int i = 0; i < pairs; i++) {
        trace->end_s[i] = trace->end_s[2 * i + 1];
    }
    if (trace->ticks % 2) {
        trace->end_s[pairs] = trace->end_s[trace->ticks - 1];
    }
    trace->ticks = pairs + trace->ticks % 2;
    trace->merges++;
}

/* So that all ticks hold as many samples, however often they were merged. */
static int samples_a_tick(const struct be_trace *trace) {
    return trace->merges < 30 ? 1 << trace->merges : 1 << 30;
}

bool be_trace_tick(struct be_trace *trace, double end_s) {
    double before_s = trace->ticks ? trace->end_s[trace->ticks - 1] : 0;
    if (!(end_s > before_s) || !isfinite(end_s)) {
        return false;
    }
    trace->part_s = end_s - before_s;
    trace->samples++;
    if (trace->ticks && trace->parts < samples_a_tick(trace)) {
        trace->parts++;
        trace->end_s[trace->ticks - 1] = end_s;
        return true;
    }
    if (trace->ticks == BE_TICKS_MAX) {
        be_trace_merge(trace);
    }
    trace->parts = 1;
    trace->end_s[trace->ticks++] = end_s;
    for (size_t i = 0; i < trace->series; i++) {
        trace->one[i].value[trace->ticks - 1] = NAN;
    }
    return true;
}

/* ---- values --------------------------------------------------------------------------------- */

static struct be_signal_series *find(const struct be_trace *trace, enum be_signal signal, int of) {
    for (size_t i = 0; i < trace->series; i++) {
        if (trace->one[i].signal == signal && trace->one[i].of == of) {
            return &trace->one[i];
        }
    }
    return NULL;
}

static void empty_series(const struct be_trace *trace, struct be_signal_series *series) {
    for (int i = 0; i < trace->ticks; i++) {
        series->value[i] = NAN;
    }
    series->sum_s = series->integral = 0;
    series->min = INFINITY;
    series->max = -INFINITY;
    series->cover = 1;
    series->filled = 0;
}

static struct be_signal_series *new_series(struct be_trace *trace, enum be_signal signal, int of,
                                           int source) {
    if ((trace->series & (trace->series - 1)) == 0) { /* room grows in powers of two */
        size_t capacity = trace->series ? 2 * trace->series : 1;
        struct be_signal_series *one = realloc(trace->one, capacity * sizeof *one);
        if (!one) {
            return NULL;
        }
        trace->one = one;
    }
    float *value = malloc(BE_TICKS_MAX * sizeof *value); /* what is not used takes no memory */
    if (!value) {
        return NULL;
    }
    struct be_signal_series *series = &trace->one[trace->series++];
    *series =
        (struct be_signal_series){.signal = signal, .of = of, .source = source, .value = value};
    empty_series(trace, series);
    return series;
}

void be_trace_add(struct be_trace *trace, enum be_signal signal, int of, int source, double value) {
    if (!isfinite(value) || !trace->ticks || of < 0) {
        return;
    }
    struct be_signal_series *series = find(trace, signal, of);
    if (!series) {
        series = new_series(trace, signal, of, source);
    }
    if (!series || series->source != source || series->filled >= trace->samples) {
        return;
    }
    int last = trace->ticks - 1;
    double before_s = be_trace_length(trace, last) - trace->part_s;
    series->value[last] =
        join(be_signals[signal].merge, series->value[last], (float)value, before_s, trace->part_s);
    series->filled = trace->samples;
    series->sum_s += trace->part_s;
    series->integral += value * trace->part_s;
    series->min = value < series->min ? value : series->min;
    series->max = value > series->max ? value : series->max;
}

void be_trace_since(struct be_trace *trace, enum be_signal signal, int of, double since_s) {
    struct be_signal_series *series = find(trace, signal, of);
    if (!series || series->filled != trace->samples || !isfinite(since_s)) {
        return;
    }
    float value = series->value[trace->ticks - 1];
    for (int i = trace->ticks - 2; i >= 0; i--) {
        /* Half a tick: the clock of the one who looked is not quite the trace's. */
        double length_s = be_trace_length(trace, i);
        if (!isnan(series->value[i]) || trace->end_s[i] - length_s / 2 < since_s) {
            return;
        }
        series->value[i] = value;
        series->sum_s += length_s;
        series->integral += (double)value * length_s;
    }
}

void be_trace_cover(struct be_trace *trace, enum be_signal signal, int of, double share) {
    struct be_signal_series *series = find(trace, signal, of);
    if (series && isfinite(share)) {
        series->cover = share;
    }
}

bool be_trace_restore(struct be_trace *trace, enum be_signal signal, int of, int source,
                      const float *value, const struct be_trace_measured *measured) {
    struct be_signal_series *series =
        find(trace, signal, of) ? NULL : new_series(trace, signal, of, source);
    if (!series) {
        return false;
    }
    memcpy(series->value, value, (size_t)trace->ticks * sizeof *value);
    series->sum_s = measured->sum_s;
    series->integral = measured->integral;
    series->min = measured->min;
    series->max = measured->max;
    series->cover = measured->cover;
    return true;
}

/* ---- things that have series ---------------------------------------------------------------- */

int be_trace_source(struct be_trace *trace, const char *name) {
    for (int i = 0; i < trace->sources; i++) {
        if (strcmp(trace->source[i].name, name) == 0) {
            return i;
        }
    }
    if (trace->sources == BE_TRACE_SOURCES_MAX) {
        return -1;
    }
    struct be_trace_source *source = &trace->source[trace->sources];
    *source = (struct be_trace_source){.cost_s = NAN};
    be_copy_text(source->name, sizeof source->name, name);
    return trace->sources++;
}

/* The place is given to another: what was measured of the one before is dropped. */
static void empty_all_of(struct be_trace *trace, enum be_scope scope, int of) {
    for (size_t i = 0; i < trace->series; i++) {
        if (trace->one[i].of == of && be_signals[trace->one[i].signal].scope == scope) {
            empty_series(trace, &trace->one[i]);
        }
    }
}

int be_trace_process(struct be_trace *trace, int pid, double start_s, double cpu_s) {
    int min = 0;
    for (int i = 0; i < trace->processes; i++) {
        const struct be_trace_process *one = &trace->process[i];
        if (one->pid == pid && fabs(one->start_s - start_s) < 0.05) {
            return i;
        }
        bool less = one->cpu_s < trace->process[min].cpu_s || trace->process[min].main;
        min = less && !one->main ? i : min;
    }
    int at = trace->processes;
    if (at == BE_TRACE_PROCESSES_MAX) {
        at = min;
        if (!(cpu_s > trace->process[at].cpu_s)) {
            return -1;
        }
        empty_all_of(trace, BE_OF_PROCESS, at);
    } else {
        trace->processes++;
    }
    trace->process[at] = (struct be_trace_process){
        .pid = pid, .start_s = start_s, .cpu_s = cpu_s, .peak_bytes = NAN};
    return at;
}

int be_trace_thread(struct be_trace *trace, int pid, int tid, double cpu_s) {
    int min = 0;
    for (int i = 0; i < trace->threads; i++) {
        if (trace->thread[i].pid == pid && trace->thread[i].tid == tid) {
            return i;
        }
        min = trace->thread[i].cpu_s < trace->thread[min].cpu_s ? i : min;
    }
    int at = trace->threads;
    if (at == BE_TRACE_THREADS_MAX) {
        at = min;
        if (!(cpu_s > trace->thread[at].cpu_s)) {
            return -1;
        }
        empty_all_of(trace, BE_OF_THREAD, at);
    } else {
        trace->threads++;
    }
    trace->thread[at] = (struct be_trace_thread){.pid = pid, .tid = tid, .cpu_s = cpu_s};
    return at;
}

void be_trace_absent(struct be_trace *trace, enum be_signal signal, const char *source,
                     const char *reason) {
    for (int i = 0; i < trace->absences; i++) {
        if (trace->absent[i].signal == signal && strcmp(trace->absent[i].source, source) == 0) {
            return;
        }
    }
    if (trace->absences == BE_TRACE_ABSENCES_MAX) {
        return;
    }
    struct be_trace_absence *absent = &trace->absent[trace->absences++];
    absent->signal = signal;
    be_copy_text(absent->source, sizeof absent->source, source);
    be_copy_text(absent->reason, sizeof absent->reason, reason);
}
