/*
 * A template of solve_simd.c after solve_rows.h: included once for each REAL, so without a guard.
 *
 * The same for rows that are too long for registers but not for the second cache: FOUR pivots are
 * taken at once, by two rows at a time.
 */
#define NAME(x) JOIN(x, REAL)
#define VEC NAME(vec)
#define MASK NAME(mask)
#define LANES ((size_t)VECTOR_BYTES / sizeof(REAL))

struct NAME(wide) {
    size_t order, stride; /* numbers from row to row: whole vectors */
    REAL *row;
    WHOLE *used; /* all ones where a column has had its pivot, and beyond the order */
    REAL *right, *x;
    size_t *at; /* pivot k's column */
    int32_t info;
};

/* Pivots k .. k + 3, or fewer at the end; their rows lie one after the other. */
struct NAME(four) {
    const REAL *top[4];
    REAL both[4][4]; /* of pivot p's row in pivot q's column */
    REAL pivot[4], over[4], right[4];
    size_t at[4];
    bool tiny;
};

/* What row i takes of each pivot. */
static inline __attribute__((always_inline)) void NAME(wide_factors)(struct NAME(wide) * w,
                                                                     const struct NAME(four) * f,
                                                                     size_t i, const size_t pivots,
                                                                     REAL l[4]) {
    const REAL *row = w->row + i * w->stride;
    REAL right = w->right[i];
#pragma GCC unroll 4
    for (size_t q = 0; q < pivots; q++) {
        REAL v = row[f->at[q]];
#pragma GCC unroll 4
        for (size_t p = 0; p < q; p++) {
            v -= l[p] * f->both[p][q];
        }
        l[q] = __builtin_expect(f->tiny, 0) ? v / f->pivot[q] : v * f->over[q];
        right -= l[q] * f->right[q];
    }
    w->right[i] = right;
}

static inline __attribute__((always_inline)) void NAME(wide_rows)(struct NAME(wide) * w,
                                                                  const struct NAME(four) * f,
                                                                  size_t i, const size_t rows,
                                                                  const size_t pivots) {
    const size_t stride = w->stride;
    REAL *row = w->row + i * stride;
    const REAL *top = f->top[0];
    VEC by[4][4];
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; r++) {
        REAL l[4];
        NAME(wide_factors)(w, f, i + r, pivots, l);
#pragma GCC unroll 4
        for (size_t q = 0; q < pivots; q++) {
            by[r][q] = (VEC){0} + l[q];
        }
    }
    for (size_t j = 0; j < stride; j += LANES) {
        VEC z[4];
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; r++) {
            memcpy(&z[r], row + r * stride + j, sizeof z[r]);
        }
#pragma GCC unroll 4
        for (size_t q = 0; q < pivots; q++) {
            VEC t;
            memcpy(&t, top + q * stride + j, sizeof t);
#pragma GCC unroll 4
            for (size_t r = 0; r < rows; r++) {
                z[r] -= by[r][q] * t;
            }
        }
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; r++) {
            memcpy(row + r * stride + j, &z[r], sizeof z[r]);
        }
    }
}

/* Row k's largest number in a column that is not used; what is not a number is larger than any. */
static inline size_t NAME(wide_seek)(const struct NAME(wide) * w, const REAL *row) {
    VEC best = (VEC){0} - 1;
    MASK at = {0};
    MASK index = {0};
    for (size_t i = 0; i < LANES; i++) {
        index[i] = (WHOLE)i;
    }
    for (size_t j = 0; j < w->stride; j += LANES) {
        VEC v;
        MASK used;
        memcpy(&v, row + j, sizeof v);
        memcpy(&used, w->used + j, sizeof used);
        v = NAME(pick)(v < 0, -v, v);
        const MASK better = ((v > best) | (v != v)) & ~used;
        best = NAME(pick)(better, v, best);
        at = (better & (index + (WHOLE)j)) | (~better & at);
    }
    size_t lane = 0;
    for (size_t i = 1; i < LANES; i++) {
        lane = best[i] > best[lane] || best[i] != best[i] ? i : lane;
    }
    return (size_t)at[lane];
}

/* The next four pivots. */
static inline void NAME(wide_pivots)(struct NAME(wide) * w, struct NAME(four) * f, size_t k) {
    *f = (struct NAME(four)){0};
    for (size_t q = 0; q < 4; q++) {
        f->top[q] = w->row + (k + q < w->order ? k + q : k) * w->stride;
    }
    for (size_t q = 0; q < 4 && k + q < w->order; q++) {
        switch (q) {
        case 1:
            NAME(wide_rows)(w, f, k + q, 1, 1);
            break;
        case 2:
            NAME(wide_rows)(w, f, k + q, 1, 2);
            break;
        case 3:
            NAME(wide_rows)(w, f, k + q, 1, 3);
            break;
        default:
            break;
        }
        const size_t at = NAME(wide_seek)(w, f->top[q]);
        const REAL pivot = f->top[q][at];
        f->at[q] = w->at[k + q] = at;
        f->pivot[q] = pivot;
        f->over[q] = 1 / pivot;
        f->right[q] = w->right[k + q];
        f->tiny |= pivot < TINIEST && pivot > -TINIEST;
        w->info = pivot == 0 && w->info == 0 ? (int32_t)(k + q + 1) : w->info;
        w->used[at] = -1;
        for (size_t p = 0; p < q; p++) {
            f->both[p][q] = f->top[p][at];
        }
    }
}

static inline void NAME(wide_back)(struct NAME(wide) * w) {
    memset(w->x, 0, w->stride * sizeof *w->x);
    for (size_t k = w->order; k-- > 0;) {
        const REAL *row = w->row + k * w->stride;
        REAL sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t j = 0; j < w->stride; j++) {
            sum += row[j] * w->x[j];
        }
        w->x[w->at[k]] = (w->right[k] - sum) / row[w->at[k]];
    }
}

static void NAME(solve_wide)(struct NAME(wide) * w, const REAL *a, const REAL *b, REAL *x,
                             int32_t *info) {
    struct NAME(four) f;
    for (size_t i = 0; i < w->order; i++) {
        memcpy(w->row + i * w->stride, a + i * w->order, w->order * sizeof *a);
        memset(w->row + i * w->stride + w->order, 0, (w->stride - w->order) * sizeof *a);
    }
    memcpy(w->right, b, w->order * sizeof *b);
    memset(w->used, 0, w->order * sizeof *w->used);
    memset(w->used + w->order, -1, (w->stride - w->order) * sizeof *w->used);
    w->info = 0;
    for (size_t k = 0; k < w->order; k += 4) {
        NAME(wide_pivots)(w, &f, k);
        size_t i = k + 4;
        for (; i + WIDE_ROWS <= w->order; i += WIDE_ROWS) {
            NAME(wide_rows)(w, &f, i, WIDE_ROWS, 4);
        }
        for (; i < w->order; i++) {
            NAME(wide_rows)(w, &f, i, 1, 4);
        }
    }
    NAME(wide_back)(w);
    for (size_t i = 0; i < w->order; i++) {
        x[i] = w->info ? NAN : w->x[i];
    }
    *info = w->info;
}

void BE_SIMD_NAME(JOIN3(be_solve_small, REAL, run))(const REAL *a, const REAL *b, REAL *x,
                                                    int32_t *info, size_t order, size_t systems,
                                                    void *scratch) {
    if (order <= NAME(LANES_MOST) && systems >= LANES / 2) {
        NAME(solve_lanes)(a, b, x, info, order, systems, scratch);
        return;
    }
    if (order <= SOLVE_ROWS_VECTORS * LANES) {
        NAME(solve_rows)(a, b, x, info, order, systems, scratch);
        return;
    }
    const size_t stride = ((order + LANES - 1) / LANES | 1) * LANES; /* odd: see be_solve_stride */
    struct NAME(wide) w = {.order = order, .stride = stride, .row = scratch};
    w.right = w.row + order * stride;
    w.x = w.right + stride;
    w.used = (void *)(w.x + stride);
    w.at = (void *)(w.used + stride);
    for (size_t i = 0; i < systems; i++) {
        NAME(solve_wide)(&w, a + i * order * order, b + i * order, x + i * order, info + i);
    }
}

#undef LANES
#undef MASK
#undef VEC
#undef NAME
