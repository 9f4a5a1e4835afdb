/*
 * Squares of complex numbers in vectors, whose rows become columns: between lines in memory and vectors that have a number
 * of each of several lines.
 */
#ifndef BE_WORKLOAD_FFT_TURN_H
#define BE_WORKLOAD_FFT_TURN_H

#include <stdbool.h>

#include "butterflies.h"

enum { LINE = 16 /* floats */, PAIRS = LINE / 2 };

/* Rows of a square of complex numbers become columns. */
VECTOR_INLINE void turn(vector64 r[lanes64]) {
#define EXCHANGE(half)                                                                             \
    for (size_t i = 0; i < lanes64; i++) {                                                         \
        if (!(i & (half))) {                                                                       \
            const vector64 a = r[i];                                                               \
            const vector64 b = r[i + (half)];                                                      \
            r[i] = EXCHANGED64(UPPER, a, b, half);                                                 \
            r[i + (half)] = EXCHANGED64(LOWER, a, b, half);                                        \
        }                                                                                          \
    }
#if defined(__AVX512F__)
    EXCHANGE(4)
#endif
#if defined(__AVX__)
    EXCHANGE(2)
#endif
    EXCHANGE(1)
#undef EXCHANGE
}

/* Rows that are written in one piece are prefetched so many floats ahead. */
enum { FLOATS_AHEAD = 2 * LINE };

/* Rows of PAIRS numbers of a group's columns become a line of each column, `apart` floats of each other; those of
 * the first `valid` columns. ask: what follows is prefetched. */
VECTOR_INLINE void store_lines(vector32 row[PAIRS][2], float *out, size_t apart, size_t valid,
                               bool ask) {
#pragma GCC unroll 2
    for (size_t h = 0; h < 2; h++) {
        vector64 line[PAIRS / lanes64][lanes64];
#pragma GCC unroll 4
        for (size_t b = 0; b < PAIRS / lanes64; b++) {
#pragma GCC unroll 8
            for (size_t i = 0; i < lanes64; i++) {
                line[b][i] = (vector64)row[b * lanes64 + i][h];
            }
            turn(line[b]);
        }
#pragma GCC unroll 8
        for (size_t c = 0; c < lanes64; c++) {
            float *to = out + (h * lanes64 + c) * apart;
            if (h * lanes64 + c >= valid) {
                break;
            }
            if (ask) {
                __builtin_prefetch(to + FLOATS_AHEAD, 1, 3);
            }
#pragma GCC unroll 4
            for (size_t b = 0; b < PAIRS / lanes64; b++) {
                store32(to + b * lanes32, (vector32)line[b][c]);
            }
        }
    }
}

#endif
