/* How the program ends after a comparison. */
#ifndef BE_CLI_COMPARE_OUTCOME_H
#define BE_CLI_COMPARE_OUTCOME_H

#include "breakeven.h"

/* The exit code of a comparison that was written. */
int be_cli_compare_outcome(const struct be_compare_options *options,
                           const struct be_comparison *comparison);

#endif
