/*
 * A q90 that stays one where the model behind it is wrong, and wrong in another way tomorrow: each
 * outcome moves the level that is asked of the model, up at a miss and a ninth of it down at a hit
 * (Gibbs and Candes 2021: adaptive conformal inference). News of that comes late, and so the level
 * also leans on what is known sooner: how many lately went beyond the model's q80. Knows nothing of
 * queues; a wait is a logarithm of 1 + s.
 */
#ifndef BE_FORECAST_LEVEL_H
#define BE_FORECAST_LEVEL_H

#include "breakeven_queue.h"
#include "forecast/forest.h"

#define BE_LEVEL_WANTED 0.9
#define BE_LEVEL_EARLY 0.8 /* of the model as it is: the sooner news */

/* Where an outcome lies: short of a wait, just at it, beyond. */
enum be_outcome { BE_OUTCOME_SHORT, BE_OUTCOME_AT, BE_OUTCOME_BEYOND };

/* The wait at a level. Above 0.96, where one or two trees of a forest decide, it goes on from q90
 * where that leads further. */
double be_level_wait(double level, const struct be_expected *expected);
/* The whole distribution, bent so that its 0.9 quantile is the wait at this level: shares up to one half stay as the
 * model has them, and those above move with the 0.9. q90: what be_level_wait says. */
void be_level_odds(double level, double q90, const struct be_expected *expected,
                   struct be_wait_odds *odds);
/* The level after an outcome. */
double be_level_moved(double level, bool missed);
/* The share that lately went beyond the model's q80, less the fifth that should, after one more; the
 * last fifty weigh most. Between -0.2 and 0.8; 0 to begin with. One just at q80 says nothing. */
double be_level_leant(double lean, enum be_outcome outcome);
/* The level to ask of the model: of the cell, with how its partition and its user lean. */
double be_level_asked(double level, double partition, double user);

#endif
