/*
 * sort: unsigned 32-bit keys, uniformly random, in ascending order. No floating-point operations.
 * Bytes: each key is read once and written once; no method known moves as little: a radix sort of
 * four passes reads and writes each key four times.
 */
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "kernel_programs.h"
#include "workload/sort/plain.h"
#include "workload/sort/radix.h"
#include "workload/stream.h"

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    size_t n = (size_t)problem->value[0];
    *shape = (struct be_shape){.items = 1,
                               .item_bytes = {n * sizeof(uint32_t), n * sizeof(uint32_t)},
                               .reference = BE_STREAM_REFERENCE,
                               .operations = 0,
                               .bytes = 8 * (double)n,
                               .tolerance = 0};
}

static void fill(const struct be_work *work, uint64_t seed) {
    size_t first;
    size_t count;
    uint32_t *keys = be_work_array(work, 0);
    uint64_t own = seed + 16 * (uint64_t)work->first;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        keys[i] = (uint32_t)(be_random_bits(own, i) >> 32);
    }
}

/* ---- is it right ---------------------------------------------------------------------------- */

/* The same keys, in whatever order, have the same sum; others do but once in 2^52 times. The sum
 * is modulo 2^52, so that it and the sum of two are exact as doubles. */
static const uint64_t modulus = (uint64_t)1 << 52;

static double fingerprint(const uint32_t *keys, size_t first, size_t count) {
    uint64_t sum = 0;
    for (size_t i = first; i < first + count; i++) {
        sum += be_random_bits(1, keys[i]);
    }
    return (double)(sum % modulus);
}

static void reference(const struct be_work *work, double *reference) {
    size_t first;
    size_t count;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    be_stream_keep(work, fingerprint(work->array[0], first, count), reference);
}

/* Keys that are smaller than the one before them, and 1 if they are not the keys given. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    size_t first;
    size_t count;
    size_t n = work->problem->value[0];
    const uint32_t *sorted = work->array[1];
    be_work_rows(work, n, BE_STREAM_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        *difference += i > 0 && sorted[i] < sorted[i - 1];
    }
    *norm += (double)count;
    if (work->member == 0) { /* one for all: what members add up are not remainders */
        uint64_t sum = 0;
        for (int i = 0; i < BE_STREAM_REFERENCE; i++) {
            sum += (uint64_t)reference[i];
        }
        *difference += (double)(sum % modulus) != fingerprint(sorted, 0, n);
    }
}

/* ---- CPU ------------------------------------------------------------------------------------ */

static size_t host_scratch(const struct be_problem *problem, int members) {
    return be_radix_scratch((size_t)problem->value[0], members);
}

static void host(const struct be_work *work) {
    const struct be_radix radix = {.keys = be_work_array(work, 0),
                                   .sorted = be_work_array(work, 1),
                                   .n = (size_t)work->problem->value[0],
                                   .scratch = work->scratch,
                                   .member = work->member,
                                   .members = work->members,
                                   .team = work->team,
                                   .beyond_cache = work->beyond_cache};
    be_radix_sort(&radix);
}

/* ---- devices -------------------------------------------------------------------------------- */

enum {
    DIGITS = 256,
    PASSES = 4,
    LANES = 256,      /* as in radix.cl, and of k_once_count */
    TILE = 2048,      /* as in radix.cl */
    ONCE_LANES = 384, /* as in onesweep.cl */
    ONCE_TILE = 8448,
    ALIGN = 4096 /* parts of the working memory begin at multiples */
};

static size_t aligned(size_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* In the working memory: a second array of keys; then what a variant counts. */
static size_t other_bytes(const struct be_problem *problem) {
    return aligned((size_t)problem->value[0] * sizeof(uint32_t));
}

/* Pass 0 reads the keys; the last pass writes the sorted ones; in between, to and fro. */
static struct be_argument from_of(const struct be_launch *launch, int pass) {
    struct be_argument other = BE_BUFFER(launch->scratch);
    return pass == 0 ? be_launch_array(launch, 0) : pass % 2 ? other : be_launch_array(launch, 1);
}

static struct be_argument to_of(const struct be_launch *launch, int pass) {
    struct be_argument other = BE_BUFFER(launch->scratch);
    return pass % 2 ? be_launch_array(launch, 1) : other;
}

/* ---- a pass in three kernels ---------------------------------------------------------------- */

enum { COUNT, OFFSETS, SCATTER };

static size_t tiles_of(const struct be_problem *problem) {
    return ((size_t)problem->value[0] + TILE - 1) / TILE;
}

static size_t totals_at(const struct be_problem *problem) {
    return other_bytes(problem) + aligned(tiles_of(problem) * DIGITS * sizeof(uint32_t));
}

static size_t radix_scratch(const struct be_problem *problem) {
    return totals_at(problem) + DIGITS * sizeof(uint32_t);
}

static enum be_status prepare_radix(struct be_device *device, const struct be_problem *problem,
                                    struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_radix_count", "k_radix_offsets", "k_radix_scatter",
                                        NULL};
    return be_prepare_kernels(device, problem, &be_program_sort_radix, NULL, names, prepared,
                              error);
}

static enum be_status put_pass(const struct be_launch *launch, int pass, struct be_error *error) {
    const struct be_problem *problem = launch->problem;
    const struct be_argument from = from_of(launch, pass);
    const struct be_argument counts = BE_BUFFER_FROM(launch->scratch, other_bytes(problem));
    const struct be_argument totals = BE_BUFFER_FROM(launch->scratch, totals_at(problem));
    const struct be_argument keys = BE_LONG(problem->value[0]);
    const struct be_argument tiles = BE_LONG(tiles_of(problem));
    const struct be_argument shift = BE_INT(8 * pass);
    const struct be_argument count[] = {from, counts, keys, tiles, shift};
    const struct be_argument offsets[] = {counts, totals, tiles};
    const struct be_argument scatter[] = {from, to_of(launch, pass), counts, totals, keys, tiles,
                                          shift};
    size_t groups = tiles_of(problem);
    enum be_status status = be_launch_kernel(launch, COUNT, groups, LANES, count, 5, error);
    if (status == BE_OK) {
        status = be_launch_kernel(launch, OFFSETS, DIGITS, LANES, offsets, 3, error);
    }
    return status == BE_OK ? be_launch_kernel(launch, SCATTER, groups, LANES, scatter, 7, error)
                           : status;
}

static enum be_status enqueue_radix(const struct be_launch *launch, struct be_error *error) {
    enum be_status status = BE_OK;
    for (int pass = 0; status == BE_OK && pass < PASSES; pass++) {
        status = put_pass(launch, pass, error);
    }
    return status;
}

/* ---- a pass in one kernel ------------------------------------------------------------------- */

enum { ONCE_COUNT, ONCE_STARTS, ONCE_SWEEP };

static size_t once_tiles(const struct be_problem *problem) {
    return ((size_t)problem->value[0] + ONCE_TILE - 1) / ONCE_TILE;
}

/* Behind the keys, all zero at first: the totals of all passes; then for each pass a page that
 * counts the tiles begun, and the state of its tiles. */
static size_t once_state_at(const struct be_problem *problem, int pass) {
    size_t state = aligned(once_tiles(problem) * DIGITS * sizeof(uint32_t));
    return other_bytes(problem) + ALIGN + (size_t)pass * (ALIGN + state);
}

static size_t once_scratch(const struct be_problem *problem) {
    return once_state_at(problem, PASSES);
}

static const char *unfit_once(const struct be_problem *problem) {
    return problem->value[0] >= (uint64_t)1 << 30 ? "takes fewer than 2^30 keys" : NULL;
}

static enum be_status prepare_once(struct be_device *device, const struct be_problem *problem,
                                   struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_once_count", "k_once_starts", "k_once_sweep", NULL};
    if (!be_stream_on_cuda(device)) {
        return be_fail(error, BE_ABSENT,
                       "groups that wait for each other: only CUDA promises that they get on");
    }
    return be_prepare_kernels(device, problem, &be_program_sort_onesweep, NULL, names, prepared,
                              error);
}

static enum be_status put_sweep(const struct be_launch *launch, int pass, struct be_error *error) {
    const struct be_problem *problem = launch->problem;
    size_t state = once_state_at(problem, pass);
    const struct be_argument argument[] = {
        from_of(launch, pass),
        to_of(launch, pass),
        BE_BUFFER_FROM(launch->scratch,
                       other_bytes(problem) + (size_t)pass * DIGITS * sizeof(uint32_t)),
        BE_BUFFER_FROM(launch->scratch, state),
        BE_BUFFER_FROM(launch->scratch, state + ALIGN),
        BE_LONG(problem->value[0]),
        BE_INT(8 * pass)};
    return be_launch_kernel(launch, ONCE_SWEEP, once_tiles(problem), ONCE_LANES, argument, 7,
                            error);
}

static enum be_status enqueue_once(const struct be_launch *launch, struct be_error *error) {
    const struct be_problem *problem = launch->problem;
    size_t n = (size_t)problem->value[0];
    size_t zeros = other_bytes(problem);
    const struct be_argument totals = BE_BUFFER_FROM(launch->scratch, zeros);
    const struct be_argument count[] = {be_launch_array(launch, 0), totals, BE_LONG(n)};
    enum be_status status =
        launch->device->ops->queue->fill(launch->device, launch->queue, launch->scratch, zeros, 0,
                                         once_scratch(problem) - zeros, error);
    if (status == BE_OK) {
        size_t groups = be_stream_groups(launch->device, n, ONCE_TILE);
        status = be_launch_kernel(launch, ONCE_COUNT, groups, LANES, count, 3, error);
    }
    if (status == BE_OK) {
        status = be_launch_kernel(launch, ONCE_STARTS, PASSES, DIGITS, &totals, 1, error);
    }
    for (int pass = 0; status == BE_OK && pass < PASSES; pass++) {
        status = put_sweep(launch, pass, error);
    }
    return status;
}

/* ---- table ---------------------------------------------------------------------------------- */

static const struct be_variant variant[] = {
    {
        .name = "radix",
        .summary = "radix sort; on devices four passes of three kernels",
        .host = host,
        .host_scratch = host_scratch,
        .prepare = prepare_radix,
        .enqueue = enqueue_radix,
        .discard = be_discard_kernels,
        .device_scratch = radix_scratch,
    },
    {
        .name = "onesweep",
        .summary = "radix sort that reads and writes once a pass (CUDA)",
        .unfit = unfit_once,
        .prepare = prepare_once,
        .enqueue = enqueue_once,
        .discard = be_discard_kernels,
        .device_scratch = once_scratch,
    },
    {
        .name = "plain",
        .summary = "on the CPU by digits, four passes; on devices a bitonic network",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .host = be_sort_plain_host,
        .host_scratch = be_sort_plain_host_scratch,
        .prepare = be_sort_plain_prepare,
        .enqueue = be_sort_plain_enqueue,
        .discard = be_discard_kernels,
    },
};

static const struct be_parameter parameter[] = {{.name = "size",
                                                 .what = "keys",
                                                 .preset = 1000000,
                                                 .min = 1,
                                                 .max = UINT32_MAX / 2,
                                                 .from = 1000,
                                                 .to = 300000000,
                                                 .look = {10000, 100000, 1000000, 30000000}}};

static const char *const array[] = {"keys", "sorted"};

const struct be_workload be_workload_sort = {
    .name = "sort",
    .title = "keys in ascending order",
    .summary = "unsigned 32-bit integers sorted",
    .parameter = parameter,
    .parameters = 1,
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32),
    .dtype = "uint32",
    .uncounted = true, /* it compares and moves keys many times: no operations, eight bytes a key */
    .array = array,
    .inputs = 1,
    .outputs = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
