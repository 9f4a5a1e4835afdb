/*
 * A template of solve_simd.c after solve_lanes.h: included once for each REAL, so without a guard.
 *
 * The search for a pivot down a column while that is written, among rows that are still free. Numbers
 * without a sign are in the order of their bits, what is not a number last; of equal ones the first
 * counts.
 */
#define NAME(x) JOIN(x, REAL)
#define VEC NAME(vec)
#define MASK NAME(mask)
#define LANES ((size_t)VECTOR_BYTES / sizeof(REAL))
#define INLINE static inline __attribute__((always_inline))

/* In each lane the bits of the largest number so far, and its vector; the vector that comes now. */
struct NAME(most) {
    MASK bits, at, now;
};

/* Of two searches of every second vector one. */
INLINE struct NAME(most) NAME(most_none)(WHOLE first) {
    return (struct NAME(most)){.bits = (MASK){0} - 1, .now = first - (MASK){0}};
}

INLINE MASK NAME(without_sign)(VEC v) {
    const WHOLE top = (WHOLE)1 << (8 * sizeof(WHOLE) - 2);
    return (MASK)v & ((top - 1) * 2 + 1);
}

#if defined(__AVX512F__)
/* Of each vector a bit for each lane that is free. */
typedef uint16_t NAME(free);

INLINE void NAME(free_start)(NAME(free) * is_free, size_t vectors, size_t rows) {
    for (size_t v = 0; v < vectors; v++) {
        const size_t left = rows - v * LANES;
        is_free[v] = (NAME(free))(left < LANES ? (1U << left) - 1 : (1U << LANES) - 1);
    }
}

INLINE void NAME(free_end)(NAME(free) * is_free, size_t row) {
    is_free[row / LANES] &= (NAME(free)) ~(1U << row % LANES);
}

INLINE bool NAME(is_free)(const NAME(free) * is_free, size_t row) {
    return is_free[row / LANES] >> row % LANES & 1;
}
#else
/* All ones where a lane is free. */
typedef MASK NAME(free);

INLINE void NAME(free_start)(NAME(free) * is_free, size_t vectors, size_t rows) {
    WHOLE *lane = (WHOLE *)is_free;
    for (size_t i = 0; i < vectors * LANES; i++) {
        lane[i] = i < rows ? -1 : 0;
    }
}

INLINE void NAME(free_end)(NAME(free) * is_free, size_t row) {
    ((WHOLE *)is_free)[row] = 0;
}

INLINE bool NAME(is_free)(const NAME(free) * is_free, size_t row) {
    return ((const WHOLE *)is_free)[row] != 0;
}

/* 0 where it is not free. */
INLINE VEC NAME(free_only)(NAME(free) is_free, VEC v) {
    return (VEC)(is_free & (MASK)v);
}

INLINE void NAME(most_look)(struct NAME(most) * most, NAME(free) is_free, VEC v) {
    const MASK bits = NAME(without_sign)(v);
    const MASK better = (bits > most->bits) & is_free;
    most->bits = NAME(pick_whole)(better, bits, most->bits);
    most->at = NAME(pick_whole)(better, most->now, most->at);
    most->now += 2;
}

/* The row that it is in, of both searches. */
INLINE size_t NAME(most_row)(const struct NAME(most) most[2]) {
    const MASK more = (most[1].bits > most[0].bits) |
                      ((most[1].bits == most[0].bits) & (most[1].at < most[0].at));
    const MASK bits = NAME(pick_whole)(more, most[1].bits, most[0].bits);
    const MASK at = NAME(pick_whole)(more, most[1].at, most[0].at);
    WHOLE best = bits[0];
    size_t row = (size_t)at[0] * LANES;
    for (size_t i = 1; i < LANES; i++) {
        const size_t other = (size_t)at[i] * LANES + i;
        const bool better = bits[i] > best || (bits[i] == best && other < row);
        best = better ? bits[i] : best;
        row = better ? other : row;
    }
    return row;
}
#endif

#undef INLINE
#undef LANES
#undef MASK
#undef VEC
#undef NAME
