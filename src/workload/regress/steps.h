/*
 * Steps of gradient descent with X'X, for one type: REAL, and OF_TYPE(name) the name for it. Part of
 * simd.c.
 */
#define VECTOR OF_TYPE(vector)
#define LANES ((size_t)OF_TYPE(lanes))

/* w -= G w - b: column after column, into two sums a vector that wait for each other half as long. */
VECTOR_INLINE void OF_TYPE(steps)(const REAL *gram, const REAL *right, size_t k, size_t wide,
                                  size_t steps, REAL *w) {
    const size_t stride = wide * LANES;
    for (size_t step = 0; step < steps; step++) {
        VECTOR even[BE_REGRESS_PADDED / (VECTOR_BYTES / sizeof(REAL))];
        VECTOR odd[BE_REGRESS_PADDED / (VECTOR_BYTES / sizeof(REAL))];
        for (size_t v = 0; v < wide; v++) {
            even[v] = -OF_TYPE(load)(right + v * LANES);
            odd[v] = OF_TYPE(spread)(0);
        }
        for (size_t j = 0; j + 1 < k; j += 2) {
            const VECTOR first = OF_TYPE(spread)(w[j]);
            const VECTOR second = OF_TYPE(spread)(w[j + 1]);
            for (size_t v = 0; v < wide; v++) {
                even[v] += first * OF_TYPE(load)(gram + j * stride + v * LANES);
                odd[v] += second * OF_TYPE(load)(gram + (j + 1) * stride + v * LANES);
            }
        }
        if (k % 2) {
            const VECTOR last = OF_TYPE(spread)(w[k - 1]);
            for (size_t v = 0; v < wide; v++) {
                even[v] += last * OF_TYPE(load)(gram + (k - 1) * stride + v * LANES);
            }
        }
        for (size_t v = 0; v < wide; v++) {
            const VECTOR now = OF_TYPE(load)(w + v * LANES);
            OF_TYPE(store)(w + v * LANES, now - (even[v] + odd[v]));
        }
    }
}

/* The same for at most four features, by single numbers that stay in registers: a step waits for the one
 * before, and each exchange of lanes would make that wait longer. The same operations, so the same result. */
VECTOR_INLINE void OF_TYPE(steps_few)(const REAL *gram, const REAL *right, const size_t k,
                                      size_t steps, REAL *w) {
    REAL now[4];
    REAL even[4];
    REAL odd[4];
    for (size_t i = 0; i < k; i++) {
        now[i] = w[i];
    }
    for (size_t step = 0; step < steps; step++) {
#pragma GCC unroll 4
        for (size_t i = 0; i < k; i++) {
            even[i] = now[0] * gram[i] - right[i];
            odd[i] = 0;
            if (k > 1) {
                odd[i] += now[1] * gram[LANES + i];
            }
            if (k > 2) {
                even[i] += now[2] * gram[2 * LANES + i];
            }
            if (k > 3) {
                odd[i] += now[3] * gram[3 * LANES + i];
            }
        }
#pragma GCC unroll 4
        for (size_t i = 0; i < k; i++) {
            now[i] -= k > 1 ? even[i] + odd[i] : even[i];
        }
    }
    memcpy(w, now, k * sizeof *w);
}

#define FEW(n)                                                                                     \
    case n:                                                                                        \
        OF_TYPE(steps_few)(gram, right, n, steps, w);                                              \
        break;

#define WIDE(n)                                                                                    \
    case n:                                                                                        \
        OF_TYPE(steps)(gram, right, k, n, steps, w);                                               \
        break;

static void OF_TYPE(steps_any)(const REAL *gram, const REAL *right, size_t k, size_t wide,
                               size_t steps, REAL *w) {
    switch (wide) {
        WIDE(1)
        WIDE(2)
        WIDE(3)
        WIDE(4)
        WIDE(5)
        WIDE(6)
        WIDE(7)
        WIDE(8)
    default:
        OF_TYPE(steps)(gram, right, k, wide, steps, w);
    }
}

static void OF_TYPE(take_steps)(const REAL *gram, const REAL *right, size_t k, size_t wide,
                                size_t steps, REAL *w) {
    switch (wide == 1 ? k : 0) {
        FEW(1)
        FEW(2)
        FEW(3)
        FEW(4)
    default:
        OF_TYPE(steps_any)(gram, right, k, wide, steps, w);
    }
}

void BE_SIMD_NAME(OF_TYPE(be_regress_descend))(const double *gram, const double *right, size_t k,
                                               double factor, size_t steps, double *w) {
    const size_t wide = (k + LANES - 1) / LANES;
    const size_t stride = wide * LANES;
    _Alignas(64) REAL scaled[BE_REGRESS_MAX * BE_REGRESS_PADDED];
    _Alignas(64) REAL b[BE_REGRESS_PADDED] = {0};
    _Alignas(64) REAL at[BE_REGRESS_PADDED] = {0};
    if (k > BE_REGRESS_MAX) {
        __builtin_unreachable();
    }
    for (size_t j = 0; j < k; j++) {
        b[j] = (REAL)(factor * right[j]);
        for (size_t i = 0; i < stride; i++) {
            scaled[j * stride + i] = i < k ? (REAL)(factor * gram[j * k + i]) : 0;
        }
    }
    OF_TYPE(take_steps)(scaled, b, k, wide, steps, at);
    for (size_t j = 0; j < k; j++) {
        w[j] = (double)at[j];
    }
}

#undef FEW
#undef WIDE
#undef VECTOR
#undef LANES
