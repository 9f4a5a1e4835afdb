/* A Fourier transform of few numbers on one thread, by Stockham's method with radix 4. */
#ifndef BE_WORKLOAD_FFT_SMALL_SIMD_H
#define BE_WORKLOAD_FFT_SMALL_SIMD_H

#include <stddef.h>

#include "host/simd.h"

/* z[k] = sum over j of x[j] w(n)^(j k), n a power of two. roots: w(n)^i, i < n; buffer: 4 n floats. */
typedef void be_fft_small(const float *x, float *z, size_t n, const float *roots, float *buffer);

BE_SIMD_DECLARE(be_fft_small, be_fft_small_run);

#endif
