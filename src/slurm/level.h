/*
 * A q90 that stays one where the model behind it is wrong, and wrong in another way tomorrow: each
 * outcome moves the level that is asked of the model, up at a miss and a ninth of it down at a hit
 * (Gibbs and Candes 2021: adaptive conformal inference). Knows nothing of queues; a wait is a
 * logarithm of 1 + s.
 */
#ifndef BE_SLURM_LEVEL_H
#define BE_SLURM_LEVEL_H

#include "slurm/forest.h"

#define BE_LEVEL_WANTED 0.9

/* The wait at a level. Above 0.95, where one or two trees of a forest decide, it is stretched. */
double be_level_wait(double level, const struct be_expected *expected);
/* The level after an outcome. */
double be_level_moved(double level, bool missed);

#endif
