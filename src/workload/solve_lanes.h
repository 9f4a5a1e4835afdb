/*
 * A template of solve_simd.c: included once for each REAL (WHOLE: an integer as wide; TINIEST: its
 * least normal number), so without a guard.
 *
 * Small systems, one in each lane of a vector. Rows are not swapped: each lane remembers which row
 * each pivot came from, and which rows are used up. Panels of PANEL columns go from left to right;
 * a panel first takes all pivots to its left, four at a time, so that what does not fit the first
 * cache, L and U, is read once a panel and written once.
 */
#define NAME(x) JOIN(x, REAL)
#define VEC NAME(vec)
#define MASK NAME(mask)
#define LANES ((size_t)VECTOR_BYTES / sizeof(REAL))

enum { NAME(PANEL) = 4 };
#define PANEL ((size_t)NAME(PANEL))

/* One vector of systems in work. */
struct NAME(lanes) {
    size_t order, padded;           /* padded: a multiple of PANEL */
    VEC *l;                         /* column k: order vectors at l + k order */
    VEC *u;                         /* row k, in the order of pivots: padded vectors */
    VEC *panel;                     /* row i: PANEL vectors */
    VEC *y;                         /* padded */
    MASK *used;                     /* row i: all ones where it has been a pivot */
    VEC inner[SOLVE_LANES_MOST][4]; /* of pivot k's row: l of the pivots before it in its panel */
    WHOLE row[SOLVE_LANES_MOST][LANES]; /* pivot k's row */
    WHOLE info[LANES];
};

/* Each lane's value in column c of its own row; `wide` columns a row. */
static inline VEC NAME(gather)(const VEC *from, const WHOLE *row, size_t wide, size_t c) {
    const REAL *value = (const REAL *)(from + c);
    VEC out;
    REAL part[LANES];
#pragma omp simd
    for (size_t lane = 0; lane < LANES; lane++) {
        part[lane] = value[(size_t)row[lane] * wide * LANES + lane];
    }
    memcpy(&out, part, sizeof out);
    return out;
}

/* Pivots k .. k + 3 on `columns` columns of rows `wide` vectors apart; their U goes to u[0..3], 4
 * apart. */
static inline __attribute__((always_inline)) void
NAME(apply)(const struct NAME(lanes) * w, size_t k, VEC *rows, size_t wide, const size_t columns,
            VEC u[PANEL][PANEL]) {
    for (size_t q = 0; q < PANEL; q++) {
        for (size_t c = 0; c < columns; c++) {
            VEC value = NAME(gather)(rows, w->row[k + q], wide, c);
            for (size_t before = 0; before < q; before++) {
                value -= w->inner[k + q][before] * u[before][c];
            }
            u[q][c] = value;
        }
    }
    const VEC *l = w->l + k * w->order;
    for (size_t i = 0; i < w->order; i++) {
        VEC l0 = l[i];
        VEC l1 = l[i + w->order];
        VEC l2 = l[i + 2 * w->order];
        VEC l3 = l[i + 3 * w->order];
#pragma GCC unroll 4
        for (size_t c = 0; c < columns; c++) {
            VEC z = rows[i * wide + c];
            z -= l0 * u[0][c];
            z -= l1 * u[1][c];
            z -= l2 * u[2][c];
            z -= l3 * u[3][c];
            rows[i * wide + c] = z;
        }
    }
}

/* Pivot k from column q of the panel: each lane's largest number that is not used yet, or the first
 * that is none. Where the pivot is zero info gets k + 1. */
static inline void NAME(search)(struct NAME(lanes) * w, size_t k, size_t q) {
    VEC best = (VEC){0} - 1;
    MASK at = {0};
    for (size_t i = 0; i < w->order; i++) {
        VEC v = w->panel[i * PANEL + q];
        v = NAME(pick)(v < 0, -v, v);
        MASK better = ((v > best) | (v != v)) & ~w->used[i];
        best = NAME(pick)(better, v, best);
        at = (better & ((MASK){0} + (WHOLE)i)) | (~better & at);
    }
    memcpy(w->row[k], &at, sizeof at);
    for (size_t lane = 0; lane < LANES; lane++) {
        if (best[lane] == 0 && w->info[lane] == 0) {
            w->info[lane] = (WHOLE)(k + 1);
        }
        ((WHOLE *)&w->used[w->row[k][lane]])[lane] = -1;
    }
}

/* Does any lane's number have a reciprocal that overflows? */
static inline bool NAME(any_tiny)(VEC x) {
    bool any = false;
    for (size_t lane = 0; lane < LANES; lane++) {
        any |= x[lane] < TINIEST && x[lane] > -TINIEST;
    }
    return any;
}

/* The pivots of panel k .. k + PANEL, one column after the other; columns beyond the order have no
 * pivot, and L is zero there. */
static inline void NAME(factor)(struct NAME(lanes) * w, size_t k0) {
    for (size_t q = 0; q < PANEL; q++) {
        VEC *l = w->l + (k0 + q) * w->order;
        VEC top[PANEL];
        if (k0 + q >= w->order) {
            memset(l, 0, w->order * sizeof *l);
            memset(w->row[k0 + q], 0, sizeof w->row[k0 + q]);
            memset(w->inner[k0 + q], 0, sizeof w->inner[k0 + q]);
            continue;
        }
        NAME(search)(w, k0 + q, q);
        for (size_t c = 0; c < PANEL; c++) {
            top[c] = NAME(gather)(w->panel, w->row[k0 + q], PANEL, c);
            w->u[(k0 + q) * w->padded + k0 + c] = top[c];
        }
        for (size_t before = 0; before < q; before++) {
            w->inner[k0 + q][before] =
                NAME(gather)(w->l + (k0 + before) * w->order, w->row[k0 + q], 1, 0);
        }
        const VEC over = 1 / top[q];
        const bool tiny = NAME(any_tiny)(top[q]);
        for (size_t i = 0; i < w->order; i++) {
            VEC *row = w->panel + i * PANEL;
            const VEC by = tiny ? row[q] / top[q] : row[q] * over;
            l[i] = (VEC)((MASK)by & ~w->used[i]);
            for (size_t c = q + 1; c < PANEL; c++) {
                row[c] -= l[i] * top[c];
            }
        }
    }
}

/* Columns j .. j + PANEL of the systems; where there are fewer than LANES the last one is repeated,
 * and columns beyond the order are zero. */
static inline void NAME(load)(const struct NAME(lanes) * w, const REAL *a, size_t systems,
                              size_t j) {
    const size_t columns = w->order - j < PANEL ? w->order - j : PANEL;
    if (columns < PANEL) {
        memset(w->panel, 0, w->order * PANEL * sizeof *w->panel);
    }
    for (size_t lane = 0; lane < LANES; lane++) {
        size_t system = lane < systems ? lane : systems - 1;
        const REAL *from = a + system * w->order * w->order + j;
        REAL *to = (REAL *)w->panel + lane;
        for (size_t i = 0; i < w->order; i++) {
            for (size_t c = 0; c < columns; c++) {
                to[(i * PANEL + c) * LANES] = from[i * w->order + c];
            }
        }
    }
}

/* x from y and U, the last unknown first. */
static inline void NAME(back)(const struct NAME(lanes) * w) {
    for (size_t k = w->order; k-- > 0;) {
        const VEC *u = w->u + k * w->padded;
        VEC even = w->y[k];
        VEC odd = {0};
        size_t j = k + 1;
        for (; j + 2 <= w->order; j += 2) {
            even -= u[j] * w->y[j];
            odd += u[j + 1] * w->y[j + 1];
        }
        if (j < w->order) {
            even -= u[j] * w->y[j];
        }
        w->y[k] = (even - odd) / u[k];
    }
}

/* At most LANES systems. */
static void NAME(solve_lanes)(struct NAME(lanes) * w, const REAL *a, const REAL *b, REAL *x,
                              int32_t *info, size_t systems) {
    const size_t order = w->order;
    memset(w->used, 0, order * sizeof *w->used);
    memset(w->info, 0, sizeof w->info);
    for (size_t j = 0; j < order; j += PANEL) {
        NAME(load)(w, a, systems, j);
        for (size_t k = 0; k < j; k += PANEL) {
            VEC u[PANEL][PANEL];
            NAME(apply)(w, k, w->panel, PANEL, PANEL, u);
            for (size_t q = 0; q < PANEL; q++) {
                memcpy(w->u + (k + q) * w->padded + j, u[q], sizeof u[q]);
            }
        }
        NAME(factor)(w, j);
    }
    VEC *right = w->panel; /* the panel is done with: b takes its place */
    for (size_t lane = 0; lane < LANES; lane++) {
        const REAL *from = b + (lane < systems ? lane : systems - 1) * order;
        for (size_t i = 0; i < order; i++) {
            ((REAL *)&right[i])[lane] = from[i];
        }
    }
    for (size_t k = 0; k < w->padded; k += PANEL) {
        VEC u[PANEL][PANEL];
        NAME(apply)(w, k, right, 1, 1, u);
        for (size_t q = 0; q < PANEL; q++) {
            w->y[k + q] = u[q][0];
        }
    }
    NAME(back)(w);
    for (size_t lane = 0; lane < systems; lane++) {
        for (size_t i = 0; i < order; i++) {
            x[lane * order + i] = w->info[lane] ? NAN : ((const REAL *)&w->y[i])[lane];
        }
        info[lane] = (int32_t)w->info[lane];
    }
}

void BE_SIMD_NAME(JOIN3(be_solve_lanes, REAL, run))(const REAL *a, const REAL *b, REAL *x,
                                                    int32_t *info, size_t order, size_t systems,
                                                    void *scratch) {
    struct NAME(lanes) *w = scratch;
    const size_t padded = (order + PANEL - 1) / PANEL * PANEL;
    VEC *room = (VEC *)(w + 1);
    if (order <= SOLVE_ROWS_VECTORS * LANES) {
        NAME(solve_rows)(a, b, x, info, order, systems, scratch);
        return;
    }
    *w = (struct NAME(lanes)){.order = order, .padded = padded};
    w->l = room;
    w->u = w->l + padded * order;
    w->panel = w->u + order * padded;
    w->y = w->panel + order * PANEL;
    w->used = (MASK *)(w->y + padded);
    for (size_t i = 0; i < systems; i += LANES) {
        NAME(solve_lanes)(w, a + i * order * order, b + i * order, x + i * order, info + i,
                          systems - i < LANES ? systems - i : LANES);
    }
}

#undef PANEL
#undef LANES
#undef MASK
#undef VEC
#undef NAME
