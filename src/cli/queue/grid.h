/* The jobs of a forecast, from options that may each have several values: --cpus 1,4,16 --time 1:00:00,8:00:00 is six
 * jobs. */
#ifndef BE_CLI_QUEUE_GRID_H
#define BE_CLI_QUEUE_GRID_H

#include "breakeven_queue.h"
#include "cli/queue/values.h"

enum { BE_GRID_VALUES = 16, BE_GRID_JOBS = 64 };

struct be_cli_grid {
    double value[BE_WISHES][BE_GRID_VALUES];
    int values[BE_WISHES]; /* 0: not said */
};

/* The option's values, with commas between them, in the place of those that it had. BE_USAGE: one of them is wrong, or there
 * are too many. */
enum be_status be_cli_grid_set(struct be_cli_grid *grid, enum be_cli_wish what, const char *text,
                               struct be_error *error);
/* Every combination, each of the user and account of `like`; *jobs at least 1. BE_USAGE: above BE_GRID_JOBS. */
enum be_status be_cli_grid_jobs(const struct be_cli_grid *grid, const struct be_job_wish *like,
                                struct be_job_wish job[BE_GRID_JOBS], int *jobs,
                                struct be_error *error);

#endif
