/*
 * The overview in parts: one answer in a few letters, and the tables of machines elsewhere. Only the files of the
 * overview include this.
 */
#ifndef BE_REPORT_COMPARISON_OVERVIEW_H
#define BE_REPORT_COMPARISON_OVERVIEW_H

#include "base/text.h"
#include "breakeven.h"

enum { BE_OVERVIEW_NAME = 24, BE_OVERVIEW_CELL = 18 }; /* columns */

/* Beside the statuses there are: a FROM known so roughly that where it most likely lies says something;
 * nothing measured. */
enum { BE_OVERVIEW_ABOUT = BE_EVEN_STATUSES, BE_OVERVIEW_MISSING, BE_OVERVIEW_ANSWERS };

/* The answer of a workload there; returns which it is. Warm data where there is a choice. */
int be_overview_cell(const struct be_comparison *all, const struct be_result *like,
                     const char *device, int placement, char cell[BE_NAME]);

/* Is result i the first of its workload? */
bool be_overview_is_first(const struct be_comparison *all, size_t i);

/* The same in at most `letters` letters, 7 or more: the interval alone, without the size that is most likely. */
int be_overview_short(const struct be_comparison *all, const struct be_result *like,
                      const char *device, int placement, int letters, char cell[BE_NAME]);

/* The meaning of the short answers (bits). */
void be_overview_short_legend(unsigned seen, struct be_text *out);

/* The answers there are (bits), and what the columns are where no table above has said it. */
void be_overview_legend(unsigned seen, bool columns, struct be_text *out);

#endif
