/* For plain_simd.c, once for each type: REAL, FUSED and NAME(x), which is x32 or x64. No guard: it is meant to be
 * included twice. */
#include "workload/steps/step.h"

/* A chain where its numbers are now, after `words` random words. */
INLINE struct NAME(chain) NAME(chain_at)(enum be_steps_map map, const REAL *at, REAL parameter,
                                         size_t number, uint32_t words) {
    struct NAME(chain) c = {.x = at[0], .parameter = parameter};
    if (map == BE_STEPS_LORENZ) {
        c.y = at[1];
        c.z = at[2];
    } else if (map == BE_STEPS_METROPOLIS) {
        c.y = NAME(rarity)(c.x);
        NAME(seed)(&c, (uint32_t)number, words);
    }
    return c;
}

INLINE void NAME(keep)(enum be_steps_map map, const struct NAME(chain) * c, REAL *at) {
    at[0] = c->x;
    if (map == BE_STEPS_LORENZ) {
        at[1] = c->y;
        at[2] = c->z;
    }
}

INLINE void NAME(step)(enum be_steps_map map, struct NAME(chain) * c) {
    if (map == BE_STEPS_LOGISTIC) {
        NAME(logistic)(c);
    } else if (map == BE_STEPS_LORENZ) {
        NAME(lorenz)(c);
    } else {
        NAME(metropolis)(c);
    }
}

/* `map` and `values` are constants where this is called: each is a loop of its own. */
INLINE void NAME(alone_of)(enum be_steps_map map, size_t values,
                           const struct be_steps_chains *chains, uint64_t steps) {
    const REAL *start = (const REAL *)chains->start + chains->first * values;
    const REAL *parameter = (const REAL *)chains->parameter + chains->first;
    REAL *end = (REAL *)chains->end + chains->first * values;
    for (size_t i = 0; i < chains->n; i++) {
        struct NAME(chain) c = NAME(chain_at)(map, start + i * values, parameter[i],
                                              (chains->first + i) % chains->all, 0);
        for (uint64_t k = 0; k < steps; k++) {
            NAME(step)(map, &c);
        }
        NAME(keep)(map, &c, end + i * values);
    }
}

INLINE void NAME(pass_of)(enum be_steps_map map, size_t values,
                          const struct be_steps_chains *chains, uint64_t step) {
    const REAL *parameter = (const REAL *)chains->parameter + chains->first;
    REAL *end = (REAL *)chains->end + chains->first * values;
    const uint32_t words = (uint32_t)(2 * step);
    const size_t all = chains->all;
    size_t number = chains->first % all;
    for (size_t i = 0; i < chains->n;) {
        const size_t rest = chains->n - i < all - number ? chains->n - i : all - number;
#pragma omp simd
        for (size_t j = 0; j < rest; j++) {
            REAL *at = end + (i + j) * values;
            struct NAME(chain) c = NAME(chain_at)(map, at, parameter[i + j], number + j, words);
            NAME(step)(map, &c);
            NAME(keep)(map, &c, at);
        }
        i += rest;
        number = 0;
    }
}

static void NAME(alone)(const struct be_steps_chains *chains, uint64_t steps) {
    if (chains->map == BE_STEPS_LOGISTIC) {
        NAME(alone_of)(BE_STEPS_LOGISTIC, 1, chains, steps);
    } else if (chains->map == BE_STEPS_LORENZ) {
        NAME(alone_of)(BE_STEPS_LORENZ, 3, chains, steps);
    } else {
        NAME(alone_of)(BE_STEPS_METROPOLIS, 1, chains, steps);
    }
}

static void NAME(pass)(const struct be_steps_chains *chains, uint64_t step) {
    if (chains->map == BE_STEPS_LOGISTIC) {
        NAME(pass_of)(BE_STEPS_LOGISTIC, 1, chains, step);
    } else if (chains->map == BE_STEPS_LORENZ) {
        NAME(pass_of)(BE_STEPS_LORENZ, 3, chains, step);
    } else {
        NAME(pass_of)(BE_STEPS_METROPOLIS, 1, chains, step);
    }
}
