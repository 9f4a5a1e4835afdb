/*
 * chain: d' = d + c, o' = o + d', m' = m + o', and s = the sum of all of d', o', m'.
 * Operations an element: three additions for the results, three for the sum. Bytes an element:
 * three floats read, three written. As array programs write it, each line is a pass of its own
 * over whole arrays: eight floats read (d; o, d'; m, o'; d', o', m') and three written.
 */
#include <math.h>

#include "kernels/host.h"
#include "kernel_programs.h"
#include "workload/elementwise.h"
#include "workload/numbers.h"
#include "workload/stream.h"
#include "workload/stream_simd.h"

static const float constant = BE_CHAIN_CONSTANT;

enum { D, O, M, D_NEW, O_NEW, M_NEW, S };

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    double n = (double)problem->value[0];
    size_t bytes = (size_t)problem->value[0] * sizeof(float);
    *shape =
        (struct be_shape){.items = 1,
                          .item_bytes = {bytes, bytes, bytes, bytes, bytes, bytes, sizeof(float)},
                          .reference = BE_STREAM_REFERENCE,
                          .operations = 6 * n - 1,
                          .bytes = 24 * n + 4,
                          /* Three roundings an element; a sum of partial sums. */
                          .tolerance = 1e-6};
}

static void fill(const struct be_work *work, uint64_t seed) {
    for (int k = D; k <= M; k++) {
        be_stream_fill(work, k, seed, 0);
    }
}

/* The results of one element, in double. */
struct result {
    double d, o, m;
};

static struct result right(const struct be_work *work, size_t i) {
    struct result r;
    r.d = (double)((const float *)work->array[D])[i] + (double)constant;
    r.o = (double)((const float *)work->array[O])[i] + r.d;
    r.m = (double)((const float *)work->array[M])[i] + r.o;
    return r;
}

static void reference(const struct be_work *work, double *reference) {
    size_t first;
    size_t count;
    double sum = 0;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        struct result r = right(work, i);
        sum += r.d + r.o + r.m;
    }
    be_stream_keep(work, sum, reference);
}

/* s is scaled so that it counts about as much as all elements together: unscaled, it would be so
 * large that a wrong element was lost beside it. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    size_t first;
    size_t count;
    size_t n = work->problem->value[0];
    be_work_rows(work, n, BE_STREAM_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        struct result r = right(work, i);
        be_number_compare(be_number(BE_REAL32, work->array[D_NEW], i), r.d, difference, norm);
        be_number_compare(be_number(BE_REAL32, work->array[O_NEW], i), r.o, difference, norm);
        be_number_compare(be_number(BE_REAL32, work->array[M_NEW], i), r.m, difference, norm);
    }
    if (work->member == 0) {
        double s = be_stream_kept(reference) / sqrt((double)n);
        double got = (double)*(const float *)work->array[S] / sqrt((double)n);
        be_number_compare(got, s, difference, norm);
    }
}

/* ---- CPU ------------------------------------------------------------------------------------ */

static struct be_chain_arrays arrays_from(const struct be_work *work, size_t first) {
    return (struct be_chain_arrays){.d = (const float *)be_work_array(work, D) + first,
                                    .o = (const float *)be_work_array(work, O) + first,
                                    .m = (const float *)be_work_array(work, M) + first,
                                    .d_new = (float *)be_work_array(work, D_NEW) + first,
                                    .o_new = (float *)be_work_array(work, O_NEW) + first,
                                    .m_new = (float *)be_work_array(work, M_NEW) + first};
}

static void put_total(const struct be_work *work, double mine) {
    double sum = be_stream_total(work, mine);
    if (work->member == 0) {
        *(float *)be_work_array(work, S) = (float)sum;
    }
}

static void host_written(const struct be_work *work) {
    size_t first;
    size_t n;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &n);
    struct be_chain_arrays a = arrays_from(work, first);
    BE_SIMD_BEST(be_add_float_run)((const void *[]){a.d}, a.d_new, n, work->stores);
    BE_SIMD_BEST(be_plus_float_run)((const void *[]){a.o, a.d_new}, a.o_new, n, work->stores);
    BE_SIMD_BEST(be_plus_float_run)((const void *[]){a.m, a.o_new}, a.m_new, n, work->stores);
    put_total(work, BE_SIMD_BEST(be_chain_sum_run)(&a, n));
}

static void host_fused(const struct be_work *work) {
    size_t first;
    size_t n;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &n);
    struct be_chain_arrays a = arrays_from(work, first);
    put_total(work, BE_SIMD_BEST(be_chain_run)(&a, constant, n, work->stores));
}

static void host_in_place(const struct be_work *work) {
    size_t first;
    size_t n;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &n);
    const struct be_chain_arrays a = arrays_from(work, first);
    put_total(work, BE_SIMD_BEST(be_chain_here_run)(a.d_new, a.o_new, a.m_new, constant, n,
                                                    work->stores));
}

/* ---- devices -------------------------------------------------------------------------------- */

enum { ADD, PLUS, SUM3, FUSED, FINISH };

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_add", "k_plus", "k_sum3", "k_chain", "k_finish", NULL};
    return be_prepare_kernels(device, problem, &be_program_stream, NULL, names, prepared, error);
}

/* Groups of the kernels that sum: a lane takes one vector of each array at a time. */
static size_t groups_of(const struct be_launch *launch) {
    return be_stream_groups(launch->device, launch->problem->value[0],
                            (size_t)BE_STREAM_LANES * BE_STREAM_VECTOR_BYTES / sizeof(float));
}

static enum be_status put_finish(const struct be_launch *launch, struct be_error *error) {
    const struct be_argument argument[] = {BE_BUFFER(launch->scratch), be_launch_array(launch, S),
                                           BE_LONG(groups_of(launch))};
    return be_launch_kernel(launch, FINISH, 1, BE_STREAM_LANES, argument, 3, error);
}

static enum be_status put_plus(const struct be_launch *launch, int x, int y, int z, size_t groups,
                               struct be_error *error) {
    const struct be_argument argument[] = {be_launch_array(launch, x), be_launch_array(launch, y),
                                           be_launch_array(launch, z),
                                           BE_LONG(launch->problem->value[0])};
    return be_launch_kernel(launch, PLUS, groups, BE_STREAM_LANES, argument, 4, error);
}

static enum be_status enqueue_written(const struct be_launch *launch, struct be_error *error) {
    size_t n = launch->problem->value[0];
    const struct be_argument add[] = {be_launch_array(launch, D), be_launch_array(launch, D_NEW),
                                      BE_FLOAT(constant), BE_LONG(0), BE_LONG(n)};
    const struct be_argument sum[] = {be_launch_array(launch, D_NEW),
                                      be_launch_array(launch, O_NEW),
                                      be_launch_array(launch, M_NEW),
                                      BE_BUFFER(launch->scratch),
                                      BE_LONG(n),
                                      BE_LONG(groups_of(launch))};
    size_t tile = be_stream_tile(launch->problem);
    size_t groups = (n + tile - 1) / tile;
    enum be_status status = be_launch_kernel(launch, ADD, groups, BE_STREAM_LANES, add, 5, error);
    if (status == BE_OK) {
        status = put_plus(launch, O, D_NEW, O_NEW, groups, error);
    }
    if (status == BE_OK) {
        status = put_plus(launch, M, O_NEW, M_NEW, groups, error);
    }
    if (status == BE_OK) {
        status = be_launch_kernel(launch, SUM3, groups_of(launch), BE_STREAM_LANES, sum, 6, error);
    }
    return status == BE_OK ? put_finish(launch, error) : status;
}

/* From the arrays from `from` on. */
static enum be_status put_fused(const struct be_launch *launch, int from, struct be_error *error) {
    const struct be_argument argument[] = {
        be_launch_array(launch, from + D),  be_launch_array(launch, from + O),
        be_launch_array(launch, from + M),  be_launch_array(launch, D_NEW),
        be_launch_array(launch, O_NEW),     be_launch_array(launch, M_NEW),
        BE_BUFFER(launch->scratch),         BE_FLOAT(constant),
        BE_LONG(launch->problem->value[0]), BE_LONG(groups_of(launch))};
    enum be_status status =
        be_launch_kernel(launch, FUSED, groups_of(launch), BE_STREAM_LANES, argument, 10, error);
    return status == BE_OK ? put_finish(launch, error) : status;
}

static enum be_status enqueue_fused(const struct be_launch *launch, struct be_error *error) {
    return put_fused(launch, D, error);
}

static enum be_status enqueue_in_place(const struct be_launch *launch, struct be_error *error) {
    return put_fused(launch, D_NEW, error);
}

static const struct be_variant variant[] = {
    {
        .name = "as-written",
        .summary = "four passes over whole arrays, as array programs do",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .as_written = true,
        .host = host_written,
        .host_scratch = be_stream_slots_bytes,
        .prepare = prepare,
        .enqueue = enqueue_written,
        .discard = be_discard_kernels,
        .device_scratch = be_stream_scratch,
    },
    {
        .name = "fused",
        .summary = "one pass",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .host = host_fused,
        .host_scratch = be_stream_slots_bytes,
        .prepare = prepare,
        .enqueue = enqueue_fused,
        .discard = be_discard_kernels,
        .device_scratch = be_stream_scratch,
    },
    {
        .name = "in-place",
        .summary = "one pass that overwrites its inputs",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .updates = 1U << D | 1U << O | 1U << M,
        .host = host_in_place,
        .host_scratch = be_stream_slots_bytes,
        .prepare = prepare,
        .enqueue = enqueue_in_place,
        .discard = be_discard_kernels,
        .device_scratch = be_stream_scratch,
    },
};

static const char *const array[] = {"d", "o", "m", "d_new", "o_new", "m_new", "s"};

const struct be_workload be_workload_chain = {
    .name = "chain",
    .title = "d += c, o += d, m += o, s = sum (d+o+m)",
    .summary = "three dependent array updates and the sum of all results",
    .parameter = be_elementwise_parameter,
    .parameters = 1,
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32),
    .array = array,
    .inputs = 3,
    .outputs = 4,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
