/* JSON (docs/json.md) -> a trace. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/json/reader.h"
#include "report/trace/report.h"

#define VALUE_MAX 1e30 /* as much as a float holds, and no sum of them is infinite */

/* ---- records -------------------------------------------------------------------------------- */

static enum be_status read_gpu(struct be_json_reader *reader, const cJSON *object, void *record) {
    return be_json_read_record(reader, &be_fields_trace_gpu, object, record);
}

static enum be_status read_process(struct be_json_reader *reader, const cJSON *object,
                                   void *record) {
    return be_json_read_record(reader, &be_fields_trace_process, object, record);
}

static enum be_status read_thread(struct be_json_reader *reader, const cJSON *object,
                                  void *record) {
    return be_json_read_record(reader, &be_fields_trace_thread, object, record);
}

static enum be_status read_source(struct be_json_reader *reader, const cJSON *object,
                                  void *record) {
    return be_json_read_record(reader, &be_fields_trace_source, object, record);
}

static enum be_status read_absent(struct be_json_reader *reader, const cJSON *object,
                                  void *record) {
    struct be_trace_absence *absent = record;
    struct be_absent_row row = {0};
    enum be_status status = be_json_read_record(reader, &be_fields_absent, object, &row);
    int signal = status ? -1 : be_signal_find(row.signal);
    *absent = (struct be_trace_absence){.signal = BE_SIGNALS}; /* of a later version: dropped */
    if (signal >= 0) {
        absent->signal = (enum be_signal)signal;
        be_copy_text(absent->source, sizeof absent->source, row.source);
        be_copy_text(absent->reason, sizeof absent->reason, row.reason);
    }
    return status;
}

/* ---- ticks and values ----------------------------------------------------------------------- */

/* As a file of ours has it: others may have more digits, and must report what is then kept of them. */
static double end_as_kept(double end_s) {
    char text[BE_WORD];
    snprintf(text, sizeof text, BE_TRACE_END_DIGITS, end_s);
    return strtod(text, NULL);
}

static enum be_status read_ticks(struct be_json_reader *reader, const cJSON *root,
                                 struct be_trace *trace) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "ticks");
    if (!cJSON_IsArray(list)) {
        return be_json_wrong_kind(reader, "ticks", "a list", list);
    }
    double before_s = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list) {
        if (trace->ticks == BE_TICKS_MAX) {
            return be_json_bad(reader, "ticks", "has more than a trace can have");
        }
        double end_s = cJSON_IsNumber(item) ? end_as_kept(item->valuedouble) : NAN;
        if (!(end_s > before_s) || !isfinite(end_s)) {
            return be_json_bad(reader, "ticks", "must be numbers above 0, each above the last");
        }
        before_s = trace->end_s[trace->ticks++] = end_s;
    }
    return BE_OK;
}

/* From tick `first` on; what is not there was not measured. */
static enum be_status read_values(struct be_json_reader *reader, const cJSON *object, int first,
                                  int ticks, float *value) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "values");
    if (!cJSON_IsArray(list)) {
        return be_json_wrong_kind(reader, "values", "a list", list);
    }
    for (int i = 0; i < ticks; i++) {
        value[i] = NAN;
    }
    int count = first;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list) {
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

static int things(const struct be_trace *trace, enum be_scope scope) {
    const int count[BE_SCOPES] = {[BE_OF_TREE] = 1,
                                  [BE_OF_GROUP] = 1,
                                  [BE_OF_NODE] = 1,
                                  [BE_OF_PROCESS] = trace->processes,
                                  [BE_OF_THREAD] = trace->threads,
                                  [BE_OF_GPU] = trace->gpus};
    return count[scope];
}

static enum be_status fill_series(struct be_json_reader *reader, const cJSON *object,
                                  const struct be_series_row *row, struct be_trace *trace,
                                  float *value) {
    int signal = be_signal_find(row->signal);
    int source = be_trace_source(trace, row->source);
    enum be_status status = read_values(reader, object, row->first, trace->ticks, value);
    if (status || signal < 0) { /* a signal of a later version is passed over */
        return status;
    }
    if (source < 0) {
        return be_json_bad(reader, "source", "is one too many");
    }
    if (row->of >= things(trace, be_signals[signal].scope)) {
        return be_json_bad(reader, "of", "there is no such process, thread or GPU in the file");
    }
    if (!(row->measured_s > 0 && row->measured_s < VALUE_MAX) || !(fabs(row->mean) < VALUE_MAX)) {
        return be_json_bad(reader, "measured_s",
                           "must be above 0, and mean a number, neither above 1e30");
    }
    const struct be_trace_measured measured = {.sum_s = row->measured_s,
                                               .integral = row->mean * row->measured_s,
                                               .least = row->least,
                                               .most = row->most,
                                               .cover = row->cover};
    return be_trace_restore(trace, (enum be_signal)signal, row->of, source, value, &measured)
               ? BE_OK
               : be_json_bad(reader, "signal", "is there twice, or there is no memory for it");
}

static enum be_status read_series(struct be_json_reader *reader, const cJSON *root,
                                  struct be_trace *trace) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "series");
    if (!cJSON_IsArray(list)) {
        return be_json_wrong_kind(reader, "series", "a list", list);
    }
    float *value = malloc(BE_TICKS_MAX * sizeof *value);
    if (!value) {
        return be_fail(reader->error, BE_NOMEM, "%s: out of memory", reader->name);
    }
    enum be_status status = BE_OK;
    int i = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list) {
        struct be_series_row row = {0};
        snprintf(reader->path, BE_JSON_PATH, "series[%d]", i++);
        if (!cJSON_IsObject(item)) {
            status = be_json_wrong_kind(reader, "", "an object", item);
        }
        status = status ? status : be_json_read_record(reader, &be_fields_series, item, &row);
        status = status ? status : fill_series(reader, item, &row, trace, value);
        if (status) {
            break;
        }
    }
    free(value);
    *reader->path = '\0';
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static enum be_status read_part(struct be_json_reader *reader, const cJSON *root, const char *name,
                                const struct be_fields *fields, void *record) {
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, name);
    if (object && !cJSON_IsObject(object)) {
        return be_json_wrong_kind(reader, name, "an object", object);
    }
    snprintf(reader->path, BE_JSON_PATH, "%s", name);
    enum be_status status = be_json_read_record(reader, fields, object, record);
    *reader->path = '\0';
    return status;
}

static enum be_status read_lists(struct be_json_reader *reader, const cJSON *root,
                                 struct be_trace *trace) {
    const struct {
        struct be_json_list list;
        void *records;
        int *count;
    } lists[] = {
        {{"sources", sizeof *trace->source, BE_TRACE_SOURCES_MAX, read_source, true},
         trace->source,
         &trace->sources},
        {{"absent", sizeof *trace->absent, BE_TRACE_ABSENCES_MAX, read_absent, true},
         trace->absent,
         &trace->absences},
        {{"gpus", sizeof *trace->gpu, BE_DEVICES_MAX, read_gpu, true}, trace->gpu, &trace->gpus},
        {{"processes", sizeof *trace->process, BE_TRACE_PROCESSES_MAX, read_process, true},
         trace->process,
         &trace->processes},
        {{"threads", sizeof *trace->thread, BE_TRACE_THREADS_MAX, read_thread, true},
         trace->thread,
         &trace->threads},
    };
    enum be_status status = BE_OK;
    for (size_t i = 0; !status && i < BE_COUNT(lists); i++) {
        status = be_json_read_fixed(reader, &lists[i].list, root, lists[i].records, lists[i].count);
    }
    int kept = 0;
    for (int i = 0; !status && i < trace->absences; i++) {
        if (trace->absent[i].signal != BE_SIGNALS) {
            trace->absent[kept++] = trace->absent[i];
        }
    }
    trace->absences = status ? trace->absences : kept;
    return status;
}

enum be_status be_json_read_trace(struct be_json_reader *reader, const cJSON *root,
                                  struct be_trace *trace) {
    enum be_status status = be_trace_open(trace, reader->error);
    status = status ? status : be_json_check_command(reader, root, "run");
    status = status ? status : read_part(reader, root, "run", &be_fields_trace, trace);
    status = status ? status
                    : read_part(reader, root, "limits", &be_fields_trace_limits, &trace->limits);
    status =
        status ? status : read_part(reader, root, "totals", &be_fields_trace_totals, &trace->total);
    status = status ? status : read_lists(reader, root, trace);
    status = status ? status : read_ticks(reader, root, trace);
    status = status ? status : read_series(reader, root, trace);
    be_trace_round(trace);
    return status;
}

enum be_status be_trace_read(FILE *in, const char *name, struct be_trace *trace,
                             struct be_error *error) {
    struct be_json_reader reader = {.name = name, .error = error};
    cJSON *root = NULL;
    *trace = (struct be_trace){0};
    enum be_status status = be_json_parse(&reader, in, &root);
    status = status ? status : be_json_check_schema(&reader, root);
    status = status ? status : be_json_read_trace(&reader, root, trace);
    if (status) {
        be_trace_close(trace);
    }
    cJSON_Delete(root);
    return status;
}
