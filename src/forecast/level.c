#include "forecast/level.h"

#include <math.h>

/* The same for every trace, chosen on the first 70 % of each and on made-up queues: seven misses in
 * a row move 0.9 to 0.96, and where 19 go beyond q80 in a row, it is asked 0.2 higher. */
static const double step = 0.01, min = 0.5, max = 1.25;
static const double seen = 0.96;
static const double beyond = 4; /* natural logarithm of the wait, a unit of level */
static const double forgotten = 0.02, of_partition = 0.3, of_user = 0.5;

double be_level_wait(double level, const struct be_expected *expected) {
    double wait = be_expected_quantile(expected, fmin(level, seen));
    if (level <= seen) {
        return wait;
    }
    double wanted = be_expected_quantile(expected, BE_LEVEL_WANTED);
    return fmax(wait, wanted + beyond * (level - seen));
}

/* The share of the model that stands for a share of outcomes. */
static double bent(double share, double level) {
    const double half = 0.5;
    if (share <= half) {
        return share;
    }
    return share <= BE_LEVEL_WANTED
               ? half + (share - half) / (BE_LEVEL_WANTED - half) * (level - half)
               : level + (share - BE_LEVEL_WANTED) / (1 - BE_LEVEL_WANTED) * (1 - level);
}

void be_level_odds(double level, double q90, const struct be_expected *expected,
                   struct be_wait_odds *odds) {
    const double within = fmin(level, seen), half = 0.5;
    const double stretched = q90 - be_expected_quantile(expected, within);
    double before_s = 0, sum = 0;
    size_t at = 0;
    for (int i = 0; i < BE_ODDS_POINTS; i++) {
        const double share = i / (BE_ODDS_POINTS - 1.0);
        const double part = fmin(fmax((share - half) / (BE_LEVEL_WANTED - half), 0), 1);
        const double wanted = bent(share, within) - 1e-6; /* as be_expected_quantile rounds */
        while (at + 1 < expected->items && sum + expected->item[at].weight < wanted) {
            sum += expected->item[at++].weight;
        }
        const double wait = expected->item[at].outcome + part * stretched;
        before_s = fmax(before_s, round(expm1(fmax(wait, 0))));
        odds->wait_s[i] = before_s;
    }
}

double be_wait_odds_share(const struct be_wait_odds *odds, double wait_s) {
    const int last = BE_ODDS_POINTS - 1;
    int at = last;
    if (isnan(odds->wait_s[0])) {
        return NAN;
    }
    while (at >= 0 && odds->wait_s[at] > wait_s) {
        at--;
    }
    if (at < 0 || at == last) {
        return at < 0 ? 0 : 1;
    }
    /* Between two points as the logarithm goes; they differ, or the later one would have been taken. */
    const double from = log1p(odds->wait_s[at]), to = log1p(odds->wait_s[at + 1]);
    return (at + (log1p(wait_s) - from) / (to - from)) / last;
}

static double bounded(double level) {
    return fmin(fmax(level, min), max);
}

double be_level_moved(double level, bool missed) {
    return bounded(level + step * (missed ? BE_LEVEL_WANTED : BE_LEVEL_WANTED - 1));
}

double be_level_leant(double lean, enum be_outcome outcome) {
    static const double news[] = {[BE_OUTCOME_SHORT] = BE_LEVEL_EARLY - 1,
                                  [BE_OUTCOME_AT] = 0,
                                  [BE_OUTCOME_BEYOND] = BE_LEVEL_EARLY};
    return lean + forgotten * (news[outcome] - lean);
}

double be_level_asked(double level, double partition, double user) {
    return bounded(level + of_partition * partition + of_user * user);
}
