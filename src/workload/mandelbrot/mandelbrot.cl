/*
 * Escape counts of the points c = fma(column, step_x, x) + i fma(row, step_y, y): how many of the
 * steps z <- z^2 + c, from z = c, begin with |z| < 2. Rows first .. first + rows - 1 of images of
 * `width` rows each, one image after the other. Every product and sum is rounded as the host code
 * rounds it, so that the counts are the same.
 */
#include "kernels/dialect.h"

#define SQUARE(r, m) REAL_FMA(r, r, (m) * (m))

/* One step; `next` is a scratch variable. */
#define STEP(r, m, cr, ci, next)                                                                   \
    next = REAL_FMA(r, r, REAL_FMA(-(m), m, cr));                                                  \
    m = REAL_FMA((r) + (r), m, ci);                                                                \
    r = next

#define BLOCK 8

/* At first, where most of those that leave do, with a look before each step. Then blocks of steps
 * without, since an orbit that has left never returns; the block in which it leaves is run again,
 * looking. Lanes of a warp then meet again before the second run. */
DEVICE int escape_count(REAL cr, REAL ci, int steps) {
    REAL r = cr, m = ci, next;
    int n = 0, last;
    for (last = BLOCK < steps ? BLOCK : steps; n < last; n++) {
        if (!(SQUARE(r, m) < (REAL)4))
            return n;
        STEP(r, m, cr, ci, next);
    }
    for (; n + BLOCK <= steps; n += BLOCK) {
        REAL r0 = r, m0 = m;
        STEP(r, m, cr, ci, next);
        STEP(r, m, cr, ci, next);
        STEP(r, m, cr, ci, next);
        STEP(r, m, cr, ci, next);
        STEP(r, m, cr, ci, next);
        STEP(r, m, cr, ci, next);
        STEP(r, m, cr, ci, next);
        STEP(r, m, cr, ci, next);
        if (!(SQUARE(r, m) < (REAL)4)) {
            r = r0;
            m = m0;
            break;
        }
    }
    last = n + BLOCK < steps ? n + BLOCK : steps;
    while (n < last && SQUARE(r, m) < (REAL)4) {
        STEP(r, m, cr, ci, next);
        n++;
    }
    return n;
}

/* A group of 256 lanes computes 32 x 8 pixels; 32 lanes in a row have 8 x 4 of them, so that their
 * orbits are about equally long. across: groups side by side. */
KERNEL LANES_MOST(256)
    k_mandelbrot(GLOBAL int *count, REAL x, REAL y, REAL step_x, REAL step_y, int width, int steps,
                 LONG first, LONG rows, int across) {
    int lane = (int)LANE(0);
    int patch = lane / 32, at = lane % 32;
    int column = (int)(GROUP(0) % across) * 32 + patch % 4 * 8 + at % 8;
    LONG row = (GROUP(0) / across) * 8 + patch / 4 * 4 + at / 8;
    if (column < width && row < rows) {
        int line = (int)((first + row) % width);
        REAL cr = REAL_FMA((REAL)column, step_x, x);
        REAL ci = REAL_FMA((REAL)line, step_y, y);
        count[(first + row) * width + column] = escape_count(cr, ci, steps);
    }
}

/* ---- as whole-array passes over arrays in memory ---------------------------------------------- */

KERNEL k_start(GLOBAL int *count, GLOBAL REAL *z, GLOBAL REAL *c, REAL x, REAL y, REAL step_x,
               REAL step_y, int width, LONG first, LONG n) {
    LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < n) {
        int line = (int)((first + i / width) % width);
        REAL cr = REAL_FMA((REAL)(i % width), step_x, x);
        REAL ci = REAL_FMA((REAL)line, step_y, y);
        z[2 * i] = c[2 * i] = cr;
        z[2 * i + 1] = c[2 * i + 1] = ci;
        count[first * width + i] = 0;
    }
}

/* The square of the absolute value: its root would be compared with 2. */
KERNEL k_absolute(GLOBAL const REAL *z, GLOBAL REAL *square, LONG n) {
    LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < n)
        square[i] = SQUARE(z[2 * i], z[2 * i + 1]);
}

KERNEL k_compare(GLOBAL const REAL *square, GLOBAL unsigned char *mask, LONG n) {
    LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < n)
        mask[i] = square[i] < (REAL)4;
}

KERNEL k_square_add(GLOBAL REAL *z, GLOBAL const REAL *c, GLOBAL const unsigned char *mask,
                    LONG n) {
    LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < n && mask[i]) {
        REAL r = z[2 * i], m = z[2 * i + 1], next;
        STEP(r, m, c[2 * i], c[2 * i + 1], next);
        z[2 * i] = r;
        z[2 * i + 1] = m;
    }
}

KERNEL k_increment(GLOBAL int *count, GLOBAL const unsigned char *mask, int width, LONG first,
                   LONG n) {
    LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < n && mask[i])
        count[first * width + i]++;
}
