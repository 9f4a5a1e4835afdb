#include "workload/stream.h"

#include <math.h>
#include <string.h>

#include "kernels/host.h"
#include "workload/numbers.h"

/* ---- inputs --------------------------------------------------------------------------------- */

/* z[i], first <= i < first + count: uniform in [low, 1) from (seed, i), as float or double. */
static void fill_uniform(void *z, enum be_real real, size_t first, size_t count, uint64_t seed,
                         double low) {
    double width = 1 - low;
    for (size_t i = first; i < first + count; i++) {
        if (real == BE_REAL64) {
            ((double *)z)[i] = low + width * be_number_random(real, seed, i);
        } else { /* rounded as float32 rounds */
            ((float *)z)[i] = (float)low + (float)width * be_random_float(seed, i);
        }
    }
}

void be_stream_fill(const struct be_work *work, int k, uint64_t seed, double low) {
    size_t first;
    size_t count;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    fill_uniform(be_work_array(work, k), work->problem->real, first, count,
                 seed + 16 * (uint64_t)work->first + (uint64_t)k, low);
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* Neumaier's compensated sum. An infinite number has no lost part. */
double be_stream_exact_sum(const void *x, enum be_real real, size_t n) {
    double sum = 0;
    double lost = 0;
    for (size_t i = 0; i < n; i++) {
        double v = be_number(real, x, i);
        double next = sum + v;
        lost += fabs(sum) >= fabs(v) ? (sum - next) + v : (v - next) + sum;
        sum = next;
    }
    return isfinite(lost) ? sum + lost : sum;
}

enum { SLOT = 8 }; /* doubles in a cache line */

size_t be_stream_slots_bytes(const struct be_problem *problem, int members) {
    (void)problem;
    return (size_t)members * SLOT * sizeof(double);
}

double be_stream_total(const struct be_work *work, double mine) {
    double *slot = work->scratch;
    slot[(size_t)work->member * SLOT] = mine;
    be_team_barrier(work->team);
    double sum = 0;
    for (int i = 0; i < work->members; i++) {
        sum += slot[(size_t)i * SLOT];
    }
    return sum;
}

void be_stream_keep(const struct be_work *work, double mine, double *reference) {
    reference[work->member] = mine;
    for (int i = work->members; work->member == 0 && i < BE_STREAM_REFERENCE; i++) {
        reference[i] = 0;
    }
}

double be_stream_kept(const double *reference) {
    return be_stream_exact_sum(reference, BE_REAL64, BE_STREAM_REFERENCE);
}

/* ---- devices -------------------------------------------------------------------------------- */

/* So many groups of 256 lanes fill a multiprocessor of the GPUs known; and where it is not known
 * how many there are, about as many as a large GPU has. */
enum { GROUPS_A_UNIT = 8, UNITS_UNKNOWN = 128 };

size_t be_stream_tile(const struct be_problem *problem) {
    return (size_t)BE_STREAM_LANES * BE_STREAM_LANE_BYTES / be_real_bytes(problem->real);
}

size_t be_stream_groups(const struct be_device *device, size_t n, size_t tile) {
    size_t units = device->info.units > 0 ? (size_t)device->info.units : UNITS_UNKNOWN;
    size_t max = units * GROUPS_A_UNIT;
    size_t groups = (n + tile - 1) / tile;
    max = max < BE_STREAM_GROUPS_MAX ? max : BE_STREAM_GROUPS_MAX;
    groups = groups > 0 ? groups : 1;
    return groups < max ? groups : max;
}

size_t be_stream_scratch(const struct be_problem *problem) {
    (void)problem;
    return BE_STREAM_GROUPS_MAX * sizeof(double);
}

bool be_stream_on_cuda(const struct be_device *device) {
    return strcmp(device->ops->name, "cuda") == 0;
}
