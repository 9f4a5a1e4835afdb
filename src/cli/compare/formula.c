#include "cli/compare/formula.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/common/caret.h"
#include "cli/common/terminal.h"

enum be_status be_cli_formula_text(struct be_cli_formula *formula, const char *text,
                                   struct be_error *error) {
    if (formula->text) {
        return be_fail(error, BE_USAGE,
                       "--expr: given twice; several assignments are one formula: 'y = 2*x; z = "
                       "y*y'");
    }
    formula->text = text;
    return BE_OK;
}

enum be_status be_cli_formula_reduce(struct be_cli_formula *formula, const char *text,
                                     struct be_error *error) {
    return be_expr_reduce_find(text, &formula->reduce)
               ? BE_OK
               : be_fail(error, BE_USAGE, "--reduce %.60s: there are sum, min and max", text);
}

enum be_status be_cli_formula_open(struct be_cli_formula *formula,
                                   struct be_compare_options *options, struct be_error *error) {
    struct be_expr_fault fault;
    struct be_error why = {0};
    if (!formula->text) {
        return !formula->reduce
                   ? BE_OK
                   : be_fail(error, BE_USAGE,
                             "--reduce: one value of which formula? --expr says it; sums of an "
                             "array are the workload reduce");
    }
    enum be_status status =
        be_expr_open(formula->text, formula->reduce, &formula->expr, &fault, &why);
    if (status != BE_OK) {
        be_cli_caret(formula->text, fault.at);
        return be_fail(error, status, "--expr: %s", why.text);
    }
    formula->list[0] = be_expr_computation(formula->expr);
    options->own = formula->list;
    options->owns = 1;
    if (options->workloads == BE_LIST_MAX) {
        return be_fail(error, BE_USAGE, "at most %d workloads", (int)BE_LIST_MAX);
    }
    if (options->workloads > 0) { /* where workloads are named, it is one of them */
        options->workload[options->workloads++] = formula->list[0]->name;
    }
    return BE_OK;
}

void be_cli_formula_compile(struct be_cli_formula *formula) {
    struct be_error why = {0};
    if (formula->expr && be_expr_compile(formula->expr, &why) != BE_OK &&
        !be_cli_interrupted(NULL)) { /* else the compiler was ended too */
        fprintf(stderr,
                "breakeven: the formula is interpreted on the CPU, which a compiled loop beats by "
                "far: the break-even is too early\n  (%s)\n",
                why.text);
    }
}

void be_cli_formula_close(struct be_cli_formula *formula) {
    be_expr_close(formula->expr);
    formula->expr = NULL;
}
