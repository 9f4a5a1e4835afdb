/* Parameters of workloads as options: what there is comes from the library. */
#ifndef BE_CLI_COMMON_PARAMETERS_H
#define BE_CLI_COMMON_PARAMETERS_H

#include <argp.h>
#include "breakeven.h"

/* Appends an option for each parameter that any workload has to `option`, which has room for
 * `room` in all and ends with a zeroed one, keys from BE_CLI_PARAMETER on. */
enum { BE_CLI_PARAMETER = 1000 };
void be_cli_parameter_options(struct argp_option *option, int capacity);
/* Which workloads have it and what it is, for --help; to be freed, NULL: no memory. */
char *be_cli_parameter_help(const char *parameter);
/* The value of such an option; `name`: the option's. */
enum be_status be_cli_parameter(const char *name, const char *text,
                                struct be_compare_options *options, struct be_error *error);

#endif
