/*
 * A square of numbers whose rows are vectors changes rows and columns. For files that are compiled once for each
 * instruction set.
 */
#ifndef BE_NN_LANE_SQUARE_H
#define BE_NN_LANE_SQUARE_H

#include "host/vector.h"

#define UP(k, half, lanes) UPPER(k, half, lanes)
#define DOWN(k, half, lanes) LOWER(k, half, lanes)

/* Rows and columns of a square of lanes32 x lanes32 change places. */
VECTOR_INLINE void turn_square(vector32 row[lanes32]) {
#define STEP(half)                                                                                 \
    for (int k = 0; k < lanes32; k++) {                                                            \
        if (!(k & (half)) && (half) < lanes32) {                                                   \
            const vector32 a = row[k];                                                             \
            const vector32 b = row[(k + (half)) % lanes32];                                        \
            row[k] = EXCHANGED32(UP, a, b, half);                                                  \
            row[(k + (half)) % lanes32] = EXCHANGED32(DOWN, a, b, half);                           \
        }                                                                                          \
    }
    STEP(1)
    STEP(2)
#if defined(__AVX__)
    STEP(4)
#endif
#if defined(__AVX512F__)
    STEP(8)
#endif
#undef STEP
}

#endif
