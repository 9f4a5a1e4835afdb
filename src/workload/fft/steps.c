#include "workload/fft/steps.h"

#include <math.h>

enum {
    ALIGN = 128,
    SAME_PLACES = 32 /* numbers of 128 bytes: the first caches' ways are 4 KiB each */
};

/* Time a number takes in a step of each radix, as arithmetic and loads counted by hand have it; where it is 0 there is no
 * such step. */
static const unsigned char cost_of[BE_FFT_RADIX_MAX + 1] = {
    [2] = 14, [3] = 17,  [4] = 16,  [5] = 19,  [6] = 19,  [7] = 22,  [8] = 19,
    [9] = 22, [10] = 21, [11] = 27, [12] = 21, [13] = 30, [15] = 24, [16] = 24};

struct choice {
    size_t radix[BE_FFT_STEPS];
    int steps;
    unsigned cost;
};

/* The cheapest product of radices that is n, none above `most`. */
static void choose(size_t n, size_t most, struct choice *now, struct choice *best) {
    if (n == 1) {
        if (now->steps >= 2 && (best->steps == 0 || now->cost < best->cost)) {
            *best = *now;
        }
        return;
    }
    for (size_t r = most; r >= 2 && now->steps < BE_FFT_STEPS; r--) {
        if (cost_of[r] > 0 && n % r == 0) {
            now->radix[now->steps++] = r;
            now->cost += cost_of[r];
            choose(n / r, r, now, best);
            now->cost -= cost_of[r];
            now->steps--;
        }
    }
}

/* Powers of two last: where the others make a stride odd, its rows fall into places of their own. */
static unsigned twos(size_t n) {
    return (unsigned)__builtin_ctzll(n);
}

static void order(struct choice *choice) {
    for (int i = 1; i < choice->steps; i++) {
        for (int k = i; k > 0 && twos(choice->radix[k]) < twos(choice->radix[k - 1]); k--) {
            const size_t swap = choice->radix[k];
            choice->radix[k] = choice->radix[k - 1];
            choice->radix[k - 1] = swap;
        }
    }
}

bool be_fft_steps_plan(size_t n, struct be_fft_steps *steps) {
    struct choice now = {.steps = 0};
    struct choice best = {.steps = 0};
    if (n < BE_FFT_RADIX_MAX || n > BE_FFT_STEPS_NUMBERS) {
        return false;
    }
    choose(n, BE_FFT_RADIX_MAX, &now, &best);
    if (best.steps == 0) {
        return false;
    }
    order(&best);
    *steps = (struct be_fft_steps){.n = n, .steps = best.steps};
    for (int i = 0; i < best.steps; i++) {
        steps->radix[i] = best.radix[i];
    }
    const size_t last = best.radix[best.steps - 1];
    const size_t s = n / last;
    steps->piece = s + (s % SAME_PLACES == 0 ? 1 : 0);
    steps->block = steps->piece * last;
    return true;
}

enum { LANES_MAX = 16, BESIDE = 32, NARROW_FROM = 2048 };

size_t be_fft_lines_floats(const struct be_fft_steps *steps) {
    const size_t tile = steps->radix[0] * (LANES_MAX / 2);
    return 2 * LANES_MAX * (steps->block + tile);
}

size_t be_fft_beside(const struct be_fft_steps *steps) {
    return steps->n < NARROW_FROM ? BESIDE : BESIDE / 2;
}

/* The larger of the block, and that of one vector's columns with their copy. */
size_t be_fft_columns_floats(const struct be_fft_steps *steps) {
    return 2 * BESIDE * steps->block;
}

/* ---- tables ----------------------------------------------------------------------------------- */

static size_t rounded(size_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static size_t place_bytes(const struct be_fft_steps *steps) {
    return rounded(steps->n / steps->radix[0] * sizeof *steps->place);
}

/* Floats of a step's factors; left: numbers over those combined before it. */
static size_t factor_floats(size_t left, size_t radix) {
    return left / radix * (radix - 1) * 2;
}

size_t be_fft_steps_bytes(const struct be_fft_steps *steps) {
    size_t bytes = place_bytes(steps);
    size_t left = steps->n;
    for (int t = 0; t + 1 < steps->steps; left /= steps->radix[t], t++) {
        bytes += rounded(factor_floats(left, steps->radix[t]) * sizeof(float));
    }
    return bytes;
}

void be_fft_steps_take(struct be_fft_steps *steps, const void *tables) {
    const char *at = tables;
    size_t left = steps->n;
    steps->place = (const uint16_t *)(const void *)at;
    at += place_bytes(steps);
    for (int t = 0; t + 1 < steps->steps; left /= steps->radix[t], t++) {
        steps->factors[t] = (const float *)(const void *)at;
        at += rounded(factor_floats(left, steps->radix[t]) * sizeof(float));
    }
}

/* The row of p in step t, m rows: the next step's radix[t + 1] numbers p = p' + m' j are neighbours. */
static size_t row_of(const struct be_fft_steps *steps, int t, size_t p) {
    size_t left = steps->n;
    size_t row = 0;
    size_t beside = 1;
    for (int i = 0; i <= t; i++) {
        left /= steps->radix[i];
    }
    for (int i = t + 1; i < steps->steps; i++) {
        left /= steps->radix[i];
        row += beside * (p / left);
        p %= left;
        beside *= steps->radix[i];
    }
    return row;
}

void be_fft_steps_make(struct be_fft_steps *steps, void *tables) {
    uint16_t *place = tables;
    const size_t s = steps->n / steps->radix[steps->steps - 1];
    size_t left = steps->n;
    be_fft_steps_take(steps, tables);
    for (int t = 0; t + 1 < steps->steps; t++) {
        const size_t r = steps->radix[t];
        float *factors = (float *)(void *)((char *)tables + ((const char *)steps->factors[t] -
                                                             (const char *)tables));
        for (size_t p = 0; p < left / r; p++) {
            const size_t row = row_of(steps, t, p);
            float *to = factors + 2 * (r - 1) * (t == 0 ? p : row);
            if (t == 0) {
                place[p] = (uint16_t)(row * r / s * steps->piece + row * r % s);
            }
            for (size_t k = 1; k < r; k++, to += 2) {
                const double angle =
                    -2 * 3.14159265358979323846 * (double)(p * k % left) / (double)left;
                to[0] = (float)cos(angle);
                to[1] = (float)sin(angle);
            }
        }
        left /= r;
    }
}
