/* Words that the table and the page of usage share. */
#ifndef BE_REPORT_USAGE_WORDS_H
#define BE_REPORT_USAGE_WORDS_H

#include "accounting/usage/usage.h"
#include "base/text.h"

/* "12%"; "-": not known. */
const char *be_usage_percent(char to[BE_WORD], double share);
/* "0.2", "12", "1,204"; "-": not known. */
const char *be_usage_hours(char to[BE_WORD], double seconds);
/* " gpu-unused +2": the worst kind, and how many others there are; empty: none. */
void be_usage_kinds(const struct be_usage *usage, struct be_text *out);
/* The worst kind; BE_USAGE_KINDS: none. */
enum be_usage_kind be_usage_worst(const struct be_usage *usage);
/* Whose it is: a user, or "5 jobs" of a row that is a user. */
const char *be_usage_whose(const struct be_usage *usage, char to[BE_WORD]);

/* Has it so much unused that a bar is seen? */
bool be_usage_is_drawn(const struct be_usage *usage);
#endif
