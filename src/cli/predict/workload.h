/* From a built-in workload that is asked about to a table of predictions: its sizes, and what is known of each machine. */
#ifndef BE_CLI_PREDICT_WORKLOAD_H
#define BE_CLI_PREDICT_WORKLOAD_H

#include "question/table.h"

/* The text of a formula's option becomes the value of the workload's parameter of the same name. BE_USAGE: the workload has
 * none, and says such numbers itself. */
enum be_status be_cli_workload_take(struct be_formulas *formulas,
                                    struct be_compare_options *options, struct be_error *error);

/* As be_table_make; a table for each machine and placement. */
enum be_status be_cli_workload_make(const struct be_table_asked *asked,
                                    const struct be_compare_options *options,
                                    struct be_table *prediction, struct be_error *error);

#endif
