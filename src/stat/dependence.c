/*
 * Samples that follow each other are often alike: a neighbour, a clock that moves, pages that lie badly for a
 * while. Then there is less in n of them than in n that know nothing of each other, and the interval
 * that the binomial gives is too narrow. By how much, their order says.
 */
#include <math.h>

#include "stat/stat.h"

static int side_of(double value, double median) {
    return (value > median) - (value < median);
}

/* Sum over all pairs that lie `lag` apart: 1 where both lie on the same side of the median. */
static double agreement(const double *values, int n, double median, int lag) {
    int sum = 0;
    for (int i = 0; i + lag < n; i++) {
        sum += side_of(values[i], median) * side_of(values[i + lag], median);
    }
    return sum;
}

/* The variance of the number of samples above the median, over that of independent ones: 1 + twice the sum of the
 * autocorrelations of the sides. Noise in those is kept out by Geyer's rule: they are added in pairs as long as
 * a pair is positive (Geyer, Practical Markov chain Monte Carlo, Statistical Science 7, 1992, 3.3). */
double be_dependence(const double *values, int n, double median) {
    const double all = agreement(values, n, median, 0);
    double sum = 0;
    for (int lag = 0; all > 0 && lag + 1 < n / 2; lag += 2) {
        const double pair =
            agreement(values, n, median, lag) + agreement(values, n, median, lag + 1);
        if (!(pair > 0)) {
            break;
        }
        sum += pair / all;
    }
    return fmax(1, 2 * sum - 1);
}
