/*
 * add: z = x + c with a constant c. Operations an element: one addition. Bytes: x is read and z is
 * written, once each.
 */
#include "kernel_programs.h"
#include "workload/elementwise.h"
#include "workload/stream.h"
#include "workload/stream_simd.h"

/* The same number in either type. */
static const double constant = 1.25;

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    double n = (double)problem->value[0];
    size_t bytes = be_real_bytes(problem->real);
    *shape = (struct be_shape){.items = (size_t)problem->value[0],
                               .item_bytes = {bytes, bytes},
                               .reference = 1,
                               .operations = n,
                               .bytes = 2 * (double)bytes * n,
                               /* One rounding: half an ulp. */
                               .tolerance = problem->real == BE_REAL64 ? 0x1p-53 : 0x1p-24};
}

static void fill(const struct be_work *work, uint64_t seed) {
    size_t first;
    size_t count;
    be_work_share(work, BE_STREAM_GRAIN, &first, &count);
    be_stream_uniform(work->array[0], work->problem->real, first, count, seed, 0);
}

static void reference(const struct be_work *work, double *z) {
    size_t first;
    size_t count;
    be_work_share(work, BE_STREAM_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        double x = work->problem->real == BE_REAL64 ? ((const double *)work->array[0])[i]
                                                    : (double)((const float *)work->array[0])[i];
        z[i] = x + constant;
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    size_t first;
    size_t count;
    be_work_share(work, BE_STREAM_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        double z = work->problem->real == BE_REAL64 ? ((const double *)work->array[1])[i]
                                                    : (double)((const float *)work->array[1])[i];
        *difference += (z - reference[i]) * (z - reference[i]);
        *norm += reference[i] * reference[i];
    }
}

enum { X, Z };

/* From array `from`. */
static void run(const struct be_work *work, int from) {
    size_t first;
    size_t count;
    be_work_share(work, BE_STREAM_GRAIN, &first, &count);
    if (work->problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_add_double_run)
        ((const double *)work->array[from] + first, constant, (double *)work->array[Z] + first,
         count, work->stores);
    } else {
        BE_SIMD_BEST(be_add_float_run)
        ((const float *)work->array[from] + first, (float)constant, (float *)work->array[Z] + first,
         count, work->stores);
    }
}

static void host(const struct be_work *work) {
    run(work, X);
}

static void host_in_place(const struct be_work *work) {
    run(work, Z);
}

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_add", NULL};
    return be_prepare_kernels(device, problem, &be_program_stream, NULL, names, prepared, error);
}

static enum be_status put(const struct be_launch *launch, int from, struct be_error *error) {
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[from]), BE_BUFFER(&launch->buffer[Z]),
        be_launch_real(launch, constant), BE_LONG(launch->first),
        BE_LONG(launch->items),
    };
    size_t tile = be_stream_tile(launch->problem);
    size_t groups = (launch->items + tile - 1) / tile;
    return be_launch_kernel(launch, 0, groups, BE_STREAM_LANES, argument, 5, error);
}

static enum be_status enqueue(const struct be_launch *launch, struct be_error *error) {
    return put(launch, X, error);
}

static enum be_status enqueue_in_place(const struct be_launch *launch, struct be_error *error) {
    return put(launch, Z, error);
}

static const struct be_variant variant[] = {
    {
        .name = "plain",
        .summary = "one pass",
        .host = host,
        .prepare = prepare,
        .enqueue = enqueue,
        .discard = be_discard_kernels,
    },
    {
        .name = "in-place",
        .summary = "one pass that overwrites its input",
        .updates = 1U << 0,
        .host = host_in_place,
        .prepare = prepare,
        .enqueue = enqueue_in_place,
        .discard = be_discard_kernels,
    },
};

static const char *const array[] = {"x", "z"};

const struct be_workload be_workload_add = {
    .name = "add",
    .title = "z = x+c",
    .summary = "a constant added to every element of an array",
    .parameter = be_elementwise_parameter,
    .parameters = 1,
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 1,
    .outputs = 1,
    .grain = BE_STREAM_GRAIN,
    .host_grain = BE_STREAM_GRAIN,
    .shape = shape,
    .fill = fill,
    .reference = reference,
    .residual = residual,
    .variant = variant,
    .variants = 2,
};
