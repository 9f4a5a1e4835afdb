/* Several saved runs of one computation: its time over cores or GPUs, and how much it varies from run to run. */
#ifndef BE_CLI_DECIDE_RUNS_H
#define BE_CLI_DECIDE_RUNS_H

#include "breakeven_decide.h"
#include "decide/scaling.h"

/* Zero-initialise; add runs, then end. */
struct be_cli_runs {
    struct be_scaling_run run[BE_SCALING_RUNS_MAX];
    int runs;
    struct be_scaling scaling;
    bool scales;                /* they were on two numbers of cores or GPUs at least */
    bool varies;                /* one number has several runs: `spread` is known */
    struct be_wait_odds spread; /* a time over the typical one */
};

/* p: cores or GPUs. BE_USAGE: too many. */
enum be_status be_cli_runs_add(struct be_cli_runs *runs, double p, double seconds,
                               struct be_error *error);
enum be_status be_cli_runs_end(struct be_cli_runs *runs, struct be_error *error);

/* Where it scales: by the rule of them all; else the median, whatever p is. */
double be_cli_runs_typical(const struct be_cli_runs *runs, double p);

/* "2 runs on 1 core and 3 on 4"; `one`: "core". */
void be_cli_runs_text(const struct be_cli_runs *runs, const char *one, char *text, size_t capacity);

#endif
