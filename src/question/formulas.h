/* Formulas of a computation, and their values at a size. */
#ifndef BE_QUESTION_FORMULAS_H
#define BE_QUESTION_FORMULAS_H

#include "breakeven_predict.h"
#include "expr/scalar.h"

/* Each is a formula of n, and says one number of struct be_predict_work. */
enum be_formula_of {
    BE_FORMULA_FLOPS,
    BE_FORMULA_BYTES,
    BE_FORMULA_CHAIN,
    BE_FORMULA_ONCE,
    BE_FORMULA_EACH,
    BE_FORMULA_MEMORY,
    BE_FORMULA_CALLS,
    BE_FORMULA_LAUNCHES,
    BE_FORMULA_BATCH,
    BE_FORMULA_M, /* of a product of matrices, as the next two */
    BE_FORMULA_N,
    BE_FORMULA_K,
    BE_FORMULA_FACTOR_M, /* of a factorisation, as the next one */
    BE_FORMULA_FACTOR_N,
    BE_FORMULA_ITEMS, /* of irregular work, as the next one */
    BE_FORMULA_WIDTH,
    BE_FORMULAS
};

struct be_formulas {
    const char *text[BE_FORMULAS]; /* NULL: not said */
    struct be_scalar *value[BE_FORMULAS];
    const char *type;             /* of the numbers, as it was said; NULL: not */
    bool typed;                   /* as options: messages have their dashes */
    bool all_in_chain;            /* every operation of an item waits for the one before */
    struct be_predict_work flags; /* the rest of the work, which is the same at each size */
};

/* "M,N,K" into its three formulas, in place. BE_USAGE: they are not three. */
enum be_status be_formulas_matmul(struct be_formulas *formulas, char *text, struct be_error *error);

/* "svd,M" or "svd,M,N" into its word and formulas, in place. BE_USAGE: there is no such word, or no number. */
enum be_status be_formulas_factor(struct be_formulas *formulas, char *text, struct be_error *error);

/* "hash,N" or "hash,N,WIDTH" likewise. */
enum be_status be_formulas_irregular(struct be_formulas *formulas, char *text,
                                     struct be_error *error);

/* "numpy". BE_USAGE: there is no such framework. */
enum be_status be_formulas_framework(struct be_formulas *formulas, const char *word,
                                     struct be_error *error);

/* The letter of a formula at which it is wrong; text NULL: none is. */
struct be_formulas_fault {
    const char *text;
    size_t at;
};

/* Understands all that are said. Zero-initialise; close accepts what open left. BE_USAGE: *fault says where. */
enum be_status be_formulas_open(struct be_formulas *formulas, struct be_formulas_fault *fault,
                                struct be_error *error);
void be_formulas_close(struct be_formulas *formulas);

/* Is it said what there is to do? */
bool be_formulas_say_work(const struct be_formulas *formulas);

/* BE_USAGE: two of them say the same, or one needs another. */
enum be_status be_formulas_check(const struct be_formulas *formulas, struct be_error *error);

/* "flops" */
const char *be_formulas_name(int formula);

/* The name of a formula in which n stands; NULL: none has it. */
const char *be_formulas_of_n(const struct be_formulas *formulas);

/* BE_USAGE: a formula has no value there, or not one that makes sense. */
enum be_status be_formulas_at(const struct be_formulas *formulas, double n,
                              struct be_predict_work *work, struct be_error *error);

/* The same for be_worth; `context` is the formulas. Where there is no value there is nothing to do. */
void be_formulas_work(void *context, double n, struct be_predict_work *work);

#endif
