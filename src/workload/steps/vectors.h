/* For simd.c, once for each type: REAL, and NAME(x), which is x32 or x64. No guard: it is meant to be included
 * twice. */
#include "workload/steps/step.h"

/* ---- chains in and out of vectors ------------------------------------------------------------ */

/* The chains of a vector, `at` and those behind it; behind the last one the last one is computed again. */
static void NAME(enter)(const struct be_steps_chains *chains, size_t at, struct NAME(chain) * c) {
    const size_t values = chains->values;
    const REAL *start = (const REAL *)chains->start + chains->first * values;
    const REAL *parameter = (const REAL *)chains->parameter + chains->first;
    REAL value[BE_STEPS_VALUES][NAME(lanes)] = {{0}};
    REAL parameters[NAME(lanes)];
    uint32_t number[NAME(lanes)];
    for (size_t lane = 0; lane < NAME(lanes); lane++) {
        const size_t i = at + lane < chains->n ? at + lane : chains->n - 1;
        for (size_t k = 0; k < values; k++) {
            value[k][lane] = start[i * values + k];
        }
        parameters[lane] = parameter[i];
        number[lane] = (uint32_t)((chains->first + i) % chains->all);
    }
    WORD numbers;
    memcpy(&numbers, number, sizeof numbers);
    c->x = NAME(load)(value[0]);
    c->y = NAME(load)(value[1]);
    c->z = NAME(load)(value[2]);
    c->parameter = NAME(load)(parameters);
    if (chains->map == BE_STEPS_METROPOLIS) {
        c->y = NAME(rarity)(c->x);
        NAME(seed)(c, numbers, (WORD){0});
    }
}

static void NAME(leave)(const struct be_steps_chains *chains, size_t at,
                        const struct NAME(chain) * c) {
    const size_t values = chains->values;
    REAL *end = (REAL *)chains->end + (chains->first + at) * values;
    REAL value[BE_STEPS_VALUES][NAME(lanes)];
    NAME(store)(value[0], c->x);
    NAME(store)(value[1], c->y);
    NAME(store)(value[2], c->z);
    for (size_t lane = 0; lane < NAME(lanes) && at + lane < chains->n; lane++) {
        for (size_t k = 0; k < values; k++) {
            end[lane * values + k] = value[k][lane];
        }
    }
}

/* ---- steps of several vectors ----------------------------------------------------------------- */

/* `several` is a constant where this is called: the states are registers. */
#define BLOCK(map, several)                                                                        \
    static void NAME(JOIN3(map, _, several))(const struct be_steps_chains *chains, size_t at,      \
                                             uint64_t steps) {                                     \
        struct NAME(chain) c[several];                                                             \
        for (size_t j = 0; j < (several); j++) {                                                   \
            NAME(enter)(chains, at + j * NAME(lanes), &c[j]);                                      \
        }                                                                                          \
        for (uint64_t k = 0; k < steps; k++) {                                                     \
            _Pragma("GCC unroll 8") for (size_t j = 0; j < (several); j++) {                       \
                NAME(map)(&c[j]);                                                                  \
            }                                                                                      \
        }                                                                                          \
        for (size_t j = 0; j < (several); j++) {                                                   \
            NAME(leave)(chains, at + j * NAME(lanes), &c[j]);                                      \
        }                                                                                          \
    }

BLOCK(logistic, 1)
BLOCK(logistic, 2)
BLOCK(logistic, 3)
BLOCK(logistic, 4)
BLOCK(logistic, 5)
BLOCK(logistic, 6)
BLOCK(logistic, 7)
BLOCK(logistic, 8)
BLOCK(lorenz, 1)
BLOCK(lorenz, 2)
BLOCK(metropolis, 1)
BLOCK(metropolis, 2)
BLOCK(metropolis, 3)
BLOCK(metropolis, 4)
#undef BLOCK

typedef void NAME(block)(const struct be_steps_chains *chains, size_t at, uint64_t steps);

#define ENTRY(map, several) NAME(JOIN3(map, _, several))
static NAME(block) *const NAME(blocks)[BE_STEPS_MAPS][MOST] = {
    [BE_STEPS_LOGISTIC] = {ENTRY(logistic, 1), ENTRY(logistic, 2), ENTRY(logistic, 3),
                           ENTRY(logistic, 4), ENTRY(logistic, 5), ENTRY(logistic, 6),
                           ENTRY(logistic, 7), ENTRY(logistic, 8)},
    [BE_STEPS_LORENZ] = {ENTRY(lorenz, 1), ENTRY(lorenz, 2)},
    [BE_STEPS_METROPOLIS] = {ENTRY(metropolis, 1), ENTRY(metropolis, 2), ENTRY(metropolis, 3),
                             ENTRY(metropolis, 4)},
};
#undef ENTRY

/* Blocks of vectors of nearly the same size: one of a single vector takes nearly as long as a full one. */
static void NAME(vectors)(const struct be_steps_chains *chains, uint64_t steps) {
    const size_t vectors = (chains->n + NAME(lanes) - 1) / NAME(lanes);
    const size_t blocks = (vectors + most_of[chains->map] - 1) / most_of[chains->map];
    for (size_t b = 0; b < blocks; b++) {
        const size_t first = vectors * b / blocks;
        const size_t end = vectors * (b + 1) / blocks;
        NAME(blocks)[chains->map][end - first - 1](chains, first * NAME(lanes), steps);
    }
}
