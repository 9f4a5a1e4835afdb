/* Eigenvalues the plain way, for made-up libraries: cyclic Jacobi in double. */
#ifndef TESTS_FAKE_EIGEN_H
#define TESTS_FAKE_EIGEN_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Rows and columns i and j of the symmetric a, and rows i and j of v, are turned so that a(i, j) becomes 0. */
static inline void plain_turn(double *a, double *v, size_t n, size_t i, size_t j) {
    const double angle = 0.5 * atan2(2 * a[i * n + j], a[j * n + j] - a[i * n + i]);
    const double c = cos(angle);
    const double s = sin(angle);
    for (size_t k = 0; k < n; k++) {
        const double one = a[i * n + k];
        const double other = a[j * n + k];
        a[i * n + k] = c * one - s * other;
        a[j * n + k] = s * one + c * other;
    }
    for (size_t k = 0; k < n; k++) {
        const double one = a[k * n + i];
        const double other = a[k * n + j];
        a[k * n + i] = c * one - s * other;
        a[k * n + j] = s * one + c * other;
    }
    for (size_t k = 0; k < n; k++) {
        const double one = v[i * n + k];
        const double other = v[j * n + k];
        v[i * n + k] = c * one - s * other;
        v[j * n + k] = s * one + c * other;
    }
}

/* a, n x n, becomes its vectors, row after row; values ascend. 1 where a has a number that is not finite, else 0. */
static inline int plain_eigen(double *a, size_t n, double *values) {
    enum { SWEEPS = 30 };
    double *v = calloc(n * n, sizeof *v);
    double nothing = 0; /* NaN where a number is not finite */
    double scale = 0;
    for (size_t i = 0; i < n * n; i++) {
        nothing += a[i] * 0;
        scale = fmax(scale, fabs(a[i]));
    }
    for (size_t i = 0; scale > 0 && i < n * n; i++) {
        a[i] /= scale;
    }
    for (size_t i = 0; v && i < n; i++) {
        v[i * n + i] = 1;
    }
    for (int sweep = 0; v && nothing == 0 && sweep < SWEEPS; sweep++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = i + 1; j < n; j++) {
                if (fabs(a[i * n + j]) > 1e-17) {
                    plain_turn(a, v, n, i, j);
                }
            }
        }
    }
    for (size_t i = 0; v && i < n; i++) { /* the least of what is left comes next */
        size_t least = i;
        for (size_t j = i; j < n; j++) {
            least = a[j * n + j] < a[least * n + least] ? j : least;
        }
        values[i] = a[least * n + least] * scale;
        a[least * n + least] = a[i * n + i];
        for (size_t k = 0; k < n; k++) {
            const double kept = v[i * n + k];
            v[i * n + k] = v[least * n + k];
            v[least * n + k] = kept;
        }
    }
    if (v) {
        memcpy(a, v, n * n * sizeof *v);
    }
    free(v);
    return nothing == 0 ? 0 : 1;
}

#endif
