/*
 * A trace (observe/trace.h) written: the report at the end of a run, JSON (docs/json.md), CSV.
 */
#ifndef BE_REPORT_TRACE_TRACE_H
#define BE_REPORT_TRACE_TRACE_H

#include <stdio.h>

#include "base/text.h"
#include "breakeven.h"
#include "observe/rules/finding.h"
#include "observe/usage.h"

/* BE_TEXT: the report; BE_JSON: the whole trace; BE_CSV: a row a tick, a column a series. */
enum be_status be_trace_write(const struct be_trace *trace, enum be_format format, FILE *out,
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

/* "SIGTERM" */
const char *be_signal_word(int number);
/* One character of one column for each of `columns` equal parts of the run; `full`: the value that
 * fills it; a blank where nothing was measured. Of ASCII unless the locale that is set has UTF-8. */
void be_trace_graph(const struct be_trace *trace, enum be_signal signal, int of, double full,
                    int columns, struct be_text *out);

#endif
