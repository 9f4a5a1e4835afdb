/* Names of files with a part for each rank: "report-%j-%r.txt". */
#ifndef BE_CLI_RUN_PATTERN_H
#define BE_CLI_RUN_PATTERN_H

#include "cli/run/report.h"

/*
 * %h host, %p our process number, %r rank (0: none of several), %j number of the batch job (0: none), %% a percent
 * sign. `option`: whose name it is, for errors. Several ranks that would all write one file are warned of, once.
 */
enum be_status be_run_pattern(const char *option, const char *pattern, char path[BE_RUN_PATH],
                              struct be_error *error);

#endif
