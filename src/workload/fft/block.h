/*
 * A block of complex numbers of some columns, or lines, that is transformed where it lies, a step of radix 4, 8 or 16
 * after the other, in vectors as wide as the instruction set that the including file is compiled for. It does not know
 * where the numbers come from.
 */
#ifndef BE_WORKLOAD_FFT_BLOCK_H
#define BE_WORKLOAD_FFT_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "turn.h"

enum { STEPS = 3, STEP_LOG2 = 4, STEP = 1 << STEP_LOG2 };

/* Some columns' numbers, those of a group of lanes32 columns one after the other, and how they are transformed:
 * radices of steps, and in which order the first step's lie (as those of passes, simd.h). */
struct block {
    float *at;
    size_t groups, numbers; /* numbers of a column */
    size_t radix[STEPS], inner, outer;
    int steps;
};

static struct block block_of(size_t radix, float *buffer) {
    struct block block = {.at = buffer, .numbers = radix};
    const int log2 = __builtin_ctzll(radix);
    block.steps = log2 > 2 * STEP_LOG2 ? 3 : 2;
    for (int i = 0, left = log2; i < block.steps; i++) {
        const int part = (left + block.steps - i - 1) / (block.steps - i);
        block.radix[i] = (size_t)1 << part;
        left -= part;
    }
    block.inner = block.steps == STEPS ? block.radix[1] : 1;
    block.outer = radix / block.radix[0] / block.inner;
    return block;
}

static inline float *number(const struct block *block, size_t group, size_t i) {
    return block->at + (group * block->numbers + i) * NUMBERS_FLOATS;
}

/* Where the first step wants number i of a column. */
static inline size_t place_of(const struct block *block, size_t i) {
    const size_t first = block->radix[0];
    const size_t others = block->numbers / first;
    const size_t p = i % others;
    return i / others + first * (p / block->outer + block->inner * (p % block->outer));
}

/* One step of the block; roots: w(numbers)^i. s numbers were combined before; where those are all but `radix`, no factors are left. */
VECTOR_INLINE void change(const float *roots, const struct block *block, size_t s,
                          const size_t radix) {
    const size_t others = block->numbers / (s * radix);
    for (size_t i = 0; i < block->groups * others; i++) {
        const size_t row = i % others;
        const size_t p = s == 1 ? row / block->inner + block->outer * (row % block->inner) : row;
        float *at = number(block, i / others, s * radix * row);
        for (size_t q = 0; q < s; q++, at += NUMBERS_FLOATS) {
            struct numbers v[STEP];
#pragma GCC unroll 16
            for (size_t j = 0; j < radix; j++) {
                v[j] = numbers_get(at + j * s * NUMBERS_FLOATS);
            }
            butterfly(v, radix);
#pragma GCC unroll 16
            for (size_t k = 0; k < radix; k++) {
                const struct numbers x = v[PLACE(radix, k)];
                numbers_put(at + k * s * NUMBERS_FLOATS,
                            others > 1 ? times_one(x, roots + 2 * p * k * s) : x);
            }
        }
    }
}

typedef void block_step(const float *roots, const struct block *block, size_t s);

#define CHANGE(radix)                                                                              \
    static void change_##radix(const float *roots, const struct block *block, size_t s) {          \
        change(roots, block, s, radix);                                                            \
    }
CHANGE(4)
CHANGE(8)
CHANGE(16)
#undef CHANGE

/* The steps of a block but for the last `left` ones; returns how many numbers are combined then. */
static size_t change_block(const float *roots, const struct block *block, int left) {
    static block_step *const by[] = {[4] = change_4, [8] = change_8, [16] = change_16};
    size_t s = 1;
    for (int i = 0; i + left < block->steps; i++) {
        by[block->radix[i]](roots, block, s);
        s *= block->radix[i];
    }
    return s;
}

#endif
