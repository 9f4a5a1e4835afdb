/*
 * Slurm's own state now: jobs that wait and run (squeue), and the start that it foresees for a job (sbatch
 * --test-only, which submits nothing).
 */
#ifndef BE_FORECAST_LIVE_H
#define BE_FORECAST_LIVE_H

#include "breakeven_queue.h"
#include "forecast/history.h"

/* Adds what waits and runs; match as of be_history_add. BE_ABSENT, BE_IO as of be_command_start and be_command_wait. */
enum be_status be_live_queue(struct be_history *history, const struct be_job_match *match,
                             struct be_error *error);
/* Adds the names of the partitions that there are (sinfo). BE_ABSENT, BE_IO as above. */
enum be_status be_live_partitions(struct be_idents *names, struct be_error *error);
/* Seconds from now_s until Slurm expects such a job to start there; NAN, and why in `note`,
 * where it does not say. */
double be_live_estimate(const char *partition, const struct be_job_wish *wish, int64_t now_s,
                        char note[BE_NOTE]);

#endif
