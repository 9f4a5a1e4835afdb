/*
 * Jobs whose q90 was told and whose wait is not known yet, and the levels that what comes of them
 * moves, one for each cell. A job that waits longer than it was told is a miss at that moment and
 * not when it starts; each job is news once.
 */
#ifndef BE_SLURM_COVERAGE_H
#define BE_SLURM_COVERAGE_H

#include "slurm/history.h"
#include "slurm/level.h"

struct be_coverage;

/* The history must outlive it, sorted. */
enum be_status be_coverage_open(const struct be_history *history, int cells,
                                struct be_coverage **coverage, struct be_error *error);
void be_coverage_close(struct be_coverage *coverage); /* accepts NULL */

double be_coverage_level(const struct be_coverage *coverage, int cell);
/* Job number `job`, of this cell, was submitted and told this wait (a logarithm of 1 + s). Jobs
 * come in order. */
enum be_status be_coverage_add(struct be_coverage *coverage, size_t job, int cell, double told,
                               struct be_error *error);
/* What is known by now of those that still wait. */
void be_coverage_until(struct be_coverage *coverage, int64_t now_s);
/* It started; be_coverage_until came before it. One that is not watched is passed over. */
void be_coverage_started(struct be_coverage *coverage, size_t job);

#endif
