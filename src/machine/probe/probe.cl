/*
 * Kernels of the probe beside ceilings.cl: a kernel that does nothing, and arrays of random numbers.
 */
#include "kernels/dialect.h"
#include "kernels/random.h"

#define PER_LANE 8

/* One lane that does nothing anyone waits for. */
KERNEL k_nothing(GLOBAL float *z, LONG n) {
    if (n > 0) {
        z[0] = 0.0f;
    }
}

/* z[i] in [-1, 1) with 24 bits, from seed + i. */
KERNEL k_random_float32(GLOBAL float *z, LONG n, LONG seed) {
    LONG i = (GROUP(0) * LANES(0) + LANE(0)) * PER_LANE;
    for (LONG end = i + PER_LANE; i < end && i < n; i++) {
        z[i] = be_random((unsigned int)(seed + i), 24);
    }
}

/* The same with 8 bits, stored as bfloat16: the upper half of a float. */
KERNEL k_random_bfloat16(GLOBAL unsigned short *z, LONG n, LONG seed) {
    LONG i = (GROUP(0) * LANES(0) + LANE(0)) * PER_LANE;
    for (LONG end = i + PER_LANE; i < end && i < n; i++) {
        z[i] = (unsigned short)((unsigned int)AS_INT(be_random((unsigned int)(seed + i), 8)) >> 16);
    }
}

/* The same with 11 bits, stored as float16: sign, exponent less 112, ten bits; no subnormals come
 * up, since the smallest magnitude but zero is 2^-10. */
KERNEL k_random_float16(GLOBAL unsigned short *z, LONG n, LONG seed) {
    LONG i = (GROUP(0) * LANES(0) + LANE(0)) * PER_LANE;
    for (LONG end = i + PER_LANE; i < end && i < n; i++) {
        unsigned int f = (unsigned int)AS_INT(be_random((unsigned int)(seed + i), 11));
        unsigned int sign = (f >> 16) & 0x8000u;
        unsigned int rest = f & 0x7fffffffu;
        z[i] = (unsigned short)(rest ? sign | ((rest >> 13) - (112u << 10)) : 0u);
    }
}
