/*
 * A ranking of places -> text, JSON, a drawing, a page. It knows its struct (breakeven_decide.h), not how it comes about.
 */
#ifndef BE_REPORT_DECIDE_DECIDE_H
#define BE_REPORT_DECIDE_DECIDE_H

#include "base/text.h"
#include "breakeven_decide.h"

void be_decide_text(const struct be_decide_table *table, struct be_text *out);
void be_decide_json(const struct be_decide_table *table, struct be_text *out);
void be_decide_svg(const struct be_decide_table *table, struct be_text *out);
void be_decide_html(const struct be_decide_table *table, struct be_text *out);

/* "narval/p47: 1 a100", with a mark where it is extrapolated. */
const char *be_decide_name(const struct be_decide_place *place, char *to, size_t capacity);
/* "1.2 RGU h", or core-hours and GPU-hours where the site's price is not known. */
void be_decide_cost(const struct be_decide_place *place, const struct be_decide_row *row,
                    struct be_text *out);

/* The answer in one or two sentences: the first place, why it is first, and what would change that. */
void be_decide_sentence(const struct be_decide_table *table, struct be_text *out);

/* "computes", "waits": the reason, for JSON. */
const char *be_decide_reason_word(enum be_decide_reason reason);

#endif
