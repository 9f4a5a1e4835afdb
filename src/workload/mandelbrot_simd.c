/*
 * Tiles of pixels side by side in vectors. A block of steps runs without looking, since a point
 * that has left never returns; only where some have left is the block run again from its start,
 * counting. The products and sums are those of the reference, fused where it says so and nowhere
 * else, so that the counts are the same.
 */
#include "mandelbrot_simd.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 8 };

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

#define REAL float
#define FUSED(a, b, c) __builtin_fmaf(a, b, c)
#define NAME(name) JOIN(name, 32)
#define COLUMNS 16
#define ROWS 4
#include "mandelbrot_tile.h"
#undef REAL
#undef FUSED
#undef NAME

#define REAL double
#define FUSED(a, b, c) __builtin_fma(a, b, c)
#define NAME(name) JOIN(name, 64)
#define COLUMNS 8
#define ROWS 4
#include "mandelbrot_tile.h"

void BE_SIMD_NAME(be_mandelbrot32_run)(const struct be_mandelbrot_grid *grid, size_t first,
                                       size_t rows, int32_t *count) {
    strip32(grid, first, rows, count);
}

void BE_SIMD_NAME(be_mandelbrot64_run)(const struct be_mandelbrot_grid *grid, size_t first,
                                       size_t rows, int32_t *count) {
    strip64(grid, first, rows, count);
}

void BE_SIMD_NAME(be_mandelbrot32_row)(const struct be_mandelbrot_grid *grid, size_t row,
                                       double *count) {
    row32(grid, row, count);
}

void BE_SIMD_NAME(be_mandelbrot64_row)(const struct be_mandelbrot_grid *grid, size_t row,
                                       double *count) {
    row64(grid, row, count);
}
