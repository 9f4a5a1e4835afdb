/*
 * A call that is passed on: what happens before it and after it. The wrappers (wrappers.c) know the functions'
 * parameters; this does not.
 */
#ifndef INJECT_MATH_CALL_H
#define INJECT_MATH_CALL_H

#include "operands.h"
#include "site.h"

struct call {
    struct be_call_entry *entry; /* NULL: it is not recorded */
    bool outer;                  /* it is not called by another call */
    uint64_t weight;             /* calls that it stands for; 0: it is not looked at */
    uint64_t start_ns;
    struct operation operation;
    bool transforms; /* the operands are these, not those of the operation */
    struct array in, out;
};

/* The function to call. `argument`: those that are no floating-point numbers, in their order; must live until the call
 * ends. `frame`, `caller`: of the wrapper. */
function call_begin(struct site *site, const uint64_t *argument, double alpha, double beta,
                    const void *frame, const void *caller, struct call *call)
    __attribute__((visibility("hidden")));
/* The same of a function that is no operation with matrices; its shape and operands. */
function call_begin_transform(struct site *site, const struct be_call_entry *shape,
                              const struct array *in, const struct array *out, const void *frame,
                              const void *caller, struct call *call)
    __attribute__((visibility("hidden")));
void call_end(struct call *call) __attribute__((visibility("hidden")));

#endif
