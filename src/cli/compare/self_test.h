/*
 * Each device's case against itself (--self-test): can this machine be measured at all?
 */
#ifndef BE_CLI_COMPARE_SELF_TEST_H
#define BE_CLI_COMPARE_SELF_TEST_H

#include "cli/common/output.h"

/* Prints the answer and returns the program's exit code. Files asked for in `outputs` are a fault. */
int be_cli_self_test(const struct be_compare_options *options, const struct be_cli_outputs *outputs,
                     int pairs, struct be_error *error);

#endif
