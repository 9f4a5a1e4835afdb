/* The memory that LU on the CPU needs. */
#include "workload/solve/lapack.h"
#include "workload/solve/simd.h"

/* Rows are whole vectors long, and an odd number of cache lines: a column then does not fall into
 * one set of the cache. */
size_t be_solve_stride(size_t order) {
    enum { LINE = 16 };
    return ((order + 1 + LINE - 1) / LINE | 1) * LINE;
}

/* Systems in lanes, rows in vectors: squares of up to 64 rows of vectors, and some more rows. */
static size_t smallest_bytes(size_t order) {
    enum { FIXED = 64 << 10, WIDEST = 64, SMALL_MAX = 64 }; /* bytes of a vector: a row's end */
    return order > SMALL_MAX ? 0 : 4 * FIXED + (order + 4) * (order * sizeof(double) + 2 * WIDEST);
}

/* The memory of systems side by side: for each a square, behind it a block's rows of U, a tower, and what is kept of
 * each row. */
static size_t panels_bytes(size_t order, size_t each) {
    enum { WIDEST = 64, APART = 16, OF_ROW = 32, TOP = WIDEST / sizeof(float) + 1 };
    const size_t stride =
        order + 2 * WIDEST / each; /* a whole panel, and an odd number of vectors */
    const size_t numbers = (order + 2 * SOLVE_BLOCK_MAX) * stride + (4 + TOP) * stride;
    const size_t one = numbers * each + SOLVE_BLOCK_MAX * sizeof(size_t) + stride * OF_ROW +
                       (size_t)APART * SOLVE_ALIGN;
    return solve_side(order, each) * one;
}

size_t be_solve_small_bytes(size_t order, size_t each) {
    const size_t smallest = smallest_bytes(order);
    const size_t panels = panels_bytes(order, each);
    return smallest > panels ? smallest : panels;
}
