/*
 * Fourier transforms of many short lines on one thread, a vector's worth of them at a time; and the last step of a
 * transform of real numbers. It knows nothing of images, plans or threads.
 */
#ifndef BE_WORKLOAD_FFT_LINES_SIMD_H
#define BE_WORKLOAD_FFT_LINES_SIMD_H

#include <stdbool.h>
#include <stddef.h>

#include "host/simd.h"
#include "steps.h"

enum { BE_FFT_LINES = 16 }; /* at most so many at a time */

/* Line i begins at x + i x_apart, its transform at z + i z_apart, in floats. */
struct be_fft_lines {
    const struct be_fft_steps
        *steps; /* of the complex numbers of a line, or of pairs of real ones */
    const float *x;
    float *z;
    size_t x_apart, z_apart;
    const float *halves; /* of real lines: half of w(2 n)^i, i <= n / 2; NULL: they are complex */
    /* The last number of a real line's spectrum, which is real as the first is, becomes the imaginary part of the first;
     * else it stands behind the others. */
    bool packed;
};

/* Lines first .. first + count - 1. buffer: be_fft_lines_floats() of them. */
typedef void be_fft_lines_range(const struct be_fft_lines *lines, size_t first, size_t count,
                                float *buffer);

BE_SIMD_DECLARE(be_fft_lines_range, be_fft_lines_run);

/* z has the transform of n pairs of real numbers, taken as complex ones: numbers k and n - k of it become those of the
 * real numbers' spectrum, for first <= k < first + count, 0 < k < n / 2; k 0 makes number 0 and n, and n / 2 itself. */
struct be_fft_halves {
    size_t n;
    float *z;
    /* w(2 n)^(i << shift) and w(2 n)^i: two products make any power. */
    const double *coarse, *fine;
    int shift;
    const float *lanes; /* w(2 n)^i, i < BE_FFT_LINES */
};
typedef void be_fft_halves_range(const struct be_fft_halves *halves, size_t first, size_t count);

BE_SIMD_DECLARE(be_fft_halves_range, be_fft_halves_run);

#endif
