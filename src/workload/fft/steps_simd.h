/*
 * One step on some numbers of a block (steps.h), for files that are compiled once for each instruction set: a number is a
 * vector of as many lines or columns, real parts, then imaginary parts, in the order of `apart` (butterflies.h). It knows
 * neither lines nor columns.
 */
#ifndef BE_WORKLOAD_FFT_STEPS_SIMD_H
#define BE_WORKLOAD_FFT_STEPS_SIMD_H

#include "host/simd.h"
#include "steps.h"

/* `count` transforms of a few numbers: `apart` floats between the numbers of one, `next` between transforms. */
struct be_fft_few {
    const float *from;
    float *to;
    size_t from_apart, from_next, to_apart, to_next, count;
    const float *factors; /* of results 1 and on; the last step has none */
};

typedef void be_fft_step(const struct be_fft_few *few);

/* By radix. Memory has the real and the imaginary part of a number in turn, a block has not. */
struct be_fft_kernels {
    be_fft_step *enter[BE_FFT_RADIX_MAX + 1];  /* the first step, from memory */
    be_fft_step *change[BE_FFT_RADIX_MAX + 1]; /* any step but the last, within a block */
    be_fft_step *end[BE_FFT_RADIX_MAX + 1];    /* the last step, within a block */
    be_fft_step *leave[BE_FFT_RADIX_MAX + 1];  /* the last step, to memory */
};

/* All steps but the first and the last one, of one vector's lines or columns. */
typedef void be_fft_middle(const struct be_fft_steps *steps, float *block);

#if defined(__x86_64__)
extern const struct be_fft_kernels be_fft_kernels_v3, be_fft_kernels_v4;
#endif
extern const struct be_fft_kernels be_fft_kernels_plain;
BE_SIMD_DECLARE(be_fft_middle, be_fft_between);

#endif
