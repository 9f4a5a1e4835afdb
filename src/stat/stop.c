/*
 * When to stop sampling.
 *
 * PRECISE: the interval is as narrow as asked. BUDGET: the time is used up. STABLE: the noise is
 * known and time would not buy the precision asked for. As in nvbench's "stdrel" criterion
 * (NVIDIA/nvbench, nvbench/detail/stdrel_criterion.cxx: more than 64 samples, noise that varies
 * by less than 5 %), a noise estimate that no longer changes ends the sampling; but a steady
 * noise alone does not make a good interval (two modes of equal weight have the steadiest noise
 * and the worst median), so it has to be fair too, or the samples many.
 */
#include "stat/stat.h"

#include <math.h>

enum {
    STABLE_FEWEST = 64,   /* nvbench's; the last quarter then has 16 samples */
    STABLE_PLENTY = 1000, /* from here, half the interval costs 3000 samples more */
    WINDOWS = 4
};
static const double STABLE_CHANGE = 0.10;   /* of the noise, from window to window */
static const double SURE_DEVIATIONS = 3.29; /* two-sided 99.9 % of a normal variable */
static const double FAIR_INTERVAL = 2.5;    /* times the precision asked for */

/* Looking costs a sort, and we are asked after every sample: look at `first`, then each time
 * there are a tenth more. */
static bool is_due(int n, int first) {
    int next = first;
    while (next < n) {
        next += next >= 20 ? next / 10 : 1;
    }
    return next == n;
}

static double relative_noise(const double *values, int n) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        sum += values[i];
    }
    double mean = sum / n;
    for (int i = 0; i < n; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    return sqrt(squares / (n - 1)) / mean;
}

/* Standard deviation / mean of the last quarter, half, three quarters and all agree. Not the
 * MAD: with two modes of equal weight that jumps between nothing and the whole gap. An outlier
 * makes the windows disagree: sampling goes on, the safe side. */
static bool noise_is_settled(const struct be_samples *samples) {
    double min = INFINITY, max = 0;
    for (int i = 1; i <= WINDOWS; i++) {
        int n = (int)((long long)samples->count * i / WINDOWS);
        double noise = relative_noise(samples->value + samples->count - n, n);
        if (!(noise >= 0)) {
            return false;
        }
        min = fmin(min, noise);
        max = fmax(max, noise);
    }
    return max - min <= STABLE_CHANGE * max;
}

/* The interval misses the median one time in 20, and we look at it many times: sooner or later
 * it would be narrow by luck, with two modes of equal weight in every third run. So a stricter
 * test has to agree: that the median lies within 1 -+ precision of what we take for it, by a sign
 * test at 99.9 %. Smooth noise nearly always passes it once the 95 % interval is narrow enough. */
static bool is_beyond_luck(const struct be_samples *samples, double median, double precision) {
    int n = samples->count, below = 0, above = 0;
    for (int i = 0; i < n; i++) {
        below += samples->value[i] < median * (1 - precision);
        above += samples->value[i] > median * (1 + precision);
    }
    double max = fmax(0.0, (n - SURE_DEVIATIONS * sqrt((double)n)) / 2);
    return below <= max && above <= max;
}

/* Would the budget buy the precision? The interval narrows with the square root of the time. */
static bool is_within_reach(double width, double spent_s, const struct be_stop_rule *rule) {
    double more = width / rule->precision;
    return more * more * spent_s <= rule->budget_s;
}

static bool is_stable(const struct be_samples *samples, double width, double spent_s,
                      const struct be_stop_rule *rule) {
    int n = samples->count;
    if (n < STABLE_FEWEST || is_within_reach(width, spent_s, rule)) {
        return false;
    }
    if (!(width <= FAIR_INTERVAL * rule->precision) && n < STABLE_PLENTY) {
        return false;
    }
    return noise_is_settled(samples);
}

enum be_stop be_stop_check(const struct be_samples *samples, double spent_s,
                           const struct be_stop_rule *rule) {
    int n = samples->count;
    int first = rule->min > BE_RANKED_FEWEST ? rule->min : BE_RANKED_FEWEST;
    double patience = fmax(rule->patience, 1.0); /* not set: the budget itself */
    bool over = n >= BE_SAMPLES_FEWEST && ((spent_s >= rule->budget_s && n >= rule->min) ||
                                           spent_s >= rule->budget_s * patience);
    if (!over && (n < first || !is_due(n, first))) {
        return BE_STOP_NONE;
    }
    double width = NAN;
    if (n >= first) {
        struct be_summary summary = be_summarize(samples, BE_STOP_NONE);
        width = (summary.hi_s - summary.lo_s) / summary.median_s;
        if (width <= rule->precision &&
            is_beyond_luck(samples, summary.median_s, rule->precision)) {
            return BE_STOP_PRECISE;
        }
    }
    if (over) {
        return BE_STOP_BUDGET;
    }
    return is_stable(samples, width, spent_s, rule) ? BE_STOP_STABLE : BE_STOP_NONE;
}
