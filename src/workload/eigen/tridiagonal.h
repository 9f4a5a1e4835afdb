/*
 * A template of simd.c after lanes.h: included once for each REAL, so without a guard.
 *
 * A = Q T Q', T tridiagonal, by Householder's reflections (Golub and Van Loan, Matrix Computations, 8.3.1). Only the
 * lower triangle of A is read. The vectors of the reflections stay above the diagonal, until Q' takes the place of all.
 */

/* The reflection that clears column k below its first number, from row k + 1 on: v, of `length`, goes to v and above
 * the diagonal into row k. Returns its factor, 0 where there is nothing to clear. */
INLINE VEC NAME(reflection)(struct NAME(lanes) * w, size_t k, VEC *v, size_t length) {
    const size_t n = w->order;
    const VEC *column = w->a + (k + 1) * n + k;
    const VEC first = column[0];
    VEC rest = {0};
    for (size_t j = 1; j < length; j++) {
        rest += column[j * n] * column[j * n];
    }
    const MASK clear = rest < TINY;
    const VEC norm = NAME(root)(first * first + rest);
    const VEC to = NAME(pick)(clear, first, NAME(pick)(first < 0, norm, -norm));
    const VEC over = NAME(pick)(clear, (VEC){0}, 1 / NAME(pick)(clear, NAME(all)(1), first - to));
    VEC *kept = w->a + k * n + k + 1;
    kept[0] = v[0] = NAME(all)(1);
    for (size_t j = 1; j < length; j++) {
        kept[j] = v[j] = column[j * n] * over;
    }
    w->e[k] = to;
    return NAME(pick)(clear, (VEC){0}, (to - first) / NAME(pick)(clear, NAME(all)(1), to));
}

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

/* Rows of Q', from columns on that v has: each is reflected. */
INLINE void NAME(reflect_rows)(VEC *q, size_t stride, size_t length, VEC factor, const VEC *v,
                               const size_t rows) {
    VEC sum[EIGEN_TALL];
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; r++) {
        sum[r] = (VEC){0};
    }
    for (size_t j = 0; j < length; j++) {
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; r++) {
            sum[r] += q[r * stride + j] * v[j];
        }
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; r++) {
        sum[r] *= factor;
    }
    for (size_t j = 0; j < length; j++) {
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; r++) {
            q[r * stride + j] -= sum[r] * v[j];
        }
    }
}

/* Q' where A was, from what is above the diagonal and the factors. */
static void NAME(gather_reflections)(struct NAME(lanes) * w, const VEC *factor, VEC *v) {
    const size_t n = w->order;
    w->a[n * n - 1] = NAME(all)(1);
    for (size_t k = n - 1; k-- > 0;) {
        const size_t length = n - 1 - k;
        VEC *q = w->a + (k + 1) * n + k + 1;
        if (length > 1) { /* its first row and column are those of the identity yet */
            memcpy(v, w->a + k * n + k + 1, length * sizeof *v);
            q[0] = NAME(all)(1) - factor[k];
            for (size_t j = 1; j < length; j++) {
                q[j] = -factor[k] * v[j];
                q[j * n] = (VEC){0};
            }
            size_t i = 1;
            for (; i + EIGEN_TALL <= length; i += EIGEN_TALL) {
                NAME(reflect_rows)(q + i * n, n, length, factor[k], v, EIGEN_TALL);
            }
            for (; i < length; i++) {
                NAME(reflect_rows)(q + i * n, n, length, factor[k], v, 1);
            }
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
        factor[k] = NAME(reflection)(w, k, v, length);
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
