/*
 * A template of simd.c after reflections.h: included once for each REAL, so without a guard.
 *
 * A = Q R (Golub and Van Loan, Matrix Computations, 5.2.1). A's columns lie one after the other, each in a row of the
 * square, and so do those of Q.
 */

/* R into a and d, its diagonal; the reflections stay below it, in a column each. */
static __attribute__((noinline)) void NAME(triangle)(struct NAME(lanes) * w, VEC *factor) {
    const size_t n = w->order;
    VEC *v = w->row[0];
    for (size_t k = 0; k < n; k++) {
        const size_t length = n - k;
        VEC *column = w->a + k * n + k;
        factor[k] = NAME(reflection)(column, 1, length, v, w->d + k);
        memcpy(column, v, length * sizeof *v);
        NAME(reflect_all)(column + n, n, length, factor[k], v, length - 1);
    }
}

/* Q in place of the reflections. */
static __attribute__((noinline)) void NAME(orthogonal)(struct NAME(lanes) * w, const VEC *factor) {
    const size_t n = w->order;
    for (size_t k = n; k-- > 0;) {
        memcpy(w->row[0], w->a + k * n + k, (n - k) * sizeof *w->a);
        NAME(reflect_identity)(w->a + k * n + k, n, n - k, factor[k], w->row[0]);
    }
}
