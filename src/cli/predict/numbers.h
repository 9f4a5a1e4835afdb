/* The options that describe a computation by numbers, the same in each command that takes them. */
#ifndef BE_CLI_PREDICT_NUMBERS_H
#define BE_CLI_PREDICT_NUMBERS_H

#include <argp.h>

#include "question/formulas.h"

/* Appends them to `option`, which has room for `capacity` in all and ends with a zeroed one; `group`: of --help. Their keys
 * are between BE_CLI_NUMBERS and BE_CLI_PARAMETER. */
enum { BE_CLI_NUMBERS = 600 };
void be_cli_numbers_options(struct argp_option *option, int capacity, int group);

/* Takes the value of such an option; false: the key is none of theirs. A value that cannot be is said in `error`. */
bool be_cli_numbers_set(struct be_formulas *formulas, int key, char *text, struct be_error *error);

#endif
