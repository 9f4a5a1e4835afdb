/* A trace -> JSON (docs/json.md), one line a record; and CSV, one line a tick. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/gpu_worth.h"
#include "base/error.h"
#include "report/json/record.h"
#include "report/trace/fields.h"
#include "report/trace/trace.h"

/* As a trace keeps it: five significant digits; `none` where there is nothing. */
static void add_value(struct be_text *out, double value, const char *format, const char *none) {
    char number[BE_WORD];
    if (!isfinite(value)) {
        be_text_add(out, "%s", none);
        return;
    }
    snprintf(number, sizeof number, format, value);
    char *comma = strchr(number, ','); /* the locale's */
    if (comma) {
        *comma = '.';
    }
    be_text_add(out, "%s", number);
}

static struct be_series_row row_of(const struct be_trace *trace,
                                   const struct be_signal_series *series) {
    const struct be_signal_info *info = &be_signals[series->signal];
    struct be_series_row row = {.of = series->of,
                                .mean = series->sum_s > 0 ? series->integral / series->sum_s : NAN,
                                .min = series->min,
                                .max = series->max,
                                .measured_s = series->sum_s,
                                .cover = series->cover};
    while (row.first < trace->ticks - 1 && isnan(series->value[row.first])) {
        row.first++;
    }
    be_copy_text(row.signal, sizeof row.signal, info->name);
    be_copy_text(row.unit, sizeof row.unit, be_names_word(&be_names_in, (int)info->unit));
    be_copy_text(row.scope, sizeof row.scope, be_names_word(&be_names_scope, (int)info->scope));
    be_copy_text(row.source, sizeof row.source, trace->source[series->source].name);
    return row;
}

/* From the first to the last that was measured: of a short-lived process that is little. */
static void add_values(const struct be_trace *trace, const struct be_signal_series *series,
                       int first, struct be_text *out) {
    int last = trace->ticks - 1;
    while (last > first && isnan(series->value[last])) {
        last--;
    }
    be_text_add(out, ",\"values\":[");
    for (int k = first; k <= last; k++) {
        be_text_add(out, k > first ? "," : "");
        add_value(out, (double)series->value[k], "%.5g", "null");
    }
    be_text_add(out, "]}");
}

/* The values go in as text: a tree of a node each would take a hundred times their room. */
static void add_series(const struct be_trace *trace, struct be_text *out) {
    be_text_add(out, ",\n\"series\":[");
    bool first = true;
    for (size_t i = 0; i < trace->series; i++) {
        const struct be_signal_series *series = &trace->one[i];
        if (!(series->sum_s > 0)) {
            continue;
        }
        struct be_series_row row = row_of(trace, series);
        be_text_add(out, first ? "\n" : ",\n");
        first = false;
        be_json_add(out, be_json_record(&be_fields_series, &row));
        if (out->failed) {
            return;
        }
        out->length--; /* its closing brace */
        add_values(trace, series, row.first, out);
    }
    be_text_add(out, first ? "]" : "\n]");
}

static void add_ticks(const struct be_trace *trace, struct be_text *out) {
    be_text_add(out, ",\n\"ticks\":[");
    for (int i = 0; i < trace->ticks; i++) {
        be_text_add(out, i ? "," : "");
        add_value(out, trace->end_s[i], BE_TRACE_END_DIGITS, "null");
    }
    be_text_add(out, "]");
}

static cJSON *absent_at(const void *whole, size_t i) {
    const struct be_trace_absence *absent = &((const struct be_trace *)whole)->absent[i];
    struct be_absent_row row = {0};
    be_copy_text(row.signal, sizeof row.signal, be_signals[absent->signal].name);
    be_copy_text(row.source, sizeof row.source, absent->source);
    be_copy_text(row.reason, sizeof row.reason, absent->reason);
    return be_json_record(&be_fields_absent, &row);
}

static void add_worth(const struct be_trace *trace, struct be_text *out) {
    struct be_gpu_worth worth;
    if (trace->rates.cpu[0]) {
        be_json_add_fields(out, &be_fields_trace_rates, trace);
        be_gpu_worth_of(trace, &worth);
        if (worth.used && !trace->no_verdict) {
            be_json_add_member(out, "worth_a_gpu", be_json_record(&be_fields_gpu_worth, &worth));
        }
    }
}

void be_trace_json(const struct be_trace *trace, struct be_text *out) {
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    int findings = be_trace_findings(trace, found);
    be_json_add_head(out, "run");
    be_json_add_fields(out, &be_fields_trace, trace);
    be_json_add_list(out, "absent", (size_t)trace->absences, absent_at, trace);
    be_json_add_fields(out, &be_fields_trace_things, trace);
    be_json_add_records(out, "findings", &be_fields_run_finding, found, (size_t)findings,
                        sizeof *found);
    if (trace->calls.asked) {
        be_json_add_fields(out, &be_fields_trace_calls, trace);
    }
    if (trace->kinds.asked) {
        be_json_add_fields(out, &be_fields_trace_kinds, trace);
    }
    add_worth(trace, out);
    add_ticks(trace, out);
    add_series(trace, out);
    be_text_add(out, "}\n");
}

void be_trace_csv(const struct be_trace *trace, struct be_text *out) {
    be_text_add(out, "end_s");
    for (size_t i = 0; i < trace->series; i++) {
        const struct be_signal_series *series = &trace->one[i];
        const struct be_signal_info *info = &be_signals[series->signal];
        bool several = info->scope >= BE_OF_PROCESS;
        be_text_add(out, ",%s", info->name);
        if (several) {
            be_text_add(out, ".%d", series->of);
        }
    }
    be_text_add(out, "\n");
    for (int k = 0; k < trace->ticks; k++) {
        add_value(out, trace->end_s[k], BE_TRACE_END_DIGITS, "");
        for (size_t i = 0; i < trace->series; i++) {
            be_text_add(out, ",");
            add_value(out, (double)trace->one[i].value[k], "%.5g", "");
        }
        be_text_add(out, "\n");
    }
}
