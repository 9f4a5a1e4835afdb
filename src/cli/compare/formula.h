/*
 * A formula of the command line as a computation to compare (expr/expr.h): where it is wrong is shown below it.
 */
#ifndef BE_CLI_COMPARE_FORMULA_H
#define BE_CLI_COMPARE_FORMULA_H

#include "expr/expr.h"

/* Zero-initialise. */
struct be_cli_formula {
    const char *text; /* of --expr; NULL: none was given */
    enum be_expr_reduce reduce;
    struct be_expr *expr;
    const struct be_computation *list[1];
};

/* As options say it. BE_USAGE: twice; no reduction. */
enum be_status be_cli_formula_text(struct be_cli_formula *formula, const char *text,
                                   struct be_error *error);
enum be_status be_cli_formula_reduce(struct be_cli_formula *formula, const char *text,
                                     struct be_error *error);
/* Once all options are read: hands it to `options`, if there is one. BE_USAGE: the text is none; it is on standard error
 * with a caret below it. */
enum be_status be_cli_formula_open(struct be_cli_formula *formula,
                                   struct be_compare_options *options, struct be_error *error);
/* Says on standard error where the CPU's code stays interpreted, and why. */
void be_cli_formula_compile(struct be_cli_formula *formula);
void be_cli_formula_close(struct be_cli_formula *formula);

#endif
