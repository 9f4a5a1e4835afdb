/* The calls of BLAS, LAPACK and FFTW of a run (run --calls): the longest, and which operands came back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/trace/trace.h"

enum { INDENT = 9, SHOWN = 8, SHAPE = 23 };

struct sums {
    double calls, seconds, fresh, changed, same, made, written;
};

static double known(double value) {
    return isnan(value) ? 0 : value;
}

static struct sums sum_up(const struct be_trace_calls *calls, int from) {
    struct sums sums = {0};
    for (int i = from; i < calls->rows; i++) {
        const struct be_trace_call *row = &calls->row[i];
        sums.calls += known(row->calls);
        sums.seconds += known(row->seconds);
        sums.fresh += known(row->fresh);
        sums.changed += known(row->changed);
        sums.same += known(row->same);
        sums.made += known(row->made);
        sums.written += known(row->written);
    }
    return sums;
}

/* ---- shapes ----------------------------------------------------------------------------------- */

static bool is_kind(const struct be_trace_call *row, enum be_call_kind kind) {
    return strcmp(row->kind, be_call_kinds[kind]) == 0;
}

/* "1000 x 200", "60 x 60, 3 right" (right-hand sides), "60 x 60 with vectors", "8 x 8 x 8, 20 a time". */
static void write_shape(const struct be_trace_call *row, char *to, size_t capacity) {
    struct be_text text = {0};
    double m = row->m > 0 ? row->m : row->n, n = row->n;
    bool solve = is_kind(row, BE_CALLS_SOLVE), eigen = is_kind(row, BE_CALLS_EIGEN);
    bool transform = is_kind(row, BE_CALLS_FFT);
    be_text_add(&text, row->rounded ? "~" : "");
    if (transform) {
        be_text_add(&text, "%.0f points", n);
    } else {
        be_text_add(&text, "%.0f x %.0f", m, n);
    }
    if (transform && row->k > 1.5) {
        be_text_add(&text, ", %.0f a time", row->k);
    } else if (!transform && !solve && !eigen && row->k > 0) {
        be_text_add(&text, " x %.0f", row->k);
    } else if (!transform && row->k > 0) {
        be_text_add(&text, eigen ? ", vectors" : ", %.0f right", row->k);
    }
    if (row->batch > 1.5) {
        be_text_add(&text, ", %.0f a time", row->batch);
    }
    be_copy_text(to, capacity, text.data && !text.failed ? text.data : "");
    be_text_free(&text);
}

/* ---- the table -------------------------------------------------------------------------------- */

static void write_percent(char *to, size_t capacity, double share) {
    if (!isfinite(share)) {
        be_copy_text(to, capacity, "-");
    } else {
        snprintf(to, capacity, share > 0 && share < 0.005 ? "<1 %%" : "%.0f %%", 100 * share);
    }
}

static double machine_rate(const struct be_trace_calls *calls, const char *function) {
    bool single = function[0] == 's' || function[0] == 'c';
    return single ? calls->flops32 : calls->flops64;
}

static void add_row(const struct be_trace *trace, const struct be_trace_call *row,
                    struct be_text *out) {
    char shape[BE_NOTE], calls[BE_WORD], time[BE_WORD], share[BE_WORD], rate[BE_WORD], of[BE_WORD],
        again[BE_WORD];
    double flops_s = row->seconds > 0 && row->flops > 0 ? row->flops / row->seconds : NAN;
    double read = row->fresh + row->changed + row->same;
    write_shape(row, shape, sizeof shape);
    be_format_count(calls, sizeof calls, row->calls, "-");
    be_format_seconds(time, sizeof time, row->seconds, "-");
    write_percent(share, sizeof share, row->seconds / trace->elapsed_s);
    if (isfinite(flops_s)) {
        snprintf(rate, sizeof rate, "%.3g", 1e-9 * flops_s);
    } else {
        be_copy_text(rate, sizeof rate, "-");
    }
    write_percent(of, sizeof of, flops_s / machine_rate(&trace->calls, row->function));
    write_percent(again, sizeof again, read > 0 ? row->same / read : NAN);
    be_text_add(out, "  ");
    be_lines_cell(out, row->function, 7);
    be_text_add(out, " %-*s %9s %8s %6s %8s %6s %6s\n", SHAPE, shape, calls, time, share, rate, of,
                again);
}

static void add_table(const struct be_trace *trace, struct be_text *out) {
    const struct be_trace_calls *calls = &trace->calls;
    char count[BE_WORD], time[BE_WORD];
    int shown = calls->rows > SHOWN + 1 ? SHOWN : calls->rows;
    be_text_add(out, "  %-7s %-*s %9s %8s %6s %8s %6s %6s\n", "", SHAPE, "shape", "calls", "time",
                "of run", "GFLOP/s", "of max", "again");
    for (int i = 0; i < shown; i++) {
        add_row(trace, &calls->row[i], out);
    }
    if (shown < calls->rows) {
        struct sums rest = sum_up(calls, shown);
        be_text_add(out, "  and %d more kinds of calls: %s calls, %s\n", calls->rows - shown,
                    be_format_count(count, sizeof count, rest.calls, "-"),
                    be_format_seconds(time, sizeof time, rest.seconds, "-"));
    }
}

/* ---- words ------------------------------------------------------------------------------------ */

static void add_operands(const struct sums *all, struct be_text *out) {
    double read = all->fresh + all->changed + all->same;
    char bytes[BE_WORD], same[BE_WORD], made[BE_WORD], changed[BE_WORD], written[BE_WORD];
    struct be_text line = {0};
    if (!(read > 0)) {
        return;
    }
    write_percent(same, sizeof same, all->same / read);
    write_percent(made, sizeof made, all->made / read);
    write_percent(changed, sizeof changed, all->changed / read);
    be_text_add(&line,
                "operands: %s read, %s of it seen before and unchanged (%s results of such calls), "
                "%s seen before with other numbers; %s written",
                be_format_bytes(bytes, sizeof bytes, read, "-"), same, made, changed,
                be_format_bytes(written, sizeof written, all->written, "-"));
    be_lines_wrap(out, "  ", line.data ? line.data : "", 2);
    be_text_free(&line);
}

static void add_head(const struct be_trace *trace, const struct sums *all, struct be_text *out) {
    const struct be_trace_calls *calls = &trace->calls;
    char time[BE_WORD], share[BE_WORD], count[BE_WORD];
    struct be_text line = {0};
    if (!calls->rows) {
        be_text_add(&line, "none of BLAS, LAPACK or FFTW was seen");
    } else {
        write_percent(share, sizeof share, all->seconds / trace->elapsed_s);
        be_text_add(&line, "%s in BLAS, LAPACK and FFTW, %s of the run",
                    be_format_seconds(time, sizeof time, all->seconds, "not measured"), share);
        if (calls->processes > 1.5) {
            be_text_add(&line, ", in %s processes",
                        be_format_count(count, sizeof count, calls->processes, "-"));
        }
        if (all->seconds > trace->elapsed_s) {
            be_text_add(&line, "; added up over threads");
        }
    }
    if (calls->note[0]) {
        be_text_add(&line, "; ");
        be_text_add_utf8(&line, calls->note);
    }
    be_lines_wrap(out, "calls    ", line.data ? line.data : "", INDENT);
    be_text_free(&line);
}

void be_trace_text_calls(const struct be_trace *trace, struct be_text *out) {
    const struct be_trace_calls *calls = &trace->calls;
    if (!calls->asked) {
        return;
    }
    struct sums all = sum_up(calls, 0);
    add_head(trace, &all, out);
    if (!calls->rows) {
        return;
    }
    add_table(trace, out);
    add_operands(&all, out);
    if (isnan(calls->flops32) && isnan(calls->flops64)) {
        be_text_add(out, "  of max: no profile of this machine is here (`breakeven probe` measures "
                         "one)\n");
    }
    if (calls->lost > 0.5) {
        char lost[BE_WORD];
        be_text_add(out, "  %s calls or threads are not in this: the record was full\n",
                    be_format_count(lost, sizeof lost, calls->lost, "-"));
    }
}
