/*
 * A range of one pass of a Fourier transform of n numbers on one thread: transforms of R numbers that lie
 * apart, s of which were combined before. The first pass, s = 1, reads x and writes z, the others change
 * z where it lies:
 *
 *   z[row(f) R + k]       = sum over j of x[f + n / R j] w(R)^(j k) w(n)^(f k),
 *   z[q + s (R p + k)]    = sum over j of z[q + s (R p + j)] w(R)^(j k) w(n / s)^(p k),  f = q + s p,
 *
 * where w(m) = exp(-2 pi i / m), 0 <= k < R, 0 <= q < s. A pass of Stockham's method would read z[f + n / R j]: of two
 * passes the second one does. The first of three passes writes its rows in the order in which the second takes them:
 * row(f) = f / outer + inner (f mod outer), where inner is the second's radix and outer the third's; else inner is 1
 * and row(f) = f. It knows nothing of plans or threads.
 */
#ifndef BE_WORKLOAD_FFT_SIMD_H
#define BE_WORKLOAD_FFT_SIMD_H

#include <stddef.h>

#include "host/simd.h"

/* At most so many columns f are done side by side, in whole parts: four cache lines of a row at most. */
enum { BE_FFT_COLUMNS = 32, BE_FFT_PART = 16 };

struct be_fft_pass {
    size_t n, radix, s, inner, outer;
    const float *x; /* of the first pass */
    float *z;
    const float *roots; /* w(radix)^i, real and imaginary part in turn, i < radix */
    /* w(n)^(i << shift) and w(n)^i: two products make any power. */
    const double *coarse, *fine;
    int shift;
    const float *lanes; /* of the first pass: w(n)^(k c), c < BE_FFT_COLUMNS, for each k < radix */
};

/* Columns first .. first + count - 1, whole parts. The radix is 16 at least and 4096 at most; s, or outer, is
 * BE_FFT_PART or a multiple of BE_FFT_COLUMNS. buffer: 2 radix BE_FFT_COLUMNS floats. */
typedef void be_fft_columns(const struct be_fft_pass *pass, size_t first, size_t count,
                            float *buffer);

BE_SIMD_DECLARE(be_fft_columns, be_fft_run);

#endif
