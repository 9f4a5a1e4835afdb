/*
 * A template of simd.c after tiles.h and seek.h: included once for each REAL, so
 * without a guard.
 *
 * A panel of panels.h: some columns, one after the other, so that pivots are sought and rows scaled by whole vectors. A
 * column takes all of the panel's columns left of it at once, and the search goes along. No row moves: one that has had
 * its pivot has factors of 0 from the next column on. The choice of a pivot is partly waiting, so panels of several
 * systems are done side by side.
 */
#define NAME(x) JOIN(x, REAL)
#define VEC NAME(vec)
#define MASK NAME(mask)
#define LANES ((size_t)VECTOR_BYTES / sizeof(REAL))
#define INLINE static inline __attribute__((always_inline))

/* Columns from the `begin`-th on, panels of whole width. Rows of U lie strip after strip: a panel's columns,
 * or those that tiles take at a time. So that of a column on begins at u + (column - begin) * depth. */
struct NAME(block) {
    size_t begin, depth;
    REAL *u;
};

struct NAME(panels) {
    size_t order, whole; /* `whole`: in panels */
    size_t stride;       /* numbers from row to row: whole vectors */
    size_t tall;         /* numbers from column to column of the tower */
    REAL *square, *tower;
    /* Rows without a pivot before this block: `rows` of them, which fill `vectors`. */
    size_t rows, vectors;
    struct NAME(source) from;
    REAL *right;                /* of each */
    NAME(free) * is_free;       /* which have none in this block either */
    size_t *at;                 /* of the block's pivots, in which of those rows they are */
    struct NAME(block) * block; /* of each panel the block that it is in */
    /* One for each pivot. */
    REAL *over, *x;
    /* For each pivot the numbers of its row of U in the panel's columns, and behind them the right side's number. */
    REAL (*top)[NAME(PANEL) + 1];
    /* Rows that have no pivot after this block: which of all, and where they are read. */
    size_t *rest;
    const REAL **rest_from;
    WHOLE low; /* bits of a key that are a row's */
    /* For the column in work: the largest, the panel's pivots, what makes factors. */
    size_t max, *now;
    REAL scale;
    /* The memory to prefetch next, of a system that comes later, while there is time. */
    const char *ahead, *ahead_end;
    size_t lines; /* for each pivot, beside those for each step of a tile */
    int32_t info;
    bool tiny; /* 1 / a pivot may have overflowed */
};

/* Memory is asked for a few lines of what comes later; of many at a time it would leave some out. */
static inline void NAME(panels_ask)(struct NAME(panels) * w) {
    for (size_t i = 0; i < w->lines; i++) {
        __builtin_prefetch(w->ahead + i * SOLVE_LINE);
    }
    w->ahead += w->ahead < w->ahead_end ? w->lines * SOLVE_LINE : 0;
}

/* The first column of a panel. */
static void NAME(panel_first)(struct NAME(panels) * w, const REAL *column) {
    const VEC *z = (const VEC *)column;
    const MASK high = NAME(max_high)(w->low);
    struct NAME(max) max = NAME(max_none)(w->low);
    for (size_t v = 0; v < w->vectors; v++) {
        NAME(max_look)(&max, high, w->is_free[v], z[v], 0);
    }
    w->max = NAME(max_row)(&max, w->low);
}

/* The same without keys, for when their lowest bits may be all that there is of the numbers. */
static size_t NAME(panel_search)(const struct NAME(panels) * w, const REAL *column) {
    size_t at = SIZE_MAX;
    for (size_t i = 0; i < w->rows; i++) {
        const bool better = at == SIZE_MAX || fabs((double)column[i]) > fabs((double)column[at]);
        at = NAME(is_free)(w->is_free, i) && better ? i : at;
    }
    return at;
}

/* 1 / a tiny pivot may overflow: the column is divided. */
static void NAME(panel_tiny)(struct NAME(panels) * w, size_t k, REAL *column) {
    const size_t at = NAME(panel_search)(w, column);
    const REAL pivot = column[at];
    w->max = at;
    w->tiny = true;
    w->info = pivot == 0 && w->info == 0 ? (int32_t)(k + 1) : w->info;
    for (size_t i = 0; i < w->rows; i++) {
        column[i] = NAME(is_free)(w->is_free, i) && i != at ? column[i] / pivot : column[i];
    }
}

/* A pivot is found; what factors are multiplied with. */
static inline void NAME(panel_pivot)(struct NAME(panels) * w, size_t k, REAL *column, size_t q) {
    const bool tiny = fabs((double)column[w->max]) < (double)TINIEST; /* a sign is not foreseen */
    if (__builtin_expect(tiny, 0)) {
        NAME(panel_tiny)(w, k, column);
    }
    const size_t at = w->max;
    const REAL pivot = column[at];
    w->now[q] = at;
    w->over[k] = 1 / pivot;
    w->scale = __builtin_expect(tiny, 0) ? 1 : w->over[k];
    w->top[k][q] = pivot;
}

/* The numbers of the next column in the rows of the panel's q + 1 pivots: a column of U. */
INLINE void NAME(panel_top)(struct NAME(panels) * w, size_t k, const REAL *panel, const REAL *next,
                            REAL *one, const size_t q) {
#pragma GCC unroll 16
    for (size_t p = 0; p <= q; p++) {
        one[p] = next[w->now[p]];
#pragma GCC unroll 16
        for (size_t r = 0; r < p; r++) {
            one[p] -= panel[r * w->tall + w->now[p]] * one[r];
        }
        w->top[k + p][q + 1] = one[p];
    }
}

/* One vector of column q of a panel becomes factors, and that of the next column, which has taken none
 * of the panel's, takes q + 1 of them. */
INLINE void NAME(panel_vector)(const struct NAME(panels) * w, REAL *panel, REAL *next, size_t v,
                               const VEC *u, REAL scale, struct NAME(max) * max, MASK high,
                               const size_t q, const size_t search) {
    VEC *column = (VEC *)(panel + q * w->tall) + v;
    VEC *to = (VEC *)next + v;
    const NAME(free) is_free = w->is_free[v];
    const VEC l = NAME(free_only)(is_free, *column * scale);
    VEC z = *to;
#pragma GCC unroll 16
    for (size_t p = 0; p < q; p++) {
        z -= u[p] * ((const VEC *)(panel + p * w->tall))[v];
    }
    z -= u[q] * l;
    *column = l;
    *to = z;
    NAME(max_look)(max, high, is_free, z, search);
}

/* All of both columns; what is largest in the next one is found on the way. The pivot's row is free until
 * then, since a store of that would keep all loads waiting; by then little more than 0 is in it, but more
 * is nowhere if the system is singular. */
INLINE void NAME(panel_step)(struct NAME(panels) * w, REAL *panel, REAL *next, const REAL *one,
                             const size_t q) {
    struct NAME(max) max = NAME(max_none)(w->low);
    const MASK high = NAME(max_high)(w->low);
    const size_t vectors = w->vectors;
    const REAL scale = w->scale; /* a store might change what is in memory */
    VEC u[NAME(PANEL)];
#pragma GCC unroll 16
    for (size_t p = 0; p <= q; p++) {
        u[p] = one[p] - (VEC){0};
    }
    size_t v = 0;
#pragma GCC unroll 2
    for (; v + SEARCHES <= vectors; v += SEARCHES) {
        for (size_t i = 0; i < SEARCHES; i++) {
            NAME(panel_vector)(w, panel, next, v + i, u, scale, &max, high, q, i);
        }
    }
    if (v < vectors) {
        NAME(panel_vector)(w, panel, next, v, u, scale, &max, high, q, 0);
    }
    w->max = NAME(max_row)(&max, w->low);
    NAME(free_end)(w->is_free, w->now[q]);
    if (__builtin_expect(w->max == w->now[q], 0)) {
        w->max = NAME(panel_search)(w, next);
    }
}

/* Column q of the panels of some systems side by side: so one's waits are filled with another's work. */
INLINE void NAME(panel_column)(struct NAME(panels) * w, size_t side, size_t k, size_t j,
                               size_t columns, const size_t q) {
    for (size_t s = 0; s < side; s++) {
        REAL *panel = w[s].tower + j * w[s].tall;
        REAL *column = panel + q * w[s].tall;
        REAL *next = q + 1 < columns ? column + w[s].tall : w[s].right;
        REAL one[NAME(PANEL)];
        NAME(panels_ask)(&w[s]);
        NAME(panel_pivot)(&w[s], k + q, column, q);
        NAME(panel_top)(&w[s], k, panel, next, one, q);
        NAME(panel_step)(&w[s], panel, next, one, q);
    }
}

/* All of them, each with code of its own. */
static __attribute__((noinline)) void NAME(panel_columns)(struct NAME(panels) * w, size_t side,
                                                          size_t k, size_t j, size_t columns) {
#pragma GCC unroll 16
    for (size_t q = 0; q < NAME(PANEL); q++) {
        if (q < columns) {
            NAME(panel_column)(w, side, k, j, columns, q);
        }
    }
}

/* `columns` of them, the first the k-th of A and number j of the tower; the right side takes them too. */
static void NAME(panel_factor)(struct NAME(panels) * w, size_t side, size_t k, size_t j,
                               size_t columns) {
    for (size_t s = 0; s < side; s++) {
        NAME(panel_first)(&w[s], w[s].tower + j * w[s].tall);
        w[s].now = w[s].at + j;
    }
    NAME(panel_columns)(w, side, k, j, columns);
}

#undef INLINE
#undef LANES
#undef MASK
#undef VEC
#undef NAME
