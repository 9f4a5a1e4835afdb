/* For the tests of src/stat: random numbers that are the same on every machine, samples of them. */
#ifndef TESTS_UNIT_NOISE_H
#define TESTS_UNIT_NOISE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "stat/stat.h"

/* splitmix64, in (0, 1) */
static inline double uniform(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

static inline double normal(uint64_t *state) {
    double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(6.283185307179586 * uniform(state));
}

static inline void add(struct be_samples *samples, double value) {
    assert_int_equal(be_samples_add(samples, value, NULL), BE_OK);
}

static inline void add_all(struct be_samples *samples, const double *values, int n) {
    for (int i = 0; i < n; i++) {
        add(samples, values[i]);
    }
}

#endif
