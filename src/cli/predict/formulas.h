/* Formulas of a computation as they are typed, and their values at a size. */
#ifndef BE_CLI_PREDICT_FORMULAS_H
#define BE_CLI_PREDICT_FORMULAS_H

#include "breakeven_predict.h"
#include "expr/scalar.h"

/* Each is a formula of n, and says one number of struct be_predict_work. */
enum be_cli_formula_of {
    BE_CLI_FLOPS,
    BE_CLI_BYTES,
    BE_CLI_CHAIN,
    BE_CLI_ONCE,
    BE_CLI_EACH,
    BE_CLI_MEMORY,
    BE_CLI_CALLS,
    BE_CLI_LAUNCHES,
    BE_CLI_BATCH,
    BE_CLI_M, /* of a product of matrices, as the next two */
    BE_CLI_N,
    BE_CLI_K,
    BE_CLI_FORMULAS
};

struct be_cli_formulas {
    const char *text[BE_CLI_FORMULAS]; /* NULL: not said */
    struct be_scalar *value[BE_CLI_FORMULAS];
    const char *type;             /* of the numbers, as it was said; NULL: not */
    bool all_in_chain;            /* every operation of an item waits for the one before */
    struct be_predict_work flags; /* the rest of the work, which is the same at each size */
};

/* "M,N,K" into its three formulas, in place. BE_USAGE: they are not three. */
enum be_status be_cli_formulas_matmul(struct be_cli_formulas *formulas, char *text,
                                      struct be_error *error);

/* Understands all that are said. A fault is shown under the formula, on standard error. Zero-initialise; close accepts
 * what open left. */
enum be_status be_cli_formulas_open(struct be_cli_formulas *formulas, struct be_error *error);
void be_cli_formulas_close(struct be_cli_formulas *formulas);

/* "--flops" */
const char *be_cli_formulas_option(int formula);

/* The option of a formula in which n stands; NULL: none has it. */
const char *be_cli_formulas_of_n(const struct be_cli_formulas *formulas);

/* BE_USAGE: a formula has no value there, or not one that makes sense. */
enum be_status be_cli_formulas_at(const struct be_cli_formulas *formulas, double n,
                                  struct be_predict_work *work, struct be_error *error);

/* The same for be_worth; `context` is the formulas. Where there is no value there is nothing to do. */
void be_cli_formulas_work(void *context, double n, struct be_predict_work *work);

#endif
