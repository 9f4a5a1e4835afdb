/*
 * Double precision, in a program of its own: not every device has it.
 */
#include "kernels/dialect.h"
#include "kernels/random.h"

#if defined(__OPENCL_VERSION__)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define FMA64(a, b, c) fma(a, b, c)
#elif defined(__CUDACC__)
#define FMA64(a, b, c) __fma_rn(a, b, c)
#else
#define FMA64(a, b, c) __builtin_fma(a, b, c)
#endif

#define PER_LANE 8
#define STEP(a, b)                                                                                 \
    c0 = FMA64(c0, a, b), c1 = FMA64(c1, a, b), c2 = FMA64(c2, a, b), c3 = FMA64(c3, a, b),        \
    c4 = FMA64(c4, a, b), c5 = FMA64(c5, a, b), c6 = FMA64(c6, a, b), c7 = FMA64(c7, a, b)

/* As k_fma of ceilings.cl. */
KERNEL k_fma64(GLOBAL double *sink, LONG rounds) {
    double a = 0.999 + 1e-6 * (double)LANE(0);
    double c0 = 0.1, c1 = 0.2, c2 = 0.3, c3 = 0.4, c4 = 0.5, c5 = 0.6, c6 = 0.7, c7 = 0.8;
    for (LONG round = 0; round < rounds; round++) {
        STEP(a, 0.001);
        STEP(a, 0.001);
        STEP(a, 0.001);
        STEP(a, 0.001);
        STEP(a, 0.001);
        STEP(a, 0.001);
        STEP(a, 0.001);
        STEP(a, 0.001);
    }
    sink[GROUP(0) * LANES(0) + LANE(0)] = c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7;
}

/* z[i] in [-1, 1) with 48 bits, from seed + i: two numbers of 24, the second 2^-24 of the first. */
KERNEL k_random_float64(GLOBAL double *z, LONG n, LONG seed) {
    LONG i = (GROUP(0) * LANES(0) + LANE(0)) * PER_LANE;
    for (LONG end = i + PER_LANE; i < end && i < n; i++) {
        double high = (double)be_random((unsigned int)(seed + i), 24);
        double low = (double)be_random(~(unsigned int)(seed + i), 24);
        z[i] = high + low * (1.0 / 16777216.0);
    }
}
