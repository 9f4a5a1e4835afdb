/*
 * A trace (observe/trace.h) written: the report at the end of a run, JSON (docs/json.md), CSV, a drawing, a page.
 */
#ifndef BE_REPORT_TRACE_TRACE_H
#define BE_REPORT_TRACE_TRACE_H

#include <stdio.h>

#include "base/text.h"
#include "breakeven.h"
#include "observe/rules/finding.h"
#include "observe/usage.h"

/* BE_TEXT: the report; BE_JSON: the whole trace; BE_CSV: a row a tick, a column a series; BE_SVG: the
 * run over time with its findings; BE_HTML: one self-contained page. */
enum be_status be_trace_write(const struct be_trace *trace, enum be_format format, FILE *out,
                              struct be_error *error);

/* ---- inside --------------------------------------------------------------------------------- */

void be_trace_text(const struct be_trace *trace, struct be_text *out);
void be_trace_json(const struct be_trace *trace, struct be_text *out);
void be_trace_csv(const struct be_trace *trace, struct be_text *out);
void be_trace_html(const struct be_trace *trace, struct be_text *out);

void be_trace_text_gpus(const struct be_trace *trace, struct be_text *out); /* GPUs, bus, trace */

void be_trace_text_calls(const struct be_trace *trace,
                         struct be_text *out); /* of BLAS and LAPACK */

/* Was it worth its GPU, or would it be worth one? Nothing where neither is known. In the report, and as it is. */
void be_trace_text_worth(const struct be_trace *trace, struct be_text *out);
void be_trace_worth_sentence(const struct be_trace *trace, struct be_text *line);

/* "SIGTERM" */
const char *be_signal_word(int number);

#endif
