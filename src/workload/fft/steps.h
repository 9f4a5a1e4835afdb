/*
 * How a transform of up to 4096 numbers is done in steps of small radices, and the tables that takes: for any n of
 * prime factors up to 13. It knows nothing of vectors, lines or images.
 *
 * Step t combines radix[t] transforms of s numbers each, s the product of the radices before:
 *
 *   y[q + s (r p + k)] = w(r s m)^(s p k) sum over j of x[q + s (p + m j)] w(r)^(j k),   m = n / (r s), p < m, q < s,
 *
 * where w(n) = exp(-2 pi i / n). Numbers lie such that a step reads and writes the same places: row i of a step, r
 * pieces of s numbers one behind the other, has some p that the tables know.
 */
#ifndef BE_WORKLOAD_FFT_STEPS_H
#define BE_WORKLOAD_FFT_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BE_FFT_STEPS = 6, BE_FFT_RADIX_MAX = 16, BE_FFT_STEPS_NUMBERS = 4096 };

struct be_fft_steps {
    size_t n;
    int steps; /* 2 at least */
    size_t radix[BE_FFT_STEPS];
    /* The last step's pieces lie `piece` numbers apart, a little more than their n / radix, so that they do not all
     * fall into the same places of the first cache; a block is `block` numbers long. */
    size_t piece, block;
    /* Where the first step leaves the radix[0] numbers of p, p < n / radix[0]. */
    const uint16_t *place;
    /* Factors for k = 1 .. r - 1 of each row of a step, real and imaginary part in turn; the first step's in the order of
     * p. The last step needs none. */
    const float *factors[BE_FFT_STEPS];
};

/* Whether there are such steps, for 16 <= n <= 4096; then all but the tables of *steps is set. */
bool be_fft_steps_plan(size_t n, struct be_fft_steps *steps);
/* Floats that be_fft_lines_run() and be_fft_columns_run() work in. */
size_t be_fft_lines_floats(const struct be_fft_steps *steps);
size_t be_fft_columns_floats(const struct be_fft_steps *steps);
/* Columns that are done side by side, so that their block is in the second cache. */
size_t be_fft_beside(const struct be_fft_steps *steps);

/* The tables lie in so many bytes, a multiple of 128; `make` fills them, `take` only says where they are. */
size_t be_fft_steps_bytes(const struct be_fft_steps *steps);
void be_fft_steps_make(struct be_fft_steps *steps, void *tables);
void be_fft_steps_take(struct be_fft_steps *steps, const void *tables);

#endif
