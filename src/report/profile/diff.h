/*
 * Two profiles side by side, as data: every figure of either with what the other has, and the facts
 * in which they differ.
 */
#ifndef BE_REPORT_PROFILE_DIFF_H
#define BE_REPORT_PROFILE_DIFF_H

#include "base/text.h"
#include "breakeven_profile.h"

/* b beside a. Same: the values are within 1 %. Close, which is too close to call: they are not, and the intervals of
 * the medians meet. Once: they are not, and one of them was measured once, so that it has no interval. */
enum be_diff_verdict {
    BE_DIFF_SAME,
    BE_DIFF_CLOSE,
    BE_DIFF_BETTER,
    BE_DIFF_WORSE,
    BE_DIFF_ONCE,
    BE_DIFF_SHEET, /* one was measured, the other is the maker's claim */
    BE_DIFF_ONLY_A,
    BE_DIFF_ONLY_B
};

struct be_diff_row {
    char device[BE_NAME], device_b[BE_NAME]; /* ids in a and in b; one is empty where only one has
                                                the figure */
    char what[BE_NAME], dtype[BE_NAME];
    int threads, threads_b; /* differ where all cores of each side stand beside each other */
    double bytes, bytes_b;  /* differ where the largest of each side stand beside each other */
    char peer[BE_NAME];
    enum be_unit unit;
    double a, b, ratio; /* ratio: b / a; NAN where there is none */
    enum be_diff_verdict verdict;
    enum be_source source_a, source_b;
    bool minor; /* a smaller size of what was measured over many: not in the text */
};

struct be_diff_fact {
    char device[BE_NAME]; /* of a */
    char name[BE_NAME];
    char a[BE_NOTE], b[BE_NOTE];
};

struct be_diff {
    const struct be_profile *profile[2];
    struct be_diff_row *row;
    size_t rows;
    struct be_diff_fact *fact;
    size_t facts;
};

enum be_status be_diff_make(const struct be_profile *a, const struct be_profile *b,
                            struct be_diff *diff, struct be_error *error);
void be_diff_free(struct be_diff *diff); /* accepts a zeroed one */

/* As a table for people, or as JSON. */
void be_diff_text(const struct be_diff *diff, struct be_text *out);
void be_diff_json(const struct be_diff *diff, struct be_text *out);

#endif
