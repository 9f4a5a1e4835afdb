/*
 * z[i] uniform in [0, 1) from (key, i) alone: Philox4x32-10 of Salmon, Moraes, Dror and Shaw,
 * "Parallel random numbers: as easy as 1, 2, 3" (SC11). Block b of the generator is four 32-bit
 * words: elements 4b .. 4b+3 of 24 bits, or as REAL64 elements 2b and 2b+1 of 53 bits.
 */
#include "kernels/dialect.h"

/* The low and the high half of a * b. */
#if defined(__CUDACC__)
#define HIGH(a, b) __umulhi(a, b)
#else
#define HIGH(a, b) mul_hi(a, b)
#endif

#define PHILOX_LANES 256
#define BLOCKS 4 /* a lane makes, a group's width apart */

#if defined(BE_REAL64)
#define A_BLOCK 2
#define VECTOR double2
#else
#define A_BLOCK 4
#define VECTOR float4
#endif

/* c: counter in, random words out. The key is a constant, so its ten steps are too. */
DEVICE void philox(unsigned int *c) {
    unsigned int k0 = PHILOX_KEY0, k1 = PHILOX_KEY1;
    for (int round = 0; round < 10; round++) {
        unsigned int high0 = HIGH(0xD2511F53u, c[0]), low0 = 0xD2511F53u * c[0];
        unsigned int high1 = HIGH(0xCD9E8D57u, c[2]), low1 = 0xCD9E8D57u * c[2];
        c[0] = high1 ^ c[1] ^ k0;
        c[1] = low1;
        c[2] = high0 ^ c[3] ^ k1;
        c[3] = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

DEVICE VECTOR uniform(LONG block) {
    VECTOR v;
    unsigned int c[4];
    c[0] = (unsigned int)block;
    c[1] = (unsigned int)(block >> 32);
    c[2] = 0;
    c[3] = 0;
    philox(c);
#if defined(BE_REAL64)
    /* The upper 21 and the lower 32 of 53 bits: each is exact, and so is their sum. */
    v.x = ((double)(c[1] >> 11) * 4294967296.0 + (double)((c[1] << 21) | (c[0] >> 11))) *
          1.1102230246251565e-16;
    v.y = ((double)(c[3] >> 11) * 4294967296.0 + (double)((c[3] << 21) | (c[2] >> 11))) *
          1.1102230246251565e-16;
#else
    v.x = (float)(c[0] >> 8) * 5.9604644775390625e-8f;
    v.y = (float)(c[1] >> 8) * 5.9604644775390625e-8f;
    v.z = (float)(c[2] >> 8) * 5.9604644775390625e-8f;
    v.w = (float)(c[3] >> 8) * 5.9604644775390625e-8f;
#endif
    return v;
}

/* 0 <= i < n; a group does PHILOX_LANES * BLOCKS blocks. */
KERNEL LANES_MOST(PHILOX_LANES) k_philox(GLOBAL REAL *z, LONG n) {
    LONG block = GROUP(0) * (PHILOX_LANES * BLOCKS) + LANE(0);
    for (int k = 0; k < BLOCKS; k++, block += PHILOX_LANES) {
        LONG i = block * A_BLOCK;
        if (i >= n)
            return;
        VECTOR v = uniform(block);
        if (i + A_BLOCK <= n) {
#if defined(__CUDACC__)
            __stcs((VECTOR *)(z + i), v);
#else
            *(GLOBAL VECTOR *)(z + i) = v;
#endif
            continue;
        }
        z[i] = v.x;
#if A_BLOCK == 4
        if (i + 1 < n)
            z[i + 1] = v.y;
        if (i + 2 < n)
            z[i + 2] = v.z;
#endif
    }
}
