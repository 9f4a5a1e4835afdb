/*
 * Passes over rows of X on one thread. Knows nothing of steps or threads.
 */
#ifndef BE_WORKLOAD_REGRESS_SIMD_H
#define BE_WORKLOAD_REGRESS_SIMD_H

#include <stddef.h>

#include "host/simd.h"

/* Rows of X, one after the other, and their y; float32 or float64, as the function's name says. */
struct be_regress_rows {
    const void *x, *y;
    size_t rows, k;
    size_t capacity; /* numbers from x on that may be read: rows * k or more */
};

/* r = Xw - y. w: k weights. */
typedef void be_regress_errors(const struct be_regress_rows *rows, const double *w, void *r);
/* g += X'r. */
typedef void be_regress_gradient(const struct be_regress_rows *rows, const void *r, double *g);
/* g += X'(Xw - y), each row read once. */
typedef void be_regress_fused(const struct be_regress_rows *rows, const double *w, double *g);
/* gram[i * k + j] += (X'X)[i][j] for i <= j, right[j] += (X'y)[j]. */
typedef void be_regress_gram(const struct be_regress_rows *rows, double *gram, double *right);
/* w -= factor * (gram w - right), so many times, from 0; all of gram counts. */
typedef void be_regress_descend(const double *gram, const double *right, size_t k, double factor,
                                size_t steps, double *w);

BE_SIMD_DECLARE(be_regress_errors, be_regress_errors32);
BE_SIMD_DECLARE(be_regress_errors, be_regress_errors64);
BE_SIMD_DECLARE(be_regress_gradient, be_regress_gradient32);
BE_SIMD_DECLARE(be_regress_gradient, be_regress_gradient64);
BE_SIMD_DECLARE(be_regress_fused, be_regress_fused32);
BE_SIMD_DECLARE(be_regress_fused, be_regress_fused64);
BE_SIMD_DECLARE(be_regress_gram, be_regress_gram32);
BE_SIMD_DECLARE(be_regress_gram, be_regress_gram64);
BE_SIMD_DECLARE(be_regress_descend, be_regress_descend32);
BE_SIMD_DECLARE(be_regress_descend, be_regress_descend64);

#endif
