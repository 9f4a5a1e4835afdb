/*
 * The list of samples and its order statistics: median, the ranks that enclose it, summary.
 */
#include "stat/stat.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* 10 standard deviations of normal noise (sd = 1.4826 MAD): seen once in 1e23. */
static const double OUTLIER_MADS = 14.8;

enum { FIRST_CAPACITY = 64 };

enum be_status be_samples_add(struct be_samples *samples, double value, struct be_error *error) {
    if (samples->count == samples->capacity) {
        int capacity = samples->capacity > 0 ? samples->capacity : FIRST_CAPACITY / 2;
        double *grown = NULL;
        if (capacity <= INT_MAX / 2) {
            capacity *= 2;
            grown = realloc(samples->value, (size_t)capacity * sizeof *grown);
        }
        if (!grown) {
            return be_fail(error, BE_NOMEM,
                           "cannot keep sample %d: no memory for the list; "
                           "lower the time budget or free memory",
                           samples->count);
        }
        samples->value = grown;
        samples->capacity = capacity;
    }
    samples->value[samples->count++] = value;
    return BE_OK;
}

void be_samples_free(struct be_samples *samples) {
    free(samples->value);
    *samples = (struct be_samples){0};
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* NULL when there is no memory or nothing to sort; the caller's numbers then stay NAN, which is
 * shown as "not measured": never a wrong number. */
static double *sorted_copy(const double *values, int n) {
    if (n <= 0) {
        return NULL;
    }
    double *copy = malloc((size_t)n * sizeof *copy);
    if (!copy) {
        return NULL;
    }
    memcpy(copy, values, (size_t)n * sizeof *copy);
    qsort(copy, (size_t)n, sizeof *copy, ascending);
    return copy;
}

static double middle(const double *sorted, int n) {
    double upper = sorted[n / 2];
    if (n % 2 == 1) {
        return upper;
    }
    double lower = sorted[n / 2 - 1];
    return lower + (upper - lower) / 2;
}

double be_median(const double *values, int n) {
    /* NAN has no rank: one that slipped in must not vanish among the others. */
    for (int i = 0; i < n; i++) {
        if (isnan(values[i])) {
            return NAN;
        }
    }
    double *sorted = sorted_copy(values, n);
    double median = sorted ? middle(sorted, n) : NAN;
    free(sorted);
    return median;
}

/* The number of samples below the true median is binomial(n, 1/2), so x[j]..x[n-1-j] (0-based)
 * misses it with probability 2 P(X <= j): take the largest j with P(X <= j) <= 0.025 (Conover,
 * Practical Nonparametric Statistics, 3.2). The weights C(n, k) are summed exactly, up to a
 * common factor, from 8 standard deviations below the mean (what lies under that is < 1e-15) to
 * the middle; the other half is its mirror. No log-gamma: C and POSIX let it write a global. */
void be_median_ranks(int n, int *lower, int *upper) {
    *lower = 0;
    *upper = n > 0 ? n - 1 : 0;
    if (n < BE_RANKED_FEWEST) {
        return;
    }
    int start = (int)fmax(0.0, floor(n / 2.0 - 4.0 * sqrt((double)n)));
    double weight = 1.0, half = 0.0;
    for (int k = start; 2 * k <= n; k++) {
        half += 2 * k == n ? weight / 2 : weight;
        weight *= (double)(n - k) / (k + 1);
    }
    double tail = 0.0;
    weight = 1.0;
    for (int k = start; 2 * k <= n; k++) {
        tail += weight;
        if (tail > 0.025 * 2.0 * half) {
            break;
        }
        *lower = k;
        weight *= (double)(n - k) / (k + 1);
    }
    *upper = n - 1 - *lower;
}

/* So many samples may lie below the median, or above it, at most in one case of 40, where their variance is n / 4 x
 * `dependence`: the normal approximation with its half, which from 6 on gives the ranks of independent
 * samples to within one. */
static double min_rank(int n, double dependence) {
    const double deviations = 1.959963984540054;
    return floor((n - 1 - deviations * sqrt(n * dependence)) / 2);
}

/* Is the end at `rank` of the sorted ones beyond chance, given how samples on either side of it follow each other?
 * A small drift of them all does not make what rarely happens, as outliers, part of the interval. */
static bool is_beyond(const struct be_samples *samples, const double *sorted, int rank) {
    const int n = samples->count;
    const int outside = 2 * rank < n ? rank : n - 1 - rank;
    return outside <= min_rank(n, be_dependence(samples->value, n, sorted[rank]));
}

/* Bisection between `inner`, the end for independent samples, and `outer`, that of the range. */
static int widen(const struct be_samples *samples, const double *sorted, int inner, int outer) {
    if (inner == outer || is_beyond(samples, sorted, inner)) {
        return inner;
    }
    while (abs(outer - inner) > 1) {
        const int between = inner + (outer - inner) / 2;
        if (is_beyond(samples, sorted, between)) {
            outer = between;
        } else {
            inner = between;
        }
    }
    return outer;
}

/* MAD is 0 when over half of the samples are equal, as with a coarse clock; then 14.8 MAD would
 * flag every other clock step. Half of the smallest difference we call one is 10 steps of a
 * sample that lasts 1000 of them, as ours do. */
static double outlier_distance(const struct be_summary *summary) {
    return summary->mad_s > 0 ? OUTLIER_MADS * summary->mad_s
                              : BE_MARGIN / 2 * fabs(summary->median_s);
}

struct be_summary be_summarize(const struct be_samples *samples, enum be_stop stop) {
    int n = samples->count;
    struct be_summary summary = {.n = n,
                                 .stop = stop,
                                 .median_s = NAN,
                                 .lo_s = NAN,
                                 .hi_s = NAN,
                                 .mad_s = NAN,
                                 .min_s = NAN,
                                 .max_s = NAN};
    for (int i = 0; i < n; i++) {
        if (!isfinite(samples->value[i])) {
            return summary;
        }
    }
    double *sorted = sorted_copy(samples->value, n);
    if (!sorted) {
        return summary;
    }
    int lower, upper;
    be_median_ranks(n, &lower, &upper);
    summary.median_s = middle(sorted, n);
    lower = widen(samples, sorted, lower, 0);
    upper = widen(samples, sorted, upper, n - 1);
    summary.lo_s = sorted[lower];
    summary.hi_s = sorted[upper];
    summary.min_s = sorted[0];
    summary.max_s = sorted[n - 1];

    double *distance = sorted; /* its order has been used up */
    for (int i = 0; i < n; i++) {
        distance[i] = fabs(samples->value[i] - summary.median_s);
    }
    qsort(distance, (size_t)n, sizeof *distance, ascending);
    summary.mad_s = middle(distance, n);
    double beyond = outlier_distance(&summary);
    for (int i = n; i > 0 && distance[i - 1] > beyond; i--) {
        summary.outliers++;
    }
    free(sorted);
    if (n == 1) { /* one number says nothing of how far others would lie from it */
        summary.lo_s = summary.hi_s = summary.mad_s = NAN;
    }
    return summary;
}
