/* How long the jobs of places wait: forecasts from accounting. */
#ifndef BE_CLI_DECIDE_WAITS_H
#define BE_CLI_DECIDE_WAITS_H

#include "breakeven_queue.h"
#include "cli/decide/places.h"

/* Forecasts, one a job; the odds that places point to are theirs. Zero-initialise. */
struct be_cli_waits {
    struct be_forecast *forecast;
    struct be_job_wish *wish;
    int *of; /* which place */
    int jobs;
    double deadline_in_s; /* from the moment that the forecasts hold for; NAN: none */
};

/* Gives each place of a cluster its wait, where the records suffice: that of the partition that the job goes to; where
 * the catalogue knows none, of the one that lets it start first, which the place then names. One accounting is of one
 * cluster: `cluster` is its name. `deadline`: as be_forecast_options takes it, or NULL. */
enum be_status be_cli_waits_make(const struct be_job_input *input, const char *cluster,
                                 const char *deadline, struct be_cli_places *places,
                                 struct be_cli_waits *waits, struct be_error *error);
void be_cli_waits_free(struct be_cli_waits *waits);

#endif
