/*
 * Eigenvalues and vectors of symmetric matrices, and factors Q R and singular values and vectors of any, on the CPU, in
 * the best instruction set. It knows nothing of threads.
 */
#ifndef BE_WORKLOAD_EIGEN_SIMD_H
#define BE_WORKLOAD_EIGEN_SIMD_H

#include <stddef.h>

#include "host/simd.h"

/* The systems that one core computes, all one after the other in memory, as eigen.h has them. scratch:
 * be_eigen_lanes_bytes(), on a multiple of 64. */
typedef void be_eigen_lanes_double(const double *a, double *values, double *vectors, size_t order,
                                   size_t systems, void *scratch);
typedef void be_eigen_lanes_float(const float *a, float *values, float *vectors, size_t order,
                                  size_t systems, void *scratch);

/* The largest order, the most rows of a tall matrix; bytes of a vector of the widest instruction set. */
enum { EIGEN_ORDER_MAX = 128, EIGEN_ROWS_MAX = 1024, EIGEN_VECTOR_BYTES = 64 };

/* Vectors beside the square of each system: so many rows, and room at their ends. */
enum { EIGEN_ROWS = 5, EIGEN_ROOM = 1 };

static inline size_t be_eigen_lanes_bytes(size_t order) {
    return (order * order + EIGEN_ROWS * (order + EIGEN_ROOM)) * EIGEN_VECTOR_BYTES;
}

/* Singular values and vectors of matrices that may be tall: scratch of be_eigen_singular_bytes(). */
typedef void be_eigen_singular_double(const double *a, double *values, double *vectors, size_t rows,
                                      size_t order, size_t systems, void *scratch);
typedef void be_eigen_singular_float(const float *a, float *values, float *vectors, size_t rows,
                                     size_t order, size_t systems, void *scratch);

static inline size_t be_eigen_singular_bytes(size_t rows, size_t order) {
    return be_eigen_lanes_bytes(order) + rows * order * EIGEN_VECTOR_BYTES;
}

BE_SIMD_DECLARE(be_eigen_lanes_double, be_eigen_lanes_double_run);
BE_SIMD_DECLARE(be_eigen_lanes_float, be_eigen_lanes_float_run);

/* Factors Q R of any matrices: results in the places of values and vectors. */
BE_SIMD_DECLARE(be_eigen_lanes_double, be_eigen_factors_double_run);
BE_SIMD_DECLARE(be_eigen_lanes_float, be_eigen_factors_float_run);

BE_SIMD_DECLARE(be_eigen_singular_double, be_eigen_singular_double_run);
BE_SIMD_DECLARE(be_eigen_singular_float, be_eigen_singular_float_run);

#endif
