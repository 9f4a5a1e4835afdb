/*
 * Two sets of samples taken in the same rounds -> the ratio of the two and a verdict.
 */
#include "stat/stat.h"

#include <math.h>

/* Few samples have no 95 % interval: their range holds the median with 1 - 2^(1-n). But a
 * call of 20 s is sampled twice, and 20 s against 0.1 s is no riddle. So the range is stretched by
 * half to each side: only gross differences get a verdict, and never "same". A single pair has no
 * range and no verdict. */
static double stretch(int samples) {
    return samples < BE_RANKED_FEWEST ? 1.5 : 1;
}

static enum be_verdict verdict_of(double lo, double hi, double margin) {
    if (!(lo <= hi)) { /* NAN */
        return BE_TOO_CLOSE;
    }
    if (hi < 1 - margin) {
        return BE_FASTER;
    }
    if (lo > 1 + margin) {
        return BE_SLOWER;
    }
    if (lo >= 1 - margin && hi <= 1 + margin) {
        return BE_SAME;
    }
    return BE_TOO_CLOSE;
}

/* A time that is not a positive number makes the whole comparison unknown: leaving the pair out
 * would hide a broken measurement. */
static double ratio_of(double a, double b) {
    return a > 0 && b > 0 && isfinite(a) && isfinite(b) ? a / b : NAN;
}

struct be_ratio be_compare_samples(const struct be_samples *a, const struct be_samples *b,
                                   double margin) {
    struct be_ratio ratio = {.median = NAN, .lo = NAN, .hi = NAN, .verdict = BE_TOO_CLOSE};
    struct be_samples quotient = {0};
    ratio.pairs = a->count < b->count ? a->count : b->count;
    for (int i = 0; i < ratio.pairs; i++) {
        if (be_samples_add(&quotient, ratio_of(a->value[i], b->value[i]), NULL) != BE_OK) {
            goto out;
        }
    }
    struct be_summary summary = be_summarize(&quotient, BE_STOP_NONE);
    ratio.median = summary.median_s;
    ratio.lo = summary.lo_s / stretch(ratio.pairs);
    ratio.hi = summary.hi_s * stretch(ratio.pairs);
    ratio.verdict = verdict_of(ratio.lo, ratio.hi, margin);
out:
    be_samples_free(&quotient);
    return ratio;
}

bool be_is_shorter(const struct be_summary *a, const struct be_summary *b) {
    return a->n > 1 && b->n > 1 && a->hi_s * stretch(a->n) < b->lo_s / stretch(b->n);
}
