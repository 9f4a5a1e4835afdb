/* The place in a formula where it is wrong, shown to the person who typed it. */
#ifndef BE_CLI_COMMON_CARET_H
#define BE_CLI_COMMON_CARET_H

#include <stddef.h>

#include "question/formulas.h"

/* Prints the text on standard error and a caret below its letter `at`. */
void be_cli_caret(const char *text, size_t at);

/* be_formulas_open of options; a fault is shown. */
enum be_status be_cli_formulas_open(struct be_formulas *formulas, struct be_error *error);

#endif
