/*
 * Steps of maps: a lane computes a chain, or one step of it. MAP and VALUES stand before this source.
 */
#include "kernels/dialect.h"

#define NAME(name) name
#define NUMBER REAL
#define WORD unsigned int
#define EACH(x) (x)
#define FUSED(a, b, c) REAL_FMA(a, b, c)
#define FROM(word) ((REAL)(int)((word) >> 8))
#define LESS(a, b, x, y) ((a) < (b) ? (x) : (y))
#define INLINE DEVICE

#include "workload/steps/step.h"

/* MAP is one of the maps' names: STEP(MAP) is its function. */
#define STEP MAP

/* A chain where its numbers are, after `words` random words. */
DEVICE void enter(struct chain *c, GLOBAL const REAL *at, REAL parameter, LONG number,
                  unsigned int words) {
    c->x = at[0];
    c->y = VALUES > 1 ? at[1 % VALUES] : rarity(at[0]);
    c->z = at[2 % VALUES];
    c->parameter = parameter;
    seed(c, (unsigned int)number, words);
}

DEVICE void leave(const struct chain *c, GLOBAL REAL *at) {
    at[0] = c->x;
    if (VALUES > 1) {
        at[1 % VALUES] = c->y;
        at[2 % VALUES] = c->z;
    }
}

/* All steps of chains first .. first + n - 1, a lane a chain; `all` chains are a problem. */
KERNEL k_steps(GLOBAL const REAL *start, GLOBAL const REAL *parameter, GLOBAL REAL *end, LONG steps,
               LONG first, LONG n, LONG all) {
    LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < n) {
        struct chain c;
        enter(&c, start + (first + i) * VALUES, parameter[first + i], (first + i) % all, 0u);
        UNROLL_BY(8)
        for (LONG k = 0; k < steps; k++)
            STEP(&c);
        leave(&c, end + (first + i) * VALUES);
    }
}

/* Step number `step` of the same chains, from where `from` has them. */
KERNEL k_step(GLOBAL const REAL *from, GLOBAL const REAL *parameter, GLOBAL REAL *end, LONG step,
              LONG first, LONG n, LONG all) {
    LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < n) {
        struct chain c;
        enter(&c, from + (first + i) * VALUES, parameter[first + i], (first + i) % all,
              (unsigned int)(2 * step));
        STEP(&c);
        leave(&c, end + (first + i) * VALUES);
    }
}
