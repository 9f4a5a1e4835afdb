/*
 * A formula of the size n becomes a number: "2*n^3". Operators and functions are those of expr.h; n is the only name.
 */
#ifndef BE_EXPR_SCALAR_H
#define BE_EXPR_SCALAR_H

#include "expr/expr.h"

struct be_scalar;

/* BE_USAGE: it is no formula of n; error says what was expected, and *fault where. The text is copied. */
enum be_status be_scalar_open(const char *text, struct be_scalar **opened,
                              struct be_expr_fault *fault, struct be_error *error);
void be_scalar_close(struct be_scalar *scalar); /* accepts NULL */

/* In double precision. Not finite: it overflows, divides by zero or has no value at this n. */
double be_scalar_value(const struct be_scalar *scalar, double n);

#endif
