/*
 * A template of simd.c after lanes.h: included once for each REAL, so without a guard.
 *
 * The products of panels.h are made of these tiles of numbers that stay in registers. Left of them
 * is the tower, column after column, right of them rows of U, one after the other.
 */
#define NAME(x) JOIN(x, REAL)
#define VEC NAME(vec)
#define LANES ((size_t)VECTOR_BYTES / sizeof(REAL))
#define INLINE static inline __attribute__((always_inline))

/* The columns of a panel: whole vectors, a line of the cache if that is not too many of them. */
enum {
    NAME(PANEL_VECTORS) = VECTOR_BYTES < 8 * sizeof(REAL) ? 2 : 1,
    NAME(PANEL) = NAME(PANEL_VECTORS) * VECTOR_BYTES / sizeof(REAL),
};

/* The left side: column k's number of row at[i] is in tower[k * tall + at[i]]. Memory is asked for what
 * is at `ahead`, a line for each k. */
struct NAME(left) {
    const REAL *tower;
    size_t tall, depth;
    const char *ahead;
};

/* Row i of what is left of A begins at first + i * stride. */
struct NAME(source) {
    const REAL *first;
    size_t stride;
};

INLINE VEC NAME(at)(const REAL *from) {
    VEC v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* The sum over all of the depth, for rows x vectors; row k of U begins at u + k * vectors. */
INLINE void NAME(tile_sum)(const struct NAME(left) * left, const size_t *at, const VEC *u,
                           VEC sum[TILE_ROWS][TILE_VECTORS], const size_t rows,
                           const size_t vectors) {
    const REAL *column = left->tower;
    const char *ahead = left->ahead;
    size_t place[TILE_ROWS];
#pragma GCC unroll 8
    for (size_t i = 0; i < rows; i++) {
        place[i] = at[i];
#pragma GCC unroll 3
        for (size_t j = 0; j < vectors; j++) {
            sum[i][j] = (VEC){0};
        }
    }
    for (const VEC *end = u + left->depth * vectors; u != end; u += vectors) {
        __builtin_prefetch(ahead);
        ahead += SOLVE_LINE;
#pragma GCC unroll 8
        for (size_t i = 0; i < rows; i++) {
            const REAL l = column[place[i]];
#pragma GCC unroll 3
            for (size_t j = 0; j < vectors; j++) {
                sum[i][j] += l * u[j];
            }
        }
        column += left->tall;
    }
}

/* Rows from[i] of A take the product away, and are written one after the other. */
INLINE void NAME(tile_take)(const struct NAME(left) * left, const size_t *at, const VEC *u,
                            const REAL *const *from, size_t column, REAL *to, size_t stride,
                            const size_t rows, const size_t vectors) {
    VEC sum[TILE_ROWS][TILE_VECTORS];
    /* what two tiles later asks for first: its page is looked up by then */
    __builtin_prefetch(left->ahead + 2 * left->depth * SOLVE_LINE);
#pragma GCC unroll 8
    for (size_t i = 0; i < rows; i++) {
        __builtin_prefetch(from[i] + column);
        __builtin_prefetch(from[i] + column + (vectors - 1) * LANES);
    }
    NAME(tile_sum)(left, at, u, sum, rows, vectors);
    /* as if not known any more: GCC would keep the addresses from above, for which it has no registers */
    __asm__("" : "+r"(from), "+r"(column));
#pragma GCC unroll 8
    for (size_t i = 0; i < rows; i++) {
        VEC *z = (VEC *)(to + i * stride + column);
#pragma GCC unroll 3
        for (size_t j = 0; j < vectors; j++) {
            z[j] = NAME(at)(from[i] + column + j * LANES) - sum[i][j];
        }
    }
}

/* Rows of U from pivots left->depth on, from those above and from one another. */
INLINE void NAME(tile_top)(const struct NAME(left) * left, const size_t *at, VEC *u,
                           const REAL *from, size_t stride, const size_t rows,
                           const size_t vectors) {
    const REAL *triangle = left->tower + left->depth * left->tall;
    VEC sum[TILE_ROWS][TILE_VECTORS];
    NAME(tile_sum)(left, at, u, sum, rows, vectors);
#pragma GCC unroll 8
    for (size_t i = 0; i < rows; i++) {
#pragma GCC unroll 3
        for (size_t j = 0; j < vectors; j++) {
            sum[i][j] = NAME(at)(from + at[i] * stride + j * LANES) - sum[i][j];
        }
#pragma GCC unroll 8
        for (size_t p = 0; p < i; p++) {
            const REAL l = triangle[p * left->tall + at[i]];
#pragma GCC unroll 3
            for (size_t j = 0; j < vectors; j++) {
                sum[i][j] -= l * sum[p][j];
            }
        }
#pragma GCC unroll 3
        for (size_t j = 0; j < vectors; j++) {
            u[(left->depth + i) * vectors + j] = sum[i][j];
        }
    }
}

/* A step of a block on some columns. */
struct NAME(step) {
    struct NAME(left) left;
    const char *ahead_end; /* left.ahead goes no further */
    size_t column;
    VEC *u; /* rows of U in these columns, one after the other */
    /* The places of pivots, and of the rows that have none. */
    const size_t *at, *rest_at;
    size_t rest;
    /* Where rows are read, of the second kind each, and where those are written. */
    struct NAME(source) from;
    const REAL *const *rest_from;
    REAL *to;
    size_t to_stride;
};

/* All of its rows of U, a multiple of TILE_ROWS. */
INLINE void NAME(tops)(const struct NAME(step) * s, const size_t vectors) {
    const REAL *from = s->from.first + s->column;
    struct NAME(left) left = s->left;
    for (left.depth = 0; left.depth < s->left.depth; left.depth += TILE_ROWS) {
        const size_t q = left.depth;
        NAME(tile_top)(&left, s->at + q, s->u, from, s->from.stride, TILE_ROWS, vectors);
    }
}

/* Some of all other rows, from the i-th on. */
INLINE void NAME(takes_some)(const struct NAME(step) * s, size_t i, const size_t rows,
                             const size_t vectors) {
    REAL *to = s->to + i * s->to_stride;
    NAME(tile_take)
    (&s->left, s->rest_at + i, s->u, s->rest_from + i, s->column, to, s->to_stride, rows, vectors);
}

/* All of them, upwards: none is written to where one is that is still to be read. */
INLINE void NAME(takes)(struct NAME(step) * s, const size_t vectors) {
    size_t i = 0;
    for (; i + TILE_ROWS <= s->rest; i += TILE_ROWS) {
        NAME(takes_some)(s, i, TILE_ROWS, vectors);
        s->left.ahead += s->left.ahead < s->ahead_end ? s->left.depth * SOLVE_LINE : 0;
    }
    for (; i + 4 <= s->rest && TILE_ROWS > 4; i += 4) {
        NAME(takes_some)(s, i, 4, vectors);
    }
    for (; i + 2 <= s->rest; i += 2) {
        NAME(takes_some)(s, i, 2, vectors);
    }
    if (i < s->rest) {
        NAME(takes_some)(s, i, 1, vectors);
    }
}

/* Each by itself: in one function GCC keeps too little of the innermost loops in registers. */
#define FOR_VECTORS(vectors)                                                                       \
    static __attribute__((noinline)) void NAME(JOIN(tops, vectors))(const struct NAME(step) * s) { \
        NAME(tops)(s, vectors);                                                                    \
    }                                                                                              \
    static __attribute__((noinline)) void NAME(JOIN(takes, vectors))(struct NAME(step) * s) {      \
        NAME(takes)(s, vectors);                                                                   \
    }
FOR_VECTORS(1)
FOR_VECTORS(2)
FOR_VECTORS(3)
#undef FOR_VECTORS

/* The same where the tower's own columns take the product: vectors down the rows, from row i on. */
INLINE void NAME(tall_take)(const struct NAME(left) * left, size_t i, const REAL *u, REAL *to,
                            const size_t vectors) {
    const size_t tall = left->tall;
    VEC sum[TALL_COLUMNS][3];
#pragma GCC unroll 8
    for (size_t c = 0; c < TALL_COLUMNS; c++) {
#pragma GCC unroll 3
        for (size_t v = 0; v < vectors; v++) {
            sum[c][v] = (VEC){0};
        }
    }
    for (size_t k = 0; k < left->depth; k++) {
        const VEC *l = (const VEC *)(left->tower + k * tall + i);
#pragma GCC unroll 8
        for (size_t c = 0; c < TALL_COLUMNS; c++) {
#pragma GCC unroll 3
            for (size_t v = 0; v < vectors; v++) {
                sum[c][v] += u[k * NAME(PANEL) + c] * l[v];
            }
        }
    }
#pragma GCC unroll 8
    for (size_t c = 0; c < TALL_COLUMNS; c++) {
        VEC *z = (VEC *)(to + c * tall + i);
#pragma GCC unroll 3
        for (size_t v = 0; v < vectors; v++) {
            z[v] -= sum[c][v];
        }
    }
}

/* A square of as many rows as lanes, its columns as rows. With AVX-512 the squares of half its side change
 * places while they are loaded, which takes no shuffle. */
INLINE void NAME(turned)(const REAL *from, size_t stride, VEC r[LANES]) {
#if defined(__AVX512F__)
    const size_t half = LANES / 2;
#pragma GCC unroll 8
    for (size_t i = 0; i < half; i++) {
        const REAL *low = from + i * stride;
        const REAL *high = low + half * stride;
        r[i] = NAME(halves)(low, high);
        r[i + half] = NAME(halves)(low + half, high + half);
    }
    if (LANES > 8) {
        NAME(exchange)(r, 4);
    }
    NAME(exchange)(r, 2);
    NAME(exchange)(r, 1);
#else
#pragma GCC unroll 8
    for (size_t s = 0; s < LANES; s++) {
        r[s] = NAME(at)(from + s * stride);
    }
    NAME(transpose)(r);
#endif
}

/* Columns of A, in some rows from row i on, become columns of the tower. */
INLINE void NAME(tall_turn)(struct NAME(source) from, size_t i, REAL *to, size_t tall,
                            const size_t columns, const size_t vectors) {
#pragma GCC unroll 3
    for (size_t v = 0; v < vectors; v++, i += LANES) {
#pragma GCC unroll 2
        for (size_t c = 0; c < columns; c += LANES) {
            VEC r[LANES];
            NAME(turned)(from.first + i * from.stride + c, from.stride, r);
#pragma GCC unroll 16
            for (size_t s = 0; s < LANES; s++) {
                *(VEC *)(to + (c + s) * tall + i) = r[s];
            }
        }
    }
}

/* A panel's. */
INLINE void NAME(tall_turns)(struct NAME(source) from, size_t vectors, REAL *to, size_t tall) {
    for (size_t v = 0; v < vectors; v++) {
        NAME(tall_turn)(from, v * LANES, to, tall, NAME(PANEL), 1);
    }
}

/* TALL_COLUMNS take what is left of them in the block. Where a square of lanes leaves registers for it
 * they are turned here: loads of the one fill the other's arithmetic. */
INLINE void NAME(tall_part)(const struct NAME(left) * left, struct NAME(source) from, size_t i,
                            const REAL *u, REAL *to, const size_t vectors) {
    if (LANES <= TALL_COLUMNS) {
        NAME(tall_turn)(from, i, to, left->tall, TALL_COLUMNS, vectors);
    }
    if (left->depth > 0) {
        NAME(tall_take)(left, i, u, to, vectors);
    }
}

/* A panel: rows of A begin with its columns. u: PANEL numbers of each pivot. */
static __attribute__((noinline)) void NAME(tall_takes)(const struct NAME(left) * left,
                                                       struct NAME(source) from, size_t vectors,
                                                       const REAL *u, REAL *panel) {
    for (size_t c = 0; c < NAME(PANEL); c += TALL_COLUMNS) {
        REAL *to = panel + c * left->tall;
        size_t v = 0;
        for (; v + 3 <= vectors; v += 3) {
            NAME(tall_part)(left, from, v * LANES, u + c, to, 3);
        }
        if (v + 2 == vectors) {
            NAME(tall_part)(left, from, v * LANES, u + c, to, 2);
        } else if (v < vectors) {
            NAME(tall_part)(left, from, v * LANES, u + c, to, 1);
        }
        from.first += TALL_COLUMNS;
    }
}

#undef INLINE
#undef LANES
#undef VEC
#undef NAME
