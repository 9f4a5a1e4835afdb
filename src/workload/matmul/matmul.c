/*
 * matmul: C = A B of square matrices, row after row.
 */
#include "workload/matmul/matmul.h"

#include <math.h>

#include "base/error.h"
#include "workload/numbers.h"

/* Below this all of C is computed again; from there on its product with a vector. */
enum { WHOLE = 256 };

/*
 * Operations: n^2 sums of n products, each product one operation and each addition one: 2 n^3 - n^2.
 * (Strassen's method needs fewer from some size on; no BLAS uses it unasked, for it is less
 * accurate.)
 */
static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const size_t n = be_matmul_order(problem);
    const size_t bytes = n * n * be_real_bytes(problem->real);
    const double order = (double)n;
    *shape = (struct be_shape){
        .items = 1,
        .item_bytes = {bytes, bytes, bytes},
        .reference = n > WHOLE ? 3 * n : n * n,
        .operations = 2 * order * order * order - order * order,
        .bytes = 3 * (double)bytes,
        /* The largest error of a row over the typical result: roundings of a sum of n terms of
         * either sign add up like its root. */
        .tolerance = 8 * (4 + sqrt(order)) * be_number_unit(problem->real),
    };
}

/* Uniform in [-1, 1). */
static void fill(const struct be_work *work, uint64_t seed) {
    const struct be_problem *problem = work->problem;
    const enum be_real real = problem->real;
    const size_t n = be_matmul_order(problem);
    void *a = be_work_array(work, BE_MATMUL_A);
    void *b = be_work_array(work, BE_MATMUL_B);
    size_t first;
    size_t count;
    be_work_rows(work, n, 1, &first, &count);
    for (size_t i = first * n; i < (first + count) * n; i++) {
        be_number_set(real, a, i, 2 * be_number_random(real, seed, 2 * (uint64_t)i) - 1);
        be_number_set(real, b, i, 2 * be_number_random(real, seed, 2 * (uint64_t)i + 1) - 1);
    }
}

/* ---- the plain reference -------------------------------------------------------------------- */

/* The product of row i of a matrix and a vector. */
static double row_times(enum be_real real, const void *matrix, size_t n, size_t i,
                        const double *vector) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        sum += be_number(real, matrix, i * n + j) * vector[j];
    }
    return sum;
}

/* Row i of A B. */
static void row_of_product(const struct be_work *work, size_t i, double *row) {
    const enum be_real real = work->problem->real;
    const size_t n = be_matmul_order(work->problem);
    const void *a = be_work_array(work, BE_MATMUL_A);
    const void *b = be_work_array(work, BE_MATMUL_B);
    for (size_t j = 0; j < n; j++) {
        row[j] = 0;
    }
    for (size_t k = 0; k < n; k++) {
        const double x = be_number(real, a, i * n + k);
        for (size_t j = 0; j < n; j++) {
            row[j] += x * be_number(real, b, k * n + j);
        }
    }
}

/*
 * C itself where it is small. Else A (B v), B v and v, where v is a vector of +1 and -1: C v then
 * has every number of C in it (Freivalds 1979).
 */
static void reference(const struct be_work *work, double *reference) {
    const enum be_real real = work->problem->real;
    const size_t n = be_matmul_order(work->problem);
    double *result = reference;
    double *middle = reference + n;
    double *v = reference + 2 * n;
    size_t first;
    size_t count;
    be_work_rows(work, n, 1, &first, &count);
    for (size_t i = first; n <= WHOLE && i < first + count; i++) {
        row_of_product(work, i, reference + i * n);
    }
    if (n <= WHOLE) {
        return;
    }
    for (size_t i = first; i < first + count; i++) {
        v[i] = be_random_bits(0, i) >> 63 ? 1 : -1;
    }
    be_team_barrier(work->team);
    for (size_t i = first; i < first + count; i++) {
        middle[i] = row_times(real, be_work_array(work, BE_MATMUL_B), n, i, v);
    }
    be_team_barrier(work->team);
    for (size_t i = first; i < first + count; i++) {
        result[i] = row_times(real, be_work_array(work, BE_MATMUL_A), n, i, middle);
    }
}

/* A row's worst counts for all of a member's: one wrong number in a large matrix would drown in
 * the mean. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const enum be_real real = work->problem->real;
    const size_t n = be_matmul_order(work->problem);
    const void *c = be_work_array(work, BE_MATMUL_C);
    const size_t width = n > WHOLE ? 1 : n; /* numbers of reference a row */
    double worst = 0;
    size_t first;
    size_t count;
    be_work_rows(work, n, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        for (size_t j = 0; j < width; j++) {
            const double right = reference[i * width + j];
            const double z = n > WHOLE ? row_times(real, c, n, i, reference + 2 * n)
                                       : be_number(real, c, i * n + j);
            const double d = (z - right) * (z - right);
            worst = d <= worst || isnan(worst) ? worst : d; /* takes what is no number, too */
            *norm += right * right;
        }
    }
    *difference += worst * (double)(count * width);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct be_variant variant[] = {
    {
        .name = "tiled",
        .summary = "our own code: tiles in shared memory, sums in registers; packed on the CPU",
        .host = be_matmul_host_tiled,
        .host_scratch = be_matmul_host_scratch,
        .prepare = be_matmul_tiled_prepare,
        .enqueue = be_matmul_tiled_enqueue,
        .discard = be_discard_kernels,
    },
    {
        .name = "library",
        .summary = "the BLAS of the system, the vendor's on a GPU",
        .host_code = BE_CODE_LIBRARY,
        .device_code = BE_CODE_LIBRARY,
        .host = be_matmul_host_library,
        .host_ready = be_matmul_host_ready,
        .prepare = be_matmul_library_prepare,
        .enqueue = be_matmul_library_enqueue,
        .discard = be_matmul_library_discard,
    },
};

static const struct be_parameter parameter[] = {{.name = "order",
                                                 .what = "rows and columns of each matrix",
                                                 .preset = 1024,
                                                 .min = 1,
                                                 .max = 100000,
                                                 .from = 32,
                                                 .to = 8192,
                                                 .look = {128, 512, 2048, 4096}}};

static const char *const array[] = {"a", "b", "c"};

const struct be_workload be_workload_matmul = {
    .name = "matmul",
    .title = "C = A B",
    .summary = "product of two square matrices",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .matrix = true,
    .array = array,
    .inputs = 2,
    .outputs = 1,
    .host_grain = 1,
    .wants_blas = true,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
