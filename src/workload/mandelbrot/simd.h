/*
 * One strip of an image of the Mandelbrot set on one thread: counts of `rows` rows from row `first`
 * on. Knows nothing of windows or threads.
 */
#ifndef BE_WORKLOAD_MANDELBROT_SIMD_H
#define BE_WORKLOAD_MANDELBROT_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "host/simd.h"

/* Pixel (column, row) is the point fma(column, step_x, x) + i fma(row, step_y, y), in the type that
 * is computed in. */
struct be_mandelbrot_grid {
    double x, y, step_x, step_y;
    int width, steps;
};

typedef void be_mandelbrot_run(const struct be_mandelbrot_grid *grid, size_t first, size_t rows,
                               int32_t *count);
/* The same of one row, a pixel and a step at a time: the plain reference, here so that fma is an
 * instruction where there is one. */
typedef void be_mandelbrot_row(const struct be_mandelbrot_grid *grid, size_t row, double *count);

BE_SIMD_DECLARE(be_mandelbrot_run, be_mandelbrot32_run);
BE_SIMD_DECLARE(be_mandelbrot_run, be_mandelbrot64_run);
BE_SIMD_DECLARE(be_mandelbrot_row, be_mandelbrot32_row);
BE_SIMD_DECLARE(be_mandelbrot_row, be_mandelbrot64_row);

#endif
