/*
 * Products on the CPU. Those of several steps go back and forth between the output and a vector beside it, and end in
 * the output. Own code has one barrier a step: a product is of the vector before it was divided, and its rows are
 * divided as soon as they are there.
 */
#include "workload/spmv/spmv.h"

#include <string.h>

#include "workload/spmv/simd.h"

enum { LINE_ROWS = 16 /* whose results may share a cache line */, LINE_DOUBLES = 8 };

static size_t beside_bytes(const struct be_problem *problem) {
    const size_t bytes = be_spmv_size(problem).rows * be_real_bytes(problem->real);
    return (bytes + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN;
}

/* A vector, and two parts of a sum for each member, a cache line each. */
size_t be_spmv_host_scratch(const struct be_problem *problem, int members) {
    return be_spmv_size(problem).steps > 1
               ? beside_bytes(problem) + 2 * (size_t)members * LINE_DOUBLES * sizeof(double)
               : 0;
}

/* This member's rows of a product of x. */
static struct be_spmv_rows rows_of(const struct be_work *work) {
    struct be_spmv_rows rows = {.start = be_work_array(work, BE_SPMV_START),
                                .column = be_work_array(work, BE_SPMV_COLUMN),
                                .value = be_work_array(work, BE_SPMV_VALUE),
                                .x = be_work_array(work, BE_SPMV_X),
                                .y = be_work_array(work, BE_SPMV_Y)};
    be_work_rows(work, be_spmv_size(work->problem).rows, LINE_ROWS, &rows.first, &rows.rows);
    return rows;
}

/* Where the result is with k steps to go. */
static void *vector_at(const struct be_work *work, size_t k) {
    return k % 2 == 0 ? be_work_array(work, BE_SPMV_Y) : work->scratch;
}

static void *number(const struct be_work *work, void *vector, size_t i) {
    return (char *)vector + i * be_real_bytes(work->problem->real);
}

/* The sum of all members' parts, for each of them. Parts of every second step share a place: whoever writes one has met
 * all others since they read it. */
static double whole(const struct be_work *work, size_t step, double mine) {
    double *part = (double *)(void *)((char *)work->scratch + beside_bytes(work->problem)) +
                   step % 2 * (size_t)work->members * LINE_DOUBLES;
    double sum = 0;
    part[(size_t)work->member * LINE_DOUBLES] = mine;
    be_team_barrier(work->team);
    for (size_t i = 0; i < (size_t)work->members; i++) {
        sum += part[i * LINE_DOUBLES];
    }
    return sum;
}

static double scaled(const struct be_work *work, void *vector, const struct be_spmv_rows *rows,
                     double by) {
    void *mine = number(work, vector, rows->first);
    return work->problem->real == BE_REAL64
               ? BE_SIMD_BEST(be_spmv_scaled_64)(mine, mine, rows->rows, by)
               : BE_SIMD_BEST(be_spmv_scaled_32)(mine, mine, rows->rows, by);
}

/* ---- own code ------------------------------------------------------------------------------- */

static void multiply(const struct be_work *work, const struct be_spmv_rows *rows,
                     enum be_prefetch ask, enum be_stores stores) {
    if (work->problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_spmv64_run)
        (rows->start, rows->column, rows->value, rows->x, rows->y, rows->first, rows->rows, ask,
         stores);
    } else {
        BE_SIMD_BEST(be_spmv32_run)
        (rows->start, rows->column, rows->value, rows->x, rows->y, rows->first, rows->rows, ask,
         stores);
    }
}

static void several(const struct be_work *work, size_t steps) {
    struct be_spmv_rows rows = rows_of(work);
    const enum be_prefetch far = be_work_prefetch(work);
    double by = 1;
    for (size_t k = steps; k-- > 0;) {
        const bool from_memory = work->beyond_cache || (work->cold && k + 1 == steps);
        rows.y = vector_at(work, k);
        /* Through the caches: the next product reads it. */
        multiply(work, &rows, from_memory ? far : BE_ASK_NOT, BE_STORES_PLAIN);
        const double square = scaled(work, rows.y, &rows, by);
        if (k > 0) {
            by = be_spmv_scale(whole(work, k, square));
            rows.x = rows.y;
        }
    }
}

void be_spmv_host(const struct be_work *work) {
    const size_t steps = be_spmv_size(work->problem).steps;
    if (steps > 1) {
        several(work, steps);
        return;
    }
    const struct be_spmv_rows rows = rows_of(work);
    multiply(work, &rows, work->cold ? be_work_prefetch(work) : BE_ASK_NOT, work->stores);
}

/* ---- as a book writes it -------------------------------------------------------------------- */

void be_spmv_host_plain(const struct be_work *work) {
    struct be_spmv_rows rows = rows_of(work);
    for (size_t k = be_spmv_size(work->problem).steps; k-- > 0;) {
        rows.y = vector_at(work, k);
        if (work->problem->real == BE_REAL64) {
            BE_SIMD_BEST(be_spmv_plain_64)(&rows);
        } else {
            BE_SIMD_BEST(be_spmv_plain_32)(&rows);
        }
        if (k > 0) {
            const double square = scaled(work, rows.y, &rows, 1);
            scaled(work, rows.y, &rows, be_spmv_scale(whole(work, k, square)));
            be_team_barrier(work->team);
            rows.x = rows.y;
        }
    }
}
