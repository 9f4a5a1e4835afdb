/*
 * A trace (observe/trace.h) out and in: the report at the end of a run, JSON (docs/json.md), and
 * JSON -> trace.
 */
#ifndef BE_REPORT_TRACE_REPORT_H
#define BE_REPORT_TRACE_REPORT_H

#include <stdio.h>

#include "base/text.h"
#include "observe/rules/finding.h"
#include "observe/usage.h"
#include "report/common/fields.h"

/* BE_TEXT: the report; BE_JSON: the whole trace; BE_CSV: a row a tick, a column a series. */
enum be_status be_trace_write(const struct be_trace *trace, enum be_format format, FILE *out,
                              struct be_error *error);
/* Reads what BE_JSON wrote; `name` is for messages. On success be_trace_close. */
enum be_status be_trace_read(FILE *in, const char *name, struct be_trace *trace,
                             struct be_error *error);

/* ---- inside --------------------------------------------------------------------------------- */

void be_trace_text(const struct be_trace *trace, struct be_text *out);
void be_trace_json(const struct be_trace *trace, struct be_text *out);
void be_trace_csv(const struct be_trace *trace, struct be_text *out);

/* The parts of the text, each whole lines or nothing: one file of findings may go between. */
void be_trace_text_head(const struct be_trace *trace, struct be_text *out); /* "ran ..." */
void be_trace_text_cpu(const struct be_trace *trace, struct be_text *out);  /* CPU, memory */
void be_trace_text_io(const struct be_trace *trace, struct be_text *out);   /* I/O */
void be_trace_text_gpus(const struct be_trace *trace, struct be_text *out); /* GPUs, bus, trace */
void be_trace_text_timeline(const struct be_trace *trace, struct be_text *out); /* graphs */
void be_trace_text_findings(const struct be_trace *trace, struct be_text *out);
void be_trace_text_notes(const struct be_trace *trace, struct be_text *out); /* what is missing */

/* "12 min 04 s", "3.42 s", "2 h 05 min" */
const char *be_format_duration(char *to, size_t room, double seconds);
/* "SIGTERM" */
const char *be_signal_word(int number);
/* One character of one column for each of `columns` equal parts of the run; `full`: the value that
 * fills it; a blank where nothing was measured. Of ASCII unless the locale that is set has UTF-8. */
void be_trace_graph(const struct be_trace *trace, enum be_signal signal, int of, double full,
                    int columns, struct be_text *out);

/* How the end of a tick is written. */
#define BE_TRACE_END_DIGITS "%.12g"

/* A series and an absence as records of JSON. */
struct be_series_row {
    char signal[BE_NAME], unit[BE_NAME], scope[BE_NAME], source[BE_NAME];
    int of;
    int first; /* tick of the first value that is kept: nothing was measured before it */
    double mean, least, most, measured_s, cover;
};
struct be_absent_row {
    char signal[BE_NAME], source[BE_NAME], reason[BE_NOTE];
};

extern const struct be_fields be_fields_trace; /* without lists, limits, totals */
extern const struct be_fields be_fields_trace_limits;
extern const struct be_fields be_fields_trace_totals;
extern const struct be_fields be_fields_trace_gpu;
extern const struct be_fields be_fields_trace_process;
extern const struct be_fields be_fields_trace_thread;
extern const struct be_fields be_fields_trace_source;
extern const struct be_fields be_fields_series; /* struct be_series_row */
extern const struct be_fields be_fields_absent; /* struct be_absent_row */
extern const struct be_fields be_fields_run_finding;

#endif
