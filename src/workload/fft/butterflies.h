/*
 * Complex numbers of neighbouring columns in vectors, as wide as the instruction set that the including file is
 * compiled for, and Fourier transforms of 4, 8 or 16 such numbers in registers.
 */
#ifndef BE_WORKLOAD_FFT_BUTTERFLIES_H
#define BE_WORKLOAD_FFT_BUTTERFLIES_H

#include "host/vector.h"

/* One number of each of lanes32 columns, in the order in which `apart` leaves them. */
struct numbers {
    vector32 re, im;
};

enum { NUMBERS_FLOATS = 2 * lanes32 };

VECTOR_INLINE struct numbers numbers_get(const float *from) {
    return (struct numbers){load32(from), load32(from + lanes32)};
}

VECTOR_INLINE void numbers_put(float *to, struct numbers x) {
    store32(to, x.re);
    store32(to + lanes32, x.im);
}

/* Real and imaginary parts that take turns in memory; within 16 bytes, which takes one instruction each. */
#define EVEN(k, odd, lanes) ((k) / 4 * 4 + (k) % 2 * 2 + (odd) + ((k) % 4 < 2 ? 0 : (lanes)))
#define TURNS(k, high, lanes) ((k) / 4 * 4 + (k) % 4 / 2 + 2 * (high) + ((k) % 2 ? (lanes) : 0))

VECTOR_INLINE struct numbers apart_of(vector32 a, vector32 b) {
    return (struct numbers){SHUFFLED32(a, b, LANES32(EVEN, 0, lanes32)),
                            SHUFFLED32(a, b, LANES32(EVEN, 1, lanes32))};
}

VECTOR_INLINE struct numbers apart(const float *from) {
    return apart_of(load32(from), load32(from + lanes32));
}

/* Undoes `apart`. */
VECTOR_INLINE void together(struct numbers x, vector32 pairs[2]) {
    pairs[0] = SHUFFLED32(x.re, x.im, LANES32(TURNS, 0, lanes32));
    pairs[1] = SHUFFLED32(x.re, x.im, LANES32(TURNS, 1, lanes32));
}

VECTOR_INLINE struct numbers plus(struct numbers a, struct numbers b) {
    return (struct numbers){a.re + b.re, a.im + b.im};
}

VECTOR_INLINE struct numbers minus(struct numbers a, struct numbers b) {
    return (struct numbers){a.re - b.re, a.im - b.im};
}

VECTOR_INLINE struct numbers times(struct numbers a, vector32 re, vector32 im) {
    return (struct numbers){a.re * re - a.im * im, a.re * im + a.im * re};
}

/* The same factor for every column: its real and its imaginary part. */
VECTOR_INLINE struct numbers times_one(struct numbers a, const float *factor) {
    return times(a, spread32(factor[0]), spread32(factor[1]));
}

VECTOR_INLINE struct numbers turned(struct numbers a) { /* by -i */
    return (struct numbers){a.im, -a.re};
}

#define COS_8 0.70710678118654752F  /* pi / 4 */
#define COS_16 0.92387953251128676F /* pi / 8 */
#define SIN_16 0.38268343236508977F

/* By w(8) and by w(8)^3. */
VECTOR_INLINE struct numbers eighth(struct numbers a) {
    return (struct numbers){COS_8 * (a.re + a.im), COS_8 * (a.im - a.re)};
}

VECTOR_INLINE struct numbers three_eighths(struct numbers a) {
    return (struct numbers){COS_8 * (a.im - a.re), -COS_8 * (a.re + a.im)};
}

VECTOR_INLINE void two(struct numbers *a, struct numbers *b) {
    const struct numbers difference = minus(*a, *b);
    *a = plus(*a, *b);
    *b = difference;
}

VECTOR_INLINE void four(struct numbers *a, struct numbers *b, struct numbers *c,
                        struct numbers *d) {
    two(a, c);
    two(b, d);
    const struct numbers turn = turned(*d);
    *d = minus(*c, turn);
    const struct numbers first = plus(*c, turn);
    *c = minus(*a, *b);
    *a = plus(*a, *b);
    *b = first;
}

/* Number k of the result of `radix` numbers is v[PLACE(radix, k)]. */
#define PLACE(radix, k)                                                                            \
    ((radix) == 16 ? 4 * ((k) % 4) + (k) / 4 : (radix) == 8 ? 4 * ((k) % 2) + (k) / 2 : (k))

VECTOR_INLINE void eight(struct numbers *v) {
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        two(&v[i], &v[i + 4]);
    }
    v[5] = eighth(v[5]);
    v[6] = turned(v[6]);
    v[7] = three_eighths(v[7]);
    four(&v[0], &v[1], &v[2], &v[3]);
    four(&v[4], &v[5], &v[6], &v[7]);
}

VECTOR_INLINE void sixteen(struct numbers *v) {
    static const float w1[] = {COS_16, -SIN_16};
    static const float w3[] = {SIN_16, -COS_16};
    static const float w9[] = {-COS_16, SIN_16};
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        four(&v[i], &v[i + 4], &v[i + 8], &v[i + 12]);
    }
    v[5] = times_one(v[5], w1);
    v[6] = eighth(v[6]);
    v[7] = times_one(v[7], w3);
    v[9] = eighth(v[9]);
    v[10] = turned(v[10]);
    v[11] = three_eighths(v[11]);
    v[13] = times_one(v[13], w3);
    v[14] = three_eighths(v[14]);
    v[15] = times_one(v[15], w9);
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        four(&v[4 * i], &v[4 * i + 1], &v[4 * i + 2], &v[4 * i + 3]);
    }
}

VECTOR_INLINE void butterfly(struct numbers *v, const size_t radix) {
    if (radix == 16) {
        sixteen(v);
    } else if (radix == 8) {
        eight(v);
    } else {
        four(&v[0], &v[1], &v[2], &v[3]);
    }
}

#endif
