/*
 * matvec: r <- f(J r + input), step after step, f(x) = x / (1 + |x|), from r = input: a network of neurons, or any loop
 * of a product with the same matrix. A batch has several vectors side by side, with the same J.
 *
 * Operations a step and vector: n sums of n products and an input, 2 n^2; an addition and a quotient each. Bytes: J and
 * the inputs read once and the result written once, since a cache may hold them in between. Dependent: in a step
 * a product, the sum of n + 1 terms, in pairs, an addition and a quotient.
 *
 * J's numbers are uniform in +-0.7 / sqrt(n): its norm is about 0.8, so that a step makes errors of those before smaller,
 * and r comes to rest.
 */
#include "workload/matvec/matvec.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "workload/numbers.h"

static const struct be_parameter parameter[] = {
    {.name = "order",
     .what = "rows and columns of J",
     .preset = 1000,
     .min = 1,
     .max = 50000,
     .from = 16,
     .to = 8192,
     .look = {32, 256, 1024, 4096}},
    {.name = "steps",
     .what = "products, each of the result of the one before",
     .preset = 100,
     .min = 1,
     .max = 10000000,
     .from = 10,
     .to = 10000,
     .look = {10, 100, 1000}},
    {.name = "batch",
     .what = "vectors side by side, with the same J",
     .preset = 1,
     .min = 1,
     .max = 1000000,
     .from = 1,
     .to = 4096,
     .look = {1, 16, 256}},
};

static const char *const array[] = {"j", "input", "r"};

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const size_t n = be_matvec_of(problem, BE_MATVEC_ORDER);
    const size_t numbers = n * be_matvec_of(problem, BE_MATVEC_BATCH);
    const size_t real = be_real_bytes(problem->real);
    const double steps = (double)be_matvec_of(problem, BE_MATVEC_STEPS);
    const double root = sqrt((double)n);
    *shape = (struct be_shape){
        .items = 1,
        .item_bytes = {n * n * real, numbers * real, numbers * real},
        .reference = 2 * numbers,
        .operations = steps * (double)numbers * (2 * (double)n + 2),
        .dependent = steps * (1 + ceil(log2((double)n + 1)) + 2),
        .bytes = (double)(n * n + 2 * numbers) * (double)real,
        .passes = steps,
        /* Roundings of a sum of n terms of either sign add up like its root; steps add up to five times those of
         * one. */
        .tolerance = 5 * (4 + root) * be_number_unit(problem->real),
    };
}

static void fill(const struct be_work *work, uint64_t seed) {
    const enum be_real real = work->problem->real;
    const size_t n = be_matvec_of(work->problem, BE_MATVEC_ORDER);
    const size_t batch = be_matvec_of(work->problem, BE_MATVEC_BATCH);
    const double scale = 0.7 / sqrt((double)n);
    size_t first;
    size_t rows;
    be_work_rows(work, n, 1, &first, &rows);
    for (size_t i = first * n; i < (first + rows) * n; i++) {
        be_number_set(real, be_work_array(work, BE_MATVEC_J), i,
                      scale * (2 * be_number_random(real, seed, i) - 1));
    }
    for (size_t b = 0; b < batch; b++) {
        for (size_t i = b * n + first; i < b * n + first + rows; i++) {
            be_number_set(real, be_work_array(work, BE_MATVEC_INPUT), i,
                          2 * be_number_random(real, seed + 1, i) - 1);
        }
    }
}

static void reference(const struct be_work *work, double *r) {
    const enum be_real real = work->problem->real;
    const size_t n = be_matvec_of(work->problem, BE_MATVEC_ORDER);
    const size_t batch = be_matvec_of(work->problem, BE_MATVEC_BATCH);
    const void *j = be_work_array(work, BE_MATVEC_J);
    const void *input = be_work_array(work, BE_MATVEC_INPUT);
    double *const vectors[] = {
        r, r + n * batch}; /* with an even number of steps to go, and with an odd one */
    const size_t steps = be_matvec_of(work->problem, BE_MATVEC_STEPS);
    size_t first;
    size_t rows;
    be_work_rows(work, n, 1, &first, &rows);
    for (size_t b = 0; b < batch; b++) {
        for (size_t i = b * n + first; i < b * n + first + rows; i++) {
            vectors[steps % 2][i] = be_number(real, input, i);
        }
    }
    for (size_t k = steps; k-- > 0;) {
        be_team_barrier(work->team);
        for (size_t b = 0; b < batch; b++) {
            const double *from = vectors[(k + 1) % 2] + b * n;
            for (size_t i = first; i < first + rows; i++) {
                double sum = be_number(real, input, b * n + i);
                for (size_t m = 0; m < n; m++) {
                    sum += be_number(real, j, i * n + m) * from[m];
                }
                vectors[k % 2][b * n + i] = sum / (1 + fabs(sum));
            }
        }
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const size_t n = be_matvec_of(work->problem, BE_MATVEC_ORDER);
    const size_t batch = be_matvec_of(work->problem, BE_MATVEC_BATCH);
    size_t first;
    size_t rows;
    be_work_rows(work, n, 1, &first, &rows);
    for (size_t b = 0; b < batch; b++) {
        for (size_t i = b * n + first; i < b * n + first + rows; i++) {
            be_number_compare(be_number(work->problem->real, be_work_array(work, BE_MATVEC_R), i),
                              reference[i], difference, norm);
        }
    }
}

static const struct be_variant variant[] = {
    {.name = "plain",
     .summary = "a sum for each row; on a device a launch a step, a group a row",
     .host_code = BE_CODE_PLAIN,
     .device_code = BE_CODE_PLAIN,
     .host = be_matvec_host_plain,
     .host_scratch = be_matvec_host_scratch,
     .prepare = be_matvec_prepare,
     .enqueue = be_matvec_enqueue_plain,
     .discard = be_discard_kernels,
     .device_scratch = be_matvec_device_scratch},
    {.name = "library",
     .summary = "a call of BLAS for each step, the vendor's on a GPU, as frameworks do",
     .host_code = BE_CODE_LIBRARY,
     .device_code = BE_CODE_LIBRARY,
     .host = be_matvec_host_library,
     .host_ready = be_matvec_host_ready,
     .host_scratch = be_matvec_host_scratch,
     .prepare = be_matvec_library_prepare,
     .enqueue = be_matvec_library_enqueue,
     .discard = be_matvec_library_discard,
     .device_scratch = be_matvec_device_scratch},
    {.name = "own",
     .summary = "eight rows at a time, or a matrix product of a batch (CPU)",
     .host = be_matvec_host_own,
     .host_scratch = be_matvec_host_scratch},
    {.name = "fused",
     .summary = "all steps of a vector in one group, in one launch, J in shared memory (devices)",
     .unfit = be_matvec_unfit_fused,
     .prepare = be_matvec_prepare,
     .enqueue = be_matvec_enqueue_fused,
     .discard = be_discard_kernels},
};

const struct be_workload be_workload_matvec = {
    .name = "matvec",
    .title = "r <- f(J r + b), step after step",
    .summary = "products with one matrix, each of the result before it",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .matrix = true,
    .array = array,
    .inputs = 2,
    .outputs = 1,
    .wants_blas = true,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
