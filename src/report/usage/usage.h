/*
 * The usage of many jobs -> text, JSON, CSV, a drawing, a page.
 */
#ifndef BE_REPORT_USAGE_USAGE_H
#define BE_REPORT_USAGE_USAGE_H

#include "accounting/usage/usage.h"
#include "base/text.h"

/* The `top` worst rows, a line each, what they are, and the total of all. */
void be_usage_text(const struct be_usage_list *list, size_t top, struct be_text *out);
/* docs/json.md */
void be_usage_json(const struct be_usage_list *list, struct be_text *out);
void be_usage_csv(const struct be_usage_list *list, struct be_text *out);
/* The worst rows as bars of billed hours. */
void be_usage_svg(const struct be_usage_list *list, struct be_text *out);
/* Answer, the worst as bars, the `top` worst as a table, kinds and totals. */
void be_usage_html(const struct be_usage_list *list, size_t top, const struct be_made *made,
                   struct be_text *out);

#endif
