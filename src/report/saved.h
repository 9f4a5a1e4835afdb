/*
 * Reads saved files. Those that the library's users read are in breakeven.h (be_comparison_read) and
 * breakeven_profile.h (be_profile_read, be_saved_read).
 */
#ifndef BE_REPORT_SAVED_H
#define BE_REPORT_SAVED_H

#include <stdio.h>

#include "breakeven_profile.h"

struct be_ask;
struct be_trace;

/* Reads what be_trace_write wrote as BE_JSON; `name` is for messages. On success be_trace_close. */
enum be_status be_trace_read(FILE *in, const char *name, struct be_trace *trace,
                             struct be_error *error);

/* The run that `ask --json=FILE` wrote, without its answers; "-" is standard input. be_ask_free in any case. */
enum be_status be_ask_load(const char *name, struct be_ask *ask, struct be_error *error);

/* be_saved_read of the file of that name; "-" is standard input. */
enum be_status be_saved_load(const char *name, struct be_saved *saved, struct be_error *error);

/* Is the text, which is not JSON, a table of ours for people or spreadsheets? Then the error says which, and which
 * file to give instead. */
bool be_saved_is_foreign(const char *text, const char *name, struct be_error *error);

#endif
