/*
 * From result structs to what people and programs read. Each writer appends to a text and does
 * nothing else; out of memory is remembered in the text. Knows nothing of how results came about.
 */
#ifndef BE_REPORT_COMPARISON_COMPARISON_H
#define BE_REPORT_COMPARISON_COMPARISON_H

#include "base/text.h"
#include "breakeven.h"

void be_report_json(const struct be_comparison *comparison, struct be_text *out);
void be_report_csv(const struct be_comparison *comparison, struct be_text *out);
void be_report_png(const struct be_picture *picture, struct be_text *out);
void be_report_text(const struct be_comparison *comparison, struct be_text *out);
void be_report_html(const struct be_comparison *comparison, struct be_text *out);
/* The answer of that page, in a sentence a workload or a device. */
void be_report_html_verdict(const struct be_comparison *comparison, struct be_text *out);

/* The last table of a comparison of several workloads: a line each. */
bool be_report_has_overview(const struct be_comparison *comparison);
void be_report_overview(const struct be_comparison *comparison, struct be_text *out);
/* Machines elsewhere side by side, in one table for data that stay there and for copies. Nothing where there are
 * none. */
void be_overview_elsewhere(const struct be_comparison *all, struct be_text *out);
/* For how many workloads each machine elsewhere gets ahead, in words. Nothing where there is none. */
void be_overview_words(const struct be_comparison *all, struct be_text *out);

/* Results that are wrong, impossible or failed, the first of each variant on each device; tables: only those of
 * which the tables show nothing, since another variant has a time there. */
void be_report_bad(const struct be_comparison *comparison, bool tables, struct be_text *out);

#endif
