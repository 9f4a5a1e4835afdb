/*
 * A forest of regression trees that gives back whole distributions: each leaf keeps the outcomes of
 * its examples, and what a new case may expect is what the examples in its leaves met (quantile
 * regression forests, Meinshausen 2006; trees as Breiman 2001). A leaf may keep how far its outcomes
 * lie from a guess instead, and so goes on where no example has been (model trees, Quinlan 1992).
 * Knows nothing of queues.
 */
#ifndef BE_FORECAST_FOREST_H
#define BE_FORECAST_FOREST_H

#include "breakeven.h"

enum { BE_FOREST_FEATURES_MAX = 64 };

/* feature: row-major, `count` rows of `features`; outcome: one each. Seeded, so that the same
 * examples give the same forest. */
struct be_examples {
    const float *feature;
    const float *outcome;
    size_t count;
    int features;
    int guesses; /* so many of the last features are guesses at the outcome, in its unit */
};

struct be_forest;

enum be_status be_forest_grow(const struct be_examples *examples, uint64_t seed,
                              struct be_forest **forest, struct be_error *error);
void be_forest_free(struct be_forest *forest); /* accepts NULL */

/* The outcomes that a case may expect, with weights that sum to 1, ascending by outcome.
 * Zero-initialise. */
struct be_expected {
    struct be_expected_item {
        float outcome, weight;
    } * item;
    size_t items, capacity;
};
enum be_status be_forest_expect(const struct be_forest *forest, const float *feature,
                                struct be_expected *expected, struct be_error *error);
void be_expected_free(struct be_expected *expected);
/* The least outcome that a share of at least q does not exceed. */
double be_expected_quantile(const struct be_expected *expected, double q);
/* The share of outcomes at or below. */
double be_expected_share(const struct be_expected *expected, double outcome);

#endif
