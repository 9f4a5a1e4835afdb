/*
 * A site is one name under which a function of BLAS or LAPACK may be called, such as `scipy_cblas_dgemm64_`. This file
 * says where its arguments are, and which function the program would have called. It counts nothing.
 */
#ifndef INJECT_MATH_SITE_H
#define INJECT_MATH_SITE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "observe/calls/call_list.h"

enum { OPERANDS = 3, NOWHERE = 255 };
enum style { STYLE_FORTRAN, STYLE_CBLAS };

struct operand {
    uint8_t at, leading;   /* arguments: its address and its leading dimension */
    uint8_t rows, columns; /* argument of the dimension; NOWHERE: that of the side */
    uint8_t swapped;       /* argument that says so; NOWHERE: never */
    uint8_t factor; /* argument: at 0 what is written is not read; NOWHERE: none, or a number */
    bool read, written;
};

/* Places of arguments; NOWHERE: the function has none, or it is a number and no word. */
struct plan {
    uint8_t m, n, k, side, vectors, length;
    uint8_t alpha;
    bool alpha_number, beta_number; /* a number that the function takes by value */
    bool alpha_real, beta_real;     /* of the real type in complex functions too */
    bool beta;                      /* there is a factor of what is written */
    bool plain;                     /* its dimensions are arguments, and all of its calls compute */
    uint8_t operands, result;       /* result: the last operand that is written; NOWHERE: none */
    struct operand operand[OPERANDS];
};

typedef void (*function)(void);

/* The function for callers within [low, high). */
struct bound {
    uintptr_t low, high;
    function real;
    unsigned epoch;
    struct bound *next;
};

struct site {
    const char *symbol;
    uint8_t number; /* enum be_call_function */
    char type;
    uint8_t style;
    bool wide; /* integers have 64 bits */
    _Atomic(const struct plan *) plan;
    _Atomic(struct bound *) bound;
};

/* Grows when a library was unloaded: what was found before may be gone. */
extern _Atomic unsigned site_epoch __attribute__((visibility("hidden")));

/* *bound: where it is kept; NULL: nowhere. */
function site_find(struct site *site, uintptr_t caller, const struct bound **kept);

/* The function that the program would have called without us; NULL: there is none. *kept: for which callers, and how
 * long; NULL: for this call only. */
static inline function site_real(struct site *site, uintptr_t caller, const struct bound **kept) {
    unsigned epoch = atomic_load_explicit(&site_epoch, memory_order_relaxed);
    const struct bound *bound = atomic_load_explicit(&site->bound, memory_order_acquire);
    for (; bound; bound = bound->next) {
        if (caller >= bound->low && caller < bound->high && bound->epoch == epoch) {
            *kept = bound;
            return bound->real;
        }
    }
    return site_find(site, caller, kept);
}

/* NULL: no memory is left. */
const struct plan *site_plan(struct site *site);

static inline int64_t site_integer(const struct site *site, uint64_t argument) {
    if (site->style == STYLE_FORTRAN) {
        return site->wide ? *(const int64_t *)argument : *(const int32_t *)argument;
    }
    return site->wide ? (int64_t)argument : (int32_t)argument;
}

#endif
