/*
 * A template of simd.c after rows.h: included once for each REAL, so without a guard.
 *
 * Small systems, one in each lane of a vector: so nothing is summed up within a vector, and no system
 * waits for its own pivot. Rows that lanes would exchange differ from lane to lane; they are picked,
 * not moved, while the elimination passes over all rows anyway.
 */
#define NAME(x) JOIN(x, REAL)
#define VEC NAME(vec)
#define MASK NAME(mask)
#define LANES ((size_t)VECTOR_BYTES / sizeof(REAL))
#define INLINE static inline __attribute__((always_inline))

/* The largest order, by measurement: beyond, what all lanes work on is read and written at each pivot from
 * further away than the first cache, and panels are faster. Vectors of few lanes do not pay. */
enum {
    NAME(LANES_OF_32) = sizeof(REAL) == 8 ? 15 : 23, /* bytes a vector */
    NAME(LANES_OF_64) = sizeof(REAL) == 8 ? 23 : 40,
    NAME(LANES_MAX) = VECTOR_BYTES < 32   ? 0
                      : VECTOR_BYTES < 64 ? NAME(LANES_OF_32)
                                          : NAME(LANES_OF_64)
};

/* The largest that are kept as rows in vectors, where lanes do not pay: elsewhere panels are faster. */
enum { NAME(ROWS_MAX) = VECTOR_BYTES < 32 ? SOLVE_ROWS_VECTORS * LANES : 0 };

/* As many systems as there are lanes. */
struct NAME(lanes) {
    size_t order;
    VEC *row;       /* row i begins at row + i * stride, with its right side at [order] */
    size_t stride;  /* odd, so that a column does not fall into one set of the cache */
    VEC *top, *old; /* like a row: the pivot's, and what was where that goes */
    VEC *next_top, *next_old;
    VEC *x;
    MASK info; /* 0, or 1 + the first pivot that was 0 */
};

#include "workload/lane_exchange.h"

/* By itself, so that its many rows in registers do not cost the elimination any. */
static __attribute__((noinline)) void NAME(lanes_start)(struct NAME(lanes) * w, const REAL *a,
                                                        const REAL *b, size_t count) {
    const size_t order = w->order;
    const REAL *from[LANES];
    for (size_t s = 0; s < LANES; s++) {
        from[s] = b + (s < count ? s : count - 1) * order;
    }
    NAME(lanes_get)(w->x, from, order);
    for (size_t i = 0; i < order; i++) {
        for (size_t s = 0; s < LANES; s++) {
            from[s] = a + ((s < count ? s : count - 1) * order + i) * order;
        }
        NAME(lanes_get)(w->row + i * w->stride, from, order);
        w->row[i * w->stride + order] = w->x[i];
    }
    w->info = (MASK){0};
}

/* The largest number of a column so far in each lane, and its row. */
struct NAME(best) {
    VEC size, pivot;
    MASK at;
};

/* A NaN is larger than any number. */
INLINE void NAME(look_at)(struct NAME(best) * best, VEC v, size_t i) {
    const MASK row = (WHOLE)i - (MASK){0};
    const VEC size = NAME(pick)(v < 0, -v, v);
    const MASK better = (size > best->size) | (size != size);
    best->size = NAME(pick)(better, size, best->size);
    best->pivot = NAME(pick)(better, v, best->pivot);
    best->at = NAME(pick_whole)(better, row, best->at);
}

/* The first pivot's row, for which all others are looked through. */
static struct NAME(best) NAME(lanes_first)(struct NAME(lanes) * w) {
    struct NAME(best) best = {.size = (VEC){0} - 1};
    for (size_t i = 0; i < w->order; i++) {
        NAME(look_at)(&best, w->row[i * w->stride], i);
    }
    for (size_t j = 0; j <= w->order; j++) {
        w->old[j] = w->top[j] = w->row[j];
    }
    for (size_t i = 1; i < w->order; i++) {
        const MASK here = best.at == (WHOLE)i;
        for (size_t j = 0; j <= w->order; j++) {
            w->top[j] = NAME(pick)(here, w->row[i * w->stride + j], w->top[j]);
        }
    }
    return best;
}

/* Rows below k: their factors into column k, and column k + 1, in which the next pivot is. */
INLINE struct NAME(best)
    NAME(lanes_columns)(struct NAME(lanes) * w, size_t k, MASK at, VEC over, bool tiny) {
    struct NAME(best) best = {.size = (VEC){0} - 1};
    const VEC top = w->top[k + 1];
    const VEC old = w->old[k + 1];
    for (size_t i = k + 1; i < w->order; i++) {
        VEC *row = w->row + i * w->stride + k;
        const MASK here = at == (WHOLE)i;
        const VEC v = NAME(pick)(here, w->old[k], row[0]);
        const VEC l = __builtin_expect(tiny, 0) ? v / w->top[k] : v * over;
        row[0] = l;
        row[1] = NAME(pick)(here, old, row[1]) - l * top;
        NAME(look_at)(&best, row[1], i);
    }
    return best;
}

/* Rows i .. i + rows - 1 take pivot k, columns after k + 1; those that are the next pivot's are kept. */
INLINE void NAME(lanes_take)(struct NAME(lanes) * w, size_t k, size_t i, MASK at, MASK next_at,
                             const size_t rows) {
    const size_t stride = w->stride;
    const VEC *restrict top = w->top;
    const VEC *restrict old = w->old;
    VEC *restrict next = w->next_top;
    VEC *restrict row = w->row + i * stride;
    MASK here[LANES_ROWS];
    MASK chosen[LANES_ROWS];
    VEC l[LANES_ROWS];
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; r++) {
        here[r] = at == (WHOLE)(i + r);
        chosen[r] = next_at == (WHOLE)(i + r);
        l[r] = row[r * stride + k];
    }
    for (size_t j = k + 2; j <= w->order; j++) {
        const VEC pivot = top[j];
        const VEC moved = old[j];
        VEC kept = next[j];
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; r++) {
            VEC *z = row + r * stride + j;
            const VEC v = NAME(pick)(here[r], moved, *z) - l[r] * pivot;
            *z = v;
            kept = NAME(pick)(chosen[r], v, kept);
        }
        next[j] = kept;
    }
}

INLINE bool NAME(any)(MASK mask) {
    WHOLE all = 0;
    for (size_t s = 0; s < LANES; s++) {
        all |= mask[s];
    }
    return all != 0;
}

/* Pivot k, whose row is in top; returns where the next one is, whose row is in top then. */
INLINE struct NAME(best)
    NAME(lanes_step)(struct NAME(lanes) * w, size_t k, struct NAME(best) best) {
    const size_t order = w->order;
    const VEC pivot = best.pivot;
    const bool tiny = NAME(any)((pivot < TINIEST) & (pivot > -TINIEST));
    const MASK at = best.at;
    VEC *next_row = w->row + (k + 1) * w->stride;
    memcpy(next_row - w->stride + k, w->top + k, (order + 1 - k) * sizeof *w->top);
    const MASK first_zero = (pivot == 0) & (w->info == 0);
    const MASK step = (WHOLE)(k + 1) - (MASK){0};
    w->info = NAME(pick_whole)(first_zero, step, w->info);
    if (k + 1 == order) {
        return best;
    }
    best = NAME(lanes_columns)(w, k, at, 1 / pivot, tiny);
    NAME(lanes_take)
    (w, k, k + 1, at, best.at, 1); /* the row that makes place for the next pivot's */
    for (size_t j = k + 2; j <= order; j++) {
        w->next_top[j] = w->next_old[j] = next_row[j];
    }
    w->next_top[k + 1] = best.pivot;
    w->next_old[k + 1] = next_row[k + 1];
    size_t i = k + 2;
    for (; i + LANES_ROWS <= order; i += LANES_ROWS) {
        NAME(lanes_take)(w, k, i, at, best.at, LANES_ROWS);
    }
    for (; i < order; i++) {
        NAME(lanes_take)(w, k, i, at, best.at, 1);
    }
    VEC *top = w->top;
    VEC *old = w->old;
    w->top = w->next_top;
    w->old = w->next_old;
    w->next_top = top;
    w->next_old = old;
    return best;
}

static void NAME(lanes_back)(struct NAME(lanes) * w) {
    for (size_t i = w->order; i-- > 0;) {
        const VEC *row = w->row + i * w->stride;
        VEC sum[2] = {row[w->order], {0}}; /* one would wait for each multiplication */
        size_t j = i + 1;
        for (; j + 2 <= w->order; j += 2) {
            sum[0] -= row[j] * w->x[j];
            sum[1] -= row[j + 1] * w->x[j + 1];
        }
        if (j < w->order) {
            sum[0] -= row[j] * w->x[j];
        }
        w->x[i] = (sum[0] + sum[1]) / row[i];
    }
}

/* `count` systems, at most LANES; of those that come after, `more` are there to be asked for. */
static void NAME(lanes_some)(struct NAME(lanes) * w, const REAL *a, const REAL *b, REAL *x,
                             int32_t *info, size_t count, size_t more) {
    enum { LINE = 64 };
    const size_t order = w->order;
    const REAL *next = more > 0 ? a + LANES * order * order : a;
    const size_t each = (more < LANES ? more : LANES) * order; /* numbers a step */
    NAME(lanes_start)(w, a, b, count);
    struct NAME(best) best = NAME(lanes_first)(w);
    for (size_t k = 0; k < order; k++) {
        for (size_t i = 0; i < each; i += LINE / sizeof(REAL)) {
            __builtin_prefetch(next + k * each + i);
        }
        best = NAME(lanes_step)(w, k, best);
    }
    NAME(lanes_back)(w);
    for (size_t s = 0; s < count; s++) {
        info[s] = (int32_t)w->info[s];
        for (size_t i = 0; i < order; i++) {
            x[s * order + i] = w->info[s] ? NAN : w->x[i][s];
        }
    }
}

static size_t NAME(lanes_stride)(size_t order) {
    return (order + 1) | 1;
}

static __attribute__((noinline)) void NAME(solve_lanes)(const REAL *a, const REAL *b, REAL *x,
                                                        int32_t *info, size_t order, size_t systems,
                                                        void *scratch) {
    const size_t stride = NAME(lanes_stride)(order);
    VEC *row = scratch;
    struct NAME(lanes) w = {.order = order, .row = row, .stride = stride};
    w.top = row + order * stride;
    w.old = w.top + stride;
    w.next_top = w.old + stride;
    w.next_old = w.next_top + stride;
    w.x = w.next_old + stride;
    for (size_t i = 0; i < systems; i += LANES) {
        const size_t count = systems - i < LANES ? systems - i : LANES;
        NAME(lanes_some)
        (&w, a + i * order * order, b + i * order, x + i * order, info + i, count,
         systems - i - count);
    }
}

#undef INLINE
#undef LANES
#undef MASK
#undef VEC
#undef NAME
