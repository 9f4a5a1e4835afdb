/*
 * Jobs whose q90 was told and whose wait is not known yet, and what comes of them: the level of each
 * cell, and how each partition and each user leans (forecast/level.h). A job that waits longer than it
 * was told is a miss at that moment and not when it starts, as is one that waits beyond the model's
 * q80; each is news once.
 */
#ifndef BE_FORECAST_COVERAGE_H
#define BE_FORECAST_COVERAGE_H

#include "forecast/history.h"
#include "forecast/level.h"

struct be_coverage;

/* The forecast that a job was told, and the model's own q80: logarithms of 1 + s. */
struct be_told {
    double q90, q80;
};

/* The history must outlive it, sorted. */
enum be_status be_coverage_open(const struct be_history *history, int cells,
                                struct be_coverage **coverage, struct be_error *error);
void be_coverage_close(struct be_coverage *coverage); /* accepts NULL */

/* The level to ask for a job of this cell, this partition and this user. */
double be_coverage_level(const struct be_coverage *coverage, int cell,
                         const struct be_past_job *job);
/* Job number `job`, of this cell, was submitted and told this. Jobs come in order. */
enum be_status be_coverage_add(struct be_coverage *coverage, size_t job, int cell,
                               struct be_told told, struct be_error *error);
/* Takes in what is known by now of jobs that still wait. */
void be_coverage_until(struct be_coverage *coverage, int64_t now_s);
/* It started; be_coverage_until came before it. One that is not watched is passed over. */
void be_coverage_started(struct be_coverage *coverage, size_t job);

#endif
