/*
 * The Mandelbrot set in passes over whole arrays: n pixels' z, c (real and imaginary part in turn),
 * square, mask and count, all in memory. One call makes all the steps.
 */
#ifndef BE_WORKLOAD_MANDELBROT_MASK_SIMD_H
#define BE_WORKLOAD_MANDELBROT_MASK_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "host/simd.h"

struct be_mandelbrot_arrays {
    void *z, *c, *square; /* of the problem's type */
    unsigned char *mask;
    int32_t *count;
    size_t n;
};

typedef void be_mandelbrot_passes(const struct be_mandelbrot_arrays *arrays, int steps);

BE_SIMD_DECLARE(be_mandelbrot_passes, be_mandelbrot32_passes);
BE_SIMD_DECLARE(be_mandelbrot_passes, be_mandelbrot64_passes);

#endif
