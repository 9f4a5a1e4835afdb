/*
 * histogram: how many elements of x are in each of so many equal bins of [0,
 * 1].
 *
 * Operations: a product an element; a count in memory goes up for each, which
 * no ceiling counts. Bytes: x is read once, the counts are written once.
 */
#include "workload/histogram/histogram.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "workload/numbers.h"

static size_t size_of(const struct be_problem *problem) {
    return (size_t)problem->value[BE_HISTOGRAM_SIZE];
}

static size_t bins_of(const struct be_problem *problem) {
    return (size_t)problem->value[BE_HISTOGRAM_BINS];
}

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const size_t bytes = size_of(problem) * be_real_bytes(problem->real);
    const size_t counts = bins_of(problem) * sizeof(uint32_t);
    *shape = (struct be_shape){
        .items = 1,
        .item_bytes = {bytes, counts},
        .reference = bins_of(problem),
        .operations = (double)size_of(problem),
        .bytes = (double)(bytes + counts),
        .tolerance = 0,
    };
}

static void fill(const struct be_work *work, uint64_t seed) {
    void *x = be_work_array(work, BE_HISTOGRAM_X);
    size_t first;
    size_t count;
    be_work_rows(work, size_of(work->problem), 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        be_number_set(work->problem->real, x, i, be_number_random(work->problem->real, seed, i));
    }
}

/* ---- the plain reference
 * -------------------------------------------------------------------- */

/* In the problem's own type, whose rounding decides at the edges. */
static void count_one(const struct be_work *work, size_t i, double *reference) {
    const size_t bins = bins_of(work->problem);
    const double x = be_number(work->problem->real, work->array[BE_HISTOGRAM_X], i);
    const double y =
        work->problem->real == BE_REAL64 ? x * (double)bins : (double)((float)x * (float)bins);
    if (x >= 0 && x <= 1) {
        reference[y < (double)bins ? (size_t)y : bins - 1] += 1;
    }
}

/* One member after the other. */
static void reference(const struct be_work *work, double *reference) {
    size_t first;
    size_t count;
    be_work_rows(work, size_of(work->problem), 1, &first, &count);
    if (work->member == 0) {
        memset(reference, 0, bins_of(work->problem) * sizeof *reference);
    }
    for (int turn = 0; turn < work->members; turn++) {
        be_team_barrier(work->team);
        for (size_t i = first; turn == work->member && i < first + count; i++) {
            count_one(work, i, reference);
        }
    }
}

/* Nothing may differ. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const uint32_t *counts = be_work_array(work, BE_HISTOGRAM_COUNTS);
    size_t first;
    size_t count;
    be_work_rows(work, bins_of(work->problem), 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        be_number_compare((double)counts[i], reference[i], difference, norm);
    }
}

/* ---- on the CPU
 * -----------------------------------------------------------------------------
 */

/* Numbers from a member's tables to those of the next one: whole lines. */
static size_t apart(size_t bins, size_t copies) {
    enum { LINE = 64 / sizeof(uint32_t) };
    return (copies * (bins + 1) + LINE - 1) / LINE * LINE;
}

/* Each member counts its elements, then the members share the bins. */
static void count(const struct be_work *work, size_t copies, be_histogram_run *run) {
    const size_t bins = bins_of(work->problem);
    uint32_t *tables = work->scratch;
    uint32_t *counts = be_work_array(work, BE_HISTOGRAM_COUNTS);
    size_t first;
    size_t number;
    be_work_rows(work, size_of(work->problem), 64, &first, &number);
    const struct be_histogram_part part = {.x = (const char *)be_work_array(work, BE_HISTOGRAM_X) +
                                                first * be_real_bytes(work->problem->real),
                                           .count = number,
                                           .bins = bins,
                                           .counts =
                                               tables + (size_t)work->member * apart(bins, copies)};
    memset(part.counts, 0, copies * (bins + 1) * sizeof *part.counts);
    run(&part);
    be_team_barrier(work->team);
    be_work_rows(work, bins, 16, &first, &number);
    memset(counts + first, 0, number * sizeof *counts);
    for (size_t t = 0; t < (size_t)work->members * copies; t++) {
        const uint32_t *from = tables + t / copies * apart(bins, copies) + t % copies * (bins + 1);
        for (size_t b = first; b < first + number; b++) {
            counts[b] += from[b];
        }
    }
}

static void host_tables(const struct be_work *work) {
    count(work, be_histogram_copies(bins_of(work->problem)),
          work->problem->real == BE_REAL64 ? BE_SIMD_BEST(be_histogram_tables_64)
                                           : BE_SIMD_BEST(be_histogram_tables_32));
}

static void host_plain(const struct be_work *work) {
    count(work, 1,
          work->problem->real == BE_REAL64 ? BE_SIMD_BEST(be_histogram_plain_64)
                                           : BE_SIMD_BEST(be_histogram_plain_32));
}

static size_t tables_scratch(const struct be_problem *problem, int members) {
    const size_t bins = bins_of(problem);
    return (size_t)members * apart(bins, be_histogram_copies(bins)) * sizeof(uint32_t);
}

static size_t plain_scratch(const struct be_problem *problem, int members) {
    return (size_t)members * apart(bins_of(problem), 1) * sizeof(uint32_t);
}

/* ---- the table
 * ------------------------------------------------------------------------------
 */

static const struct be_variant variant[] = {
    {
        .name = "plain",
        .summary = "an element after the other, a table a thread; on a device "
                   "counts in its memory",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .host = host_plain,
        .host_scratch = plain_scratch,
        .prepare = be_histogram_prepare,
        .enqueue = be_histogram_enqueue_plain,
        .discard = be_discard_kernels,
        .each_of = 1u << BE_HISTOGRAM_BINS,
    },
    {
        .name = "tables",
        .summary = "bins of vectors, several tables a thread; on a device in "
                   "shared memory",
        .host = host_tables,
        .host_scratch = tables_scratch,
        .prepare = be_histogram_prepare,
        .enqueue = be_histogram_enqueue_tables,
        .discard = be_discard_kernels,
        .each_of = 1u << BE_HISTOGRAM_BINS,
    },
};

static const struct be_parameter parameter[] = {
    {.name = "size",
     .what = "elements",
     .preset = 1000000,
     .min = 1,
     .max = UINT32_MAX,
     .from = 1000,
     .to = 300000000,
     .look = {10000, 1000000, 30000000}},
    {.name = "bins",
     .what = "bins of the histogram",
     .preset = 256,
     .min = 1,
     .max = BE_HISTOGRAM_BINS_MAX,
     .from = 16,
     .to = BE_HISTOGRAM_BINS_MAX,
     .look = {16, 256, 4096}},
};

static const char *const array[] = {"x", "counts"};

const struct be_workload be_workload_histogram = {
    .name = "histogram",
    .title = "counts of x in equal bins",
    .summary = "how many elements are in each of some equal bins",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 1,
    .outputs = 1,
    .host_grain = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
