#include "slurm/level.h"

#include <math.h>

/* The same for every trace: where nothing else is unknown, two misses in a row move 0.9 to 0.97. */
static const double step = 0.04, least = 0.5, most = 1.2;
static const double seen = 0.96;
static const double beyond = 5; /* natural logarithm of the wait, a unit of level */

double be_level_wait(double level, const struct be_expected *expected) {
    return be_expected_quantile(expected, fmin(level, seen)) + beyond * fmax(level - seen, 0);
}

double be_level_moved(double level, bool missed, double unknown) {
    double up = missed ? BE_LEVEL_WANTED : BE_LEVEL_WANTED - 1;
    return fmin(fmax(level + step * up / sqrt(1 + unknown), least), most);
}
