/*
 * Eigenvalues and vectors of matrices so small that a lane holds one in its registers, by cyclic Jacobi (Golub and Van
 * Loan, Matrix Computations, 8.5).
 *
 * Defined before: ORDER, LANES_A_GROUP. A group brings its matrices through shared memory, so that its lanes read
 * and write neighbouring numbers.
 */
#include "kernels/dialect.h"
#include "jacobi.h"

#define NUMBERS (ORDER * ORDER)
#define STRIDE (NUMBERS | 1) /* odd: lanes then do not meet in one bank */
#define AT(i, j) ((i) < (j) ? (i)*ORDER + (j) : (j)*ORDER + (i)) /* above the diagonal */

/* Rows and columns i and j of a, and rows i and j of the vectors, are turned so that a's number between them is 0. */
DEVICE void be_lane_turn(REAL *a, REAL *v, int i, int j) {
    const REAL between = a[AT(i, j)];
    REAL s;
    REAL t;
    be_angle((a[AT(j, j)] - a[AT(i, i)]) / (2 * between), &s, &t);
    const REAL shift = s / (1 - s * t) * between; /* the tangent times what is between */
    a[AT(i, i)] -= shift;
    a[AT(j, j)] += shift;
    a[AT(i, j)] = 0;
    UNROLL
    for (int k = 0; k < ORDER; k++) {
        const REAL one = v[i * ORDER + k];
        const REAL other = v[j * ORDER + k];
        v[i * ORDER + k] = TURNED_FIRST(one, other, s, t);
        v[j * ORDER + k] = TURNED_SECOND(one, other, s, t);
        if (k != i && k != j) {
            const REAL first = a[AT(i, k)];
            const REAL second = a[AT(j, k)];
            a[AT(i, k)] = TURNED_FIRST(first, second, s, t);
            a[AT(j, k)] = TURNED_SECOND(first, second, s, t);
        }
    }
}

/* Until all that is above the diagonal is next to nothing. */
DEVICE void be_lane_sweeps(REAL *a, REAL *v, REAL enough) {
    int again = 1;
    for (int sweep = 0; again && sweep < SWEEPS; sweep++) {
        again = 0;
        UNROLL
        for (int i = 0; i < ORDER; i++) {
            UNROLL
            for (int j = i + 1; j < ORDER; j++) {
                if (fabs(a[AT(i, j)]) > enough) {
                    again = 1;
                    be_lane_turn(a, v, i, j);
                }
            }
        }
    }
}

/* One matrix: from its tile, and its vectors into it. */
DEVICE void be_lane_system(LOCAL REAL *tile, GLOBAL REAL *values) {
    REAL a[NUMBERS];
    REAL v[NUMBERS];
    REAL to[2];
    REAL largest = 0;
    REAL nothing = 0; /* NaN if a number is not finite */
    REAL squares = 0;
    UNROLL
    for (int e = 0; e < NUMBERS; e++) {
        a[e] = tile[e];
        v[e] = e % (ORDER + 1) == 0 ? 1 : 0;
        largest = fabs(a[e]) > largest ? fabs(a[e]) : largest;
        nothing += a[e] * 0;
    }
    be_scale(largest, to);
    UNROLL
    for (int e = 0; e < NUMBERS; e++) {
        a[e] = a[e] * to[0] * to[1];
        squares += a[e] * a[e];
    }
    be_lane_sweeps(a, v, (REAL)UNIT / 8 * sqrt(squares));
    UNROLL
    for (int i = 0; i < ORDER; i++) {
        const REAL value = a[AT(i, i)];
        int place = 0;
        UNROLL
        for (int j = 0; j < ORDER; j++) {
            const REAL other = a[AT(j, j)];
            place += other < value || (other == value && j < i) ? 1 : 0;
        }
        place = nothing == 0 ? place : i;
        values[place] = value / to[1] / to[0] + nothing;
        UNROLL
        for (int k = 0; k < ORDER; k++) {
            tile[place * ORDER + k] = v[i * ORDER + k] + nothing;
        }
    }
}

/* Groups of LANES_A_GROUP lanes, a matrix each: n of them from the first on. */
KERNEL LANES_MOST(LANES_A_GROUP)
k_eigen_lane(GLOBAL const REAL *a, GLOBAL REAL *values, GLOBAL REAL *vectors, LONG first, LONG n) {
    SHARED REAL tiles[LANES_A_GROUP * STRIDE];
    const LONG start = GROUP(0) * LANES_A_GROUP;
    const int count = (int)(n - start < LANES_A_GROUP ? n - start : LANES_A_GROUP);
    GLOBAL const REAL *from = a + (first + start) * NUMBERS;
    GLOBAL REAL *to = vectors + (first + start) * NUMBERS;
    const int lane = (int)LANE(0);
    for (int e = lane; e < count * NUMBERS; e += LANES_A_GROUP) {
        tiles[e / NUMBERS * STRIDE + e % NUMBERS] = from[e];
    }
    BARRIER();
    if (lane < count) {
        be_lane_system(tiles + lane * STRIDE, values + (first + start + lane) * ORDER);
    }
    BARRIER();
    for (int e = lane; e < count * NUMBERS; e += LANES_A_GROUP) {
        to[e] = tiles[e / NUMBERS * STRIDE + e % NUMBERS];
    }
}
