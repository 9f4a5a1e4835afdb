/*
 * Tiles of pixels side by side in vectors. A block of steps runs without looking, since a point
 * that has left never returns; only where some have left is the block run again from its start,
 * counting. The products and sums are those of the reference, fused where it says so and nowhere
 * else, so that the counts are the same.
 */
#include "simd.h"

#include <stdbool.h>
#include <string.h>

#include "host/vector.h"

#if defined(__FMA__)
#include <immintrin.h>
#endif

enum { ROWS = 4, BLOCK = 8 };

/* Each lane's number. */
#if defined(__AVX512F__)
static const vector32 upwards32 = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const vector64 upwards64 = {0, 1, 2, 3, 4, 5, 6, 7};
#elif defined(__AVX__)
static const vector32 upwards32 = {0, 1, 2, 3, 4, 5, 6, 7};
static const vector64 upwards64 = {0, 1, 2, 3};
#else
static const vector32 upwards32 = {0, 1, 2, 3};
static const vector64 upwards64 = {0, 1};
#endif

typedef int32_t mask_lane32;
typedef int64_t mask_lane64;

/* a * b + c, rounded once. A product with a sum of two products is not left to the compiler, which
 * would be free to fuse either. */
#if defined(__AVX512F__)
VECTOR_INLINE vector32 fused32(vector32 a, vector32 b, vector32 c) {
    return _mm512_fmadd_ps(a, b, c);
}
VECTOR_INLINE vector64 fused64(vector64 a, vector64 b, vector64 c) {
    return _mm512_fmadd_pd(a, b, c);
}
#elif defined(__FMA__)
VECTOR_INLINE vector32 fused32(vector32 a, vector32 b, vector32 c) {
    return _mm256_fmadd_ps(a, b, c);
}
VECTOR_INLINE vector64 fused64(vector64 a, vector64 b, vector64 c) {
    return _mm256_fmadd_pd(a, b, c);
}
#else
VECTOR_INLINE vector32 fused32(vector32 a, vector32 b, vector32 c) {
    for (int i = 0; i < lanes32; i++) {
        c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    }
    return c;
}
VECTOR_INLINE vector64 fused64(vector64 a, vector64 b, vector64 c) {
    for (int i = 0; i < lanes64; i++) {
        c[i] = __builtin_fma(a[i], b[i], c[i]);
    }
    return c;
}
#endif

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

#define REAL float
#define FUSED(a, b, c) __builtin_fmaf(a, b, c)
#define NAME(name) JOIN(name, 32)
#include "tile.h"
#undef REAL
#undef FUSED
#undef NAME

#define REAL double
#define FUSED(a, b, c) __builtin_fma(a, b, c)
#define NAME(name) JOIN(name, 64)
#include "tile.h"

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
