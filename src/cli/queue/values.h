/* Values of the options of `breakeven queue`, from text: each returns BE_USAGE with what is wrong and what is right. */
#ifndef BE_CLI_QUEUE_VALUES_H
#define BE_CLI_QUEUE_VALUES_H

#include "breakeven_queue.h"

/* "4,4,4": first edge, factor, how many. */
enum be_status be_cli_queue_bins(const char *text, struct be_wait_options *options,
                                 struct be_error *error);
/* "0.9" */
enum be_status be_cli_queue_quantile(const char *text, double *quantile, struct be_error *error);
/* A share; NULL: the usual one. */
enum be_status be_cli_queue_evaluate(const char *text, double *share, struct be_error *error);
/* Days, into seconds. */
enum be_status be_cli_queue_page(const char *text, double *seconds, struct be_error *error);

/* The job of a forecast: its processors, memory, time. */
enum be_cli_wish { BE_WISH_CPUS, BE_WISH_GPUS, BE_WISH_MEMORY, BE_WISH_LIMIT, BE_WISHES };
enum be_status be_cli_queue_wish(enum be_cli_wish what, const char *text, struct be_job_wish *wish,
                                 struct be_error *error);

#endif
