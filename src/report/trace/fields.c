/*
 * The fields of a trace, and the lists that are by signal: what is absent, ticks and series. Those of a
 * later version's signals are passed over.
 */
#include "report/trace/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/rules/finding.h"
#include "observe/trace.h"
#include "report/common/field_rows.h"
#include "report/json/reader.h"
#include "report/trace/trace.h"

#define VALUE_MAX 1e30 /* as much as a float holds, and no sum of them is infinite */

static const struct be_field run[] = {
    FIELD(be_trace, TEXT, date),      FIELD(be_trace, TEXT, host),
    FIELD(be_trace, NOTE, cpu),       FIELD(be_trace, NOTE, command),
    FIELD(be_trace, NOTE, job),       FIELD(be_trace, INT, pid),
    NEED_WORD(be_trace, end, end),    FIELD(be_trace, INT, code),
    FIELD(be_trace, NOTE, note),      FIELD(be_trace, REAL, elapsed_s),
    FIELD(be_trace, REAL, stopped_s), FIELD(be_trace, REAL, interval_s),
    FIELD(be_trace, REAL, own_cpu_s), FIELD(be_trace, REAL, own_peak_bytes),
    FIELD(be_trace, REAL, samples),   FIELD(be_trace, INT, merges),
    FIELD(be_trace, TRUTH, watched),  FIELD(be_trace, NOTE, libraries),
    FIELD(be_trace, NOTE, settings),  FIELD(be_trace, INT, rank),
    FIELD(be_trace, GIVEN, ranks),
};
static const struct be_fields run_fields = FIELDS(run);

static const struct be_field limits[] = {
    FIELD(be_trace_limits, GIVEN, cpus),
    FIELD(be_trace_limits, NOTE, cpus_by),
    FIELD(be_trace_limits, GIVEN, cpus_machine),
    FIELD(be_trace_limits, REAL, cpus_quota),
    FIELD(be_trace_limits, REAL, memory_bytes),
    FIELD(be_trace_limits, NOTE, memory_by),
    FIELD(be_trace_limits, REAL, memory_machine_bytes),
    FIELD(be_trace_limits, TRUTH, asked),
    FIELD(be_trace_limits, GIVEN, tasks),
    FIELD(be_trace_limits, GIVEN, tasks_here),
};
static const struct be_fields limit_fields = FIELDS(limits);

static const struct be_field totals[] = {
    FIELD(be_trace_totals, REAL, user_s),
    FIELD(be_trace_totals, REAL, system_s),
    FIELD(be_trace_totals, REAL, peak_process_bytes),
    FIELD(be_trace_totals, REAL, peak_group_bytes),
    FIELD(be_trace_totals, REAL, read_bytes),
    FIELD(be_trace_totals, REAL, written_bytes),
    FIELD(be_trace_totals, REAL, major_faults),
    FIELD(be_trace_totals, REAL, minor_faults),
    FIELD(be_trace_totals, REAL, switches),
    FIELD(be_trace_totals, REAL, preempted),
    FIELD(be_trace_totals, REAL, orphans),
    FIELD(be_trace_totals, REAL, left),
};
static const struct be_fields total_fields = FIELDS(totals);

static const struct be_field gpu[] = {
    NEED(be_trace_gpu, TEXT, id),
    FIELD(be_trace_gpu, TEXT, name),
    FIELD(be_trace_gpu, NOTE, uuid),
    FIELD(be_trace_gpu, NOTE, note),
    FIELD(be_trace_gpu, REAL, memory_bytes),
    FIELD(be_trace_gpu, REAL, bus_bytes_s),
    FIELD(be_trace_gpu, REAL, power_limit_w),
    FIELD(be_trace_gpu, REAL, fp64_ratio),
    FIELD(be_trace_gpu, TRUTH, slice),
};
static const struct be_fields gpu_fields = FIELDS(gpu);

static const struct be_field process[] = {
    FIELD(be_trace_process, INT, pid),        FIELD(be_trace_process, REAL, start_s),
    FIELD(be_trace_process, TEXT, name),      FIELD(be_trace_process, TRUTH, main),
    FIELD(be_trace_process, REAL, cpu_s),     FIELD(be_trace_process, REAL, peak_bytes),
    FIELD(be_trace_process, NOTE, libraries),
};
static const struct be_fields process_fields = FIELDS(process);

static const struct be_field thread[] = {
    FIELD(be_trace_thread, INT, pid),
    FIELD(be_trace_thread, INT, tid),
    FIELD(be_trace_thread, TEXT, name),
    FIELD(be_trace_thread, REAL, cpu_s),
};
static const struct be_fields thread_fields = FIELDS(thread);

static const struct be_field source[] = {
    NEED(be_trace_source, TEXT, name),     FIELD(be_trace_source, TRUTH, gpu),
    FIELD(be_trace_source, NOTE, detail),  FIELD(be_trace_source, NOTE, absent),
    FIELD(be_trace_source, REAL, sampled), FIELD(be_trace_source, REAL, missed),
    FIELD(be_trace_source, REAL, cost_s),
};
static const struct be_fields source_fields = FIELDS(source);

static const struct be_field series[] = {
    NEED(be_series_row, TEXT, signal),
    FIELD(be_series_row, TEXT, unit),
    FIELD(be_series_row, TEXT, scope),
    FIELD(be_series_row, INT, of),
    NEED(be_series_row, TEXT, source),
    FIELD(be_series_row, REAL, mean),
    FIELD_AS(be_series_row, REAL, "least", min),
    FIELD_AS(be_series_row, REAL, "most", max),
    FIELD(be_series_row, REAL, measured_s),
    FIELD(be_series_row, REAL, cover),
    FIELD(be_series_row, INT, first),
};
const struct be_fields be_fields_series = FIELDS(series);

static const struct be_field absent[] = {
    NEED(be_absent_row, TEXT, signal),
    FIELD(be_absent_row, TEXT, source),
    FIELD(be_absent_row, TEXT, reason),
};
const struct be_fields be_fields_absent = FIELDS(absent);

static const struct be_field finding[] = {
    FIELD(be_run_finding, INT, number),        NEED(be_run_finding, TEXT, name),
    NEED_WORD(be_run_finding, weight, weight), FIELD(be_run_finding, TEXT, evidence),
    FIELD(be_run_finding, INT, gpu),           FIELD(be_run_finding, REAL, cost_s),
    FIELD(be_run_finding, NOTE, advice),
};
const struct be_fields be_fields_run_finding = FIELDS(finding);

static const struct be_field things[] = {
    FIXED(be_trace, "gpus", gpu, gpus, gpu_fields),
    FIXED(be_trace, "processes", process, processes, process_fields),
    FIXED(be_trace, "threads", thread, threads, thread_fields),
};
const struct be_fields be_fields_trace_things = FIELDS(things);

static const struct be_field call[] = {
    NEED(be_trace_call, TEXT, function),
    FIELD(be_trace_call, NOTE, kind),
    FIELD(be_trace_call, TRUTH, rounded),
    FIELD(be_trace_call, REAL, m),
    FIELD(be_trace_call, REAL, n),
    FIELD(be_trace_call, REAL, k),
    FIELD(be_trace_call, REAL, batch),
    FIELD(be_trace_call, REAL, calls),
    FIELD_AS(be_trace_call, REAL, "time_s", seconds),
    FIELD_AS(be_trace_call, REAL, "operations", flops),
    FIELD_AS(be_trace_call, REAL, "new_bytes", fresh),
    FIELD_AS(be_trace_call, REAL, "changed_bytes", changed),
    FIELD_AS(be_trace_call, REAL, "same_bytes", same),
    FIELD_AS(be_trace_call, REAL, "made_bytes", made),
    FIELD_AS(be_trace_call, REAL, "written_bytes", written),
};
static const struct be_fields call_fields = FIELDS(call);

/* That the part is there says that calls were asked for. */
static enum be_status take_calls(struct be_json_reader *reader, const struct cJSON *object,
                                 void *record) {
    (void)reader;
    ((struct be_trace_calls *)record)->asked = object != NULL;
    return BE_OK;
}

static const struct be_field calls[] = {
    FIELD(be_trace_calls, NOTE, note),
    FIELD(be_trace_calls, REAL, processes),
    FIELD(be_trace_calls, REAL, lost),
    FIELD_AS(be_trace_calls, REAL, "machine_flop_s_float32", flops32),
    FIELD_AS(be_trace_calls, REAL, "machine_flop_s_float64", flops64),
    FIXED(be_trace_calls, "functions", row, rows, call_fields),
};
static const struct be_fields calls_fields = FIELDS_CHECKED(calls, take_calls);

static const struct be_field with_calls[] = {
    PART(be_trace, calls, calls_fields),
};
const struct be_fields be_fields_trace_calls = FIELDS(with_calls);

/* ---- ticks and values ----------------------------------------------------------------------- */

/* As a file of ours has it: others may have more digits, and must report what is then kept of them. */
static double end_as_kept(double end_s) {
    char text[BE_WORD];
    snprintf(text, sizeof text, BE_TRACE_END_DIGITS, end_s);
    return strtod(text, NULL);
}

static enum be_status read_ticks(struct be_json_reader *reader, const cJSON *root,
                                 struct be_trace *to) {
    if (be_json_needs_list(reader, root, "ticks")) {
        return BE_USAGE;
    }
    double before_s = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "ticks")) {
        if (to->ticks == BE_TICKS_MAX) {
            return be_json_bad(reader, "ticks", "has more than a trace can have");
        }
        double end_s = cJSON_IsNumber(item) ? end_as_kept(item->valuedouble) : NAN;
        if (!(end_s > before_s) || !isfinite(end_s)) {
            return be_json_bad(reader, "ticks", "must be numbers above 0, each above the last");
        }
        before_s = to->end_s[to->ticks++] = end_s;
    }
    return BE_OK;
}

/* From tick `first` on; what is not there was not measured. */
static enum be_status read_values(struct be_json_reader *reader, const cJSON *object, int first,
                                  int ticks, float *value) {
    if (be_json_needs_list(reader, object, "values")) {
        return BE_USAGE;
    }
    for (int i = 0; i < ticks; i++) {
        value[i] = NAN;
    }
    int count = first;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, "values")) {
        bool number = cJSON_IsNumber(item) && isfinite(item->valuedouble) &&
                      fabs(item->valuedouble) < VALUE_MAX;
        if (!number && !cJSON_IsNull(item)) {
            return be_json_bad(reader, "values", "must be numbers or null");
        }
        if (count >= ticks) {
            return be_json_bad(reader, "values", "has more than there are ticks");
        }
        value[count++] = number ? (float)item->valuedouble : NAN;
    }
    return BE_OK;
}

static int count_of(const struct be_trace *to, enum be_scope scope) {
    const int count[BE_SCOPES] = {[BE_OF_TREE] = 1,
                                  [BE_OF_GROUP] = 1,
                                  [BE_OF_NODE] = 1,
                                  [BE_OF_PROCESS] = to->processes,
                                  [BE_OF_THREAD] = to->threads,
                                  [BE_OF_GPU] = to->gpus};
    return count[scope];
}

static enum be_status fill_series(struct be_json_reader *reader, const cJSON *object,
                                  const struct be_series_row *row, struct be_trace *to,
                                  float *value) {
    int signal = be_signal_find(row->signal);
    int from = be_trace_source(to, row->source);
    enum be_status status = read_values(reader, object, row->first, to->ticks, value);
    if (status || signal < 0) { /* a signal of a later version is passed over */
        return status;
    }
    if (from < 0) {
        return be_json_bad(reader, "source", "is one too many");
    }
    if (row->of >= count_of(to, be_signals[signal].scope)) {
        return be_json_bad(reader, "of", "there is no such process, thread or GPU in the file");
    }
    if (!(row->measured_s > 0 && row->measured_s < VALUE_MAX) || !(fabs(row->mean) < VALUE_MAX)) {
        return be_json_bad(reader, "measured_s",
                           "must be above 0, and mean a number, neither above 1e30");
    }
    const struct be_trace_measured measured = {.sum_s = row->measured_s,
                                               .integral = row->mean * row->measured_s,
                                               .min = row->min,
                                               .max = row->max,
                                               .cover = row->cover};
    return be_trace_restore(to, (enum be_signal)signal, row->of, from, value, &measured)
               ? BE_OK
               : be_json_bad(reader, "signal", "is there twice, or there is no memory for it");
}

/* ---- lists by signal ------------------------------------------------------------------------ */

static enum be_status read_absent(struct be_json_reader *reader, const cJSON *item, void *context) {
    struct be_trace *to = context;
    struct be_absent_row row = {0};
    enum be_status status = be_json_read_record(reader, &be_fields_absent, item, &row);
    int signal = status ? -1 : be_signal_find(row.signal);
    if (signal >= 0) {
        struct be_trace_absence *next = &to->absent[to->absences++];
        next->signal = (enum be_signal)signal;
        be_copy_text(next->source, sizeof next->source, row.source);
        be_copy_text(next->reason, sizeof next->reason, row.reason);
    }
    return status;
}

static enum be_status read_series(struct be_json_reader *reader, const cJSON *item, void *context) {
    struct be_series_row row = {0};
    float value[BE_TICKS_MAX];
    enum be_status status = be_json_read_record(reader, &be_fields_series, item, &row);
    return status ? status : fill_series(reader, item, &row, context, value);
}

static enum be_status read_rest(struct be_json_reader *reader, const struct cJSON *object,
                                void *record) {
    struct be_trace *to = record;
    enum be_status status =
        be_json_each(reader, object, "absent", BE_TRACE_ABSENCES_MAX, read_absent, to);
    status = status ? status : be_json_read_record(reader, &be_fields_trace_things, object, to);
    status = status ? status : be_json_read_record(reader, &be_fields_trace_calls, object, to);
    status = status ? status : be_json_read_record(reader, &be_fields_trace_kinds, object, to);
    status = status ? status : be_json_read_record(reader, &be_fields_trace_rates, object, to);
    status = status ? status : read_ticks(reader, object, to);
    status = status ? status : be_json_needs_list(reader, object, "series");
    status = status ? status : be_json_each(reader, object, "series", SIZE_MAX, read_series, to);
    be_trace_round(to);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static const struct be_field trace[] = {
    {.name = "run", .kind = BE_FIELD_PART, .of = &run_fields},
    PART(be_trace, limits, limit_fields),
    {.name = "totals", .kind = BE_FIELD_PART, PLACE(be_trace, total), .of = &total_fields},
    FIXED(be_trace, "sources", source, sources, source_fields),
};
const struct be_fields be_fields_trace = FIELDS_CHECKED(trace, read_rest);
