/*
 * A blocked matrix product on the CPU, one thread's part of it. It knows nothing of threads.
 *
 * A slab is `depth` columns of A and as many rows of B, packed: of A in strips of be_matmul_strip
 * rows, of B in strips of two vectors of columns, each strip in the order in which it is used, with
 * zeros behind the edge.
 */
#ifndef BE_WORKLOAD_MATMUL_SIMD_H
#define BE_WORKLOAD_MATMUL_SIMD_H

#include <stdbool.h>
#include <stddef.h>

/* Row after row, n x n. */
struct be_matmul_slab {
    const void *a, *b;
    void *c;
    size_t n;
    size_t from, depth;        /* of the sum over k */
    void *packed_a, *packed_b; /* whole strips: n rounded up */
};

/* [row, row + rows) and [column, column + columns) in strips. */
struct be_matmul_region {
    size_t row, rows, column, columns;
};

struct be_matmul_code {
    size_t strip_rows, strip_columns;
    void (*pack_a)(const struct be_matmul_slab *slab, size_t strip, size_t count);
    void (*pack_b)(const struct be_matmul_slab *slab, size_t strip, size_t count);
    /* The slab's part of C: written from 0 on, added to it after. */
    void (*multiply)(const struct be_matmul_slab *slab, const struct be_matmul_region *region);
};

/* simd.c, compiled once for each instruction set. */
extern const struct be_matmul_code be_matmul32_plain, be_matmul32_v3, be_matmul32_v4;
extern const struct be_matmul_code be_matmul64_plain, be_matmul64_v3, be_matmul64_v4;

#endif
