/*
 * The maximum speeds of a device: memory, cache and arithmetic rates. Results are written where a
 * compiler cannot know that nobody reads them.
 */
#include "kernels/dialect.h"

#define PER_LANE 8
#define CHAINS 8
#define STEPS 8
#define ROW 32

/* z = x + 3 y over n elements, n a multiple of 4: two streams in, one out. Launch as
 * workload/power/power.cl's kernel: a group of L lanes does L * PER_LANE elements. */
KERNEL k_triad(GLOBAL const float *x, GLOBAL const float *y, GLOBAL float *z, LONG n) {
    LONG i = GROUP(0) * (LANES(0) * PER_LANE) + LANE(0) * 4;
    LONG j = i + 4 * LANES(0);
    FLOAT4 xi, yi, xj, yj;
    if (j + 4 <= n) {
        xi = LOAD4(x + i);
        yi = LOAD4(y + i);
        xj = LOAD4(x + j);
        yj = LOAD4(y + j);
        xi.x = FMA(3.0f, yi.x, xi.x);
        xi.y = FMA(3.0f, yi.y, xi.y);
        xi.z = FMA(3.0f, yi.z, xi.z);
        xi.w = FMA(3.0f, yi.w, xi.w);
        xj.x = FMA(3.0f, yj.x, xj.x);
        xj.y = FMA(3.0f, yj.y, xj.y);
        xj.z = FMA(3.0f, yj.z, xj.z);
        xj.w = FMA(3.0f, yj.w, xj.w);
        STORE4(z + i, xi);
        STORE4(z + j, xj);
    } else if (i + 4 <= n) {
        xi = LOAD4(x + i);
        yi = LOAD4(y + i);
        xi.x = FMA(3.0f, yi.x, xi.x);
        xi.y = FMA(3.0f, yi.y, xi.y);
        xi.z = FMA(3.0f, yi.z, xi.z);
        xi.w = FMA(3.0f, yi.w, xi.w);
        STORE4(z + i, xi);
    }
}

/* z[i] = value for all i < n, n a multiple of PER_LANE; a group of L lanes does L * PER_LANE. */
KERNEL k_write(GLOBAL float *z, LONG n, float value) {
    LONG i = GROUP(0) * (LANES(0) * PER_LANE) + LANE(0) * 4;
    LONG j = i + 4 * LANES(0);
    FLOAT4 v;
    v.x = value;
    v.y = value;
    v.z = value;
    v.w = value;
    if (i + 4 <= n) {
        STORE4(z + i, v);
    }
    if (j + 4 <= n) {
        STORE4(z + j, v);
    }
}

/* Every lane reads n / lanes floats, `rounds` times over; each round a group reads where another
 * group read before, so that a core's own first-level cache does not serve it. n is a multiple of
 * 4 * lanes of the launch; one float a lane goes to sink. */
KERNEL k_read(GLOBAL const float *x, GLOBAL float *sink, LONG n, LONG groups, LONG rounds) {
    LONG lanes = LANES(0);
    LONG part = n / groups;
    FLOAT4 sum = LOAD4(x + LANE(0) * 4);
    for (LONG round = 0; round < rounds; round++) {
        LONG start = ((GROUP(0) + round) % groups) * part;
        for (LONG i = LANE(0) * 4; i < part; i += lanes * 4) {
            FLOAT4 v = LOAD4(x + start + i);
            sum.x += v.x;
            sum.y += v.y;
            sum.z += v.z;
            sum.w += v.w;
        }
    }
    sink[GROUP(0) * lanes + LANE(0)] = sum.x + sum.y + sum.z + sum.w;
}

#define STEP(a, b)                                                                                 \
    c0 = FMA(c0, a, b), c1 = FMA(c1, a, b), c2 = FMA(c2, a, b), c3 = FMA(c3, a, b),                \
    c4 = FMA(c4, a, b), c5 = FMA(c5, a, b), c6 = FMA(c6, a, b), c7 = FMA(c7, a, b)

/* CHAINS independent chains of fused multiply-adds, STEPS of each a round: enough that the loop
 * itself takes no part of the time worth naming. */
KERNEL k_fma(GLOBAL float *sink, LONG rounds) {
    float a = 0.999f + 1e-6f * (float)LANE(0);
    float c0 = 0.1f, c1 = 0.2f, c2 = 0.3f, c3 = 0.4f, c4 = 0.5f, c5 = 0.6f, c6 = 0.7f, c7 = 0.8f;
    for (LONG round = 0; round < rounds; round++) {
        STEP(a, 0.001f);
        STEP(a, 0.001f);
        STEP(a, 0.001f);
        STEP(a, 0.001f);
        STEP(a, 0.001f);
        STEP(a, 0.001f);
        STEP(a, 0.001f);
        STEP(a, 0.001f);
    }
    sink[GROUP(0) * LANES(0) + LANE(0)] = c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7;
}

/* BE_ROW_OPERATIONS multiply-adds a round, each of which needs the one before; for a group of a few lanes. */
KERNEL k_row(GLOBAL float *sink, LONG rounds) {
    float a = 0.999f + 1e-6f * (float)LANE(0), c = 0.1f;
    for (LONG round = 0; round < rounds; round++) {
        UNROLL
        for (int k = 0; k < ROW; k++)
            c = FMA(c, a, 0.001f);
    }
    sink[GROUP(0) * LANES(0) + LANE(0)] = c;
}
