/*
 * A template of simd.c after lanes.h: included once for each REAL, so without a guard.
 *
 * Householder's reflections (Golub and Van Loan, Matrix Computations, 5.1).
 */

/* The reflection that makes `length` numbers, `stride` apart, the first of them, *to, and zeroes: v, whose first number is
 * 1, and the factor, 0 where there is nothing to clear. */
INLINE VEC NAME(reflection)(const VEC *from, size_t stride, size_t length, VEC *v, VEC *to) {
    const VEC first = from[0];
    VEC rest = {0};
    for (size_t j = 1; j < length; j++) {
        rest += from[j * stride] * from[j * stride];
    }
    const MASK clear = rest < TINY;
    const VEC one = NAME(all)(1);
    const VEC norm = NAME(root)(first * first + rest);
    const VEC end = NAME(pick)(clear, first, NAME(pick)(first < 0, norm, -norm));
    const VEC over = NAME(pick)(clear, (VEC){0}, 1 / NAME(pick)(clear, one, first - end));
    v[0] = one;
    for (size_t j = 1; j < length; j++) {
        v[j] = from[j * stride] * over;
    }
    *to = end;
    return NAME(pick)(clear, (VEC){0}, (end - first) / NAME(pick)(clear, one, end));
}

/* `rows` rows are reflected. */
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

/* Likewise any number of rows. */
INLINE void NAME(reflect_all)(VEC *q, size_t stride, size_t length, VEC factor, const VEC *v,
                              size_t count) {
    size_t i = 0;
    for (; i + EIGEN_TALL <= count; i += EIGEN_TALL) {
        NAME(reflect_rows)(q + i * stride, stride, length, factor, v, EIGEN_TALL);
    }
    for (; i < count; i++) {
        NAME(reflect_rows)(q + i * stride, stride, length, factor, v, 1);
    }
}

/* The rows of a square that is the identity's so far in its first row and column. */
INLINE void NAME(reflect_identity)(VEC *q, size_t stride, size_t length, VEC factor, const VEC *v) {
    q[0] = NAME(all)(1) - factor;
    for (size_t j = 1; j < length; j++) {
        q[j] = -factor * v[j];
        q[j * stride] = (VEC){0};
    }
    NAME(reflect_all)(q + stride, stride, length, factor, v, length - 1);
}
