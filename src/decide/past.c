#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "breakeven_decide.h"

/* Beyond the shortest and the longest of the past, where no limit says more: as far again as these are apart, and at least
 * as far as a run that is made again differs from the first. */
static const double again = 1.15;

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The next of n + 1 alike is as likely in each of the n + 1 gaps between them: run i is the quantile i / (n + 1). Times
 * between two runs are interpolated by their logarithms. */
static double quantile(const double *run, int runs, double least, double most, double share) {
    const double at = share * (runs + 1);
    const int below = at < runs ? (int)at : runs;
    const double from = below > 0 ? run[below - 1] : least;
    const double to = below < runs ? run[below] : most;
    return from * pow(to / from, at - below);
}

enum be_status be_decide_past(const double *run, int runs, double limit, struct be_wait_odds *odds,
                              struct be_error *error) {
    double *sorted = runs > 0 ? malloc((size_t)runs * sizeof *sorted) : NULL;
    if (!sorted) {
        return runs > 0 ? be_fail(error, BE_NOMEM, "no host memory for %d runs", runs)
                        : be_fail(error, BE_USAGE, "no run of the past: at least one is needed");
    }
    for (int i = 0; i < runs; i++) {
        const double within = limit > 0 ? fmin(run[i], limit) : run[i];
        if (!(within > 0) || !isfinite(within)) {
            free(sorted);
            return be_fail(error, BE_USAGE, "run %d of the past took %g: a time above 0 is needed",
                           i + 1, run[i]);
        }
        sorted[i] = within;
    }
    qsort(sorted, (size_t)runs, sizeof *sorted, ascending);
    const double beyond = fmax(sorted[runs - 1] / sorted[0], again);
    const double least = sorted[0] / beyond;
    const double most = limit > 0 ? limit : sorted[runs - 1] * beyond;
    for (int i = 0; i < BE_ODDS_POINTS; i++) {
        odds->wait_s[i] = quantile(sorted, runs, least, most, (double)i / (BE_ODDS_POINTS - 1));
    }
    free(sorted);
    return BE_OK;
}
