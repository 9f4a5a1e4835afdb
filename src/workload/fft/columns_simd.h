/*
 * Fourier transforms of neighbouring columns of an image, where they lie, on one thread. It knows nothing of images, plans
 * or threads.
 */
#ifndef BE_WORKLOAD_FFT_COLUMNS_SIMD_H
#define BE_WORKLOAD_FFT_COLUMNS_SIMD_H

#include "host/simd.h"
#include "steps.h"

struct be_fft_image {
    const struct be_fft_steps *steps; /* of its rows */
    float *z;
    size_t apart; /* floats between its rows */
};

/* Columns first .. first + count - 1. buffer: be_fft_columns_floats() of them. */
typedef void be_fft_columns_range(const struct be_fft_image *image, size_t first, size_t count,
                                  float *buffer);

BE_SIMD_DECLARE(be_fft_columns_range, be_fft_columns_run);

#endif
