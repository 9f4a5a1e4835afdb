#include "slurm/level.h"

#include <math.h>

/* The same for every trace: seven misses in a row move 0.9 to 0.96. */
static const double step = 0.01, least = 0.5, most = 1.2;
static const double seen = 0.96;
static const double beyond = 5; /* natural logarithm of the wait, a unit of level */

double be_level_wait(double level, const struct be_expected *expected) {
    return be_expected_quantile(expected, fmin(level, seen)) + beyond * fmax(level - seen, 0);
}

double be_level_moved(double level, bool missed) {
    double moved = level + step * (missed ? BE_LEVEL_WANTED : BE_LEVEL_WANTED - 1);
    return fmin(fmax(moved, least), most);
}
