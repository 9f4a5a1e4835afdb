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

#endif
