/*
 * Part of a Jacobi sweep on one thread. Knows nothing of grids' sizes or threads.
 */
#ifndef BE_WORKLOAD_STENCIL_SIMD_H
#define BE_WORKLOAD_STENCIL_SIMD_H

#include <stddef.h>

#include "host/stores.h"
#include "workload/prefetch.h"
#include "host/simd.h"

/* z = (above + below + left + right) / 4 for n points of one row from x on, with rows `stride`
 * points apart; all neighbours are there. ask: where stores are past the caches, for the row after the next
 * one, in memory or not. */
typedef void be_stencil32_row(const float *x, float *z, size_t n, size_t stride,
                              enum be_stores stores, enum be_prefetch ask);
typedef void be_stencil64_row(const double *x, double *z, size_t n, size_t stride,
                              enum be_stores stores, enum be_prefetch ask);

BE_SIMD_DECLARE(be_stencil32_row, be_stencil32_run);
BE_SIMD_DECLARE(be_stencil64_row, be_stencil64_run);

/* Likewise n points from x on, with rows that lie anywhere; the same sums. x is read from a vector before the first
 * point to a vector behind the last one. */
typedef void be_stencil32_rows(const float *above, const float *x, const float *below, float *z,
                               size_t n);
typedef void be_stencil64_rows(const double *above, const double *x, const double *below, double *z,
                               size_t n);

BE_SIMD_DECLARE(be_stencil32_rows, be_stencil32_between);
BE_SIMD_DECLARE(be_stencil64_rows, be_stencil64_between);

#endif
