/*
 * recurrence: r[i] = (o[i] even ? d[i] : a[i]) + r[i-1], r[-1] = 0. Published as an example of what
 * a GPU cannot do, each step needing the one before; it is a running sum, which is parallel.
 *
 * Operations: n - 1 additions. Bytes an element: o, a, d read and r written, 4 each. Only one of a
 * and d is needed, but with o random the smallest piece that memory gives (32 bytes, 8 elements)
 * holds none that is in 1 of 256 cases: 0.2 % of the bytes, which are not counted off.
 */
#include <math.h>

#include "base/error.h"
#include "base/random.h"
#include "kernel_programs.h"
#include "workload/elementwise.h"
#include "workload/recurrence/plain_simd.h"
#include "workload/recurrence/scan_simd.h"
#include "workload/stream.h"

enum { O, A, D, R };

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    size_t n = (size_t)problem->value[0];
    *shape = (struct be_shape){.items = 1,
                               .item_bytes = {n * sizeof(int32_t), n * sizeof(float),
                                              n * sizeof(float), n * sizeof(float)},
                               .reference = n,
                               .operations = (double)n - 1,
                               .bytes = 16 * (double)n,
                               /* The serial sum's: n roundings of half an ulp, as they add up when
                                * independent, and some for short sums. */
                               .tolerance = 0x1p-24 * (8 + sqrt((double)n))};
}

/* a and d uniform in [-1, 1): a walk that stays near 0, where the sum of positive numbers would
 * soon be larger than what is added can change. */
static void fill(const struct be_work *work, uint64_t seed) {
    size_t first;
    size_t count;
    int32_t *o = be_work_array(work, O);
    uint64_t own = seed + 16 * (uint64_t)work->first;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        o[i] = (int32_t)(be_random_bits(own, i) >> 33);
    }
    be_stream_fill(work, A, seed, -1);
    be_stream_fill(work, D, seed, -1);
}

static double picked(const struct be_work *work, size_t i) {
    const int32_t *o = work->array[O];
    const float *a = work->array[A];
    const float *d = work->array[D];
    return (double)(o[i] % 2 == 0 ? d[i] : a[i]);
}

/* One member: it is serial, as written. */
static void reference(const struct be_work *work, double *r) {
    double before = 0;
    for (size_t i = 0; work->member == 0 && i < work->problem->value[0]; i++) {
        before += picked(work, i);
        r[i] = before;
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    size_t first;
    size_t count;
    const float *r = work->array[R];
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        double d = (double)r[i] - reference[i];
        *difference += d * d;
        *norm += reference[i] * reference[i];
    }
}

/* ---- CPU ------------------------------------------------------------------------------------ */

/* Picked by an index: a branch would be mispredicted half the time. */
static void host_serial(const struct be_work *work) {
    const int32_t *o = be_work_array(work, O);
    const float *const from[2] = {be_work_array(work, D), be_work_array(work, A)};
    float *r = be_work_array(work, R);
    float before = 0;
    for (size_t i = 0; work->member == 0 && i < work->problem->value[0]; i++) {
        before += from[(uint32_t)o[i] & 1U][i];
        r[i] = before;
    }
}

/* Elements of a member's block: what it reads twice, 12 bytes each, is in its second-level cache
 * the second time. */
enum { BLOCK = 16384, SLOT = 8 };

/* One double a member, a cache line apart, twice: who is fast writes the next round's while others
 * still read this one's. */
static size_t host_scratch(const struct be_problem *problem, int members) {
    (void)problem;
    return 2 * (size_t)members * SLOT * sizeof(double);
}

/* The sum of the members before this one in a round; *all: the sum of all members. */
static double before_me(const struct be_work *work, int round, double mine, double *all) {
    double *slot = (double *)work->scratch + (size_t)(round % 2) * (size_t)work->members * SLOT;
    slot[(size_t)work->member * SLOT] = mine;
    be_team_barrier(work->team);
    double before = 0;
    *all = 0;
    for (int i = 0; i < work->members; i++) {
        before = i == work->member ? *all : before;
        *all += slot[(size_t)i * SLOT];
    }
    return before;
}

/* In rounds: the team takes as much as its caches hold; each sums its block, and when all sums are
 * known, scans it. One member alone needs no sum before. */
static void host_scan(const struct be_work *work) {
    const int32_t *o = be_work_array(work, O);
    const float *a = be_work_array(work, A);
    const float *d = be_work_array(work, D);
    float *r = be_work_array(work, R);
    size_t n = work->problem->value[0];
    size_t max = (size_t)BLOCK * (size_t)work->members;
    double before = 0;
    int round = 0;
    if (work->members == 1) {
        (void)BE_SIMD_BEST(be_pick_scan_run)(o, a, d, r, n, 0, work->stores);
        return;
    }
    for (size_t start = 0; start < n; start += max) {
        size_t first;
        size_t count;
        double all;
        be_work_rows(work, n - start < max ? n - start : max, BE_STREAM_GRAIN, &first, &count);
        first += start;
        double mine = BE_SIMD_BEST(be_pick_sum_run)(o + first, a + first, d + first, count);
        double here = before_me(work, round++, mine, &all);
        (void)BE_SIMD_BEST(be_pick_scan_run)(o + first, a + first, d + first, r + first, count,
                                             before + here, work->stores);
        before += all;
    }
}

/* Each sums its share, and when all sums are known, runs through it once more. */
static void host_plain(const struct be_work *work) {
    const int32_t *o = be_work_array(work, O);
    const float *a = be_work_array(work, A);
    const float *d = be_work_array(work, D);
    float *r = be_work_array(work, R);
    double before = 0;
    double all;
    size_t first;
    size_t count;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    if (work->members > 1) {
        before = before_me(
            work, 0, BE_SIMD_BEST(be_pick_plain_sum_run)(o + first, a + first, d + first, count),
            &all);
    }
    BE_SIMD_BEST(be_pick_plain_scan_run)
    (o + first, a + first, d + first, r + first, count, before);
}

/* ---- devices -------------------------------------------------------------------------------- */

enum { LANES = 256, TILE = 4096 }; /* as in scan.cl */

static size_t tiles_of(const struct be_problem *problem) {
    return ((size_t)problem->value[0] + TILE - 1) / TILE;
}

static enum be_status put(const struct be_launch *launch, int kernel, size_t groups, bool scratch,
                          struct be_error *error) {
    struct be_argument argument[6];
    int count = 0;
    for (int k = O; k <= R; k++) {
        argument[count++] = be_launch_array(launch, k);
    }
    if (scratch) {
        argument[count++] = (struct be_argument)BE_BUFFER(launch->scratch);
    }
    argument[count++] = (struct be_argument)BE_LONG(launch->problem->value[0]);
    return be_launch_kernel(launch, kernel, groups, LANES, argument, count, error);
}

static enum be_status prepare_written(struct be_device *device, const struct be_problem *problem,
                                      struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_serial", NULL};
    return be_prepare_kernels(device, problem, &be_program_recurrence_scan, NULL, names, prepared,
                              error);
}

static enum be_status enqueue_written(const struct be_launch *launch, struct be_error *error) {
    return put(launch, 0, 1, false, error);
}

static const char *unfit_written(const struct be_problem *problem) {
    return problem->value[0] > 1000000
               ? "takes up to 1e6 elements: one thread needs seconds for more"
               : NULL;
}

enum { SUMS, TOPS, TILES };

static enum be_status prepare_scan(struct be_device *device, const struct be_problem *problem,
                                   struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_scan_sums", "k_scan_tops", "k_scan_tiles", NULL};
    return be_prepare_kernels(device, problem, &be_program_recurrence_scan, NULL, names, prepared,
                              error);
}

static enum be_status enqueue_scan(const struct be_launch *launch, struct be_error *error) {
    size_t tiles = tiles_of(launch->problem);
    const struct be_argument sums[] = {be_launch_array(launch, O), be_launch_array(launch, A),
                                       be_launch_array(launch, D), BE_BUFFER(launch->scratch),
                                       BE_LONG(launch->problem->value[0])};
    const struct be_argument tops[] = {BE_BUFFER(launch->scratch), BE_LONG(tiles)};
    enum be_status status = be_launch_kernel(launch, SUMS, tiles, LANES, sums, 5, error);
    if (status == BE_OK) {
        status = be_launch_kernel(launch, TOPS, 1, LANES, tops, 2, error);
    }
    return status == BE_OK ? put(launch, TILES, tiles, true, error) : status;
}

/* A double a tile for either, and two more for k_scan_once. */
static size_t device_scratch(const struct be_problem *problem) {
    return (tiles_of(problem) + 2) * sizeof(double);
}

static enum be_status prepare_once(struct be_device *device, const struct be_problem *problem,
                                   struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_scan_once", NULL};
    if (!be_stream_on_cuda(device)) {
        return be_fail(error, BE_ABSENT,
                       "groups that wait for each other: only CUDA promises that they get on");
    }
    return be_prepare_kernels(device, problem, &be_program_recurrence_scan, NULL, names, prepared,
                              error);
}

static enum be_status enqueue_once(const struct be_launch *launch, struct be_error *error) {
    enum be_status status =
        launch->device->ops->queue->fill(launch->device, launch->queue, launch->scratch, 0, 0,
                                         device_scratch(launch->problem), error);
    return status == BE_OK ? put(launch, 0, tiles_of(launch->problem), true, error) : status;
}

static const struct be_variant variant[] = {
    {
        .name = "serial",
        .summary = "a loop on one core, as it is written",
        .host_code = BE_CODE_PLAIN,
        .as_written = true,
        .host = host_serial,
    },
    {
        .name = "as-written",
        .summary = "the loop in one GPU thread",
        .device_code = BE_CODE_PLAIN,
        .as_written = true,
        .unfit = unfit_written,
        .prepare = prepare_written,
        .enqueue = enqueue_written,
        .discard = be_discard_kernels,
    },
    {
        .name = "scan",
        .summary = "a parallel running sum; devices read everything twice",
        .device_code = BE_CODE_PLAIN,
        .host = host_scan,
        .host_scratch = host_scratch,
        .prepare = prepare_scan,
        .enqueue = enqueue_scan,
        .discard = be_discard_kernels,
        .device_scratch = device_scratch,
    },
    {
        .name = "look-back",
        .summary = "a parallel running sum in one pass (CUDA)",
        .prepare = prepare_once,
        .enqueue = enqueue_once,
        .discard = be_discard_kernels,
        .device_scratch = device_scratch,
    },
    {
        .name = "plain",
        .summary = "a loop on each core for its share, and one before for the shares' sums (CPU)",
        .host_code = BE_CODE_PLAIN,
        .host = host_plain,
        .host_scratch = host_scratch,
    },
};

static const char *const array[] = {"o", "a", "d", "r"};

const struct be_workload be_workload_recurrence = {
    .name = "recurrence",
    .title = "r[i] = (o[i] even ? d[i] : a[i]) + r[i-1]",
    .summary = "a running sum of values that a branch picks; it can be regrouped",
    .parameter = be_elementwise_parameter,
    .parameters = 1,
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32),
    .array = array,
    .inputs = 3,
    .outputs = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
