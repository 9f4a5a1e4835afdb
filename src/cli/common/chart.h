/* `--chart` without a file. */
#ifndef BE_CLI_COMMON_CHART_H
#define BE_CLI_COMMON_CHART_H

#include "cli/common/output.h"

/* Prints the chart of a comparison as text, where that is asked for. */
enum be_status be_cli_chart_print(const struct be_cli_outputs *outputs,
                                  const struct be_comparison *comparison, struct be_error *error);

#endif
