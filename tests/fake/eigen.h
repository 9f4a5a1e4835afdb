/* Eigenvalues and singular values the plain way, for made-up libraries: Jacobi in double. */
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

/* Columns i and j of w, and of v, n numbers each, are turned so that those of w are orthogonal. 0: they were. */
static inline int plain_turn_columns(double *w, double *v, size_t n, size_t i, size_t j) {
    double first = 0;
    double both = 0;
    double second = 0;
    for (size_t k = 0; k < n; k++) {
        first += w[i * n + k] * w[i * n + k];
        both += w[i * n + k] * w[j * n + k];
        second += w[j * n + k] * w[j * n + k];
    }
    if (fabs(both) <= 1e-15 * sqrt(first) * sqrt(second)) {
        return 0;
    }
    const double angle = 0.5 * atan2(2 * both, second - first);
    for (size_t k = 0; k < 2 * n; k++) {
        double *of = k < n ? w : v;
        const double one = of[i * n + k % n];
        const double other = of[j * n + k % n];
        of[i * n + k % n] = cos(angle) * one - sin(angle) * other;
        of[j * n + k % n] = sin(angle) * one + cos(angle) * other;
    }
    return 1;
}

/* Takes from column j of w what it has of those before it. Its length then. */
static inline double plain_take_parts(double *w, size_t n, size_t j) {
    double square = 0;
    for (size_t i = 0; i < j; i++) {
        double part = 0;
        for (size_t k = 0; k < n; k++) {
            part += w[i * n + k] * w[j * n + k];
        }
        for (size_t k = 0; k < n; k++) {
            w[j * n + k] -= part * w[i * n + k];
        }
    }
    for (size_t k = 0; k < n; k++) {
        square += w[j * n + k] * w[j * n + k];
    }
    return sqrt(square);
}

/* Columns of length 1, the longest first; one that is next to nothing takes an axis. */
static inline void plain_directions(double *w, double *v, size_t n, double *values, double least) {
    for (size_t j = 0; j < n; j++) {
        values[j] = plain_take_parts(w + j * n, n, 0);
    }
    for (size_t j = 0; j < n; j++) {
        size_t most = j;
        for (size_t i = j; i < n; i++) {
            most = values[i] > values[most] ? i : most;
        }
        for (size_t k = 0; k < 2 * n; k++) {
            double *of = k < n ? w : v;
            const double kept = of[j * n + k % n];
            of[j * n + k % n] = of[most * n + k % n];
            of[most * n + k % n] = kept;
        }
        const double value = values[most];
        values[most] = values[j];
        values[j] = value;
        double length = value;
        for (size_t axis = 0;
             value <= least && axis < n && (axis == 0 || length < 0.5 / sqrt((double)n)); axis++) {
            memset(w + j * n, 0, n * sizeof *w);
            w[j * n + axis] = 1;
            length = plain_take_parts(w, n, j);
        }
        for (size_t k = 0; k < n; k++) {
            w[j * n + k] /= length;
        }
    }
}

/* The columns of a, n x n, become those of U, and v has those of V; values descend. 1 where a has a number that is not
 * finite, else 0. */
static inline int plain_svd(double *a, double *v, size_t n, double *values) {
    enum { SWEEPS = 30 };
    double nothing = 0;
    double scale = 0;
    for (size_t i = 0; i < n * n; i++) {
        nothing += a[i] * 0;
        scale = fmax(scale, fabs(a[i]));
        v[i] = i % (n + 1) == 0;
    }
    for (size_t i = 0; scale > 0 && i < n * n; i++) {
        a[i] /= scale;
    }
    int turned = nothing == 0;
    for (int sweep = 0; turned && sweep < SWEEPS; sweep++) {
        turned = 0;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = i + 1; j < n; j++) {
                turned |= plain_turn_columns(a, v, n, i, j);
            }
        }
    }
    if (nothing == 0) {
        plain_directions(a, v, n, values, 1e-16 * (double)n);
    }
    for (size_t i = 0; i < n; i++) {
        values[i] *= scale;
    }
    return nothing == 0 ? 0 : 1;
}

#endif
