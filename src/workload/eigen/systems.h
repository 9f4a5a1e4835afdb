/*
 * A template of simd.c after rotations.h: included once for each REAL, so without a guard.
 *
 * Systems from memory into lanes, and values and vectors back, in order.
 */

/* Powers of two. Numbers times both of `to` have their largest in [0.5, 1); times both of `back` they are what they
 * were. One of each would not hold the smallest numbers' power. */
struct NAME(scale) {
    VEC to[2], back[2];
    MASK bad; /* a number is not finite */
};

INLINE struct NAME(scale) NAME(scale_of)(const VEC *a, size_t numbers) {
    struct NAME(scale) scale;
    VEC largest = {0};
    VEC nothing = {0};
    for (size_t i = 0; i < numbers; i++) {
        const VEC size = NAME(size_of)(a[i]);
        largest = NAME(pick)(size > largest, size, largest);
        nothing += a[i] * 0;
    }
    scale.bad = nothing != nothing;
    for (size_t s = 0; s < LANES; s++) {
        int exponent = 0;
        (void)frexp((double)(scale.bad[s] ? 1 : largest[s]), &exponent);
        const int half = exponent / 2;
        scale.to[0][s] = (REAL)ldexp(1, -half);
        scale.to[1][s] = (REAL)ldexp(1, half - exponent);
        scale.back[0][s] = (REAL)ldexp(1, half);
        scale.back[1][s] = (REAL)ldexp(1, exponent - half);
    }
    return scale;
}

/* Where the values are, ascending: by insertion. */
INLINE void NAME(sort)(const struct NAME(lanes) * w, size_t s, uint8_t *at) {
    for (size_t i = 0; i < w->order; i++) {
        const REAL value = w->d[i][s];
        size_t j = i;
        for (; j > 0 && value < w->d[at[j - 1]][s]; j--) {
            at[j] = at[j - 1];
        }
        at[j] = (uint8_t)i;
    }
}

/* Reads as many systems of so many numbers each as there are lanes; in place of those beyond `count` the last once
 * more. */
INLINE struct NAME(scale) NAME(read_numbers)(VEC *to, size_t numbers, const REAL *a, size_t count) {
    const REAL *from[LANES];
    for (size_t s = 0; s < LANES; s++) {
        from[s] = a + (s < count ? s : count - 1) * numbers;
    }
    NAME(lanes_get)(to, from, numbers);
    const struct NAME(scale) scale = NAME(scale_of)(to, numbers);
    for (size_t i = 0; i < numbers; i++) {
        to[i] = NAME(pick)(scale.bad, (VEC){0}, to[i] * scale.to[0] * scale.to[1]);
    }
    return scale;
}

INLINE struct NAME(scale) NAME(read)(struct NAME(lanes) * w, const REAL *a, size_t count) {
    return NAME(read_numbers)(w->a, w->order * w->order, a, count);
}

/* All of a system without an answer is NaN. */
INLINE void NAME(write)(const struct NAME(lanes) * w, const struct NAME(scale) * scale, MASK lost,
                        REAL *values, REAL *vectors, size_t count) {
    const size_t n = w->order;
    uint8_t at[LANES][EIGEN_ORDER_MAX];
    uint8_t place[LANES][EIGEN_ORDER_MAX];
    REAL *to[LANES];
    for (size_t s = 0; s < count; s++) {
        NAME(sort)(w, s, at[s]);
        for (size_t i = 0; i < n; i++) {
            const size_t from = at[s][i];
            place[s][from] = (uint8_t)i;
            values[s * n + i] =
                lost[s] ? (REAL)NAN : w->d[from][s] * scale->back[0][s] * scale->back[1][s];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t s = 0; s < LANES; s++) {
            const size_t system = s < count ? s : count - 1;
            to[s] = vectors + (system * n + place[system][i]) * n;
        }
        NAME(lanes_put)(to, w->a + i * n, n);
    }
    for (size_t s = 0; s < count; s++) {
        for (size_t i = 0; lost[s] && i < n * n; i++) {
            vectors[s * n * n + i] = (REAL)NAN;
        }
    }
}

/* The room of the systems in work. */
INLINE struct NAME(lanes) NAME(lanes_in)(size_t order, void *scratch) {
    VEC *room = scratch;
    struct NAME(lanes) w = {.order = order, .a = room};
    VEC **const parts[] = {&w.d, &w.e, &w.row[0], &w.row[1], &w.row[2]};
    room += order * order;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i] = room;
        room += order + 1;
    }
    return w;
}

static void NAME(systems)(const REAL *a, REAL *values, REAL *vectors, size_t order, size_t systems,
                          void *scratch) {
    struct NAME(lanes) w = NAME(lanes_in)(order, scratch);
    for (size_t i = 0; i < systems; i += LANES) {
        const size_t count = systems - i < LANES ? systems - i : LANES;
        const struct NAME(scale) scale = NAME(read)(&w, a + i * order * order, count);
        NAME(tridiagonal)(&w);
        const MASK lost = NAME(iterate)(&w);
        NAME(write)
        (&w, &scale, lost | scale.bad, values + i * order, vectors + i * order * order, count);
    }
}

/* Row i of all systems: n numbers each, NaN where there is no answer. */
INLINE void NAME(write_row)(REAL *out, const VEC *row, size_t i, size_t n, size_t count, MASK lost,
                            VEC *room) {
    REAL *to[LANES];
    for (size_t s = 0; s < LANES; s++) {
        to[s] = out + ((s < count ? s : count - 1) * n + i) * n;
    }
    for (size_t j = 0; j < n; j++) {
        room[j] = NAME(pick)(lost, NAME(all)((REAL)NAN), row[j]);
    }
    NAME(lanes_put)(to, room, n);
}

/* A's columns to those of R and Q. */
static void NAME(factors)(const REAL *a, REAL *triangle, REAL *orthogonal, size_t order,
                          size_t systems, void *scratch) {
    struct NAME(lanes) w = NAME(lanes_in)(order, scratch);
    for (size_t i = 0; i < systems; i += LANES) {
        const size_t count = systems - i < LANES ? systems - i : LANES;
        const struct NAME(scale) scale = NAME(read)(&w, a + i * order * order, count);
        NAME(triangle)(&w, w.row[2]);
        for (size_t k = 0; k < order; k++) {
            for (size_t j = 0; j < order; j++) {
                const VEC number = j < k ? w.a[k * order + j] : j == k ? w.d[k] : (VEC){0};
                w.e[j] = number * scale.back[0] * scale.back[1];
            }
            NAME(write_row)
            (triangle + i * order * order, w.e, k, order, count, scale.bad, w.row[1]);
        }
        NAME(orthogonal)(&w, w.row[2]);
        for (size_t k = 0; k < order; k++) {
            NAME(write_row)
            (orthogonal + i * order * order, w.a + k * order, k, order, count, scale.bad, w.row[1]);
        }
    }
}
