/*
 * Kernels around a vendor's eigenvalues, which are computed where the vectors go in the end, and around its singular
 * values, whose matrices and vectors lie in memory of their own.
 *
 * Defined before: ORDER.
 */
#include "kernels/dialect.h"

#define NUMBERS ((LONG)ORDER * ORDER)

/* The matrices [first, first + n) to where their vectors will be: a lane a number. */
KERNEL k_eigen_take(GLOBAL const REAL *a, GLOBAL REAL *vectors, LONG first, LONG n) {
    const LONG e = GROUP(0) * LANES(0) + LANE(0);
    if (e < n * NUMBERS)
        vectors[first * NUMBERS + e] = a[first * NUMBERS + e];
}

/* All of a matrix without an answer is NaN: a group a matrix, as the vendor said of it. */
KERNEL k_eigen_lost(GLOBAL const int *said, GLOBAL REAL *values, GLOBAL REAL *vectors, LONG first) {
    const LONG s = first + GROUP(0);
    const REAL zero = 0;
    if (said[GROUP(0)] != 0) {
        for (LONG i = LANE(0); i < NUMBERS; i += LANES(0))
            vectors[s * NUMBERS + i] = zero / zero;
        for (LONG i = LANE(0); i < ORDER; i += LANES(0))
            values[s * ORDER + i] = zero / zero;
    }
}

/* The matrices [first, first + n) to where they may be spoilt: a lane a number. */
KERNEL k_eigen_svd_take(GLOBAL const REAL *a, GLOBAL REAL *to, LONG first, LONG n) {
    const LONG e = GROUP(0) * LANES(0) + LANE(0);
    if (e < n * NUMBERS)
        to[e] = a[first * NUMBERS + e];
}

/* U and V of a matrix one behind the other, and NaN where it has no answer: a group a matrix. */
KERNEL k_eigen_svd_put(GLOBAL const int *said, GLOBAL const REAL *u, GLOBAL const REAL *v, GLOBAL REAL *values,
                       GLOBAL REAL *vectors, LONG first) {
    const LONG s = first + GROUP(0);
    const REAL zero = 0;
    const int lost = said[GROUP(0)] != 0;
    for (LONG i = LANE(0); i < NUMBERS; i += LANES(0)) {
        vectors[2 * s * NUMBERS + i] = lost ? zero / zero : u[GROUP(0) * NUMBERS + i];
        vectors[(2 * s + 1) * NUMBERS + i] = lost ? zero / zero : v[GROUP(0) * NUMBERS + i];
    }
    for (LONG i = LANE(0); lost && i < ORDER; i += LANES(0))
        values[s * ORDER + i] = zero / zero;
}
