/*
 * A vector has the same number of as many lines as it has lanes: squares of numbers are turned where lines are read
 * and where their transforms are written.
 */
#include "lines_simd.h"

#include "steps_simd.h"
#include "turn.h"

/* ---- real numbers ------------------------------------------------------------------------------- */

/* Numbers k and n - k of the spectrum of 2 n real numbers, from those of the transform of n pairs; re, im: half of w(2 n)^k. */
VECTOR_INLINE void split(struct numbers *a, struct numbers *b, vector32 re, vector32 im) {
    const vector32 half = spread32(0.5F);
    const struct numbers even = {half * (a->re + b->re), half * (a->im - b->im)};
    const struct numbers odd = {a->im + b->im, b->re - a->re};
    const struct numbers turned_odd = times(odd, re, im);
    *a = plus(even, turned_odd);
    *b = minus(even, turned_odd);
    b->im = -b->im;
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
        const struct numbers roots = times_one(lanes, (const float[]){0.5F * w[0], 0.5F * w[1]});
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

#define KERNELS BE_SIMD_NAME(be_fft_kernels)

/* Some lines, and where their numbers are meanwhile: a block, and in the first step `tile`, PAIRS numbers of each part
 * of a line that the step combines. */
struct task {
    const struct be_fft_lines *lines;
    const float *x;
    float *z;
    size_t valid; /* lines; behind them the last one is taken again */
    float *block, *tile;
};

/* Numbers i .. i + PAIRS - 1 of all lines become vectors. */
VECTOR_INLINE void load_tile(const struct task *task, size_t i, float *to) {
    const float *const x = task->x + 2 * i;
    const size_t apart_by = task->lines->x_apart;
    vector32 row[PAIRS][2];
#pragma GCC unroll 2
    for (size_t h = 0; h < 2; h++) {
        vector64 line[PAIRS / lanes64][lanes64];
#pragma GCC unroll 8
        for (size_t c = 0; c < lanes64; c++) {
            const size_t at = h * lanes64 + c;
            const float *from = x + (at < task->valid ? at : task->valid - 1) * apart_by;
#pragma GCC unroll 4
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
        numbers_put(to + j * NUMBERS_FLOATS, apart_of(row[j][0], row[j][1]));
    }
}

/* The same where fewer than PAIRS are left, one by one. */
static void load_few(const struct task *task, size_t i, size_t count, float *to) {
    for (size_t j = 0; j < count; j++, to += NUMBERS_FLOATS) {
        for (size_t k = 0; k < lanes32; k++) {
            const size_t line = EVEN(k, 0, lanes32) / 2;
            const float *from =
                task->x + (line < task->valid ? line : task->valid - 1) * task->lines->x_apart;
            to[k] = from[2 * (i + j)];
            to[lanes32 + k] = from[2 * (i + j) + 1];
        }
    }
}

/* The first step; lines lie too far apart for any core to foresee what comes next. */
static void enter(const struct task *task) {
    const struct be_fft_steps *steps = task->lines->steps;
    const size_t radix = steps->radix[0];
    const size_t others = steps->n / radix;
    struct be_fft_few few = {.from_apart = PAIRS * NUMBERS_FLOATS,
                             .to_apart = NUMBERS_FLOATS,
                             .count = 1,
                             .factors = steps->factors[0]};
    for (size_t i = 0; i < others; i += PAIRS) {
        const size_t now = others - i < PAIRS ? others - i : PAIRS;
        for (size_t j = 0; j < radix; j++) {
            float *to = task->tile + j * PAIRS * NUMBERS_FLOATS;
            if (now == PAIRS) {
                load_tile(task, i + j * others, to);
            } else {
                load_few(task, i + j * others, now, to);
            }
        }
        for (size_t p = 0; p < now; p++) {
            few.from = task->tile + p * NUMBERS_FLOATS;
            few.to = task->block + steps->place[i + p] * NUMBERS_FLOATS;
            KERNELS.change[radix](&few);
            few.factors += 2 * (radix - 1);
        }
    }
}

static void end(const struct task *task) {
    const struct be_fft_steps *steps = task->lines->steps;
    const size_t radix = steps->radix[steps->steps - 1];
    const struct be_fft_few few = {.from = task->block,
                                   .to = task->block,
                                   .from_apart = steps->piece * NUMBERS_FLOATS,
                                   .to_apart = steps->piece * NUMBERS_FLOATS,
                                   .from_next = NUMBERS_FLOATS,
                                   .to_next = NUMBERS_FLOATS,
                                   .count = steps->n / radix};
    KERNELS.end[radix](&few);
}

/* Number k of the block. */
static inline const float *number(const struct task *task, size_t k) {
    const struct be_fft_steps *steps = task->lines->steps;
    const size_t s = steps->n / steps->radix[steps->steps - 1];
    return task->block + (k + k / s * (steps->piece - s)) * NUMBERS_FLOATS;
}

static void store_complex(const struct task *task) {
    const size_t n = task->lines->steps->n;
    for (size_t i = 0; i < n; i += PAIRS) {
        const size_t at = i + PAIRS <= n ? i : n - PAIRS;
        vector32 row[PAIRS][2];
#pragma GCC unroll 8
        for (size_t j = 0; j < PAIRS; j++) {
            together(numbers_get(number(task, at + j)), row[j]);
        }
        store_lines(row, task->z + 2 * at, task->lines->z_apart, task->valid, false);
    }
}

/* The first and the last number of half a spectrum, which are real. */
static void store_ends(const struct task *task) {
    const struct be_fft_lines *lines = task->lines;
    for (size_t k = 0; k < lanes32; k++) {
        const size_t line = EVEN(k, 0, lanes32) / 2;
        const float re = task->block[k];
        const float im = task->block[lanes32 + k];
        float *z = task->z + line * lines->z_apart;
        if (line < task->valid) {
            z[0] = re + im;
            z[1] = lines->packed ? re - im : 0;
        }
        if (line < task->valid && !lines->packed) {
            z[2 * lines->steps->n] = re - im;
            z[2 * lines->steps->n + 1] = 0;
        }
    }
}

/* Numbers k and n - k of the spectrum, PAIRS of each at a time. */
static void store_real(const struct task *task) {
    const struct be_fft_lines *lines = task->lines;
    const size_t n = lines->steps->n;
    for (size_t i = 1; i <= n / 2; i += PAIRS) {
        const size_t first = i + PAIRS <= n / 2 + 1 ? i : n / 2 + 1 - PAIRS;
        vector32 low[PAIRS][2];
        vector32 high[PAIRS][2];
#pragma GCC unroll 8
        for (size_t j = 0; j < PAIRS; j++) {
            const size_t k = first + j;
            struct numbers a = numbers_get(number(task, k));
            struct numbers b = numbers_get(number(task, n - k));
            split(&a, &b, spread32(lines->halves[2 * k]), spread32(lines->halves[2 * k + 1]));
            together(a, low[j]);
            together(b, high[PAIRS - 1 - j]);
        }
        store_lines(low, task->z + 2 * first, lines->z_apart, task->valid, false);
        store_lines(high, task->z + 2 * (n - first - PAIRS + 1), lines->z_apart, task->valid,
                    false);
    }
    store_ends(task);
}

void BE_SIMD_NAME(be_fft_lines_run)(const struct be_fft_lines *lines, size_t first, size_t count,
                                    float *buffer) {
    struct task task = {
        .lines = lines, .block = buffer, .tile = buffer + lines->steps->block * NUMBERS_FLOATS};
    for (size_t f = first; f < first + count; f += lanes32) {
        const size_t left = first + count - f;
        task.x = lines->x + f * lines->x_apart;
        task.z = lines->z + f * lines->z_apart;
        task.valid = left < lanes32 ? left : lanes32;
        enter(&task);
        BE_SIMD_NAME(be_fft_between)(lines->steps, task.block);
        end(&task);
        if (lines->halves) {
            store_real(&task);
        } else {
            store_complex(&task);
        }
    }
}
