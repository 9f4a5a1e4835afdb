/*
 * A formula of the command line as a computation to compare (expr/expr.h): where it is wrong is shown below it.
 */
#ifndef BE_CLI_COMPARE_FORMULA_H
#define BE_CLI_COMPARE_FORMULA_H

#include "expr/expr.h"

/* Zero-initialise. */
struct be_cli_formula {
    struct be_expr *expr; /* NULL: none was given */
    const struct be_computation *list[1];
};

/* Hands it to `options`. BE_USAGE: it is none; the text with a caret below it is on standard error. */
enum be_status be_cli_formula_open(struct be_cli_formula *formula, const char *text,
                                   struct be_compare_options *options, struct be_error *error);
/* Where workloads are named, it is one of them. */
void be_cli_formula_beside(const struct be_cli_formula *formula,
                           struct be_compare_options *options);
/* Says on standard error where the CPU's code stays interpreted, and why. */
void be_cli_formula_compile(struct be_cli_formula *formula);
void be_cli_formula_close(struct be_cli_formula *formula);

#endif
