/*
 * A blocked matrix product on the CPU, one thread's part of it. It knows nothing of threads.
 *
 * A slab is `depth` columns of A and as many rows of B, packed: of A in strips of strip_rows rows, of B
 * in strips of two vectors of columns, each strip in the order in which it is used, with zeros behind
 * the edge. Whatever lies transposed is packed into the same strips, so one code multiplies them.
 */
#ifndef BE_MATH_GEMM_SIMD_H
#define BE_MATH_GEMM_SIMD_H

#include <stdbool.h>
#include <stddef.h>

/* C = alpha A B + beta C, C row after row. Distances in elements. */
struct be_gemm_slab {
    const void *a, *b;
    void *c;
    size_t rows, columns;   /* of C */
    size_t a_down, a_right; /* in A, from an element to the one below, to the one on its right: */
    size_t b_down, b_right; /* one of each two is 1 */
    size_t c_down;
    double alpha, beta;
    size_t from, depth;        /* of the sum over k */
    void *packed_a, *packed_b; /* whole strips: rows and columns rounded up */
};

/* [row, row + rows) and [column, column + columns) in strips. */
struct be_gemm_region {
    size_t row, rows, column, columns;
};

struct be_gemm_code {
    size_t strip_rows, strip_columns;
    void (*pack_a)(const struct be_gemm_slab *slab, size_t strip, size_t count);
    void (*pack_b)(const struct be_gemm_slab *slab, size_t strip, size_t count);
    /* The slab's part of C: the first one counts beta, those after it are added. */
    void (*multiply)(const struct be_gemm_slab *slab, const struct be_gemm_region *region);
};

/* gemm_simd.c, compiled once for each instruction set. */
extern const struct be_gemm_code be_gemm32_plain, be_gemm32_v3, be_gemm32_v4;
extern const struct be_gemm_code be_gemm64_plain, be_gemm64_v3, be_gemm64_v4;

#endif
