/*
 * The K nearest of n points in DIMENSION coordinates, of each query: a lane a query and part of the points, with the K
 * nearest so far in registers. Points come through shared memory, TILE at a time, of which part p of `parts` has every
 * `parts`-th. k_merge puts the parts together.
 *
 * Squares and numbers of the parts: number j of query i in part p is at ((p K) + j) queries + i.
 */
#include "kernels/dialect.h"

#define LANES_A_GROUP 128
#define INFINITE ((REAL)AS_FLOAT(0x7f800000))

/* Coordinates of a query that a lane keeps; more are read again for each point. */
#if DIMENSION <= 16
#define KEPT DIMENSION
#else
#define KEPT 1
#endif

/* Ascending. A distance that is no number is less than none. */
DEVICE void insert(REAL square[K], int which[K], REAL one, int point) {
    if (one < square[K - 1]) {
        square[K - 1] = one;
        which[K - 1] = point;
        UNROLL for (int j = K - 1; j > 0; j--) {
            if (square[j] < square[j - 1]) {
                const REAL s = square[j];
                const int w = which[j];
                square[j] = square[j - 1];
                which[j] = which[j - 1];
                square[j - 1] = s;
                which[j - 1] = w;
            }
        }
    }
}

DEVICE void begin(REAL square[K], int which[K], LONG points) {
    UNROLL for (int j = 0; j < K; j++) {
        square[j] = INFINITE;
        which[j] = (int)points;
    }
}

/* Groups of LANES_A_GROUP queries, `parts` of each. */
KERNEL LANES_MOST(LANES_A_GROUP)
    k_nearest(GLOBAL const REAL *points, GLOBAL const REAL *queries, GLOBAL REAL *squares,
              GLOBAL int *numbers, LONG n, LONG count, LONG parts) {
    SHARED REAL tile[TILE * DIMENSION];
    const LONG part = GROUP(0) % parts;
    const LONG at = GROUP(0) / parts * LANES_A_GROUP + LANE(0);
    GLOBAL const REAL *query = queries + (at < count ? at : count - 1) * DIMENSION;
    REAL kept[KEPT];
    REAL square[K];
    int which[K];
    begin(square, which, n);
    UNROLL for (int d = 0; d < KEPT; d++) {
        kept[d] = query[d];
    }
    for (LONG first = part * TILE; first < n; first += parts * TILE) {
        const int have = n - first < TILE ? (int)(n - first) : TILE;
        BARRIER();
        for (int t = (int)LANE(0); t < have * DIMENSION; t += LANES_A_GROUP)
            tile[t] = points[first * DIMENSION + t];
        BARRIER();
        for (int p = 0; p < have; p++) {
            REAL sum = 0;
            UNROLL_BY(16) for (int d = 0; d < DIMENSION; d++) {
                const REAL t = (KEPT == DIMENSION ? kept[d % KEPT] : query[d]) -
                               tile[p * DIMENSION + d];
                sum = REAL_FMA(t, t, sum);
            }
            insert(square, which, sum, (int)first + p);
        }
    }
    if (at < count) {
        UNROLL for (int j = 0; j < K; j++) {
            squares[(part * K + j) * count + at] = square[j];
            numbers[(part * K + j) * count + at] = which[j];
        }
    }
}

/* A lane a query. */
KERNEL k_merge(GLOBAL const REAL *squares, GLOBAL const int *numbers, GLOBAL REAL *to,
               GLOBAL int *to_numbers, LONG n, LONG count, LONG parts) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    REAL square[K];
    int which[K];
    begin(square, which, n);
    for (LONG r = 0; at < count && r < parts * K; r++)
        insert(square, which, squares[r * count + at], numbers[r * count + at]);
    if (at < count) {
        UNROLL for (int j = 0; j < K; j++) {
            to[at * K + j] = square[j];
            to_numbers[at * K + j] = which[j];
        }
    }
}
