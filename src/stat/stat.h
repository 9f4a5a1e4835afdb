/*
 * The statistics of samples: a summary, when to stop sampling, how two sets compare. It does not know a clock or
 * the subject of the samples. All functions are pure functions of numbers.
 */
#ifndef BE_STAT_STAT_H
#define BE_STAT_STAT_H

#include "breakeven.h"

/* A growing list of samples, in the order they were taken. Zero-initialise. */
struct be_samples {
    double *value;
    int count, capacity;
};
enum be_status be_samples_add(struct be_samples *samples, double value, struct be_error *error);
void be_samples_free(struct be_samples *samples);

/* Median of n > 0 numbers; NAN for none. Does not change `values`. */
double be_median(const double *values, int n);

/* Ranks (0-based) of the order statistics that enclose the median with at least 95 %
 * confidence; for n < 6 there are none and the range (0, n - 1) is given. */
void be_median_ranks(int n, int *lower, int *upper);

/* How many times as uncertain the number of n samples, in the order they were taken, above `at` is as that of n
 * independent ones (as a variance): 1 or more. A change that is slower than half of the samples last is not seen. */
double be_dependence(const double *values, int n, double at);

/* The interval is that of be_median_ranks, widened by the dependence at its ends, within the range. The interval and
 * the MAD of one sample are not known: NAN. */
struct be_summary be_summarize(const struct be_samples *samples, enum be_stop stop);

/* The fewest samples that have any spread at all: sampling goes on until there are so many. */
enum { BE_SAMPLES_FEWEST = 2 };

struct be_stop_rule {
    double precision; /* (hi - lo) / median that suffices */
    int min;          /* samples at least */
    double budget_s;  /* time spent at most, once `least` is reached */
    double patience;  /* multiple of budget_s after which even `least` is given up, but for two */
};

/* Should sampling end now? BE_STOP_NONE: no. `spent_s`: wall time given to these samples. To be
 * asked after every sample: it looks only when there are a tenth more than at its last look. */
enum be_stop be_stop_check(const struct be_samples *samples, double spent_s,
                           const struct be_stop_rule *rule);

enum be_verdict { BE_FASTER, BE_SAME, BE_SLOWER, BE_TOO_CLOSE };

/* a / b from pairs taken in the same rounds: median of the ratios and its 95 % interval. With
 * margin m: FASTER when hi < 1 - m, SLOWER when lo > 1 + m, SAME when all of lo..hi lies within
 * 1 -+ m, else TOO_CLOSE. Fewer than BE_RANKED_FEWEST pairs have no such interval: lo and hi are then
 * their range, stretched by half to each side, and of a single pair NAN. A pair without two positive
 * times: NAN, TOO_CLOSE. */
struct be_ratio {
    int pairs;
    double median, lo, hi;
    enum be_verdict verdict;
};
struct be_ratio be_compare_samples(const struct be_samples *a, const struct be_samples *b,
                                   double margin);

/* The same of two summaries, whose samples were not taken in pairs: all of a's interval lies below b's,
 * that of few samples stretched likewise; of a single one it is not known. */
bool be_is_shorter(const struct be_summary *a, const struct be_summary *b);

/* Smallest difference we call one: 2 %. */
#define BE_MARGIN 0.02

#endif
