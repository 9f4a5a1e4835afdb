/*
 * Kernels around a vendor's solver, which wants columns one after the other and keeps nothing of
 * what it is given; and what refinement does beside it.
 *
 * Defined before this source: ORDER, and TO, the type of the numbers that the solver gets.
 */
#include "kernels/dialect.h"
#include "pivot.h"
#include "refine.h"

#define TILE 32
#define TILES ((ORDER + TILE - 1) / TILE)

/* w: the systems [first, first + n), each column after column. Groups of 256 lanes, one a tile. */
KERNEL LANES_MOST(256)
k_turn(GLOBAL const REAL *a, GLOBAL TO *w, LONG first) {
    SHARED REAL tile[TILE * (TILE + 1)];
    const LONG s = GROUP(0) / (TILES * TILES);
    const int t = (int)(GROUP(0) % (TILES * TILES));
    const int i0 = t / TILES * TILE;
    const int j0 = t % TILES * TILE;
    const int across = (int)LANE(0) % TILE;
    a += (first + s) * ((LONG)ORDER * ORDER);
    w += s * ((LONG)ORDER * ORDER);
    for (int i = (int)LANE(0) / TILE; i < TILE; i += 256 / TILE) {
        if (i0 + i < ORDER && j0 + across < ORDER)
            tile[i * (TILE + 1) + across] = a[(LONG)(i0 + i) * ORDER + j0 + across];
    }
    BARRIER();
    for (int j = (int)LANE(0) / TILE; j < TILE; j += 256 / TILE) {
        if (j0 + j < ORDER && i0 + across < ORDER)
            w[(LONG)(j0 + j) * ORDER + i0 + across] = (TO)tile[across * (TILE + 1) + j];
    }
}

/* The right sides of n systems. */
KERNEL k_right(GLOBAL const REAL *b, GLOBAL TO *y, LONG first, LONG n) {
    const LONG e = GROUP(0) * LANES(0) + LANE(0);
    if (e < n * ORDER)
        y[e] = (TO)b[first * ORDER + e];
}

/* x and info of n systems from y and what the solver said, `apart` integers from one to the next. */
KERNEL k_answer(GLOBAL const TO *y, GLOBAL const int *said, GLOBAL REAL *x, GLOBAL int *info,
                LONG first, LONG n, int apart) {
    const LONG e = GROUP(0) * LANES(0) + LANE(0);
    if (e < n * ORDER) {
        const LONG s = e / ORDER;
        x[first * ORDER + e] = said[s * apart] != 0 ? REAL_NAN : (REAL)y[e];
        if (e % ORDER == 0)
            info[first + s] = said[s * apart];
    }
}

/* ---- refinement of one system, after solve_refine.cl --------------------------------------- */

KERNEL k_refine_correct(GLOBAL const TO *step, GLOBAL const int *done, GLOBAL REAL *x,
                        LONG system) {
    const LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < ORDER && *done == 0)
        x[system * ORDER + i] += (REAL)step[i];
}

/* One group of 256 lanes: is |r| <= enough (|A| |x| + |b|)? */
KERNEL LANES_MOST(256)
k_refine_judge(GLOBAL const REAL *b, GLOBAL const REAL *x, GLOBAL const REAL *r,
               GLOBAL const REAL *squares, GLOBAL int *done, LONG system, REAL enough) {
    SHARED REAL sum[256];
    REAL rest = 0;
    REAL matrix = 0;
    REAL right = 0;
    REAL answer = 0;
    b += system * ORDER;
    x += system * ORDER;
    for (int i = (int)LANE(0); i < ORDER; i += 256) {
        rest = REAL_FMA(r[i], r[i], rest);
        matrix += squares[i];
        right = REAL_FMA(b[i], b[i], right);
        answer = REAL_FMA(x[i], x[i], answer);
    }
    be_add_up(sum, rest);
    rest = sum[0];
    BARRIER();
    be_add_up(sum, matrix);
    matrix = sum[0];
    BARRIER();
    be_add_up(sum, right);
    right = sum[0];
    BARRIER();
    be_add_up(sum, answer);
    if (LANE(0) == 0 && sqrt(rest) <= enough * (sqrt(matrix) * sqrt(sum[0]) + sqrt(right)))
        *done = 1;
}

/* `slow` where the corrections did not end, and less by the pivot that is 0 in float32. */
KERNEL k_refine_end(GLOBAL const int *said, GLOBAL const int *done, GLOBAL REAL *x,
                    GLOBAL int *info, LONG system, int slow) {
    const LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < ORDER && *said != 0)
        x[system * ORDER + i] = REAL_NAN;
    if (i == 0)
        info[system] = *said != 0 ? slow - *said : *done != 0 ? 0 : slow;
}
