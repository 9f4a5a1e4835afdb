/*
 * Streams are written a cache line at a time from a small buffer; what comes before the first whole
 * line and after the last is stored plainly.
 */
#include "stencil_simd.h"

#include "stream_store.h"

#define ROW(bits, real)                                                                            \
    static void plain##bits(const real *restrict x, real *restrict z, size_t n, size_t stride) {   \
        const real *above = x - stride;                                                            \
        const real *below = x + stride;                                                            \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) z[i] =                                  \
            (real)0.25 * ((above[i] + below[i]) + (x[i - 1] + x[i + 1]));                          \
    }                                                                                              \
    static void stream##bits(const real *x, real *z, size_t n, size_t stride) {                    \
        enum { BLOCK = 1024 / sizeof(real), LINE = 64 / sizeof(real) };                            \
        _Alignas(64) real result[BLOCK];                                                           \
        size_t past = (uintptr_t)z / sizeof *z % LINE;                                             \
        size_t i = past ? LINE - past : 0;                                                         \
        i = i < n ? i : n;                                                                         \
        plain##bits(x, z, i, stride);                                                              \
        while (i + LINE <= n) {                                                                    \
            size_t length = n - i < BLOCK ? (n - i) / LINE * LINE : BLOCK;                         \
            plain##bits(x + i, result, length, stride);                                            \
            for (size_t k = 0; k < length; k += LINE)                                              \
                stream_line((float *)(void *)(z + i + k),                                          \
                            (const float *)(const void *)(result + k));                            \
            i += length;                                                                           \
        }                                                                                          \
        plain##bits(x + i, z + i, n - i, stride);                                                  \
    }

ROW(32, float)
ROW(64, double)

void BE_SIMD_NAME(be_stencil32_run)(const float *x, float *z, size_t n, size_t stride, int stream) {
    (stream ? stream32 : plain32)(x, z, n, stride);
}

void BE_SIMD_NAME(be_stencil64_run)(const double *x, double *z, size_t n, size_t stride,
                                    int stream) {
    (stream ? stream64 : plain64)(x, z, n, stride);
}
