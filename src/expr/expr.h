/*
 * A formula that a user types becomes a computation of arrays (breakeven_workload.h): "z = pow(x, y) + 0.5*x". Names
 * on the right are inputs, names on the left outputs, a name that is read and then assigned is updated. It does
 * not know how computations are compared.
 *
 * Every value is a real number of the comparison's type, also 1/2 and the result of x < y (0 or 1). The operators are
 * those of C: + - * / % < <= > >= == != && || ! ?: and parentheses. Functions are those of be_expr_function. `i` is
 * the element's index, `n` the size, `pi` the number. Several assignments stand side by side, with ; between. In a
 * reduction, a name that a later assignment to another one reads is no output: it helps.
 */
#ifndef BE_EXPR_EXPR_H
#define BE_EXPR_EXPR_H

#include "breakeven_workload.h"

struct be_expr;

/* Each output is an array, or one value of all elements. */
enum be_expr_reduce { BE_EXPR_EACH, BE_EXPR_SUM, BE_EXPR_MIN, BE_EXPR_MAX };
/* "sum", "min" or "max"; false: it is none of these. */
bool be_expr_reduce_find(const char *name, enum be_expr_reduce *reduce);

/* Where a text is no formula: the column of its first letter that cannot be there, from 0. */
struct be_expr_fault {
    size_t at;
};

/* BE_USAGE: it is no formula; error says what was expected, and *fault where. The text is copied. The CPU's code is
 * interpreted, until be_expr_compile. */
enum be_status be_expr_open(const char *text, enum be_expr_reduce reduce, struct be_expr **opened,
                            struct be_expr_fault *fault, struct be_error *error);
void be_expr_close(struct be_expr *expr); /* accepts NULL */

/* Lasts as long as the formula. */
const struct be_computation *be_expr_computation(const struct be_expr *expr);

/* Makes the CPU's code with the system's compiler ($CC, else cc): one loop, vectors where it can. BE_ABSENT: there is
 * no compiler; BE_IO: it failed, with its words. The interpreted code stays where this fails, and the
 * computation's title says so. */
enum be_status be_expr_compile(struct be_expr *expr, struct be_error *error);

/* The names of the functions there are, with blanks between. */
const char *be_expr_functions(char text[BE_NOTE]);

#endif
