/*
 * Arrays whose type is only known when the program runs: numbers in and out of them, one at a time.
 * For filling and checking; not for speed.
 */
#ifndef BE_WORKLOAD_NUMBERS_H
#define BE_WORKLOAD_NUMBERS_H

#include "base/random.h"
#include "workload/workload.h"

static inline double be_number(enum be_real real, const void *array, size_t i) {
    const double *wide = array;
    const float *narrow = array;
    return real == BE_REAL64 ? wide[i] : (double)narrow[i];
}

static inline void be_number_set(enum be_real real, void *array, size_t i, double value) {
    double *wide = array;
    float *narrow = array;
    if (real == BE_REAL64) {
        wide[i] = value;
    } else {
        narrow[i] = (float)value;
    }
}

/* Uniform in [0, 1) with all the bits that the type has there. */
static inline double be_number_random(enum be_real real, uint64_t seed, uint64_t index) {
    return real == BE_REAL64 ? (double)(be_random_bits(seed, index) >> 11) * 0x1p-53
                             : (double)be_random_float(seed, index);
}

/* Half the distance from 1 to the next number: what one rounding can do, relatively. */
static inline double be_number_unit(enum be_real real) {
    return real == BE_REAL64 ? 0x1p-53 : 0x1p-24;
}

/* One number of a result, and what is right, added to what struct be_workload's `residual` sums up. */
static inline void be_number_compare(double got, double right, double *difference, double *norm) {
    *difference += (got - right) * (got - right);
    *norm += right * right;
}

#endif
