/*
 * cg: so many iterations of conjugate gradients on A x = b, A sparse, symmetric
 * and positive definite, from x = 0. The system is one item.
 *
 * Operations: an iteration has a product with A, a product a nonzero and a sum
 * for each but a row's first; two sums of products, 2 n - 1 operations each;
 * three vectors updated, 2 n each. Bytes: A and b read once, x written once: a
 * cache may hold them from one iteration to the next. Waiting: the residual of
 * an iteration waits for a sum over all rows, at least one addition for each
 * time that they can be halved, two quotients, and a multiply-add for r and p
 * each. There are methods that form both sums at once (Ghysels and Vanroose
 * 2014), so one is counted.
 */
#include "workload/cg/cg.h"

#include <math.h>

#include "base/error.h"
#include "workload/numbers.h"

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const struct be_cg_sizes s = be_cg_sizes_of(problem);
    const size_t real = be_real_bytes(problem->real);
    const double n = (double)s.rows;
    const double matrix = 2 * (double)s.nonzeros - n;
    *shape = (struct be_shape){
        .items = 1,
        .item_bytes = {(s.rows + 1) * sizeof(int32_t), s.nonzeros * sizeof(int32_t),
                       s.nonzeros * real, s.rows * real, s.rows * real},
        .reference = 4 * s.rows,
        .operations = (double)s.iterations * (matrix + 2 * (2 * n - 1) + 6 * n),
        .dependent = (double)s.iterations * (floor(log2(n)) + 4),
        .bytes = (double)((s.rows + 1 + s.nonzeros) * sizeof(int32_t)) +
                 (double)((s.nonzeros + 2 * s.rows) * real),
        .passes = (double)s.iterations,
        /* A's largest eigenvalue is at most 81 times its smallest, which is what
         roundings may grow by. */
        .tolerance = 16 * (8 + BE_CG_SHIFT) / BE_CG_SHIFT * be_number_unit(problem->real),
    };
}

/* Nonzeros of the rows before row i: themselves, and neighbours left, right,
 * above and below. */
static size_t start_of(const struct be_cg_sizes *s, size_t i) {
    const size_t left = i - (i + s->wide - 1) / s->wide;
    const size_t right = i - i / s->wide - (i == s->rows && i % s->wide != 0);
    const size_t above = i > s->wide ? i - s->wide : 0;
    const size_t last = s->rows - s->wide;
    return i + left + right + above + (i < last ? i : last);
}

static void fill_row(const struct be_work *work, const struct be_cg_sizes *s, size_t i) {
    const bool is_there[] = {i >= s->wide, i % s->wide != 0, true,
                             i % s->wide != s->wide - 1 && i + 1 < s->rows, i + s->wide < s->rows};
    const size_t column[] = {i - s->wide, i - 1, i, i + 1, i + s->wide};
    size_t at = start_of(s, i);
    for (size_t k = 0; k < BE_COUNT(column); k++) {
        if (is_there[k]) {
            ((int32_t *)be_work_array(work, BE_CG_COLUMN))[at] = (int32_t)column[k];
            be_number_set(work->problem->real, be_work_array(work, BE_CG_VALUE), at,
                          column[k] == i ? 4 + BE_CG_SHIFT : -1);
            at++;
        }
    }
}

/* b uniform in [-1, 1). */
static void fill(const struct be_work *work, uint64_t seed) {
    const struct be_cg_sizes s = be_cg_sizes_of(work->problem);
    int32_t *start = be_work_array(work, BE_CG_START);
    const enum be_real real = work->problem->real;
    size_t first;
    size_t rows;
    be_work_rows(work, s.rows, 1, &first, &rows);
    for (size_t i = first; i < first + rows; i++) {
        const uint64_t index = (uint64_t)work->first * s.rows + i;
        start[i] = (int32_t)start_of(&s, i);
        fill_row(work, &s, i);
        be_number_set(real, be_work_array(work, BE_CG_B), i,
                      2 * be_number_random(real, seed, index) - 1);
    }
    if (first + rows == s.rows && rows > 0) {
        start[s.rows] = (int32_t)start_of(&s, s.rows);
    }
}

/* ---- the plain reference --------------------------------------------------------------------- */

/* q = A p. */
static void multiply(const struct be_work *work, size_t n, const double *p, double *q) {
    const int32_t *start = be_work_array(work, BE_CG_START);
    const int32_t *column = be_work_array(work, BE_CG_COLUMN);
    for (size_t i = 0; i < n; i++) {
        q[i] = 0;
        for (int32_t j = start[i]; j < start[i + 1]; j++) {
            q[i] += be_number(work->problem->real, be_work_array(work, BE_CG_VALUE), (size_t)j) *
                    p[column[j]];
        }
    }
}

static double product(size_t n, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* By one member: x, then r, p and q behind it. */
static void reference(const struct be_work *work, double *x) {
    const struct be_cg_sizes s = be_cg_sizes_of(work->problem);
    const size_t n = s.rows;
    double *const r = x + n;
    double *const p = x + 2 * n;
    double *const q = x + 3 * n;
    for (size_t i = 0; work->member == 0 && i < n; i++) {
        x[i] = 0;
        r[i] = p[i] = be_number(work->problem->real, be_work_array(work, BE_CG_B), i);
    }
    for (size_t k = 0; work->member == 0 && k < s.iterations; k++) {
        const double before = product(n, r, r);
        const bool goes_on = before > BE_CG_LEAST;
        multiply(work, n, p, q);
        const double alpha = goes_on ? before / product(n, p, q) : 0;
        for (size_t i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        const double beta = goes_on ? product(n, r, r) / before : 0;
        for (size_t i = 0; i < n; i++) {
            p[i] = r[i] + beta * p[i];
        }
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    size_t first;
    size_t rows;
    be_work_rows(work, be_cg_sizes_of(work->problem).rows, 1, &first, &rows);
    for (size_t i = first; i < first + rows; i++) {
        be_number_compare(be_number(work->problem->real, be_work_array(work, BE_CG_X), i),
                          reference[i], difference, norm);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct be_parameter parameter[] = {
    {.name = "rows",
     .what = "unknowns: points of a grid, each with up to four neighbours",
     .preset = 100000,
     .min = 1,
     .max = 100000000,
     .from = 1000,
     .to = 10000000,
     .look = {1000, 100000, 1000000}},
    {.name = "iterations",
     .what = "iterations, each of the one before",
     .preset = 100,
     .min = 1,
     .max = 1000000,
     .from = 1,
     .to = 10000,
     .look = {10, 100, 1000}},
};

static const char *const array[] = {"start", "column", "value", "b", "x"};

static const struct be_variant variant[] = {
    {
        .name = "plain",
        .summary = "a loop a step of the book (CPU: product and sums in one "
                   "pass); on a device a "
                   "launch each",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .host = be_cg_host,
        .host_scratch = be_cg_host_scratch,
        .prepare = be_cg_prepare,
        .enqueue = be_cg_enqueue_plain,
        .discard = be_discard_kernels,
        .device_scratch = be_cg_device_scratch,
    },
    {
        .name = "runs",
        .summary = "CPU: the product of neighbouring rows that are alike in vectors",
        .host = be_cg_host_runs,
        .host_scratch = be_cg_runs_scratch,
    },
    {
        .name = "fused",
        .summary = "three launches an iteration, with the sums in them (devices)",
        .prepare = be_cg_prepare,
        .enqueue = be_cg_enqueue_fused,
        .discard = be_discard_kernels,
        .device_scratch = be_cg_device_scratch,
    },
};

const struct be_workload be_workload_cg = {
    .name = "cg",
    .title = "A x = b by conjugate gradients",
    .summary = "conjugate gradients with a sparse matrix, a step after the other",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .uncounted =
        true, /* sums that all rows wait for, and gathers: a host takes ten times what they count for */
    .array = array,
    .inputs = 4,
    .outputs = 1,
    .host_grain = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
