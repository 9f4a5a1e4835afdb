/* Dense systems the plain way, for the fake libraries: column-major, float or double, with pivots
 * from 1 as LAPACK has them. */
#ifndef TESTS_FAKE_DENSE_H
#define TESTS_FAKE_DENSE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dense {
    void *numbers;
    size_t stride;
    bool is_double;
};

static inline double dense_get(const struct dense *m, size_t row, size_t column) {
    size_t at = row + column * m->stride;
    return m->is_double ? ((const double *)m->numbers)[at]
                        : (double)((const float *)m->numbers)[at];
}

static inline void dense_set(const struct dense *m, size_t row, size_t column, double value) {
    size_t at = row + column * m->stride;
    if (m->is_double) {
        ((double *)m->numbers)[at] = value;
    } else {
        ((float *)m->numbers)[at] = (float)value;
    }
}

static inline void dense_swap(const struct dense *m, size_t columns, size_t one, size_t other) {
    for (size_t column = 0; column < columns; column++) {
        double kept = dense_get(m, one, column);
        dense_set(m, one, column, dense_get(m, other, column));
        dense_set(m, other, column, kept);
    }
}

/* LAPACK's info: 0, or the first diagonal of U, from 1, that is zero. */
static inline int dense_factor(const struct dense *a, size_t n, int64_t *pivot) {
    int info = 0;
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t row = k + 1; row < n; row++) {
            best = fabs(dense_get(a, row, k)) > fabs(dense_get(a, best, k)) ? row : best;
        }
        pivot[k] = (int64_t)best + 1;
        if (dense_get(a, best, k) == 0) {
            info = info ? info : (int)k + 1;
            continue;
        }
        dense_swap(a, n, k, best);
        for (size_t row = k + 1; row < n; row++) {
            double factor = dense_get(a, row, k) / dense_get(a, k, k);
            dense_set(a, row, k, factor);
            for (size_t column = k + 1; column < n; column++) {
                dense_set(a, row, column,
                          dense_get(a, row, column) - factor * dense_get(a, k, column));
            }
        }
    }
    return info;
}

static inline void dense_solve(const struct dense *a, size_t n, const int64_t *pivot,
                               const struct dense *b, size_t columns) {
    for (size_t k = 0; k < n; k++) {
        dense_swap(b, columns, k, (size_t)pivot[k] - 1);
    }
    for (size_t column = 0; column < columns; column++) {
        for (size_t k = 0; k < n; k++) {
            for (size_t row = k + 1; row < n; row++) {
                dense_set(b, row, column,
                          dense_get(b, row, column) -
                              dense_get(a, row, k) * dense_get(b, k, column));
            }
        }
        for (size_t k = n; k-- > 0;) {
            dense_set(b, k, column, dense_get(b, k, column) / dense_get(a, k, k));
            for (size_t row = 0; row < k; row++) {
                dense_set(b, row, column,
                          dense_get(b, row, column) -
                              dense_get(a, row, k) * dense_get(b, k, column));
            }
        }
    }
}

#endif
