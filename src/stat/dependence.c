/*
 * Samples that follow each other are often alike: a neighbour, a clock that moves, pages that lie badly for a
 * while. Then there is less in n of them than in n that know nothing of each other, and the interval
 * that the binomial gives is too narrow. By how much, their order says.
 */
#include <math.h>

#include "stat/stat.h"

/* Looking farther would cost more than it tells: of a drift as long as that the interval is wide all the same. */
enum { LAGS_MAX = 256 };

static int side_of(double value, double at) {
    return (value > at) - (value < at);
}

/* Sum over all pairs that lie `lag` apart of the product of their sides, each less the mean side. */
static double agreement(const double *values, int n, double at, double mean, int lag) {
    double sum = 0;
    for (int i = 0; i + lag < n; i++) {
        sum += (side_of(values[i], at) - mean) * (side_of(values[i + lag], at) - mean);
    }
    return sum;
}

/* The variance of the number of samples above `at`, over that of independent ones: 1 + twice the sum of the
 * autocorrelations of the sides. Noise in those is kept out by Geyer's rule: they are added in pairs as long as
 * a pair is positive (Geyer, Practical Markov chain Monte Carlo, Statistical Science 7, 1992, 3.3). */
double be_dependence(const double *values, int n, double at) {
    double mean = 0;
    for (int i = 0; i < n; i++) {
        mean += (double)side_of(values[i], at) / n;
    }
    const double all = agreement(values, n, at, mean, 0);
    double sum = 0;
    for (int lag = 0; all > 0 && lag + 1 < n / 2 && lag < LAGS_MAX; lag += 2) {
        const double pair =
            agreement(values, n, at, mean, lag) + agreement(values, n, at, mean, lag + 1);
        if (!(pair > 0)) {
            break;
        }
        sum += pair / all;
    }
    return fmax(1, 2 * sum - 1);
}
