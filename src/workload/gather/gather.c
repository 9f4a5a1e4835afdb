/*
 * gather: z[i] = x[index[i]], index uniformly random over x. No arithmetic. Bytes an element: index
 * and z once; of x, what is touched at least once: 1 - 1/e of its elements where index is random,
 * which is what is counted. Memory gives no less than a sector (32 bytes on GPUs, 64 on CPUs) at a
 * time, so a gather out of memory is far above this limit.
 */
#include "base/random.h"
#include "kernel_programs.h"
#include "workload/elementwise.h"
#include "workload/gather/gather.h"
#include "workload/numbers.h"

/* 1 - 1/e, rounded down: the share of n elements that n random draws touch, at least. */
static const double touched = 0.632;

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    double n = (double)problem->value[0];
    size_t bytes = (size_t)problem->value[0] * sizeof(float);
    *shape = (struct be_shape){.items = 1,
                               .item_bytes = {bytes, bytes, bytes},
                               .operations = 0,
                               .bytes = (4 + 4 + 4 * touched) * n,
                               .tolerance = 0};
}

static void fill(const struct be_work *work, uint64_t seed) {
    size_t first;
    size_t count;
    uint64_t n = work->problem->value[0];
    int32_t *index = be_work_array(work, 1);
    uint64_t own = seed + 16 * (uint64_t)work->first + 1;
    be_stream_fill(work, 0, seed, 0);
    be_work_rows(work, n, BE_STREAM_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) { /* n < 2^31: no bias that shows */
        index[i] = (int32_t)(((be_random_bits(own, i) >> 32) * n) >> 32);
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    size_t first;
    size_t count;
    const float *x = work->array[0];
    const int32_t *index = work->array[1];
    const float *z = work->array[2];
    (void)reference;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        be_number_compare((double)z[i], (double)x[index[i]], difference, norm);
    }
}

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_gather", NULL};
    return be_prepare_kernels(device, problem, &be_program_stream, NULL, names, prepared, error);
}

enum { PER_LANE = 8 };

static enum be_status enqueue(const struct be_launch *launch, struct be_error *error) {
    size_t n = launch->problem->value[0];
    const struct be_argument argument[] = {be_launch_array(launch, 0), be_launch_array(launch, 1),
                                           be_launch_array(launch, 2), BE_LONG(n)};
    size_t tile = (size_t)BE_STREAM_LANES * PER_LANE;
    return be_launch_kernel(launch, 0, (n + tile - 1) / tile, BE_STREAM_LANES, argument, 4, error);
}

static const char *unfit_binned(const struct be_problem *problem) {
    return problem->value[0] < BE_GATHER_BINNED_MIN ? "takes at least 2^20 elements" : NULL;
}

static const struct be_variant variant[] = {
    {
        .name = "plain",
        .summary = "one pass",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .host = be_gather_plain_host,
        .prepare = prepare,
        .enqueue = enqueue,
        .discard = be_discard_kernels,
    },
    {
        .name = "binned",
        .summary = "indices dealt to parts of x that fit a cache (CPU, CUDA)",
        .unfit = unfit_binned,
        .host = be_gather_binned_host,
        .host_scratch = be_gather_binned_scratch,
        .prepare = be_gather_binned_prepare,
        .enqueue = be_gather_binned_enqueue,
        .discard = be_discard_kernels,
        .device_scratch = be_gather_binned_device_scratch,
    },
};

static const struct be_parameter parameter[] = {{.name = "size",
                                                 .what = "elements",
                                                 .preset = 1000000,
                                                 .min = 1,
                                                 .max = INT32_MAX,
                                                 .from = 1000,
                                                 .to = 300000000,
                                                 .look = {10000, 1000000, 30000000}}};

static const char *const array[] = {"x", "index", "z"};

const struct be_workload be_workload_gather = {
    .name = "gather",
    .title = "z[i] = x[index[i]]",
    .summary = "elements of an array in random order",
    .parameter = parameter,
    .parameters = 1,
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32),
    .array = array,
    .inputs = 2,
    .outputs = 1,
    .shape = shape,
    .fill = fill,
    .residual = residual,
    BE_WORKLOAD_VARIANTS,
};
