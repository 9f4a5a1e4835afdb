/* Reading traces: means, most, coverage, and why there is nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "observe/trace.h"

const struct be_signal_series *be_trace_series(const struct be_trace *trace, enum be_signal signal,
                                               int of) {
    for (size_t i = 0; i < trace->series; i++) {
        const struct be_signal_series *series = &trace->one[i];
        if (series->signal == signal && series->of == of && series->sum_s > 0) {
            return series;
        }
    }
    return NULL;
}

double be_trace_mean(const struct be_trace *trace, enum be_signal signal, int of) {
    const struct be_signal_series *series = be_trace_series(trace, signal, of);
    return series ? series->integral / series->sum_s : NAN;
}

double be_trace_max(const struct be_trace *trace, enum be_signal signal, int of) {
    const struct be_signal_series *series = be_trace_series(trace, signal, of);
    return series ? series->max : NAN;
}

double be_trace_coverage(const struct be_trace *trace, enum be_signal signal, int of) {
    const struct be_signal_series *series = be_trace_series(trace, signal, of);
    double whole_s = trace->ticks ? trace->end_s[trace->ticks - 1] : 0;
    return series && whole_s > 0 ? fmin(series->sum_s / whole_s, 1) : 0;
}

double be_trace_at(const struct be_trace *trace, enum be_signal signal, int of, int tick) {
    const struct be_signal_series *series = be_trace_series(trace, signal, of);
    return series && tick >= 0 && tick < trace->ticks ? (double)series->value[tick] : NAN;
}

double be_trace_mean_where(const struct be_trace *trace, enum be_signal signal, int of,
                           bool (*holds)(const struct be_trace *trace, int tick,
                                         const void *context),
                           const void *context, double *time_s) {
    const struct be_signal_series *series = be_trace_series(trace, signal, of);
    double sum = 0, sum_s = 0;
    for (int i = 0; series && i < trace->ticks; i++) {
        if (!isnan(series->value[i]) && holds(trace, i, context)) {
            double length_s = be_trace_length(trace, i);
            sum += length_s * (double)series->value[i];
            sum_s += length_s;
        }
    }
    if (time_s) {
        *time_s = sum_s;
    }
    return sum_s > 0 ? sum / sum_s : NAN;
}

const char *be_trace_why(const struct be_trace *trace, enum be_signal signal) {
    for (int i = 0; i < trace->absences; i++) {
        if (trace->absent[i].signal == signal) {
            return trace->absent[i].reason;
        }
    }
    if (be_signals[signal].scope == BE_OF_GPU && !trace->gpus) {
        for (int i = 0; i < trace->sources; i++) {
            if (trace->source[i].gpu && trace->source[i].absent[0]) {
                return trace->source[i].absent;
            }
        }
        return "no GPU is seen here";
    }
    return "no source here has it";
}

/* ---- rounding ------------------------------------------------------------------------------- */

static double rounded(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.5g", value);
    return isfinite(value) ? strtod(text, NULL) : value;
}

void be_trace_round(struct be_trace *trace) {
    for (size_t i = 0; i < trace->series; i++) {
        struct be_signal_series *series = &trace->one[i];
        for (int k = 0; k < trace->ticks; k++) {
            series->value[k] = (float)rounded((double)series->value[k]);
        }
    }
}
