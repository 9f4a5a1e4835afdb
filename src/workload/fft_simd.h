/*
 * A range of one pass of a Fourier transform on one thread. A pass of Stockham's method with the
 * radix R, of n numbers of which s were combined before, is
 *
 *   out[q + s (R p + k)] = w(n / s)^(p k) sum over j of in[f + n / R j] w(R)^(j k),  f = q + s p,
 *
 * where w(m) = exp(-2 pi i / m), 0 <= k < R, 0 <= q < s. It knows nothing of plans or threads.
 */
#ifndef BE_WORKLOAD_FFT_SIMD_H
#define BE_WORKLOAD_FFT_SIMD_H

#include <stddef.h>

#include "workload/simd.h"

/* Columns f that are done side by side in vectors; fewer where there are not so many. */
enum { BE_FFT_COLUMNS = 16 };

struct be_fft_pass {
    size_t n, radix, s;
    const float *in;
    float *out;
    const float *roots; /* w(radix)^i, real and imaginary part in turn, i < radix */
    /* w(n)^(i << shift) and w(n)^i: two products make any power. */
    const double *coarse, *fine;
    int shift;
    /* Where s is 1: w(n)^(k c) of column c < BE_FFT_COLUMNS: BE_FFT_COLUMNS real parts, then as
     * many imaginary ones, for each k < radix. */
    const float *lanes;
};

/* Columns first .. first + count - 1, whole multiples of `columns`, which divides s or s is 1.
 * buffer: 4 radix BE_FFT_COLUMNS floats. */
typedef void be_fft_columns(const struct be_fft_pass *pass, size_t first, size_t count,
                            size_t columns, float *buffer);

BE_SIMD_DECLARE(be_fft_columns, be_fft_run);

#endif
