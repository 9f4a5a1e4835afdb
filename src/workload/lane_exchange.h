/*
 * A template: included once for each REAL, so without a guard, where NAME(x), VEC, LANES, INLINE and
 * EXCHANGED_REAL are defined (workload/solve/lanes.h, workload/eigen/simd.c).
 *
 * Numbers of several systems, one system in each lane of a vector: from memory, where each system lies by itself,
 * into vectors and back. It knows nothing of what the numbers mean.
 */
INLINE VEC NAME(upper)(VEC a, VEC b, const size_t half) {
    return half == 8   ? NAME(EXCHANGED)(UPPER, a, b, 8)
           : half == 4 ? NAME(EXCHANGED)(UPPER, a, b, 4)
           : half == 2 ? NAME(EXCHANGED)(UPPER, a, b, 2)
                       : NAME(EXCHANGED)(UPPER, a, b, 1);
}

INLINE VEC NAME(lower)(VEC a, VEC b, const size_t half) {
    return half == 8   ? NAME(EXCHANGED)(LOWER, a, b, 8)
           : half == 4 ? NAME(EXCHANGED)(LOWER, a, b, 4)
           : half == 2 ? NAME(EXCHANGED)(LOWER, a, b, 2)
                       : NAME(EXCHANGED)(LOWER, a, b, 1);
}

/* Squares of half x half numbers off the diagonal change places. */
INLINE void NAME(exchange)(VEC r[LANES], const size_t half) {
#pragma GCC unroll 16
    for (size_t i = 0; i < LANES; i++) {
        if (!(i & half)) {
            const VEC a = r[i];
            const VEC b = r[i + half];
            r[i] = NAME(upper)(a, b, half);
            r[i + half] = NAME(lower)(a, b, half);
        }
    }
}

/* Rows and lanes change places. */
INLINE void NAME(transpose)(VEC r[LANES]) {
    if (LANES > 8) {
        NAME(exchange)(r, 8);
    }
    if (LANES > 4) {
        NAME(exchange)(r, 4);
    }
    if (LANES > 2) {
        NAME(exchange)(r, 2);
    }
    NAME(exchange)(r, 1);
}

/* n numbers of each of as many systems as there are lanes: number j of all to to[j]. */
INLINE void NAME(lanes_get)(VEC *to, const REAL *const from[LANES], size_t n) {
    for (size_t j = 0; n < LANES && j < n; j++) {
        for (size_t s = 0; s < LANES; s++) {
            to[j][s] = from[s][j];
        }
    }
    for (size_t j = 0; n >= LANES && j < n; j += LANES) {
        const size_t at = j + LANES <= n ? j : n - LANES; /* the last ones twice, in part */
        VEC r[LANES];
#pragma GCC unroll 16
        for (size_t s = 0; s < LANES; s++) {
            memcpy(&r[s], from[s] + at, sizeof r[s]);
        }
        NAME(transpose)(r);
        memcpy(to + at, r, sizeof r);
    }
}

/* The other way round: to[s][j] is lane s of from[j], for all lanes. */
INLINE void NAME(lanes_put)(REAL *const to[LANES], const VEC *from, size_t n) {
    for (size_t j = 0; n < LANES && j < n; j++) {
        for (size_t s = 0; s < LANES; s++) {
            to[s][j] = from[j][s];
        }
    }
    for (size_t j = 0; n >= LANES && j < n; j += LANES) {
        const size_t at = j + LANES <= n ? j : n - LANES; /* the last ones twice, in part */
        VEC r[LANES];
        memcpy(r, from + at, sizeof r);
        NAME(transpose)(r);
#pragma GCC unroll 16
        for (size_t s = 0; s < LANES; s++) {
            memcpy(to[s] + at, &r[s], sizeof r[s]);
        }
    }
}
