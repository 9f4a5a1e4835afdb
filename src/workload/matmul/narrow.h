/*
 * The part of simd.c for matrices of few rows or few columns, of one type: REAL, and OF_TYPE(name) the name for it. The
 * larger one goes by once, along memory.
 */
#define VECTOR OF_TYPE(vector)
#define LANES ((size_t)OF_TYPE(lanes))

/* Columns of C whose rows stay in the first-level cache while B goes by. */
enum { OF_TYPE(block) = 4096 / sizeof(REAL), OF_TYPE(deep) = 4 };

/* `deep` rows of B are added to each row of C; the first of them begin it. */
static void OF_TYPE(add_rows)(const struct be_matmul_part *p, size_t k, size_t j, size_t columns) {
    const REAL *b = (const REAL *)p->b + k * p->b_down + j;
    const size_t deep = p->depth - k < OF_TYPE(deep) ? p->depth - k : OF_TYPE(deep);
    for (size_t i = 0; i < p->rows; i++) {
        const REAL *a = (const REAL *)p->a + i * p->a_down + k;
        REAL *c = (REAL *)p->c + i * p->c_down + j;
        size_t v = 0;
        for (; deep == OF_TYPE(deep) && v + LANES <= columns; v += LANES) {
            VECTOR sum = k == 0 ? OF_TYPE(spread)(0) : OF_TYPE(load)(c + v);
            sum += OF_TYPE(spread)(a[0]) * OF_TYPE(load)(b + v);
            sum += OF_TYPE(spread)(a[1]) * OF_TYPE(load)(b + p->b_down + v);
            sum += OF_TYPE(spread)(a[2]) * OF_TYPE(load)(b + 2 * p->b_down + v);
            sum += OF_TYPE(spread)(a[3]) * OF_TYPE(load)(b + 3 * p->b_down + v);
            OF_TYPE(store)(c + v, sum);
        }
        for (; v < columns; v++) {
            REAL sum = k == 0 ? 0 : c[v];
            for (size_t d = 0; d < deep; d++) {
                sum += a[d] * b[d * p->b_down + v];
            }
            c[v] = sum;
        }
    }
}

void BE_SIMD_NAME(OF_TYPE(be_matmul_wide_))(const struct be_matmul_part *p) {
    for (size_t j = 0; j < p->columns; j += OF_TYPE(block)) {
        const size_t columns = p->columns - j < OF_TYPE(block) ? p->columns - j : OF_TYPE(block);
        for (size_t k = 0; k < p->depth; k += OF_TYPE(deep)) {
            OF_TYPE(add_rows)(p, k, j, columns);
        }
    }
}

/* Four sums for each number of C do not wait for one another. */
static REAL OF_TYPE(dot)(const REAL *a, const REAL *b, size_t n) {
    VECTOR sum[4] = {OF_TYPE(spread)(0), OF_TYPE(spread)(0), OF_TYPE(spread)(0),
                     OF_TYPE(spread)(0)};
    size_t k = 0;
    for (; k + 4 * LANES <= n; k += 4 * LANES) {
#pragma GCC unroll 4
        for (size_t v = 0; v < 4; v++) {
            sum[v] += OF_TYPE(load)(a + k + v * LANES) * OF_TYPE(load)(b + k + v * LANES);
        }
    }
    for (; k + LANES <= n; k += LANES) {
        sum[0] += OF_TYPE(load)(a + k) * OF_TYPE(load)(b + k);
    }
    REAL all = (REAL)OF_TYPE(all_of)((sum[0] + sum[1]) + (sum[2] + sum[3]));
    for (; k < n; k++) {
        all += a[k] * b[k];
    }
    return all;
}

void BE_SIMD_NAME(OF_TYPE(be_matmul_tall_))(const struct be_matmul_part *p) {
    for (size_t i = 0; i < p->rows; i++) {
        const REAL *a = (const REAL *)p->a + i * p->a_down;
        for (size_t j = 0; j < p->columns; j++) {
            ((REAL *)p->c)[i * p->c_down + j] =
                OF_TYPE(dot)(a, (const REAL *)p->b + j * p->b_down, p->depth);
        }
    }
}

#undef VECTOR
#undef LANES
