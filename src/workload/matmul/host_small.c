/*
 * Small and narrow matrices on the CPU, without packing. One narrow product is shared by all members: its rows, its
 * columns, or where there are few of both its sums. Others are a member's alone.
 */
#include <string.h>

#include "workload/matmul/part.h"
#include "workload/numbers.h"

enum { ALIGN = 512 };

static size_t aligned(size_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Few columns: B's become rows in the scratch. */
static bool is_tall(const struct be_matmul_sizes *s) {
    return s->n <= BE_MATMUL_FEW;
}

static bool is_narrow(const struct be_matmul_sizes *s) {
    return s->m <= BE_MATMUL_FEW || is_tall(s);
}

/* Few numbers of long sums: the sums are cut among the members. */
static bool is_cut_deep(const struct be_matmul_sizes *s) {
    enum { NUMBERS = 1024, DEPTH = 4096 };
    return s->batch == 1 && is_narrow(s) && s->m * s->n <= NUMBERS && s->k >= DEPTH;
}

/* B's columns one after the other, or the last of them with zeros beside. */
static size_t turned_bytes(const struct be_problem *problem) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(problem);
    const size_t columns = is_tall(&s) ? s.n : BE_MATMUL_EDGE;
    return aligned(columns * s.k * be_real_bytes(problem->real));
}

static size_t sums_bytes(const struct be_problem *problem) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(problem);
    return is_cut_deep(&s) ? aligned(s.m * s.n * be_real_bytes(problem->real)) : 0;
}

size_t be_matmul_small_scratch(const struct be_problem *problem, int members) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(problem);
    const bool one = s.batch == 1 && is_narrow(&s);
    return turned_bytes(problem) * (one ? 1 : (size_t)members) +
           sums_bytes(problem) * (size_t)members;
}

#define TURN(bits, real)                                                                           \
    static void turn##bits(const struct be_matmul_part *p, size_t from, size_t count, real *to) {  \
        for (size_t k = from; k < from + count; k++) {                                             \
            for (size_t j = 0; j < p->columns; j++) {                                              \
                to[j * p->depth + k] = ((const real *)p->b)[k * p->b_down + j];                    \
            }                                                                                      \
        }                                                                                          \
    }
TURN(32, float)
TURN(64, double)

/* B's columns become rows of `to`: of rows [from, from + count) of B. One column is one already. */
static void turn(const struct be_work *work, const struct be_matmul_part *part, size_t from,
                 size_t count, void *to) {
    if (part->columns > 1 && work->problem->real == BE_REAL64) {
        turn64(part, from, count, to);
    } else if (part->columns > 1) {
        turn32(part, from, count, to);
    }
}

static void wide(const struct be_work *work, const struct be_matmul_part *part) {
    be_matmul_run_part(work, part, BE_SIMD_BEST(be_matmul_wide_32),
                       BE_SIMD_BEST(be_matmul_wide_64));
}

/* After turn(). */
static void tall(const struct be_work *work, struct be_matmul_part part, void *turned,
                 size_t turned_down) {
    part.b = part.columns == 1 ? part.b : turned;
    part.b_down = turned_down;
    be_matmul_run_part(work, &part, BE_SIMD_BEST(be_matmul_tall_32),
                       BE_SIMD_BEST(be_matmul_tall_64));
}

/* This member's sums, over its part of k. */
static void sum_part(const struct be_work *work, struct be_matmul_part part, char *sums) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    size_t first;
    size_t count;
    be_work_rows(work, s.k, 1, &first, &count);
    if (is_tall(&s)) {
        turn(work, &part, first, count, work->scratch);
    }
    part.a = (const char *)part.a + first * each;
    part.b = (const char *)part.b + first * part.b_down * each;
    part.c = sums;
    part.depth = count;
    if (count == 0) {
        memset(sums, 0, sums_bytes(work->problem));
    } else if (is_tall(&s)) {
        tall(work, part, (char *)work->scratch + first * each, s.k);
    } else {
        wide(work, &part);
    }
}

static void cut_deep(const struct be_work *work, const struct be_matmul_part *part) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(work->problem);
    const enum be_real real = work->problem->real;
    const size_t bytes = sums_bytes(work->problem);
    char *sums = (char *)work->scratch + turned_bytes(work->problem);
    size_t first;
    size_t count;
    sum_part(work, *part, sums + (size_t)work->member * bytes);
    be_team_barrier(work->team);
    be_work_rows(work, s.m * s.n, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        double sum = 0;
        for (size_t m = 0; m < (size_t)work->members; m++) {
            sum += be_number(real, sums + m * bytes, i);
        }
        be_number_set(real, part->c, i, sum);
    }
}

/* One narrow product, by all members. */
static void narrow(const struct be_work *work, struct be_matmul_part part) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(work->problem);
    const size_t line = 64 / be_real_bytes(work->problem->real);
    size_t first;
    size_t count;
    if (is_cut_deep(&s)) {
        cut_deep(work, &part);
    } else if (is_tall(&s)) {
        be_work_rows(work, s.k, 1, &first, &count);
        turn(work, &part, first, count, work->scratch);
        be_team_barrier(work->team);
        be_work_rows(work, s.m, 1, &first, &count);
        be_matmul_cut_rows(work, &part, first, count);
        tall(work, part, work->scratch, s.k);
    } else {
        be_work_rows(work, s.n, line, &first, &count);
        be_matmul_cut_columns(work, &part, first, count);
        wide(work, &part);
    }
}

/* Rows of a product, or products of a batch, by one member. With long sums few rows or columns are another case. */
static void alone(const struct be_work *work, struct be_matmul_part part, size_t products,
                  char *scratch) {
    enum { DEEP = 64 };
    const struct be_matmul_sizes s = be_matmul_sizes_of(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    if (!is_narrow(&s) || s.k < DEEP) {
        part.room = scratch;
        part.more = products - 1;
        be_matmul_run_part(work, &part, BE_SIMD_BEST(be_matmul_small_32),
                           BE_SIMD_BEST(be_matmul_small_64));
        return;
    }
    for (size_t i = 0; i < products; i++) {
        if (is_tall(&s)) {
            turn(work, &part, 0, s.k, scratch);
            tall(work, part, scratch, s.k);
        } else {
            wide(work, &part);
        }
        part.a = (const char *)part.a + s.m * s.k * each;
        part.b = (const char *)part.b + s.k * s.n * each;
        part.c = (char *)part.c + s.m * s.n * each;
    }
}

void be_matmul_host_small(const struct be_work *work) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(work->problem);
    char *scratch = (char *)work->scratch + (size_t)work->member * turned_bytes(work->problem);
    size_t first;
    size_t count;
    if (s.batch == 1 && is_narrow(&s)) {
        narrow(work, be_matmul_part_of(work, 0));
    } else if (s.batch == 1) {
        struct be_matmul_part part = be_matmul_part_of(work, 0);
        be_work_rows(work, s.m, 1, &first, &count);
        be_matmul_cut_rows(work, &part, first, count);
        alone(work, part, 1, scratch);
    } else {
        be_matmul_share_items(work, &first, &count);
        if (count > 0) {
            alone(work, be_matmul_part_of(work, first), count, scratch);
        }
    }
}
