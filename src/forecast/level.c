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
