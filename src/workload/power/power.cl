/*
 * z[i] = x[i]^y[i] for first <= i < first + n. x, y and z start at multiples of 16 bytes and
 * first is a multiple of 4; n is any number. z may not overlap x or y.
 *
 * Each lane does ELEMENTS_PER_LANE elements: two vectors of four, a group's width apart so that
 * neighbouring lanes touch neighbouring addresses, and two so that more loads can be in flight. The
 * last vectors, and those with an argument that needs POW, go one by one.
 */
#include "kernels/dialect.h"
#include "power.h"

#define ELEMENTS_PER_LANE 8

/* The first element of this lane; its second vector begins 4 * LANES(0) further on. */
DEVICE LONG lane_start(LONG first) {
    return first + GROUP(0) * (LANES(0) * ELEMENTS_PER_LANE) + LANE(0) * 4;
}

DEVICE FLOAT4 power4(FLOAT4 x, FLOAT4 y, int *special) {
    FLOAT4 z;
    float a, b, c, d;
    z.x = be_power_main(x.x, y.x, &a);
    z.y = be_power_main(x.y, y.y, &b);
    z.z = be_power_main(x.z, y.z, &c);
    z.w = be_power_main(x.w, y.w, &d);
    *special = be_power_is_special(x.x, a) | be_power_is_special(x.y, b) |
               be_power_is_special(x.z, c) | be_power_is_special(x.w, d);
    return z;
}

KERNEL k_power(GLOBAL const float *x, GLOBAL const float *y, GLOBAL float *z, LONG first, LONG n) {
    LONG end = first + n;
    LONG i = lane_start(first);
    LONG j = i + 4 * LANES(0);
    if (j + 4 <= end) {
        FLOAT4 xi = LOAD4(x + i), yi = LOAD4(y + i);
        FLOAT4 xj = LOAD4(x + j), yj = LOAD4(y + j);
        int special_i, special_j;
        FLOAT4 zi = power4(xi, yi, &special_i);
        FLOAT4 zj = power4(xj, yj, &special_j);
        if (!(special_i | special_j)) {
            STORE4(z + i, zi);
            STORE4(z + j, zj);
            return;
        }
    }
    COLD_LOOP
    for (int k = 0; k < ELEMENTS_PER_LANE; k++) {
        LONG at = (k < 4 ? i : j - 4) + k;
        if (at < end)
            z[at] = be_power(x[at], y[at]);
    }
}

/* The language's own function for every element; neighbouring lanes touch neighbouring numbers. */
KERNEL k_power_libm(GLOBAL const float *x, GLOBAL const float *y, GLOBAL float *z, LONG first,
                    LONG n) {
    LONG end = first + n;
    LONG i = first + GROUP(0) * (LANES(0) * ELEMENTS_PER_LANE) + LANE(0);
    for (int k = 0; k < ELEMENTS_PER_LANE; k++, i += LANES(0)) {
        if (i < end)
            z[i] = POW(x[i], y[i]);
    }
}
