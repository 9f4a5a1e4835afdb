/*
 * trisolve: L y = b, L sparse and lower triangular, as in each step of a solver
 * with an incomplete factorisation. The system is one item.
 *
 * Operations: a product and a difference for each nonzero beside the diagonal,
 * a quotient a row. Bytes: L and b read once, y written once; order and levels
 * are not counted, for whoever goes row by row needs none. Waiting: a
 * multiply-add for each level, since quotients may be taken beforehand.
 */
#include "workload/trisolve/trisolve.h"

#include "base/error.h"
#include "workload/numbers.h"

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const struct be_trisolve_sizes s = be_trisolve_sizes_of(problem);
    const size_t real = be_real_bytes(problem->real);
    const size_t integer = sizeof(int32_t);
    *shape = (struct be_shape){
        .items = 1,
        .item_bytes = {(s.rows + 1) * integer, s.nonzeros * integer, s.nonzeros * real,
                       s.rows * integer, (s.levels + 1) * integer, s.rows * real, s.rows * real},
        .reference = s.rows,
        .operations = 2 * (double)(s.nonzeros - s.rows) + (double)s.rows,
        .dependent = (double)s.levels,
        .bytes = (double)((s.rows + 1 + s.nonzeros) * integer) +
                 (double)((s.nonzeros + 2 * s.rows) * real),
        /* Less than half of the errors of the rows before reaches a row: with its own few roundings that is twice those. */
        .tolerance = 16 * be_number_unit(problem->real),
    };
}

/* Nonzeros of the rows before row i: themselves, and neighbours left and above.
 */
static size_t start_of(const struct be_trisolve_sizes *s, size_t i) {
    return i + (i - (i + s->wide - 1) / s->wide) + (i > s->wide ? i - s->wide : 0);
}

static void fill_row(const struct be_work *work, const struct be_trisolve_sizes *s, size_t i) {
    const bool is_there[] = {i >= s->wide, i % s->wide != 0, true};
    const size_t column[] = {i - s->wide, i - 1, i};
    size_t at = start_of(s, i);
    for (size_t k = 0; k < BE_COUNT(column); k++) {
        if (is_there[k]) {
            ((int32_t *)be_work_array(work, BE_TRISOLVE_COLUMN))[at] = (int32_t)column[k];
            be_number_set(work->problem->real, be_work_array(work, BE_TRISOLVE_VALUE), at,
                          column[k] == i ? 4.1 : -1);
            at++;
        }
    }
}

/* Rows by levels, and where each begins. */
static void fill_levels(const struct be_work *work, const struct be_trisolve_sizes *s) {
    int32_t *order = be_work_array(work, BE_TRISOLVE_ORDER);
    int32_t *first = be_work_array(work, BE_TRISOLVE_FIRST);
    size_t at = 0;
    for (size_t level = 0; level < s->levels; level++) {
        const size_t from = level >= s->wide ? level - s->wide + 1 : 0;
        first[level] = (int32_t)at;
        for (size_t k = 0; k < be_trisolve_level(s, level); k++) {
            order[at++] = (int32_t)((from + k) * s->wide + level - from - k);
        }
    }
    first[s->levels] = (int32_t)at;
}

/* b uniform in [-1, 1). */
static void fill(const struct be_work *work, uint64_t seed) {
    const struct be_trisolve_sizes s = be_trisolve_sizes_of(work->problem);
    int32_t *start = be_work_array(work, BE_TRISOLVE_START);
    const enum be_real real = work->problem->real;
    size_t first;
    size_t rows;
    be_work_rows(work, s.rows, 1, &first, &rows);
    for (size_t i = first; i < first + rows; i++) {
        const uint64_t index = (uint64_t)work->first * s.rows + i;
        start[i] = (int32_t)start_of(&s, i);
        fill_row(work, &s, i);
        be_number_set(real, be_work_array(work, BE_TRISOLVE_B), i,
                      2 * be_number_random(real, seed, index) - 1);
    }
    if (work->member == 0) {
        start[s.rows] = (int32_t)start_of(&s, s.rows);
        fill_levels(work, &s);
    }
}

/* Row after row, by one member. */
static void reference(const struct be_work *work, double *y) {
    const size_t rows = be_trisolve_sizes_of(work->problem).rows;
    const int32_t *start = be_work_array(work, BE_TRISOLVE_START);
    const int32_t *column = be_work_array(work, BE_TRISOLVE_COLUMN);
    const void *value = be_work_array(work, BE_TRISOLVE_VALUE);
    const enum be_real real = work->problem->real;
    for (size_t i = 0; work->member == 0 && i < rows; i++) {
        const size_t last = (size_t)start[i + 1] - 1;
        double sum = be_number(real, be_work_array(work, BE_TRISOLVE_B), i);
        for (size_t j = (size_t)start[i]; j < last; j++) {
            sum -= be_number(real, value, j) * y[column[j]];
        }
        y[i] = sum / be_number(real, value, last);
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    size_t first;
    size_t rows;
    be_work_rows(work, be_trisolve_sizes_of(work->problem).rows, 1, &first, &rows);
    for (size_t i = first; i < first + rows; i++) {
        be_number_compare(be_number(work->problem->real, be_work_array(work, BE_TRISOLVE_Y), i),
                          reference[i], difference, norm);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct be_parameter parameter[] = {
    {.name = "rows",
     .what = "unknowns: points of a grid, each after those above and left",
     .preset = 100000,
     .min = 1,
     .max = 100000000,
     .from = 1000,
     .to = 10000000,
     .look = {1000, 100000, 1000000}},
};

static const char *const array[] = {"start", "column", "value", "order", "first", "b", "y"};

static const struct be_variant variant[] = {
    {
        .name = "serial",
        .summary = "row after row, on one core (CPU)",
        .host_code = BE_CODE_PLAIN,
        .host = be_trisolve_host_serial,
    },
    {
        .name = "levels",
        .summary = "rows that wait for no other at once, level after level; on "
                   "a device a launch each",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .host = be_trisolve_host_levels,
        .prepare = be_trisolve_prepare,
        .enqueue = be_trisolve_enqueue,
        .discard = be_discard_kernels,
    },
};

const struct be_workload be_workload_trisolve = {
    .name = "trisolve",
    .title = "L y = b, L sparse, lower triangular",
    .summary = "a sparse triangular system, whose rows wait for one another",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .uncounted = true, /* levels decide, of which a device launches each */
    .array = array,
    .inputs = 6,
    .outputs = 1,
    .host_grain = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
