/*
 * The notes under a table: each word that it uses, explained once in a report, and numbered notes for cells that
 * have no time.
 */
#ifndef BE_REPORT_COMPARISON_NOTES_H
#define BE_REPORT_COMPARISON_NOTES_H

#include "base/text.h"
#include "breakeven.h"

enum be_term {
    BE_TERM_SIZE,
    BE_TERM_TIME,
    BE_TERM_COPY,
    BE_TERM_PRELOAD,
    BE_TERM_RESIDENT,
    BE_TERM_LIMIT,
    BE_TERM_FIRST,
    BE_TERM_COLD,
    BE_TERM_COLD_ALONE,
    BE_TERM_FEW,
    BE_TERM_ONE,
    BE_TERM_NONE,
    BE_TERMS
};

/* Bits 1 << term: explains those in `terms` that are not in *explained yet, and adds them. */
void be_terms_explain(unsigned terms, unsigned *explained, struct be_text *out);

/* "1.79ms  1%": median and half the interval, which takes four columns or five, so that times stand below each
 * other. Returns the terms it used: "~16%" where there are too few samples for an interval, "?" of one,
 * unless that happens but once. */
unsigned be_time_cell(char *cell, size_t capacity, const struct be_summary *summary);

enum { BE_NOTES_MAX = 99 };

/* Zero-initialise. One entry for each different note. */
struct be_notes {
    const struct be_result *of[BE_NOTES_MAX];
    int count;
    bool full; /* there were more */
};

/* Number of this result's note, from 1; 0 when it has none, or there is no room for another. */
int be_notes_number(struct be_notes *notes, const struct be_result *result);
void be_notes_print(const struct be_notes *notes, struct be_text *out);

#endif
