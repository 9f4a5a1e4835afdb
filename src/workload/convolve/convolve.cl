/*
 * A filter of TAPS x TAPS numbers over an image of height x width, zeroes beyond it.
 *
 * k_plain: a lane a point, from device memory. k_down and k_across: likewise a separable filter, in two passes with an
 * image in between. k_tiles: a group has WIDE x HIGH points and what their taps reach in shared memory; a lane sums up R
 * points below one another, of each of C columns, and moves down the columns with the numbers of R rows in registers: each
 * number that it loads serves R sums. Separable, the sums down the columns replace the image in shared memory.
 */
#include "kernels/dialect.h"

#define BEFORE (TAPS / 2)
#define ACROSS 32 /* lanes beside one another; DOWN such rows of lanes */
#define R 8
#define C 2
#define WIDE (ACROSS * C)
#define HIGH (DOWN * R)
#define ROW (WIDE + TAPS - 1)
#define COLUMN (HIGH + TAPS - 1)
#define LANES_A_GROUP (ACROSS * DOWN)

KERNEL k_plain(GLOBAL const REAL *x, GLOBAL const REAL *w, GLOBAL REAL *z, LONG height, LONG width) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    const LONG row = at / width, column = at % width;
    REAL sum = 0;
    if (row >= height)
        return;
    for (int a = 0; a < TAPS; a++) {
        const LONG i = row + a - BEFORE;
        for (int b = 0; b < TAPS; b++) {
            const LONG j = column + b - BEFORE;
            if (i >= 0 && i < height && j >= 0 && j < width)
                sum = REAL_FMA(w[a * TAPS + b], x[i * width + j], sum);
        }
    }
    z[at] = sum;
}

KERNEL k_down(GLOBAL const REAL *x, GLOBAL const REAL *w, GLOBAL REAL *z, LONG height, LONG width) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    const LONG row = at / width;
    REAL sum = 0;
    if (row >= height)
        return;
    for (int a = 0; a < TAPS; a++) {
        const LONG i = row + a - BEFORE;
        if (i >= 0 && i < height)
            sum = REAL_FMA(w[a], x[i * width + at % width], sum);
    }
    z[at] = sum;
}

KERNEL k_across(GLOBAL const REAL *x, GLOBAL const REAL *w, GLOBAL REAL *z, LONG height, LONG width) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    const LONG column = at % width;
    REAL sum = 0;
    if (at / width >= height)
        return;
    for (int b = 0; b < TAPS; b++) {
        const LONG j = column + b - BEFORE;
        if (j >= 0 && j < width)
            sum = REAL_FMA(w[TAPS + b], x[at + b - BEFORE], sum);
    }
    z[at] = sum;
}

/* The sums of R points below one another. `at`: their first tap. Weights lie `apart`. */
DEVICE void sum_column(LOCAL const REAL *at, LOCAL const REAL *weight, int apart, REAL sum[R]) {
    REAL v[R];
    UNROLL for (int r = 1; r < R; r++) v[r] = at[(r - 1) * ROW];
    UNROLL for (int a = 0; a < TAPS; a++) {
        UNROLL for (int r = 1; r < R; r++) v[r - 1] = v[r];
        v[R - 1] = at[(a + R - 1) * ROW];
        UNROLL for (int r = 0; r < R; r++) sum[r] = REAL_FMA(weight[a * apart], v[r], sum[r]);
    }
}

#if SEPARABLE
#define WEIGHTS (2 * TAPS)
#define COLUMNS ((ROW + ACROSS - 1) / ACROSS) /* that a lane sums up, of those that the taps reach */

/* All lanes call this. */
DEVICE void sum_points(LOCAL REAL *tile, LOCAL const REAL *weight, int lane, REAL sum[C][R]) {
    const int left = lane % ACROSS, top = lane / ACROSS * R;
    REAL down[COLUMNS][R];
    UNROLL for (int c = 0; c < COLUMNS; c++) {
        UNROLL for (int r = 0; r < R; r++) down[c][r] = 0;
        if (left + c * ACROSS < ROW)
            sum_column(tile + top * ROW + left + c * ACROSS, weight, 1, down[c]);
    }
    BARRIER();
    UNROLL for (int c = 0; c < COLUMNS; c++)
        UNROLL for (int r = 0; r < R; r++)
            if (left + c * ACROSS < ROW)
                tile[(top + r) * ROW + left + c * ACROSS] = down[c][r];
    BARRIER();
    for (int b = 0; b < TAPS; b++)
        UNROLL for (int c = 0; c < C; c++)
            UNROLL for (int r = 0; r < R; r++)
                sum[c][r] = REAL_FMA(weight[TAPS + b],
                                     tile[(top + r) * ROW + left + c * ACROSS + b], sum[c][r]);
}
#else
#define WEIGHTS (TAPS * TAPS)

DEVICE void sum_points(LOCAL REAL *tile, LOCAL const REAL *weight, int lane, REAL sum[C][R]) {
    LOCAL const REAL *at = tile + lane / ACROSS * R * ROW + lane % ACROSS;
    UNROLL_BY(1) for (int b = 0; b < TAPS; b++)
        UNROLL for (int c = 0; c < C; c++)
            sum_column(at + c * ACROSS + b, weight + b, TAPS, sum[c]);
}
#endif

/* across: groups beside one another. */
KERNEL LANES_MOST(LANES_A_GROUP)
    k_tiles(GLOBAL const REAL *x, GLOBAL const REAL *w, GLOBAL REAL *z, LONG height, LONG width,
            LONG across) {
    SHARED REAL tile[COLUMN * ROW];
    SHARED REAL weight[WEIGHTS];
    const int lane = (int)LANE(0);
    const LONG top = GROUP(0) / across * HIGH, left = GROUP(0) % across * WIDE;
    REAL sum[C][R];
    for (int t = lane; t < COLUMN * ROW; t += LANES_A_GROUP) {
        const LONG i = top + t / ROW - BEFORE, j = left + t % ROW - BEFORE;
        tile[t] = i >= 0 && i < height && j >= 0 && j < width ? x[i * width + j] : (REAL)0;
    }
    for (int t = lane; t < WEIGHTS; t += LANES_A_GROUP)
        weight[t] = w[t];
    UNROLL for (int c = 0; c < C; c++)
        UNROLL for (int r = 0; r < R; r++) sum[c][r] = 0;
    BARRIER();
    sum_points(tile, weight, lane, sum);
    UNROLL for (int c = 0; c < C; c++)
        UNROLL for (int r = 0; r < R; r++) {
            const LONG i = top + lane / ACROSS * R + r, j = left + lane % ACROSS + c * ACROSS;
            if (i < height && j < width)
                z[i * width + j] = sum[c][r];
        }
}
