/*
 * Rows of a sparse matrix in compressed rows times a vector, on one thread: y[i] = sum of
 * value[j] x[column[j]] for start[i] <= j < start[i + 1], first <= i < first + rows. ask: for a
 * matrix that is not in the caches; then `stores` is how y is stored.
 */
#ifndef BE_WORKLOAD_SPMV_SIMD_H
#define BE_WORKLOAD_SPMV_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "host/stores.h"
#include "workload/prefetch.h"
#include "host/simd.h"

typedef void be_spmv32_rows(const int32_t *start, const int32_t *column, const float *value,
                            const float *x, float *y, size_t first, size_t rows,
                            enum be_prefetch ask, enum be_stores stores);
typedef void be_spmv64_rows(const int32_t *start, const int32_t *column, const double *value,
                            const double *x, double *y, size_t first, size_t rows,
                            enum be_prefetch ask, enum be_stores stores);

BE_SIMD_DECLARE(be_spmv32_rows, be_spmv32_run);
BE_SIMD_DECLARE(be_spmv64_rows, be_spmv64_run);

#endif
