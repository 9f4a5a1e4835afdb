/*
 * A vector has the same number of as many lines as it has lanes: squares of numbers are turned where lines are read
 * and where their transforms are written.
 */
#include "lines_simd.h"

#include "block.h"

/* ---- real numbers ------------------------------------------------------------------------------- */

/* Numbers k and n - k of the spectrum of 2 n real numbers, from those of the transform of n pairs; w: w(2 n)^k. */
VECTOR_INLINE void split(struct numbers *a, struct numbers *b, vector32 re, vector32 im) {
    const vector32 half = spread32(0.5F);
    const struct numbers even = {half * (a->re + b->re), half * (a->im - b->im)};
    const struct numbers odd = {half * (a->im + b->im), half * (b->re - a->re)};
    const struct numbers turned_odd = times(odd, re, im);
    *a = plus(even, turned_odd);
    *b = minus(even, turned_odd);
    b->im = -b->im;
}

/* The spectrum's last number of each line, which is real, is left in `last` unless it is packed. */
static void split_block(const struct be_fft_lines *lines, const struct block *block,
                        float last[2 * lanes32]) {
    const size_t n = block->numbers;
    struct numbers first = numbers_get(number(block, 0, 0));
    const struct numbers end = {first.re - first.im, spread32(0)};
    vector32 pairs[2];
    first.re += first.im;
    first.im = lines->packed ? end.re : end.im;
    numbers_put(number(block, 0, 0), first);
    together(end, pairs);
    store32(last, pairs[0]);
    store32(last + lanes32, pairs[1]);
    for (size_t k = 1; k <= n / 2; k++) {
        struct numbers a = numbers_get(number(block, 0, k));
        struct numbers b = numbers_get(number(block, 0, n - k));
        split(&a, &b, spread32(lines->halves[2 * k]), spread32(lines->halves[2 * k + 1]));
        numbers_put(number(block, 0, n - k), b);
        numbers_put(number(block, 0, k), a);
    }
}

/* Neighbouring numbers in the opposite order, as `apart` and `together` have them. */
#define AT_OF(k, lanes) (EVEN(k, 0, lanes) / 2)
#define BACKWARDS(k, odd, lanes) (2 * ((lanes)-1 - AT_OF(k, lanes)) + (odd))
#define MIRROR(k, high, lanes) (2 * (lanes)-2 - 2 * (((high) * (lanes) + (k)) / 2))
#define BACKWARDS_TURNS(k, high, lanes)                                                            \
    (TURNS(MIRROR(k, high, lanes) % (lanes), MIRROR(k, high, lanes) / (lanes), lanes) +            \
     ((k) % 2 ? (lanes) : 0))

VECTOR_INLINE struct numbers apart_backwards(const float *from) {
    const vector32 a = load32(from);
    const vector32 b = load32(from + lanes32);
    return (struct numbers){SHUFFLED32(a, b, LANES32(BACKWARDS, 0, lanes32)),
                            SHUFFLED32(a, b, LANES32(BACKWARDS, 1, lanes32))};
}

VECTOR_INLINE void put_backwards(struct numbers x, float *to) {
    store32(to, SHUFFLED32(x.re, x.im, LANES32(BACKWARDS_TURNS, 0, lanes32)));
    store32(to + lanes32, SHUFFLED32(x.re, x.im, LANES32(BACKWARDS_TURNS, 1, lanes32)));
}

VECTOR_INLINE void put_forwards(struct numbers x, float *to) {
    vector32 pairs[2];
    together(x, pairs);
    store32(to, pairs[0]);
    store32(to + lanes32, pairs[1]);
}

static void power(const struct be_fft_halves *h, size_t index, float factor[2]) {
    const double *a = h->coarse + 2 * (index >> h->shift);
    const double *b = h->fine + 2 * (index & (((size_t)1 << h->shift) - 1));
    factor[0] = (float)(a[0] * b[0] - a[1] * b[1]);
    factor[1] = (float)(a[0] * b[1] + a[1] * b[0]);
}

static void split_ends(const struct be_fft_halves *h) {
    float *z = h->z;
    const float re = z[0];
    const float im = z[1];
    z[0] = re + im;
    z[1] = 0;
    z[2 * h->n] = re - im;
    z[2 * h->n + 1] = 0;
    if (h->n > 1) {
        z[h->n + 1] = -z[h->n + 1]; /* number n / 2 */
    }
}

static void split_one(const struct be_fft_halves *h, size_t k) {
    float w[2];
    float *a = h->z + 2 * k;
    float *b = h->z + 2 * (h->n - k);
    power(h, k, w);
    const float even[] = {0.5F * (a[0] + b[0]), 0.5F * (a[1] - b[1])};
    const float odd[] = {0.5F * (a[1] + b[1]), 0.5F * (b[0] - a[0])};
    const float turn_re = odd[0] * w[0] - odd[1] * w[1];
    const float turn_im = odd[0] * w[1] + odd[1] * w[0];
    a[0] = even[0] + turn_re;
    a[1] = even[1] + turn_im;
    b[0] = even[0] - turn_re;
    b[1] = turn_im - even[1];
}

void BE_SIMD_NAME(be_fft_halves_run)(const struct be_fft_halves *h, size_t first, size_t count) {
    const size_t end = first + count;
    size_t k = first;
    if (k == 0 && count > 0) {
        split_ends(h);
        k++;
    }
    const struct numbers lanes = apart(h->lanes);
    for (; k + lanes32 <= end; k += lanes32) {
        float w[2];
        power(h, k, w);
        const struct numbers roots = times_one(lanes, w);
        float *low = h->z + 2 * k;
        float *high = h->z + 2 * (h->n - k - lanes32 + 1);
        struct numbers a = apart(low);
        struct numbers b = apart_backwards(high);
        split(&a, &b, roots.re, roots.im);
        put_forwards(a, low);
        put_backwards(b, high);
    }
    for (; k < end; k++) {
        split_one(h, k);
    }
}

/* ---- lines -------------------------------------------------------------------------------------- */

/* Numbers of a line that lie in a cache line become rows of the block. Behind the last line the last one is taken
 * again. */
static void load_lines(const struct be_fft_lines *lines, const struct block *block, size_t first,
                       size_t valid) {
    for (size_t i = 0; i < lines->radix; i += PAIRS) {
        vector32 row[PAIRS][2];
#pragma GCC unroll 2
        for (size_t h = 0; h < 2; h++) {
            vector64 line[PAIRS / lanes64][lanes64];
#pragma GCC unroll 8
            for (size_t c = 0; c < lanes64; c++) {
                const size_t at = h * lanes64 + c;
                const float *from =
                    lines->x + (first + (at < valid ? at : valid - 1)) * lines->x_apart + 2 * i;
                for (size_t b = 0; b < PAIRS / lanes64; b++) {
                    line[b][c] = (vector64)load32(from + b * lanes32);
                }
            }
#pragma GCC unroll 4
            for (size_t b = 0; b < PAIRS / lanes64; b++) {
                turn(line[b]);
#pragma GCC unroll 8
                for (size_t j = 0; j < lanes64; j++) {
                    row[b * lanes64 + j][h] = (vector32)line[b][j];
                }
            }
        }
#pragma GCC unroll 8
        for (size_t j = 0; j < PAIRS; j++) {
            numbers_put(number(block, 0, place_of(block, i + j)), apart_of(row[j][0], row[j][1]));
        }
    }
}

static void store_transforms(const struct be_fft_lines *lines, const struct block *block,
                             size_t first, size_t valid) {
    for (size_t i = 0; i < lines->radix; i += PAIRS) {
        vector32 row[PAIRS][2];
#pragma GCC unroll 8
        for (size_t j = 0; j < PAIRS; j++) {
            together(numbers_get(number(block, 0, i + j)), row[j]);
        }
        store_lines(row, lines->z + first * lines->z_apart + 2 * i, lines->z_apart, valid, false);
    }
}

void BE_SIMD_NAME(be_fft_lines_run)(const struct be_fft_lines *lines, size_t first, size_t count,
                                    float *buffer) {
    struct block block = block_of(lines->radix, buffer);
    block.groups = 1;
    for (size_t f = first; f < first + count; f += lanes32) {
        const size_t left = first + count - f;
        const size_t valid = left < lanes32 ? left : lanes32;
        float last[2 * lanes32];
        load_lines(lines, &block, f, valid);
        change_block(lines->roots, &block, 0);
        if (lines->halves) {
            split_block(lines, &block, last);
        }
        store_transforms(lines, &block, f, valid);
        for (size_t c = 0; lines->halves && !lines->packed && c < valid; c++) {
            memcpy(lines->z + (f + c) * lines->z_apart + 2 * lines->radix, last + 2 * c,
                   2 * sizeof *last);
        }
    }
}
