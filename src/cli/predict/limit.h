/* The stop-loss limit of rates that are typed. */
#ifndef BE_CLI_PREDICT_LIMIT_H
#define BE_CLI_PREDICT_LIMIT_H

#include "breakeven_predict.h"
#include "cli/common/output.h"

/* Writes the limit of "CPU,GPU,BUS" to where it is asked for. BE_USAGE: they are not three rates. */
enum be_status be_cli_limit_print(const char *rates, double value_bytes,
                                  struct be_cli_outputs *outputs, struct be_error *error);

#endif
