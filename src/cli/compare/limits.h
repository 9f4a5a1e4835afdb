/* The profiles that a comparison takes the limits of the hardware from: the one that was asked for, or all that are kept. */
#ifndef BE_CLI_COMPARE_LIMITS_H
#define BE_CLI_COMPARE_LIMITS_H

#include "breakeven.h"
#include "breakeven_profile.h"
#include "report/store.h"

struct be_cli_limits {
    struct be_store store;
    struct be_profile one;
    const struct be_profile *list[BE_LIST_MAX];
};

/* Into the options' profiles, which point into *limits. machine: a name or a file; "none": no profile; NULL: all. */
enum be_status be_cli_limits_open(const char *machine, struct be_compare_options *options,
                                  struct be_cli_limits *limits, struct be_error *error);
void be_cli_limits_close(struct be_cli_limits *limits); /* accepts a zeroed one */

#endif
