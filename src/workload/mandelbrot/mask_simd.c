/*
 * As NumPy does it: a pass for each operation, and every pass goes through memory.
 */
#include "mask_simd.h"

#define PASSES(bits, real, fused)                                                                  \
    static void absolute##bits(const real *z, real *square, size_t n) {                            \
        for (size_t i = 0; i < n; i++)                                                             \
            square[i] = fused(z[2 * i], z[2 * i], z[2 * i + 1] * z[2 * i + 1]);                    \
    }                                                                                              \
    static void compare##bits(const real *square, unsigned char *mask, size_t n) {                 \
        for (size_t i = 0; i < n; i++)                                                             \
            mask[i] = square[i] < 4;                                                               \
    }                                                                                              \
    static void square_add##bits(real *z, const real *c, const unsigned char *mask, size_t n) {    \
        for (size_t i = 0; i < n; i++) {                                                           \
            if (mask[i]) {                                                                         \
                real r = z[2 * i];                                                                 \
                real m = z[2 * i + 1];                                                             \
                z[2 * i] = fused(r, r, fused(-m, m, c[2 * i]));                                    \
                z[2 * i + 1] = fused(r + r, m, c[2 * i + 1]);                                      \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void passes##bits(const struct be_mandelbrot_arrays *a, int steps) {                    \
        for (int k = 0; k < steps; k++) {                                                          \
            absolute##bits(a->z, a->square, a->n);                                                 \
            compare##bits(a->square, a->mask, a->n);                                               \
            square_add##bits(a->z, a->c, a->mask, a->n);                                           \
            increment(a->count, a->mask, a->n);                                                    \
        }                                                                                          \
    }

static void increment(int32_t *count, const unsigned char *mask, size_t n) {
    for (size_t i = 0; i < n; i++)
        count[i] += mask[i];
}

PASSES(32, float, __builtin_fmaf)
PASSES(64, double, __builtin_fma)

void BE_SIMD_NAME(be_mandelbrot32_passes)(const struct be_mandelbrot_arrays *arrays, int steps) {
    passes32(arrays, steps);
}

void BE_SIMD_NAME(be_mandelbrot64_passes)(const struct be_mandelbrot_arrays *arrays, int steps) {
    passes64(arrays, steps);
}
