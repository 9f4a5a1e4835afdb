/*
 * Kernels that do little more than read and write long arrays of REAL. Arrays begin at multiples of
 * 16 bytes; a lane takes 16 bytes at a time, VECTORS times a group's width apart, so that several
 * loads are in flight before the first is needed. Sums are made pairwise, in a fixed order.
 */
#include "kernels/dialect.h"
#include "kernels/vector16.h"

#define VECTORS 4
#define PART (VECTORS * WIDTH) /* elements a lane takes at a time */
#define LANES_HERE 256         /* of each group that sums */

/* Before a kernel that walks: so few registers that eight groups fit a multiprocessor, which is as
 * many as are launched for each. */
#if defined(__CUDACC__)
#define WALKS __launch_bounds__(LANES_HERE, 8)
#else
#define WALKS
#endif

/* ---- elementwise ---------------------------------------------------------------------------- */

/* z[i] = x[i] + c, first <= i < first + n; a group does LANES * PART elements. */
KERNEL k_add(GLOBAL const REAL *x, GLOBAL REAL *z, REAL c, LONG first, LONG n) {
    LONG end = first + n;
    LONG step = LANES(0) * WIDTH;
    LONG i = first + GROUP(0) * step * VECTORS + LANE(0) * WIDTH;
    if (i + (VECTORS - 1) * step + WIDTH <= end) {
        REAL v[PART];
        for (int k = 0; k < VECTORS; k++)
            take(x + i + k * step, v + k * WIDTH);
        for (int k = 0; k < PART; k++)
            v[k] += c;
        for (int k = 0; k < VECTORS; k++)
            give(z + i + k * step, v + k * WIDTH);
        return;
    }
    COLD_LOOP
    for (int k = 0; k < PART; k++) {
        LONG at = i + k / WIDTH * step + k % WIDTH;
        if (at < end)
            z[at] = x[at] + c;
    }
}

/* z[i] = x[i] + y[i], 0 <= i < n; a group does LANES * PART elements. */
KERNEL k_plus(GLOBAL const REAL *x, GLOBAL const REAL *y, GLOBAL REAL *z, LONG n) {
    LONG step = LANES(0) * WIDTH;
    LONG i = GROUP(0) * step * VECTORS + LANE(0) * WIDTH;
    if (i + (VECTORS - 1) * step + WIDTH <= n) {
        REAL v[PART], w[PART];
        for (int k = 0; k < VECTORS; k++) {
            take(x + i + k * step, v + k * WIDTH);
            take(y + i + k * step, w + k * WIDTH);
        }
        for (int k = 0; k < PART; k++)
            v[k] += w[k];
        for (int k = 0; k < VECTORS; k++)
            give(z + i + k * step, v + k * WIDTH);
        return;
    }
    COLD_LOOP
    for (int k = 0; k < PART; k++) {
        LONG at = i + k / WIDTH * step + k % WIDTH;
        if (at < n)
            z[at] = x[at] + y[at];
    }
}

/* z[i] = x[index[i]], 0 <= i < n; a group does LANES * 8 elements. */
KERNEL k_gather(GLOBAL const float *x, GLOBAL const int *index, GLOBAL float *z, LONG n) {
    LONG step = LANES(0) * 4;
    LONG i = GROUP(0) * step * 2 + LANE(0) * 4;
    if (i + step + 4 <= n) {
        int4 a = *(GLOBAL const int4 *)(index + i);
        int4 b = *(GLOBAL const int4 *)(index + i + step);
        float4 u, v;
        u.x = x[a.x];
        u.y = x[a.y];
        u.z = x[a.z];
        u.w = x[a.w];
        v.x = x[b.x];
        v.y = x[b.y];
        v.z = x[b.z];
        v.w = x[b.w];
        STORE4(z + i, u);
        STORE4(z + i + step, v);
        return;
    }
    COLD_LOOP
    for (int k = 0; k < 8; k++) {
        LONG at = i + k / 4 * step + k % 4;
        if (at < n)
            z[at] = x[index[at]];
    }
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* Neighbours first: v is destroyed. */
DEVICE REAL sum_part(REAL *v) {
    for (int k = 0; k < PART / 2; k++)
        v[k] += v[k + PART / 2];
    for (int k = 0; k < PART / 4; k++)
        v[k] += v[k + PART / 4];
#if PART == 16
    v[0] += v[2];
    v[1] += v[3];
#endif
    return v[0] + v[1];
}

/* The sum over all lanes of the group, for its lane 0. */
DEVICE REAL sum_group(REAL s, LOCAL REAL *room) {
    int lane = (int)LANE(0);
    room[lane] = s;
    BARRIER();
    for (int apart = LANES_HERE / 2; apart > 0; apart /= 2) {
        if (lane < apart)
            room[lane] += room[lane + apart];
        BARRIER();
    }
    return room[0];
}

/* partial[g] = the sum of what group g of `groups` walks over. */
KERNEL WALKS k_sum(GLOBAL const REAL *x, GLOBAL REAL *partial, LONG n,
                                    LONG groups) {
    SHARED REAL room[LANES_HERE];
    LONG step = LANES_HERE * WIDTH;
    LONG tile = step * VECTORS;
    LONG whole = n / tile * tile;
    REAL s = 0;
    for (LONG at = GROUP(0) * tile; at < whole; at += groups * tile) {
        REAL v[PART];
        for (int k = 0; k < VECTORS; k++)
            take(x + at + k * step + LANE(0) * WIDTH, v + k * WIDTH);
        s += sum_part(v);
    }
    for (LONG i = whole + GROUP(0) * LANES_HERE + LANE(0); i < n; i += groups * LANES_HERE)
        s += x[i];
    s = sum_group(s, room);
    if (LANE(0) == 0)
        partial[GROUP(0)] = s;
}

/* One group: sum[0] = the sum of partial. */
KERNEL LANES_MOST(LANES_HERE) k_finish(GLOBAL const REAL *partial, GLOBAL REAL *sum, LONG n) {
    SHARED REAL room[LANES_HERE];
    REAL s = 0;
    for (LONG i = LANE(0); i < n; i += LANES_HERE)
        s += partial[i];
    s = sum_group(s, room);
    if (LANE(0) == 0)
        sum[0] = s;
}

/* ---- chain ---------------------------------------------------------------------------------- */

#define CHAIN 1 /* vectors of each of the three arrays a lane takes at a time */

/* partial[g] = the sum of d + o + m over what group g walks over. */
KERNEL WALKS k_sum3(GLOBAL const REAL *d, GLOBAL const REAL *o,
                                     GLOBAL const REAL *m, GLOBAL REAL *partial, LONG n,
                                     LONG groups) {
    SHARED REAL room[LANES_HERE];
    LONG step = LANES_HERE * WIDTH;
    LONG tile = step * CHAIN;
    LONG whole = n / tile * tile;
    REAL s = 0;
    for (LONG at = GROUP(0) * tile; at < whole; at += groups * tile) {
        REAL v[CHAIN][3][WIDTH];
        for (int k = 0; k < CHAIN; k++) {
            LONG i = at + k * step + LANE(0) * WIDTH;
            take(d + i, v[k][0]);
            take(o + i, v[k][1]);
            take(m + i, v[k][2]);
        }
        REAL t = 0;
        for (int k = 0; k < CHAIN; k++)
            for (int j = 0; j < WIDTH; j++)
                t += v[k][0][j] + v[k][1][j] + v[k][2][j];
        s += t;
    }
    for (LONG i = whole + GROUP(0) * LANES_HERE + LANE(0); i < n; i += groups * LANES_HERE)
        s += d[i] + o[i] + m[i];
    s = sum_group(s, room);
    if (LANE(0) == 0)
        partial[GROUP(0)] = s;
}

/* All of chain in one pass; partial[g] = the sum of the three results that group g wrote. */
KERNEL WALKS k_chain(GLOBAL const REAL *d, GLOBAL const REAL *o,
                                      GLOBAL const REAL *m, GLOBAL REAL *d_new, GLOBAL REAL *o_new,
                                      GLOBAL REAL *m_new, GLOBAL REAL *partial, REAL c, LONG n,
                                      LONG groups) {
    SHARED REAL room[LANES_HERE];
    LONG step = LANES_HERE * WIDTH;
    LONG tile = step * CHAIN;
    LONG whole = n / tile * tile;
    REAL s = 0;
    for (LONG at = GROUP(0) * tile; at < whole; at += groups * tile) {
        REAL v[CHAIN][3][WIDTH];
        for (int k = 0; k < CHAIN; k++) {
            LONG i = at + k * step + LANE(0) * WIDTH;
            take(d + i, v[k][0]);
            take(o + i, v[k][1]);
            take(m + i, v[k][2]);
        }
        REAL t = 0;
        for (int k = 0; k < CHAIN; k++) {
            LONG i = at + k * step + LANE(0) * WIDTH;
            for (int j = 0; j < WIDTH; j++) {
                v[k][0][j] += c;
                v[k][1][j] += v[k][0][j];
                v[k][2][j] += v[k][1][j];
                t += v[k][0][j] + v[k][1][j] + v[k][2][j];
            }
            give(d_new + i, v[k][0]);
            give(o_new + i, v[k][1]);
            give(m_new + i, v[k][2]);
        }
        s += t;
    }
    for (LONG i = whole + GROUP(0) * LANES_HERE + LANE(0); i < n; i += groups * LANES_HERE) {
        REAL a = d[i] + c;
        REAL b = o[i] + a;
        REAL e = m[i] + b;
        d_new[i] = a;
        o_new[i] = b;
        m_new[i] = e;
        s += a + b + e;
    }
    s = sum_group(s, room);
    if (LANE(0) == 0)
        partial[GROUP(0)] = s;
}
