/*
 * Steps of r = f(J r + input), f(x) = x / (1 + |x|): one step of all vectors, a group a row; or all steps of a vector in
 * one group, with J in its shared memory.
 */
#include "kernels/dialect.h"

#define LANES_A_ROW 64
#define ORDER_MAX 64 /* of k_fused: 32 KiB of float64 */

DEVICE REAL bent(REAL x) {
    return x / ((REAL)1 + (x < (REAL)0 ? -x : x));
}

/* A group of LANES_A_ROW lanes: row GROUP(0) % n of vector GROUP(0) / n. */
KERNEL LANES_MOST(LANES_A_ROW)
    k_rows(GLOBAL const REAL *j, GLOBAL const REAL *input, GLOBAL const REAL *from, GLOBAL REAL *to,
           LONG n) {
    SHARED REAL part[LANES_A_ROW];
    LONG row = GROUP(0) % n, vector = GROUP(0) / n;
    int lane = (int)LANE(0), reach;
    REAL sum = 0;
    for (LONG k = lane; k < n; k += LANES_A_ROW)
        sum = REAL_FMA(j[row * n + k], from[vector * n + k], sum);
    part[lane] = sum;
    BARRIER();
    for (reach = LANES_A_ROW / 2; reach > 0; reach /= 2) {
        if (lane < reach)
            part[lane] += part[lane + reach];
        BARRIER();
    }
    if (lane == 0)
        to[vector * n + row] = bent(part[0] + input[vector * n + row]);
}

#if defined(__CUDACC__)
/* A product that a library made becomes the step's result. */
KERNEL k_finish(GLOBAL const REAL *input, GLOBAL REAL *to, LONG count) {
    LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < count)
        to[i] = bent(to[i] + input[i]);
}
#endif

/* A vector a group, a row a lane: n <= ORDER_MAX, ORDER_MAX lanes. J lies column after column. */
KERNEL LANES_MOST(ORDER_MAX)
    k_fused(GLOBAL const REAL *j, GLOBAL const REAL *input, GLOBAL REAL *to, LONG n, LONG steps) {
    SHARED REAL column[ORDER_MAX * ORDER_MAX];
    SHARED REAL r[ORDER_MAX];
    int lane = (int)LANE(0), order = (int)n;
    LONG at = GROUP(0) * n + lane;
    REAL mine = lane < order ? input[at] : (REAL)0;
    for (int k = lane; k < order * order; k += ORDER_MAX)
        column[k % order * ORDER_MAX + k / order] = j[k];
    REAL result = mine;
    for (LONG step = 0; step < steps; step++) {
        REAL even = mine, odd = 0;
        int k = 0;
        r[lane] = result;
        BARRIER();
        for (; k + 1 < order; k += 2) {
            even = REAL_FMA(column[k * ORDER_MAX + lane], r[k], even);
            odd = REAL_FMA(column[(k + 1) * ORDER_MAX + lane], r[k + 1], odd);
        }
        if (k < order)
            even = REAL_FMA(column[k * ORDER_MAX + lane], r[k], even);
        result = bent(even + odd);
        BARRIER();
    }
    if (lane < order)
        to[at] = result;
}
