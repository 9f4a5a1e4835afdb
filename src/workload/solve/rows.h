/*
 * A template of simd.c: included once for each REAL (WHOLE: an integer as wide; TINIEST: its
 * least normal number), so without a guard.
 *
 * Small systems, rows in vectors, SIDE of them side by side so that one's waits are filled with
 * another's work. Pivots are sought along rows, which lie in one piece, not down columns: that is
 * the same method on the transpose, as LAPACK does it to rows. Nothing is swapped: a column that
 * has had its pivot is left out of the search and of the way back, and what becomes of its numbers
 * is of no interest. Two pivots are taken at once, so that rows are read and written half as often.
 */
#define NAME(x) JOIN(x, REAL)
#define VEC NAME(vec)
#define MASK NAME(mask)
#define LANES ((size_t)VECTOR_BYTES / sizeof(REAL))

enum { NAME(CAPACITY) = SOLVE_ROWS_VECTORS * VECTOR_BYTES / sizeof(REAL) };

typedef REAL VEC __attribute__((vector_size(VECTOR_BYTES)));
typedef WHOLE MASK __attribute__((vector_size(VECTOR_BYTES)));

static inline VEC NAME(pick)(MASK mask, VEC yes, VEC no) {
    return (VEC)((mask & (MASK)yes) | (~mask & (MASK)no));
}

static inline MASK NAME(pick_whole)(MASK mask, MASK yes, MASK no) {
    return (mask & yes) | (~mask & no);
}

/* One system in work; `vectors` of `row` count. */
struct NAME(rows) {
    REAL *row; /* order rows of vectors x LANES numbers */
    MASK used[SOLVE_ROWS_VECTORS];
    REAL right[NAME(CAPACITY)];
    int32_t at[NAME(CAPACITY)]; /* pivot k's column */
    int32_t info;
};

/* A pivot's row in work. */
struct NAME(pivot) {
    VEC top[SOLVE_ROWS_VECTORS];
    REAL pivot, over; /* 1 / pivot, where that does not overflow */
    REAL right;
    size_t at;
    bool tiny;
};

#define INLINE static inline __attribute__((always_inline))

/* Does 1 / x overflow? */
INLINE bool NAME(is_tiny)(REAL x) {
    return x < TINIEST && x > -TINIEST;
}

INLINE WHOLE NAME(largest)(MASK m) {
    WHOLE part[LANES];
    memcpy(part, &m, sizeof m);
    for (size_t far = LANES / 2; far > 0; far /= 2) {
        for (size_t i = 0; i < far; i++) {
            part[i] = part[i] > part[i + far] ? part[i] : part[i + far];
        }
    }
    return part[0];
}

/* Exactly: the largest number of row k that is not used, where all there are nearly 0. */
static size_t NAME(search_exactly)(const struct NAME(rows) * w, const REAL *row, size_t columns) {
    const WHOLE *used = (const WHOLE *)w->used;
    size_t best = 0;
    REAL max = -1;
    for (size_t i = 0; i < columns; i++) {
        const REAL v = row[i] < 0 ? -row[i] : row[i];
        if (used[i] == 0 && v > max) {
            best = i;
            max = v;
        }
    }
    return best;
}

/* Numbers without a sign are in the order of their bits, what is not a number last; the column
 * takes the place of the lowest bits, so that one search finds both. That a pivot may be less than
 * the largest by a relative 2^-16 is of no consequence. */
INLINE void NAME(seek)(struct NAME(rows) * w, size_t k, const size_t vectors,
                       struct NAME(pivot) * pivot) {
    const REAL *row = w->row + k * vectors * LANES;
    const WHOLE low = SOLVE_ROWS_VECTORS * LANES - 1;
    const WHOLE sign = (WHOLE)1 << (8 * sizeof(WHOLE) - 2);
    MASK index = {0};
    MASK max = {0};
    for (size_t i = 0; i < LANES; i++) {
        index[i] = (WHOLE)i;
    }
#pragma GCC unroll 8
    for (size_t v = 0; v < vectors; v++) {
        MASK bits;
        memcpy(&pivot->top[v], row + v * LANES, sizeof pivot->top[v]);
        bits = (MASK)pivot->top[v] & ((sign - 1) * 2 + 1) & ~low;
        bits = (bits | (index + (WHOLE)(v * LANES))) | w->used[v];
        if (v == 0) {
            max = bits;
        } else {
            const MASK more = bits > max;
            max = (bits & more) | (max & ~more);
        }
    }
    pivot->at = (size_t)(NAME(largest)(max) & low);
    if (row[pivot->at] == 0) {
        pivot->at = NAME(search_exactly)(w, row, vectors * LANES);
        w->info = row[pivot->at] == 0 && w->info == 0 ? (int32_t)(k + 1) : w->info;
    }
    pivot->pivot = row[pivot->at];
    pivot->over = 1 / pivot->pivot;
    pivot->tiny = NAME(is_tiny)(pivot->pivot);
    pivot->right = w->right[k];
    w->at[k] = (int32_t)pivot->at;
    ((WHOLE *)w->used)[pivot->at] = -1;
}

INLINE REAL NAME(factor_of)(const struct NAME(pivot) * pivot, REAL x) {
    return __builtin_expect(pivot->tiny, 0) ? x / pivot->pivot : x * pivot->over;
}

/* Row i takes one pivot. */
INLINE void NAME(take_one)(struct NAME(rows) * w, size_t i, const size_t vectors,
                           const struct NAME(pivot) * one) {
    REAL *row = w->row + i * vectors * LANES;
    const REAL l = NAME(factor_of)(one, row[one->at]);
    w->right[i] -= l * one->right;
#pragma GCC unroll 8
    for (size_t v = 0; v < vectors; v++) {
        VEC z;
        memcpy(&z, row + v * LANES, sizeof z);
        z -= l * one->top[v];
        memcpy(row + v * LANES, &z, sizeof z);
    }
}

/* Rows from i on take two. */
INLINE void NAME(take_two)(struct NAME(rows) * w, size_t i, size_t order, const size_t vectors,
                           const struct NAME(pivot) * one, const struct NAME(pivot) * two) {
    VEC top[SOLVE_ROWS_VECTORS];
    VEC next[SOLVE_ROWS_VECTORS];
    const REAL both = ((const REAL *)one->top)[two->at];
    for (size_t v = 0; v < vectors; v++) {
        top[v] = one->top[v];
        next[v] = two->top[v];
    }
    for (; i < order; i++) {
        REAL *row = w->row + i * vectors * LANES;
        const REAL l = NAME(factor_of)(one, row[one->at]);
        const REAL m = NAME(factor_of)(two, row[two->at] - l * both);
        w->right[i] = w->right[i] - l * one->right - m * two->right;
#pragma GCC unroll 8
        for (size_t v = 0; v < vectors; v++) {
            VEC z;
            memcpy(&z, row + v * LANES, sizeof z);
            z -= l * top[v];
            z -= m * next[v];
            memcpy(row + v * LANES, &z, sizeof z);
        }
    }
}

/* x by columns from the rows, the last first: of columns that are not found yet it is 0. */
INLINE void NAME(rows_back)(const struct NAME(rows) * w, size_t order, const size_t vectors,
                            const size_t side, VEC x[][SOLVE_ROWS_VECTORS]) {
    MASK index = {0};
    for (size_t i = 0; i < LANES; i++) {
        index[i] = (WHOLE)i;
    }
    for (size_t k = order; k-- > 0;) {
#pragma GCC unroll 4
        for (size_t s = 0; s < side; s++) {
            const REAL *row = w[s].row + k * vectors * LANES;
            const WHOLE at = (WHOLE)w[s].at[k];
            VEC sum = {0};
            REAL part[LANES];
#pragma GCC unroll 8
            for (size_t v = 0; v < vectors; v++) {
                VEC z;
                memcpy(&z, row + v * LANES, sizeof z);
                sum += z * x[s][v];
            }
            memcpy(part, &sum, sizeof sum);
            for (size_t far = LANES / 2; far > 0; far /= 2) {
                for (size_t i = 0; i < far; i++) {
                    part[i] += part[i + far];
                }
            }
            const REAL found = (w[s].right[k] - part[0]) / row[at];
#pragma GCC unroll 8
            for (size_t v = 0; v < vectors; v++) {
                const MASK here = index + (WHOLE)(v * LANES) == (MASK){0} + at;
                x[s][v] = NAME(pick)(here, (VEC){0} + found, x[s][v]);
            }
        }
    }
}

INLINE void NAME(rows_start)(struct NAME(rows) * w, const REAL *a, const REAL *b, size_t order,
                             const size_t vectors) {
    const size_t wide = vectors * LANES;
    for (size_t i = 0; i < order; i++) {
        const REAL *from = a + i * order;
        REAL *to = w->row + i * wide;
        size_t j = 0;
        for (; j + LANES <= order; j += LANES) { /* too short for memcpy's own loop to pay */
            memcpy(to + j, from + j, sizeof(VEC));
        }
        if (j < wide) {
            VEC rest = {0};
            for (size_t e = 0; j + e < order; e++) {
                rest[e] = from[j + e];
            }
            memcpy(to + j, &rest, sizeof rest);
            j += LANES;
        }
        for (; j < wide; j += LANES) {
            memset(to + j, 0, sizeof(VEC));
        }
        w->right[i] = b[i];
    }
    for (size_t j = 0; j < wide; j++) {
        ((WHOLE *)w->used)[j] = j < order ? 0 : -1;
    }
    w->info = 0;
}

/* Asks memory for rows k and k + 1 of a system that comes later. */
INLINE void NAME(rows_ahead)(const REAL *a, size_t k, size_t order) {
    enum { LINE = 64 };
    for (size_t i = 0; i < 2 * order; i += LINE / sizeof(REAL)) {
        __builtin_prefetch(a + k * order + i);
    }
}

/* `count` systems, at most `side`; the last one takes the places that are left. `more` follow. */
INLINE void NAME(rows_some)(struct NAME(rows) * w, const REAL *a, const REAL *b, REAL *xs,
                            int32_t *info, size_t order, size_t count, size_t more,
                            const size_t vectors, const size_t side) {
    struct NAME(pivot) one[4];
    struct NAME(pivot) two[4];
    VEC x[4][SOLVE_ROWS_VECTORS];
    memset(x, 0, sizeof x);
#pragma GCC unroll 1
    for (size_t s = 0; s < side; s++) {
        const size_t at = s < count ? s : count - 1;
        NAME(rows_start)(&w[s], a + at * order * order, b + at * order, order, vectors);
    }
    size_t k = 0;
    for (; k + 1 < order; k += 2) {
#pragma GCC unroll 1
        for (size_t s = 0; s < side; s++) {
            NAME(seek)(&w[s], k, vectors, &one[s]);
            if (s < more) {
                NAME(rows_ahead)(a + (side + s) * order * order, k, order);
            }
        }
#pragma GCC unroll 1
        for (size_t s = 0; s < side; s++) {
            NAME(take_one)(&w[s], k + 1, vectors, &one[s]);
            NAME(seek)(&w[s], k + 1, vectors, &two[s]);
        }
#pragma GCC unroll 1
        for (size_t s = 0; s < side; s++) {
            NAME(take_two)(&w[s], k + 2, order, vectors, &one[s], &two[s]);
        }
    }
#pragma GCC unroll 1
    for (size_t s = 0; k < order && s < side; s++) {
        NAME(seek)(&w[s], k, vectors, &one[s]);
    }
    NAME(rows_back)(w, order, vectors, side, x);
#pragma GCC unroll 1
    for (size_t s = 0; s < count; s++) {
        info[s] = w[s].info;
        for (size_t i = 0; i < order; i++) {
            xs[s * order + i] = w[s].info ? NAN : ((const REAL *)x[s])[i];
        }
    }
}

INLINE void NAME(rows_all)(const REAL *a, const REAL *b, REAL *x, int32_t *info, size_t order,
                           size_t systems, void *scratch, const size_t vectors, const size_t side) {
    struct NAME(rows) *w = scratch;
    REAL *capacity = (REAL *)(w + 4);
    for (size_t s = 0; s < side; s++) {
        w[s].row = capacity + s * order * vectors * LANES;
    }
    for (size_t i = 0; i < systems; i += side) {
        const size_t count = systems - i < side ? systems - i : side;
        NAME(rows_some)
        (w, a + i * order * order, b + i * order, x + i * order, info + i, order, count,
         systems - i - count, vectors, side);
    }
}

static __attribute__((noinline)) void NAME(solve_rows)(const REAL *a, const REAL *b, REAL *x,
                                                       int32_t *info, size_t order, size_t systems,
                                                       void *scratch) {
    switch ((order + LANES - 1) / LANES) {
    case 1:
        NAME(rows_all)(a, b, x, info, order, systems, scratch, 1, 4);
        break;
    case 2:
        NAME(rows_all)(a, b, x, info, order, systems, scratch, 2, 4);
        break;
    case 3:
    case 4:
        NAME(rows_all)(a, b, x, info, order, systems, scratch, 4, 2);
        break;
    case 5:
    case 6:
        NAME(rows_all)(a, b, x, info, order, systems, scratch, 6, 2);
        break;
    default:
        NAME(rows_all)(a, b, x, info, order, systems, scratch, 8, 1);
        break;
    }
}

#undef INLINE
#undef LANES
#undef MASK
#undef VEC
#undef NAME
