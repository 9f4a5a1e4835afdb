/*
 * spmv: y = A x with a sparse matrix in compressed rows, once or step after step. Each row has as many nonzeros, one
 * somewhere in each of that many equal pieces of a band around the diagonal. The matrix is one item.
 *
 * Operations: a product a nonzero, and a sum for each but a row's first; between two steps a product and a sum a row for
 * the norm, and a product to divide. Bytes: row pointers, columns and values once, y once, and of x what some row needs:
 * with k nonzeros a row a number of x is left out by all with probability exp(-k). Each step goes through them again.
 *
 * Roundings of a step are carried on by the next ones, which on average make them no larger beside the vector: they add
 * up at most.
 */
#include "workload/spmv/spmv.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"
#include "workload/numbers.h"

/* Then it is not named: results of one product are called as they were before there were several. */
static bool one_step(const struct be_problem *problem) {
    return problem->value[BE_SPMV_STEPS] == 1;
}

static const struct be_parameter parameter[] = {
    {.name = "rows",
     .what = "rows and columns of the matrix",
     .preset = 100000,
     .min = 100,
     .max = 10000000,
     .from = 1000,
     .to = 3000000,
     .look = {1000, 100000, 3000000}},
    {.name = "nonzeros",
     .what = "nonzeros a row",
     .preset = 32,
     .min = 1,
     .max = 512,
     .from = 4,
     .to = 256,
     .look = {8, 32, 128}},
    {.name = "band",
     .what = "columns around the diagonal that hold the nonzeros",
     .preset = 4096,
     .min = 1,
     .max = 10000000,
     .from = 512,
     .to = 1000000,
     .look = {1024, 32768, 1000000}},
    {.name = "steps",
     .what = "products, each of the result of the one before, divided by its norm",
     .preset = 1,
     .min = 1,
     .max = 1000000,
     .from = 1,
     .to = 1000,
     .look = {1, 10, 100},
     .idle = one_step},
};

static const char *const array[] = {"start", "column", "value", "x", "y"};

/* Row pointers are 32 bits. */
static const char *unfit(const struct be_problem *problem) {
    const struct be_spmv_size size = be_spmv_size(problem);
    return size.rows * size.nonzeros > INT32_MAX - 512 ? "takes fewer than 2^31 nonzeros" : NULL;
}

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const struct be_spmv_size size = be_spmv_size(problem);
    const size_t real = be_real_bytes(problem->real);
    const size_t all = size.rows * size.nonzeros;
    const double steps = (double)size.steps;
    const double rows = (double)size.rows;
    const double used = rows * (1 - exp(-(double)size.nonzeros));
    const double bytes = (double)(all * (real + sizeof(int32_t))) +
                         rows * (double)(real + sizeof(int32_t)) + used * (double)real;
    *shape =
        (struct be_shape){.items = 1,
                          .item_bytes = {(size.rows + 1) * sizeof(int32_t), all * sizeof(int32_t),
                                         all * real, size.rows * real, size.rows * real},
                          .reference = size.steps > 1 ? 2 * size.rows : size.rows,
                          .operations = steps * (2 * (double)all - rows) + (steps - 1) * 3 * rows,
                          /* A step waits for a sum over all rows, a root and a quotient. */
                          .dependent = size.steps > 1 ? steps * (floor(log2(rows)) + 2) : 0,
                          .bytes = bytes,
                          .again = (steps - 1) * bytes,
                          .passes = size.steps > 1 ? steps : 0,
                          .tolerance = steps * (problem->real == BE_REAL64 ? 1e-14 : 3e-6)};
}

static const char *unfit_fused(const struct be_problem *problem) {
    const char *why = unfit(problem);
    return why ? why : be_spmv_unfit_fused(problem);
}

/* Uniform in [-1, 1). */
static double draw(uint64_t seed, uint64_t index) {
    return (double)(be_random_bits(seed, index) >> 11) * 0x1p-52 - 1;
}

static void put(const struct be_work *work, void *array_of, size_t i, double value) {
    if (work->problem->real == BE_REAL64) {
        ((double *)array_of)[i] = value;
    } else {
        ((float *)array_of)[i] = (float)value;
    }
}

static void fill(const struct be_work *work, uint64_t seed) {
    const struct be_spmv_size size = be_spmv_size(work->problem);
    const size_t k = size.nonzeros;
    const uint64_t columns_seed = seed + 1;
    const uint64_t x_seed = seed + 2;
    int32_t *start = be_work_array(work, BE_SPMV_START);
    int32_t *column = be_work_array(work, BE_SPMV_COLUMN);
    size_t first;
    size_t rows;
    be_work_rows(work, size.rows, 1, &first, &rows);
    for (size_t i = first; i < first + rows; i++) {
        size_t left = i > size.band / 2 ? i - size.band / 2 : 0;
        left = left < size.rows - size.band ? left : size.rows - size.band;
        for (size_t j = 0; j < k; j++) {
            uint64_t index = ((uint64_t)work->first * size.rows + i) * k + j;
            size_t from = j * size.band / k;
            size_t capacity = (j + 1) * size.band / k - from;
            column[i * k + j] =
                (int32_t)(left + from + (size_t)(be_random_bits(columns_seed, index) % capacity));
            put(work, be_work_array(work, BE_SPMV_VALUE), i * k + j, draw(seed, index));
        }
        put(work, be_work_array(work, BE_SPMV_X), i,
            draw(x_seed, (uint64_t)work->first * size.rows + i));
        start[i] = (int32_t)(i * k);
    }
    if (first + rows == size.rows && rows > 0) {
        start[size.rows] = (int32_t)(size.rows * k);
    }
}

/* y = A x by this member's rows. */
static void multiply(const struct be_work *work, const double *x, double *y) {
    const int32_t *start = work->array[BE_SPMV_START];
    const int32_t *column = work->array[BE_SPMV_COLUMN];
    const enum be_real real = work->problem->real;
    size_t first;
    size_t rows;
    be_work_rows(work, be_spmv_size(work->problem).rows, 1, &first, &rows);
    for (size_t i = first; i < first + rows; i++) {
        y[i] = 0;
        for (int32_t j = start[i]; j < start[i + 1]; j++) {
            const size_t at = (size_t)column[j];
            y[i] += be_number(real, work->array[BE_SPMV_VALUE], (size_t)j) *
                    (x ? x[at] : be_number(real, work->array[BE_SPMV_X], at));
        }
    }
}

/* Several steps go back and forth between the halves of the memory; one member divides. */
static void reference(const struct be_work *work, double *y) {
    const struct be_spmv_size size = be_spmv_size(work->problem);
    double *const vector[] = {y, y + size.rows}; /* vector[k % 2]: with k steps to go */
    const double *x = NULL;                      /* the input */
    for (size_t k = size.steps; k-- > 0;) {
        multiply(work, x, vector[k % 2]);
        if (k > 0) {
            be_team_barrier(work->team);
            double square = 0;
            for (size_t i = 0; work->member == 0 && i < size.rows; i++) {
                square += vector[k % 2][i] * vector[k % 2][i];
            }
            for (size_t i = 0; work->member == 0 && i < size.rows; i++) {
                vector[k % 2][i] *= be_spmv_scale(square);
            }
            be_team_barrier(work->team);
            x = vector[k % 2];
        }
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    double sum = 0;
    double all = 0;
    size_t first;
    size_t rows;
    be_work_rows(work, be_spmv_size(work->problem).rows, 1, &first, &rows);
    for (size_t i = first; i < first + rows; i++) {
        double d = be_number(work->problem->real, work->array[BE_SPMV_Y], i) - reference[i];
        sum += d * d;
        all += reference[i] * reference[i];
    }
    *difference += sum;
    *norm += all;
}

/* ---- the table ----------------------------------------------------------------------------- */

static const struct be_variant variant[] = {
    {.name = "csr",
     .summary = "own code: vectors along a row; several lanes a row",
     .device_code = BE_CODE_PLAIN,
     .unfit = unfit,
     .host = be_spmv_host,
     .host_scratch = be_spmv_host_scratch,
     .prepare = be_spmv_prepare,
     .enqueue = be_spmv_enqueue,
     .discard = be_discard_kernels,
     .device_scratch = be_spmv_device_scratch,
     .each_of = 1u << BE_SPMV_NONZEROS},
    {.name = "library",
     .summary = "on a GPU its vendor's library",
     .device_code = BE_CODE_LIBRARY,
     .unfit = unfit,
     .prepare = be_spmv_library_prepare,
     .enqueue = be_spmv_library_enqueue,
     .discard = be_spmv_library_discard,
     .device_scratch = be_spmv_device_scratch,
     .each_size = true},
    {.name = "plain",
     .summary = "a loop over the rows and one over a row's nonzeros (CPU)",
     .host_code = BE_CODE_PLAIN,
     .unfit = unfit,
     .host = be_spmv_host_plain,
     .host_scratch = be_spmv_host_scratch},
    {.name = "fused",
     .summary = "a launch a step, with the norm in it (devices)",
     .unfit = unfit_fused,
     .prepare = be_spmv_prepare,
     .enqueue = be_spmv_enqueue_fused,
     .discard = be_discard_kernels,
     .device_scratch = be_spmv_device_scratch,
     .each_of = 1u << BE_SPMV_NONZEROS},
};

const struct be_workload be_workload_spmv = {
    .name = "spmv",
    .title = "y = A x, A sparse",
    .summary = "a sparse matrix in compressed rows times a vector",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 4,
    .outputs = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
