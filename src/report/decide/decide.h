/*
 * A ranking of places -> text, JSON. It knows its struct (breakeven_decide.h), not how it comes about.
 */
#ifndef BE_REPORT_DECIDE_DECIDE_H
#define BE_REPORT_DECIDE_DECIDE_H

#include "base/text.h"
#include "breakeven_decide.h"

void be_decide_text(const struct be_decide_table *table, struct be_text *out);
void be_decide_json(const struct be_decide_table *table, struct be_text *out);

/* The answer in one or two sentences: the first place, why it is first, and what would change that. */
void be_decide_sentence(const struct be_decide_table *table, struct be_text *out);

/* "computes", "waits": the reason, for JSON. */
const char *be_decide_reason_word(enum be_decide_reason reason);

#endif
