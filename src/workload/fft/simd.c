/*
 * A pass's transforms of R numbers are two or three steps of 4, 8 or 16 in registers, as the whole is of passes: rows
 * are read into a block, each step changes it where it lies, and the last one writes memory, but for the first
 * pass, whose results of a column lie in one piece.
 */
#include "simd.h"

#include "block.h"

/* Rows lie so far apart that no core foresees them: those of so many rows later are prefetched. More would push each
 * other out of the second cache, where rows a power of two apart share few places. */
enum { ROWS_AHEAD = 8 };

/* The rows that columns f and on are made of, `apart` floats of each other. */
struct rows {
    const float *first;
    size_t apart;
};

static struct rows rows_of(const struct be_fft_pass *pass, size_t f) {
    const size_t s = pass->s;
    return s == 1 ? (struct rows){pass->x + 2 * f, 2 * (pass->n / pass->radix)}
                  : (struct rows){pass->z + 2 * (f % s + s * pass->radix * (f / s)), 2 * s};
}

/* Behind the last rows come the first ones of the next columns. */
static void load(const struct be_fft_pass *pass, const struct block *block, size_t f) {
    const struct rows now = rows_of(pass, f);
    const struct rows next = rows_of(pass, f + block->groups * lanes32);
    for (size_t i = 0; i < pass->radix; i++) {
        const size_t later = i + ROWS_AHEAD;
        const float *ask = later < pass->radix ? now.first + later * now.apart
                                               : next.first + (later - pass->radix) * next.apart;
        for (size_t c = 0; c < block->groups * NUMBERS_FLOATS; c += LINE) {
            __builtin_prefetch(ask + c, 0, 3);
        }
        const size_t to = place_of(block, i);
        for (size_t g = 0; g < block->groups; g++) {
            numbers_put(number(block, g, to),
                        apart(now.first + i * now.apart + g * NUMBERS_FLOATS));
        }
    }
}

/* w(n)^index. */
static void power(const struct be_fft_pass *pass, size_t index, float factor[2]) {
    const double *a = pass->coarse + 2 * (index >> pass->shift);
    const double *b = pass->fine + 2 * (index & (((size_t)1 << pass->shift) - 1));
    factor[0] = (float)(a[0] * b[0] - a[1] * b[1]);
    factor[1] = (float)(a[0] * b[1] + a[1] * b[0]);
}

/* The last step, to the rows that columns f and on came from; all have the same p, and with it one factor a
 * row. */
VECTOR_INLINE void leave(const struct be_fft_pass *pass, const struct block *block, size_t f,
                         const size_t radix) {
    const size_t s = block->numbers / radix;
    const size_t p = f / pass->s;
    float *const first = pass->z + 2 * (f % pass->s + pass->s * pass->radix * p);
    for (size_t q = 0; q < s; q++) {
        float factor[STEP][2];
        for (size_t k = 0; p > 0 && k < radix; k++) {
            power(pass, p * (q + s * k) * pass->s, factor[k]);
        }
        for (size_t g = 0; g < block->groups; g++) {
            struct numbers v[STEP];
#pragma GCC unroll 16
            for (size_t j = 0; j < radix; j++) {
                v[j] = numbers_get(number(block, g, q + s * j));
            }
            butterfly(v, radix);
#pragma GCC unroll 16
            for (size_t k = 0; k < radix; k++) {
                const struct numbers x = v[PLACE(radix, k)];
                float *out = first + 2 * (q + s * k) * pass->s + g * NUMBERS_FLOATS;
                vector32 pairs[2];
                together(p > 0 ? times_one(x, factor[k]) : x, pairs);
                store32(out, pairs[0]);
                store32(out + lanes32, pairs[1]);
            }
        }
    }
}

/* The first pass: each column's result lies in one piece. */
static void leave_apart(const struct be_fft_pass *pass, const struct block *block, size_t f) {
    const size_t row = f / pass->outer + pass->inner * (f % pass->outer);
    const size_t apart_by = 2 * pass->radix * pass->inner;
    for (size_t k = 0; k < pass->radix; k += PAIRS) {
        float factor[PAIRS][2];
        for (size_t i = 0; i < PAIRS; i++) {
            power(pass, f * (k + i), factor[i]);
        }
        float *out = pass->z + 2 * (row * pass->radix + k);
        for (size_t g = 0; g < block->groups; g++, out += lanes32 * apart_by) {
            vector32 pairs[PAIRS][2];
            for (size_t i = 0; i < PAIRS; i++) {
                const float *lanes =
                    pass->lanes + 2 * (k + i) * BE_FFT_COLUMNS + g * NUMBERS_FLOATS;
                const struct numbers w = times_one(apart(lanes), factor[i]);
                together(times(numbers_get(number(block, g, k + i)), w.re, w.im), pairs[i]);
            }
            store_lines(pairs, out, apart_by, lanes32, 2 * k + FLOATS_AHEAD < 2 * pass->radix);
        }
    }
}

typedef void step(const struct be_fft_pass *pass, const struct block *block, size_t at);

#define SIZED(name, radix)                                                                         \
    static void name##_##radix(const struct be_fft_pass *pass, const struct block *block,          \
                               size_t at) {                                                        \
        name(pass, block, at, radix);                                                              \
    }
SIZED(leave, 4)
SIZED(leave, 8)
SIZED(leave, 16)

static step *const leave_by[] = {[4] = leave_4, [8] = leave_8, [16] = leave_16};

void BE_SIMD_NAME(be_fft_run)(const struct be_fft_pass *pass, size_t first, size_t count,
                              float *buffer) {
    struct block block = block_of(pass->radix, buffer);
    const size_t last = block.radix[block.steps - 1];
    const size_t beside = pass->s > 1 ? pass->s : pass->outer; /* columns */
    const size_t max = beside < BE_FFT_COLUMNS ? beside : BE_FFT_COLUMNS;
    for (size_t f = first; f < first + count; f += block.groups * lanes32) {
        const size_t capacity = max - f % max;
        const size_t left = first + count - f;
        block.groups = (capacity < left ? capacity : left) / lanes32;
        load(pass, &block, f);
        if (pass->s > 1) {
            change_block(pass->roots, &block, 1);
            leave_by[last](pass, &block, f);
        } else {
            change_block(pass->roots, &block, 0);
            leave_apart(pass, &block, f);
        }
    }
}
