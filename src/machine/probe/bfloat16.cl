/*
 * Brain floating point (bfloat16), two numbers to an instruction, in a program of its own: not every device
 * has it, and host C has not.
 */
#include "kernels/dialect.h"

#if defined(__OPENCL_VERSION__)
#error OpenCL has no arithmetic of bfloat16
#endif
#define PAIR unsigned int
#define PAIR_OF(bits) (bits)
#define PAIR_BITS(v) (v)
#define PAIR_FMA(c) c = be_pair_fma(c, a, b)
/* From compute capability 8.0 on. */
DEVICE unsigned int be_pair_fma(unsigned int c, unsigned int a, unsigned int b) {
    unsigned int r;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(c), "r"(a), "r"(b));
    return r;
}

#define STEP                                                                                       \
    PAIR_FMA(c0), PAIR_FMA(c1), PAIR_FMA(c2), PAIR_FMA(c3), PAIR_FMA(c4), PAIR_FMA(c5),            \
    PAIR_FMA(c6), PAIR_FMA(c7)

/* As k_fma of ceilings.cl, on pairs: c = c * a + b with a = 1 - 2^-6 and b = 2^-6 goes to 1. The
 * first two chains' pairs of each lane go to sink as bits. */
KERNEL k_fma_pair(GLOBAL unsigned int *sink, LONG rounds) {
    PAIR a = PAIR_OF(0x3f7c3f7cu), b = PAIR_OF(0x3c803c80u);
    PAIR c0 = PAIR_OF(0x3f003f00u), c1 = PAIR_OF(0x3f403f40u), c2 = PAIR_OF(0x3f003f00u), c3 = PAIR_OF(0x3f403f40u);
    PAIR c4 = PAIR_OF(0x3f003f00u), c5 = PAIR_OF(0x3f403f40u), c6 = PAIR_OF(0x3f003f00u), c7 = PAIR_OF(0x3f403f40u);
    for (LONG round = 0; round < rounds; round++) {
        STEP, STEP, STEP, STEP, STEP, STEP, STEP, STEP;
    }
    LONG lane = GROUP(0) * LANES(0) + LANE(0);
    sink[2 * lane] = PAIR_BITS(c0) | PAIR_BITS(c2) | PAIR_BITS(c4) | PAIR_BITS(c6);
    sink[2 * lane + 1] = PAIR_BITS(c1) | PAIR_BITS(c3) | PAIR_BITS(c5) | PAIR_BITS(c7);
}
