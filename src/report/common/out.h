/*
 * From a text to a file, and the formats that there are.
 */
#ifndef BE_REPORT_COMMON_OUT_H
#define BE_REPORT_COMMON_OUT_H

#include <stdio.h>

#include "base/text.h"
#include "breakeven.h"

/* Writes the text out and frees it. */
enum be_status be_report_out(struct be_text *text, FILE *out, struct be_error *error);
/* "DOING: there is no format 7" */
enum be_status be_report_no_format(const char *doing, enum be_format format,
                                   struct be_error *error);

#endif
