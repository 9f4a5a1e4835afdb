/*
 * A template of simd.c after reflections.h: included once for each REAL, so without a guard.
 *
 * A = Q T Q', T tridiagonal, by Householder's reflections (Golub and Van Loan, Matrix Computations, 8.3.1). Only the
 * lower triangle of A is read. The vectors of the reflections stay above the diagonal, until Q' takes the place of all.
 */

/* p = S v, S symmetric, of which the lower triangle is there: `rows` rows from i on take their part, and give theirs to
 * those above. */
INLINE void NAME(multiply_rows)(const VEC *s, size_t stride, const VEC *v, VEC *p, size_t i,
                                const size_t rows) {
    VEC sum[EIGEN_TALL];
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; r++) {
        sum[r] = (VEC){0};
    }
    for (size_t j = 0; j < i; j++) {
        VEC below = p[j];
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; r++) {
            const VEC number = s[(i + r) * stride + j];
            sum[r] += number * v[j];
            below += number * v[i + r];
        }
        p[j] = below;
    }
    for (size_t r = 0; r < rows; r++) { /* the triangle on the diagonal */
        p[i + r] = sum[r] + s[(i + r) * stride + i + r] * v[i + r];
        for (size_t j = 0; j < r; j++) {
            const VEC number = s[(i + r) * stride + i + j];
            p[i + r] += number * v[i + j];
            p[i + j] += number * v[i + r];
        }
    }
}

/* S -= v w' + w v', its lower triangle. */
INLINE void NAME(subtract_rows)(VEC *s, size_t stride, const VEC *v, const VEC *u, size_t i,
                                const size_t rows) {
    for (size_t j = 0; j < i + rows; j++) { /* beyond the diagonal, too: nobody reads that */
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; r++) {
            VEC *number = s + (i + r) * stride + j;
            *number = *number - v[i + r] * u[j] - u[i + r] * v[j];
        }
    }
}

/* Both sides of the square below and right of k are reflected. */
INLINE void NAME(reflect_both)(VEC *s, size_t stride, size_t length, VEC factor, const VEC *v,
                               VEC *u) {
    VEC product = {0};
    size_t i = 0;
    for (; i + EIGEN_TALL <= length; i += EIGEN_TALL) {
        NAME(multiply_rows)(s, stride, v, u, i, EIGEN_TALL);
    }
    for (; i < length; i++) {
        NAME(multiply_rows)(s, stride, v, u, i, 1);
    }
    for (size_t j = 0; j < length; j++) {
        u[j] *= factor;
        product += u[j] * v[j];
    }
    product *= factor / 2;
    for (size_t j = 0; j < length; j++) {
        u[j] -= product * v[j];
    }
    for (i = 0; i + EIGEN_TALL <= length; i += EIGEN_TALL) {
        NAME(subtract_rows)(s, stride, v, u, i, EIGEN_TALL);
    }
    for (; i < length; i++) {
        NAME(subtract_rows)(s, stride, v, u, i, 1);
    }
}

/* Q' where A was, from what is above the diagonal and the factors. */
static void NAME(gather_reflections)(struct NAME(lanes) * w, const VEC *factor, VEC *v) {
    const size_t n = w->order;
    w->a[n * n - 1] = NAME(all)(1);
    for (size_t k = n - 1; k-- > 0;) {
        const size_t length = n - 1 - k;
        VEC *q = w->a + (k + 1) * n + k + 1;
        if (length > 1) {
            memcpy(v, w->a + k * n + k + 1, length * sizeof *v);
            NAME(reflect_identity)(q, n, length, factor[k], v);
        }
    }
    for (size_t j = 0; j < n; j++) {
        w->a[j] = w->a[j * n] = NAME(all)(j == 0);
    }
}

/* T into d and e, Q' in place of A. */
static __attribute__((noinline)) void NAME(tridiagonal)(struct NAME(lanes) * w) {
    const size_t n = w->order;
    VEC *v = w->row[0];
    VEC *factor = w->row[2];
    for (size_t k = 0; k + 2 < n; k++) {
        const size_t length = n - 1 - k;
        factor[k] = NAME(reflection)(w->a + (k + 1) * n + k, n, length, v, w->e + k);
        memcpy(w->a + k * n + k + 1, v, length * sizeof *v);
        w->d[k] = w->a[k * n + k];
        NAME(reflect_both)(w->a + (k + 1) * n + k + 1, n, length, factor[k], v, w->row[1]);
    }
    if (n > 1) {
        w->d[n - 2] = w->a[(n - 2) * n + n - 2];
        w->e[n - 2] = w->a[(n - 1) * n + n - 2];
    }
    w->d[n - 1] = w->a[n * n - 1];
    w->e[n - 1] = w->d[n] = (VEC){0};
    NAME(gather_reflections)(w, factor, v);
}
