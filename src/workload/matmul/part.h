/*
 * A product, or some rows or columns of it, as functions of one thread take it; and which are whose.
 */
#ifndef BE_WORKLOAD_MATMUL_PART_H
#define BE_WORKLOAD_MATMUL_PART_H

#include "workload/matmul/matmul.h"

static inline struct be_matmul_part be_matmul_part_of(const struct be_work *work, size_t i) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(work->problem);
    return (struct be_matmul_part){.a = be_matmul_at(work, BE_MATMUL_A, i),
                                   .b = be_matmul_at(work, BE_MATMUL_B, i),
                                   .c = be_matmul_at(work, BE_MATMUL_C, i),
                                   .rows = s.m,
                                   .columns = s.n,
                                   .depth = s.k,
                                   .a_down = s.k,
                                   .b_down = s.n,
                                   .c_down = s.n};
}

static inline void be_matmul_run_part(const struct be_work *work, const struct be_matmul_part *part,
                                      be_matmul_run *run32, be_matmul_run *run64) {
    (work->problem->real == BE_REAL64 ? run64 : run32)(part);
}

/* Some of its rows, or of its columns. */
static inline void be_matmul_cut_rows(const struct be_work *work, struct be_matmul_part *part,
                                      size_t first, size_t count) {
    const size_t each = be_real_bytes(work->problem->real);
    part->a = (const char *)part->a + first * part->a_down * each;
    part->c = (char *)part->c + first * part->c_down * each;
    part->rows = count;
}

static inline void be_matmul_cut_columns(const struct be_work *work, struct be_matmul_part *part,
                                         size_t first, size_t count) {
    const size_t each = be_real_bytes(work->problem->real);
    part->b = (const char *)part->b + first * each;
    part->c = (char *)part->c + first * each;
    part->columns = count;
}

/* This member's products of the range: from `first` on. */
static inline void be_matmul_share_items(const struct be_work *work, size_t *first, size_t *count) {
    be_team_share(work->items, 1, work->member, work->members, first, count);
}

#endif
