/*
 * reduce: s = the sum of x. Operations: n - 1 additions, whatever the order. Bytes: x is read once.
 */
#include "kernel_programs.h"
#include "workload/elementwise.h"
#include "workload/numbers.h"
#include "workload/stream.h"
#include "workload/stream_simd.h"

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    double n = (double)problem->value[0];
    size_t bytes = be_real_bytes(problem->real);
    *shape = (struct be_shape){.items = 1,
                               .item_bytes = {(size_t)problem->value[0] * bytes, bytes},
                               .reference = BE_STREAM_REFERENCE,
                               .operations = n - 1,
                               .bytes = (double)bytes * (n + 1),
                               /* All numbers are positive. Sums of a few hundred in a row, and
                                * those pairwise: some eps, where a plain loop would lose n eps. */
                               .tolerance = problem->real == BE_REAL64 ? 2e-15 : 1e-6};
}

static void fill(const struct be_work *work, uint64_t seed) {
    be_stream_fill(work, 0, seed, 0);
}

static void reference(const struct be_work *work, double *reference) {
    size_t first;
    size_t count;
    size_t bytes = be_real_bytes(work->problem->real);
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    const char *x = work->array[0];
    be_stream_keep(work, be_stream_exact_sum(x + first * bytes, work->problem->real, count),
                   reference);
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    if (work->member == 0) {
        be_number_compare(be_number(work->problem->real, work->array[1], 0),
                          be_stream_kept(reference), difference, norm);
    }
}

static void host(const struct be_work *work) {
    size_t first;
    size_t count;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    const void *x = be_work_array(work, 0);
    bool wide = work->problem->real == BE_REAL64;
    double mine = wide ? BE_SIMD_BEST(be_sum_double_run)((const double *)x + first, count)
                       : BE_SIMD_BEST(be_sum_float_run)((const float *)x + first, count);
    double sum = be_stream_total(work, mine);
    if (work->member == 0) {
        be_number_set(work->problem->real, be_work_array(work, 1), 0, sum);
    }
}

enum { SUM, FINISH };

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_sum", "k_finish", NULL};
    return be_prepare_kernels(device, problem, &be_program_stream, NULL, names, prepared, error);
}

/* Groups walk over the array and leave a sum each; one group adds those up. */
static enum be_status enqueue(const struct be_launch *launch, struct be_error *error) {
    size_t n = launch->problem->value[0];
    size_t tile = be_stream_tile(launch->problem);
    size_t groups = be_stream_groups(launch->device, n, tile);
    const struct be_argument kept = BE_BUFFER(launch->scratch);
    const struct be_argument partial = groups > 1 ? kept : be_launch_array(launch, 1);
    const struct be_argument sum[] = {be_launch_array(launch, 0), partial, BE_LONG(n),
                                      BE_LONG(groups)};
    const struct be_argument finish[] = {partial, be_launch_array(launch, 1), BE_LONG(groups)};
    enum be_status status = be_launch_kernel(launch, SUM, groups, BE_STREAM_LANES, sum, 4, error);
    if (status == BE_OK && groups > 1) {
        status = be_launch_kernel(launch, FINISH, 1, BE_STREAM_LANES, finish, 3, error);
    }
    return status;
}

static const struct be_variant variant[] = {{
    .name = "plain",
    .summary = "partial sums, then their sum",
    .host_code = BE_CODE_PLAIN,
    .device_code = BE_CODE_PLAIN,
    .host = host,
    .host_scratch = be_stream_slots_bytes,
    .prepare = prepare,
    .enqueue = enqueue,
    .discard = be_discard_kernels,
    .device_scratch = be_stream_scratch,
}};

static const char *const array[] = {"x", "s"};

const struct be_workload be_workload_reduce = {
    .name = "reduce",
    .title = "s = sum x",
    .summary = "the sum of an array",
    .parameter = be_elementwise_parameter,
    .parameters = 1,
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 1,
    .outputs = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
