/* Compiled once per instruction set; each template once per type. */
#include "workload/eigen/simd.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "host/vector.h"

/* Rows of a square that are read at a time: as many as registers hold beside what is theirs. */
enum { EIGEN_TALL = VECTOR_BYTES < 64 ? 2 : 4 };

/* Sweeps over all pairs of columns that no matrix needs. */
enum { EIGEN_SWEEPS = 40 };

/* Steps of the iteration that no matrix needs: twice as many as LAPACK allows a value. */
enum { EIGEN_STEPS_A_VALUE = 60 };

#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
#define NAME(x) JOIN(x, REAL)
#define VEC NAME(vec)
#define MASK NAME(mask)
#define LANES ((size_t)VECTOR_BYTES / sizeof(REAL))
#define INLINE static inline __attribute__((always_inline))

#define EXCHANGED_double EXCHANGED64
#define EXCHANGED_float EXCHANGED32
#define ROOTS_double root64
#define ROOTS_float root32

/* UNIT: half the distance from 1 to the next number. TINY: of squares what is less is taken for 0, since numbers are
 * scaled to about 1. SCALE_MAX: the largest exponent that is scaled by. */
#define REAL double
#define WHOLE int64_t
#define UNIT 0x1p-53
#define TINY 1e-290
#define SCALE_MAX 1000
#include "workload/eigen/lanes.h"
#include "workload/eigen/reflections.h"
#include "workload/eigen/tridiagonal.h"
#include "workload/eigen/rotations.h"
#include "workload/eigen/triangle.h"
#include "workload/eigen/systems.h"
#include "workload/eigen/columns.h"
#include "workload/eigen/singular.h"
#undef REAL
#undef WHOLE
#undef UNIT
#undef TINY
#undef SCALE_MAX

#define REAL float
#define WHOLE int32_t
#define UNIT 0x1p-24F
#define TINY 1e-30F
#define SCALE_MAX 120
#include "workload/eigen/lanes.h"
#include "workload/eigen/reflections.h"
#include "workload/eigen/tridiagonal.h"
#include "workload/eigen/rotations.h"
#include "workload/eigen/triangle.h"
#include "workload/eigen/systems.h"
#include "workload/eigen/columns.h"
#include "workload/eigen/singular.h"
#undef REAL
#undef WHOLE
#undef UNIT
#undef TINY
#undef SCALE_MAX

void BE_SIMD_NAME(be_eigen_lanes_double_run)(const double *a, double *values, double *vectors,
                                             size_t order, size_t systems, void *scratch) {
    systems_double(a, values, vectors, order, systems, scratch);
}

void BE_SIMD_NAME(be_eigen_lanes_float_run)(const float *a, float *values, float *vectors,
                                            size_t order, size_t systems, void *scratch) {
    systems_float(a, values, vectors, order, systems, scratch);
}

void BE_SIMD_NAME(be_eigen_factors_double_run)(const double *a, double *triangle,
                                               double *orthogonal, size_t order, size_t systems,
                                               void *scratch) {
    factors_double(a, triangle, orthogonal, order, systems, scratch);
}

void BE_SIMD_NAME(be_eigen_factors_float_run)(const float *a, float *triangle, float *orthogonal,
                                              size_t order, size_t systems, void *scratch) {
    factors_float(a, triangle, orthogonal, order, systems, scratch);
}

void BE_SIMD_NAME(be_eigen_singular_double_run)(const double *a, double *values, double *vectors,
                                                size_t rows, size_t order, size_t systems,
                                                void *scratch) {
    singular_double(a, values, vectors, rows, order, systems, scratch);
}

void BE_SIMD_NAME(be_eigen_singular_float_run)(const float *a, float *values, float *vectors,
                                               size_t rows, size_t order, size_t systems,
                                               void *scratch) {
    singular_float(a, values, vectors, rows, order, systems, scratch);
}
