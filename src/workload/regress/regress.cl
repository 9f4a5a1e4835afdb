/*
 * Gradient descent for least squares: w <- w - factor X'(Xw - y), X in rows of FEATURES numbers.
 * FEATURES is defined for the problem. Weights and what groups sum up lie in scratch memory:
 * WEIGHTS numbers for w of even steps, as many for w of odd steps, then FEATURES sums of each group
 * for even steps, and as many for odd steps.
 */
#include "kernels/dialect.h"

#define WEIGHTS 128
#define LANES_HERE 128 /* of the first four kernels */

/* So many loads are on their way at once, where a lane has as many to do. */
#define FAR 16

/* Numbers of X that a group has in shared memory, and so the rows: as many as lanes at most. */
#define TILE (32768 / (int)sizeof(REAL))
#define TILE_ROWS (TILE / FEATURES < LANES_HERE ? TILE / FEATURES : LANES_HERE)

/* A power of two of lanes goes along a row, the rest are PARTS that share the rows. */
#define ALONG                                                                                      \
    (FEATURES > 64   ? 128                                                                         \
     : FEATURES > 32 ? 64                                                                          \
     : FEATURES > 16 ? 32                                                                          \
     : FEATURES > 8  ? 16                                                                          \
     : FEATURES > 4  ? 8                                                                           \
     : FEATURES > 2  ? 4                                                                           \
     : FEATURES > 1  ? 2                                                                           \
                     : 1)
#define PARTS (LANES_HERE / ALONG)

/* The rows that a group does: whole tiles, as many as the others or one more. */
DEVICE LONG first_row(LONG n, LONG group, LONG groups) {
    LONG tiles = (n + TILE_ROWS - 1) / TILE_ROWS;
    LONG row = tiles * group / groups * TILE_ROWS;
    return row < n ? row : n;
}

/* ---- as written: an array of errors, then the gradient -------------------------------------- */

/* r = Xw - y. */
KERNEL LANES_MOST(LANES_HERE)
    k_regress_errors(GLOBAL const REAL *x, GLOBAL const REAL *y, GLOBAL const REAL *w,
                     GLOBAL REAL *r, LONG n) {
    SHARED REAL tile[TILE];
    SHARED REAL weight[FEATURES];
    LONG row = GROUP(0) * TILE_ROWS;
    int rows = (int)(n - row < TILE_ROWS ? n - row : TILE_ROWS);
    int lane = (int)LANE(0), i;
    UNROLL_BY(16) for (i = lane; i < rows * FEATURES; i += LANES_HERE) tile[i] = x[row * FEATURES + i];
    for (i = lane; i < FEATURES; i += LANES_HERE)
        weight[i] = w[i];
    BARRIER();
    if (lane < rows) {
        REAL sum = -y[row + lane];
        for (i = 0; i < FEATURES; i++)
            sum = REAL_FMA(tile[lane * FEATURES + i], weight[i], sum);
        r[row + lane] = sum;
    }
}

/* The lanes of the group have sums of one feature each, in PARTS: they go to where they belong. */
DEVICE void store_sums(LOCAL REAL *part, REAL mine, GLOBAL REAL *sums) {
    int lane = (int)LANE(0), i;
    BARRIER();
    part[lane] = mine;
    BARRIER();
    if (lane < FEATURES) {
        REAL sum = 0;
        for (i = 0; i < PARTS; i++)
            sum += part[i * ALONG + lane];
        sums[GROUP(0) * FEATURES + lane] = sum;
    }
}

/* The sum of all groups' sums, a feature a lane. All lanes call this. */
DEVICE REAL total(GLOBAL const REAL *sums, LONG groups, LOCAL REAL *part) {
    int lane = (int)LANE(0), feature = lane % ALONG;
    REAL sum = 0;
    LONG i;
    if (feature < FEATURES) {
        UNROLL_BY(16) for (i = lane / ALONG; i < groups; i += PARTS)
            sum += sums[i * FEATURES + feature];
    }
    part[lane] = sum;
    BARRIER();
    sum = 0;
    if (lane < FEATURES)
        for (i = 0; i < PARTS; i++)
            sum += part[i * ALONG + lane];
    return sum;
}

/* sums of each of the groups: X'r of its rows. */
KERNEL LANES_MOST(LANES_HERE)
    k_regress_gradient(GLOBAL const REAL *x, GLOBAL const REAL *r, GLOBAL REAL *sums, LONG n,
                       LONG groups) {
    SHARED REAL part[LANES_HERE];
    int feature = (int)LANE(0) % ALONG;
    LONG row = first_row(n, GROUP(0), groups) + LANE(0) / ALONG;
    LONG end = first_row(n, GROUP(0) + 1, groups);
    REAL sum = 0;
    int i;
    if (feature < FEATURES) {
        for (; row + (FAR - 1) * PARTS < end; row += FAR * PARTS) {
            REAL v[FAR];
            UNROLL_BY(16) for (i = 0; i < FAR; i++)
                v[i] = x[(row + i * PARTS) * FEATURES + feature];
            UNROLL_BY(16) for (i = 0; i < FAR; i++) sum = REAL_FMA(v[i], r[row + i * PARTS], sum);
        }
        for (; row < end; row += PARTS)
            sum = REAL_FMA(x[row * FEATURES + feature], r[row], sum);
    }
    store_sums(part, sum, sums);
}

/* w = w less factor times the groups' sums. One group. */
KERNEL LANES_MOST(LANES_HERE)
    k_regress_update(GLOBAL REAL *w, GLOBAL const REAL *sums, LONG groups, REAL factor) {
    SHARED REAL part[LANES_HERE];
    REAL change = factor * total(sums, groups, part);
    if (LANE(0) < FEATURES)
        w[LANE(0)] -= change;
}

/* ---- fused: a launch a step, one pass over X ------------------------------------------------ */

/* A lane's weight in this step: that of the last less factor times its sums; 0 in the first. */
DEVICE REAL step_weight(GLOBAL const REAL *scratch, LONG groups, REAL factor, LONG step,
                        LOCAL REAL *part) {
    LONG odd = (step + 1) % 2;
    REAL change, before;
    if (step == 0)
        return 0;
    change = factor * total(scratch + 2 * WEIGHTS + odd * groups * FEATURES, groups, part);
    before = step > 1 && LANE(0) < FEATURES ? scratch[odd * WEIGHTS + LANE(0)] : 0;
    return before - change;
}

/* The weights after the last step. One group. */
KERNEL LANES_MOST(LANES_HERE)
    k_regress_last(GLOBAL const REAL *scratch, GLOBAL REAL *w, LONG groups, REAL factor,
                   LONG steps) {
    SHARED REAL part[LANES_HERE];
    REAL weight = step_weight(scratch, groups, factor, steps, part);
    if (LANE(0) < FEATURES)
        w[LANE(0)] = weight;
}

KERNEL LANES_MOST(LANES_HERE)
    k_regress_step(GLOBAL const REAL *x, GLOBAL const REAL *y, GLOBAL REAL *scratch, LONG n,
                   LONG groups, REAL factor, LONG step) {
    SHARED REAL tile[TILE];
    SHARED REAL weight[WEIGHTS];
    SHARED REAL part[LANES_HERE];
    int lane = (int)LANE(0), feature = lane % ALONG, i;
    LONG row = first_row(n, GROUP(0), groups);
    LONG end = first_row(n, GROUP(0) + 1, groups);
    REAL mine = 0;
    weight[lane] = step_weight(scratch, groups, factor, step, part);
    if (GROUP(0) == 0 && lane < FEATURES)
        scratch[step % 2 * WEIGHTS + lane] = weight[lane];
    BARRIER();
    for (; row < end; row += TILE_ROWS) {
        int rows = (int)(end - row < TILE_ROWS ? end - row : TILE_ROWS);
        for (i = lane; i < rows * FEATURES; i += LANES_HERE)
            tile[i] = x[row * FEATURES + i];
        BARRIER();
        if (lane < rows) {
            REAL sum = -y[row + lane];
            for (i = 0; i < FEATURES; i++)
                sum = REAL_FMA(tile[lane * FEATURES + i], weight[i], sum);
            part[lane] = sum;
        }
        BARRIER();
        if (feature < FEATURES)
            for (i = lane / ALONG; i < rows; i += PARTS)
                mine = REAL_FMA(tile[i * FEATURES + feature], part[i], mine);
        BARRIER();
    }
    store_sums(part, mine, scratch + 2 * WEIGHTS + step % 2 * groups * FEATURES);
}
