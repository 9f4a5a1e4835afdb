/* The histogram of all distances: what it is, in plain C, and the CPU's code. */
#include <math.h>
#include <string.h>

#include "workload/distance/distance.h"
#include "workload/distance/simd.h"
#include "workload/numbers.h"
#include "host/simd.h"

double be_distance_edge(const struct be_problem *problem) {
    const double bins = (double)be_distance_bins(problem);
    const double edge = (double)be_distance_dimension(problem) / (bins * bins);
    return problem->real == BE_REAL64 ? edge : (double)(float)edge;
}

/* So much less that what rounds up on the way does not count, and at most half a bin. */
float be_distance_scale(const struct be_problem *problem) {
    const double less = 0.5 / BE_DISTANCE_BINS_MAX;
    return (float)((1 - less) / sqrt(be_distance_edge(problem)));
}

/* ---- the plain reference -------------------------------------------------------------------- */

/* Every how many diagonals one is counted: so that a reference takes seconds. */
static size_t sparsity(const struct be_problem *problem) {
    const double max = 1e10; /* coordinates of pairs */
    double n = (double)be_distance_points(problem);
    return (size_t)(n * (n - 1) / 2 * (double)be_distance_dimension(problem) / max) + 1;
}

/* Exact where all is counted. Counts from a sample of m pairs are off by about 1 / sqrt(m sum p^2) of
 * their norm, where p is a bin's share: at most 32 / sqrt(1e10 / 128), a third of this. */
double be_distance_histogram_tolerance(const struct be_problem *problem) {
    return sparsity(problem) == 1 ? 0 : 1e-2;
}

static double squared64(const double *a, const double *b, size_t dimension) {
    double sum = 0;
    for (size_t k = 0; k < dimension; k++) {
        const double t = a[k] - b[k];
        sum = fma(t, t, sum);
    }
    return sum;
}

static float squared32(const float *a, const float *b, size_t dimension) {
    float sum = 0;
    for (size_t k = 0; k < dimension; k++) {
        const float t = a[k] - b[k];
        sum = fmaf(t, t, sum);
    }
    return sum;
}

static double squared(const struct be_problem *problem, const void *x, size_t i, size_t j) {
    const size_t d = be_distance_dimension(problem);
    const double *wide = x;
    const float *narrow = x;
    return problem->real == BE_REAL64 ? squared64(wide + i * d, wide + j * d, d)
                                      : (double)squared32(narrow + i * d, narrow + j * d, d);
}

/* The one where bin k begins. */
static double edge_at(const struct be_problem *problem, double edge, size_t k) {
    const double whole = (double)(k * k);
    return problem->real == BE_REAL64 ? whole * edge : (double)((float)whole * (float)edge);
}

/* The number of bins: in none, which a distance that is no number is too. */
static size_t bin_of(const struct be_problem *problem, double edge, double distance) {
    const size_t bins = be_distance_bins(problem);
    if (!(distance < edge_at(problem, edge, bins))) {
        return bins;
    }
    size_t k = (size_t)sqrt(distance / edge); /* near it */
    while (edge_at(problem, edge, k) > distance) {
        k--;
    }
    while (edge_at(problem, edge, k + 1) <= distance) {
        k++;
    }
    return k;
}

/* Members take rows in turn, since rows grow shorter, and add what they have one after the other. */
void be_distance_histogram_reference(const struct be_work *work, double *reference) {
    const struct be_problem *problem = work->problem;
    const void *x = be_work_array(work, BE_DISTANCE_X);
    const size_t n = be_distance_points(problem);
    const size_t bins = be_distance_bins(problem);
    const size_t every = sparsity(problem);
    const double edge = be_distance_edge(problem);
    uint64_t count[BE_DISTANCE_BINS_MAX + 1] = {0};
    for (size_t i = (size_t)work->member; i < n; i += (size_t)work->members) {
        for (size_t j = i + every; j < n; j += every) {
            count[bin_of(problem, edge, squared(problem, x, i, j))]++;
        }
    }
    for (int member = 0; member < work->members; member++) {
        for (size_t k = 0; member == work->member && k < bins; k++) {
            reference[k] = (double)count[k] + (member == 0 ? 0 : reference[k]);
        }
        be_team_barrier(work->team);
    }
}

/* The reference's counts of a sample are scaled to the number of all pairs. Then what came out must
 * still be all pairs, to one. */
void be_distance_histogram_residual(const struct be_work *work, const double *reference,
                                    double *difference, double *norm) {
    const struct be_problem *problem = work->problem;
    const uint64_t *count = be_work_array(work, BE_DISTANCE_D);
    const size_t n = be_distance_points(problem);
    const size_t bins = be_distance_bins(problem);
    const bool sampled = sparsity(problem) > 1;
    const uint64_t pairs = (uint64_t)n * (n - 1) / 2;
    uint64_t all = 0;
    double seen = 0;
    for (size_t k = 0; k < bins; k++) {
        all += count[k];
        seen += reference[k];
    }
    for (size_t k = 0; work->member == 0 && k < bins; k++) {
        const double exact = sampled ? reference[k] * ((double)pairs / seen) : reference[k];
        const double off = (double)count[k] - exact;
        *difference += off * off;
        *norm += exact * exact;
    }
    if (sampled && all != pairs) {
        *difference = NAN;
    }
}

/* ---- on the CPU ----------------------------------------------------------------------------- */

#define COUNT(real)                                                                                \
    ((real) == BE_REAL64 ? BE_SIMD_BEST(be_distance_count64) : BE_SIMD_BEST(be_distance_count32))

/* The points, and behind them each member's counts, of all members equally long. */
static size_t points_bytes(const struct be_problem *problem) {
    return (be_distance_packed_bytes(problem) + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN *
           BE_WHOLE_ALIGN;
}

static size_t member_bytes(const struct be_problem *problem) {
    const size_t bytes = be_distance_count_bytes(be_distance_bins(problem));
    return (bytes + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN;
}

size_t be_distance_host_histogram_scratch(const struct be_problem *problem, int members) {
    return points_bytes(problem) + (size_t)members * member_bytes(problem);
}

void be_distance_host_histogram(const struct be_work *work) {
    const struct be_problem *problem = work->problem;
    const size_t bins = be_distance_bins(problem);
    const size_t mine = member_bytes(problem);
    char *counts = (char *)work->scratch + points_bytes(problem);
    uint64_t *out = be_work_array(work, BE_DISTANCE_D);
    const struct be_distance_counts to_do = {
        .points = be_work_array(work, BE_DISTANCE_X),
        .packed = work->scratch,
        .n = be_distance_points(problem),
        .dimension = be_distance_dimension(problem),
        .bins = bins,
        .edge = be_distance_edge(problem),
        .scale = be_distance_scale(problem),
        .member = (size_t)work->member,
        .members = (size_t)work->members,
        .counts = (uint64_t *)(void *)(counts + (size_t)work->member * mine),
    };
    size_t first;
    size_t count;
    memset(to_do.counts, 0, mine);
    be_distance_pack_points(work, work->scratch);
    COUNT(problem->real)(&to_do);
    be_team_barrier(work->team);
    be_work_rows(work, bins, 8, &first, &count);
    for (size_t k = first; k < first + count; k++) {
        out[k] = 0;
        for (int m = 0; m < work->members; m++) {
            out[k] += ((const uint64_t *)(const void *)(counts + (size_t)m * mine))[k];
        }
    }
}
