/*
 * A template of simd.c after panel.h: included once for each REAL, so without a guard.
 *
 * Systems that are too large for lanes, by blocks of columns: a tower of panels. The columns right of it
 * stay in rows, and take the block's product in tiles; the next tower is built of the rows that have no
 * pivot yet.
 */
#define NAME(x) JOIN(x, REAL)
#define VEC NAME(vec)
#define LANES ((size_t)VECTOR_BYTES / sizeof(REAL))
#define INLINE static inline __attribute__((always_inline))

/* A block of `depth` columns is begun. Its rows of U come behind the rows that are left, where those were
 * that have had their pivot: the block before was at least as deep. */
static void NAME(block_start)(struct NAME(panels) * w, size_t k, size_t depth) {
    const size_t panels = (depth + NAME(PANEL) - 1) / NAME(PANEL);
    w->rows = w->order - k;
    w->vectors = (w->rows + LANES - 1) / LANES; /* what is behind the last row is never free */
    NAME(free_start)(w->is_free, w->vectors, w->rows);
    for (size_t i = 0; i < panels; i++) {
        w->block[k / NAME(PANEL) + i] = (struct NAME(block)){
            .begin = k, .depth = panels * NAME(PANEL), .u = w->square + w->rows * w->stride};
    }
}

/* A step of the block from pivot k on, or of `depth` of its columns, from `column` on. */
static struct NAME(step)
    NAME(block_step)(const struct NAME(panels) * w, size_t k, size_t depth, size_t column) {
    const struct NAME(block) *block = &w->block[k / NAME(PANEL)];
    return (struct NAME(step)){.left = {w->tower, w->tall, depth, w->ahead},
                               .ahead_end = w->ahead_end,
                               .column = column,
                               .u = (VEC *)(block->u + (column - k) * block->depth),
                               .at = w->at,
                               .rest_at = w->rest,
                               .from = w->from,
                               .rest_from = w->rest_from,
                               .to = w->square,
                               .to_stride = w->stride};
}

/* The block's panel from its column j on, and its rows of U there. */
static void NAME(block_panel)(struct NAME(panels) * w, size_t k, size_t j) {
    REAL *panel = w->tower + j * w->tall;
    const struct NAME(step) step = NAME(block_step)(w, k, j, k + j);
    const struct NAME(source) from = {w->from.first + step.column, w->from.stride};
    if (LANES > TALL_COLUMNS) {
        NAME(tall_turns)(from, w->vectors, panel, w->tall);
    }
    if (j > 0) {
        NAME(PANEL_VECTORS) == 1 ? NAME(tops_1)(&step) : NAME(tops_2)(&step);
    }
    NAME(tall_takes)(&step.left, from, w->vectors, (const REAL *)step.u, panel);
}

/* Those that have no pivot, one after the other. */
static size_t NAME(block_rest)(struct NAME(panels) * w) {
    const size_t rest = NAME(free_rest)(w->is_free, w->vectors, w->rest, w->right);
    for (size_t i = 0; i < rest; i++) {
        w->rest_from[i] = w->from.first + w->rest[i] * w->from.stride;
    }
    return rest;
}

/* Everything right of a block. Its other rows close up, in the square from now on. */
static void NAME(block_right)(struct NAME(panels) * w, size_t k, size_t depth) {
    struct NAME(step) step = NAME(block_step)(w, k, depth, k + depth);
    step.rest = NAME(block_rest)(w);
    for (; step.column + 2 * LANES < w->order; step.column += 3 * LANES) {
        NAME(tops_3)(&step);
        NAME(takes_3)(&step);
        step.u += 3 * depth;
    }
    if (step.column + LANES < w->order) {
        NAME(tops_2)(&step);
        NAME(takes_2)(&step);
    } else if (step.column < w->order) {
        NAME(tops_1)(&step);
        NAME(takes_1)(&step);
    }
    w->ahead = step.left.ahead;
    w->from = (struct NAME(source)){w->square, w->stride};
}

/* Products of a strip's rows of U, from the block's `row`-th on, with what is known of x. */
INLINE void NAME(dot_strip)(const struct NAME(block) * block, size_t row, size_t column,
                            const REAL *x, VEC *sum, const size_t vectors) {
    const VEC *strip = (const VEC *)(block->u + (column - block->begin) * block->depth);
    const VEC *u = strip + row * vectors;
#pragma GCC unroll 3
    for (size_t j = vectors; j-- > 0;) {
        const VEC known = *(const VEC *)(x + column + j * LANES);
#pragma GCC unroll 16
        for (size_t s = 0; s < LANES; s++) {
            sum[s] += known * u[s * vectors + j];
        }
    }
}

/* The dot products of some rows of U from pivot k on with the unknowns found so far. The unknown that was found last
 * comes last: it may not be there yet. */
INLINE void NAME(panels_dot)(const struct NAME(panels) * w, size_t k, REAL *dot) {
    const struct NAME(block) *block = &w->block[k / NAME(PANEL)];
    const size_t row = k - block->begin;
    const size_t right = block->begin + block->depth;
    const size_t found = (k / NAME(PANEL) + 1) * NAME(PANEL);
    const size_t vectors = w->order > right ? (w->order - right + LANES - 1) / LANES : 0;
    size_t j = right + vectors * LANES;
    VEC sum[LANES];
#pragma GCC unroll 16
    for (size_t s = 0; s < LANES; s++) {
        sum[s] = (VEC){0};
    }
    if (vectors % 3 == 2) {
        j -= 2 * LANES;
        NAME(dot_strip)(block, row, j, w->x, sum, 2);
    } else if (vectors % 3 == 1) {
        j -= LANES;
        NAME(dot_strip)(block, row, j, w->x, sum, 1);
    }
    while (j > right) {
        j -= 3 * LANES;
        NAME(dot_strip)(block, row, j, w->x, sum, 3);
    }
    while (j > found) {
        j -= NAME(PANEL);
        NAME(dot_strip)(block, row, j, w->x, sum, NAME(PANEL_VECTORS));
    }
    NAME(transpose)(sum);
#pragma GCC unroll 4
    for (size_t half = LANES / 2; half > 0; half /= 2) { /* all waits for it: a short chain */
#pragma GCC unroll 8
        for (size_t s = 0; s < half; s++) {
            sum[s] += sum[s + half];
        }
    }
    memcpy(dot, &sum[0], sizeof sum[0]);
}

/* Unknowns k .. k + some - 1, of which the products with those after them are known. */
INLINE void NAME(panels_find)(const struct NAME(panels) * w, size_t k, const REAL *dot,
                              const size_t some) {
    REAL y[NAME(PANEL)];
    VEC found[NAME(PANEL_VECTORS)] = {0};
#pragma GCC unroll 16
    for (size_t q = 0; q < some; q++) {
        y[q] = w->top[k + q][some] - dot[q];
    }
#pragma GCC unroll 16
    for (size_t q = some; q-- > 0;) {
        const REAL x = w->tiny ? y[q] / w->top[k + q][q] : y[q] * w->over[k + q];
        found[q / LANES][q % LANES] = x;
#pragma GCC unroll 16
        for (size_t p = 0; p < q; p++) {
            y[p] -= w->top[k + p][q] * x;
        }
    }
    memcpy(w->x + k, found, sizeof found); /* at once: loads of vectors wait for single numbers */
}

/* Solves some systems side by side: an unknown waits for the one before. */
static void NAME(panels_back)(struct NAME(panels) * w, size_t side) {
    const size_t order = w->order;
    REAL dot[SOLVE_SIDE_MAX][NAME(PANEL)];
    for (size_t s = 0; s < side; s++) {
        for (size_t i = order; i < w[s].whole; i++) {
            w[s].x[i] = 0;
        }
    }
    for (size_t k = w->whole; k > 0;) {
        k -= NAME(PANEL);
        for (size_t s = 0; s < side; s++) {
            for (size_t i = 0; i < NAME(PANEL); i += LANES) {
                NAME(panels_dot)(&w[s], k + i, dot[s] + i);
            }
            if (k + NAME(PANEL) <= order) {
                NAME(panels_find)(&w[s], k, dot[s], NAME(PANEL));
            } else {
                NAME(panels_find)(&w[s], k, dot[s], order - k);
            }
        }
    }
}

/* Rows of whole vectors are read where they are, others copied, with zeros behind. */
static void NAME(panels_start)(struct NAME(panels) * w, const REAL *a, const REAL *b) {
    const bool whole = w->order == w->whole;
    w->from.first = whole ? a : w->square;
    w->from.stride = whole ? w->order : w->stride;
    for (size_t i = 0; i < w->order && !whole; i++) {
        REAL *to = w->square + i * w->stride;
        memcpy(to, a + i * w->order, w->order * sizeof *a);
        memset(to + w->order, 0, (w->stride - w->order) * sizeof *a);
    }
    memcpy(w->right, b, w->order * sizeof *b);
    for (w->low = 1; (size_t)w->low + 1 < w->stride; w->low = w->low * 2 + 1) {
    }
    w->info = 0;
    w->tiny = false;
}

/* `count` systems, at most `side`; the last one takes the places that are left. `more` follow. */
static void NAME(panels_some)(struct NAME(panels) * w, size_t side, const REAL *a, const REAL *b,
                              REAL *x, int32_t *info, size_t count, size_t more) {
    const size_t order = w->order;
    for (size_t s = 0; s < side; s++) {
        const size_t at = s < count ? s : count - 1;
        w[s].ahead = (const char *)(a + (s < more ? side + s : at) * order * order);
        w[s].ahead_end = w[s].ahead + (s < more ? order * order * sizeof *a : 0);
        NAME(panels_start)(&w[s], a + at * order * order, b + at * order);
        for (size_t i = 0; s < more && i < order; i += SOLVE_LINE / sizeof *b) {
            __builtin_prefetch(b + (side + s) * order + i);
            __builtin_prefetch(x + (side + s) * order + i, 1);
        }
    }
    size_t depth;
    for (size_t k = 0; k < order; k += depth) {
        const size_t block = solve_block(order - k, NAME(PANEL));
        depth = order - k < block ? order - k : block;
        for (size_t s = 0; s < side; s++) {
            NAME(block_start)(&w[s], k, depth);
        }
        for (size_t j = 0; j < depth; j += NAME(PANEL)) {
            for (size_t s = 0; s < side; s++) {
                NAME(block_panel)(&w[s], k, j);
            }
            NAME(panel_factor)
            (w, side, k + j, j, depth - j < NAME(PANEL) ? depth - j : NAME(PANEL));
        }
        for (size_t s = 0; s < side; s++) {
            NAME(block_right)(&w[s], k, depth);
        }
    }
    NAME(panels_back)(w, count);
    for (size_t s = 0; s < count; s++) {
        info[s] = w[s].info;
        for (size_t i = 0; i < order; i++) {
            x[s * order + i] = w[s].info ? NAN : w[s].x[i];
        }
    }
}

/* Whole lines of the cache, one after the other. */
static void *NAME(panels_capacity)(char **capacity, size_t bytes) {
    void *here = *capacity;
    *capacity += (bytes + SOLVE_LINE - 1) / SOLVE_LINE * SOLVE_LINE;
    return here;
}

/* be_solve_small_bytes() has room for it. */
static void NAME(panels_place)(struct NAME(panels) * w, char **capacity) {
    const size_t rows = w->order + SOLVE_BLOCK_MAX; /* the first block's rows of U are behind all */
    w->square = NAME(panels_capacity)(capacity, rows * w->stride * sizeof *w->square);
    w->tower = NAME(panels_capacity)(capacity, SOLVE_BLOCK_MAX * w->tall * sizeof *w->tower);
    w->is_free = NAME(panels_capacity)(capacity, w->tall / LANES * sizeof *w->is_free);
    w->block = NAME(panels_capacity)(capacity, w->stride / NAME(PANEL) * sizeof *w->block);
    w->rest_from = NAME(panels_capacity)(capacity, w->stride * sizeof *w->rest_from);
    w->rest = NAME(panels_capacity)(capacity, w->stride * sizeof *w->rest);
    w->at = NAME(panels_capacity)(capacity, SOLVE_BLOCK_MAX * sizeof *w->at);
    w->right = NAME(panels_capacity)(capacity, w->stride * sizeof *w->right);
    w->over = NAME(panels_capacity)(capacity, w->stride * sizeof *w->over);
    w->top = NAME(panels_capacity)(capacity, w->stride * sizeof *w->top);
    w->x = NAME(panels_capacity)(capacity, w->stride * sizeof *w->x);
}

/* Lines of a system for each of its pivots, without those that tiles ask for: half of all their steps. */
static size_t NAME(panels_lines)(size_t order) {
    const size_t all = (order * sizeof(REAL) + SOLVE_LINE - 1) / SOLVE_LINE;
    const size_t tiles = order * order / (6 * TILE_ROWS * TILE_VECTORS * LANES);
    return all > tiles ? all - tiles : 0;
}

static __attribute__((noinline)) void NAME(solve_panels)(const REAL *a, const REAL *b, REAL *x,
                                                         int32_t *info, size_t order,
                                                         size_t systems, void *scratch) {
    const size_t whole = (order + NAME(PANEL) - 1) / NAME(PANEL) * NAME(PANEL);
    const size_t stride = (whole / LANES | 1) * LANES; /* odd: see be_solve_stride */
    const size_t max = solve_side(order, sizeof *a);
    const size_t side = systems < max ? systems : max;
    struct NAME(panels) w[SOLVE_SIDE_MAX];
    char *capacity = scratch;
    for (size_t s = 0; s < side; s++) {
        w[s] = (struct NAME(panels)){.order = order,
                                     .whole = whole,
                                     .stride = stride,
                                     .tall = stride,
                                     .lines = NAME(panels_lines)(order)};
        NAME(panels_place)(&w[s], &capacity);
    }
    for (size_t i = 0; i < systems; i += side) {
        const size_t count = systems - i < side ? systems - i : side;
        NAME(panels_some)
        (w, side, a + i * order * order, b + i * order, x + i * order, info + i, count,
         systems - i - count);
    }
}

/* None of these may be inlined: GCC 12 compiles one to slower code beside another. */
void BE_SIMD_NAME(JOIN3(be_solve_small, REAL, run))(const REAL *a, const REAL *b, REAL *x,
                                                    int32_t *info, size_t order, size_t systems,
                                                    void *scratch) {
    if (order <= NAME(LANES_MAX) && systems >= LANES / 2) {
        NAME(solve_lanes)(a, b, x, info, order, systems, scratch);
    } else if (order <= NAME(ROWS_MAX)) {
        NAME(solve_rows)(a, b, x, info, order, systems, scratch);
    } else {
        NAME(solve_panels)(a, b, x, info, order, systems, scratch);
    }
}

#undef INLINE
#undef LANES
#undef VEC
#undef NAME
