/*
 * A template of simd.c after lanes.h: included once for each REAL, so without a guard.
 *
 * The search for a pivot down a column while that is written, among rows that are still free. All waits
 * for it, so it is short: the largest key is sought, a number without its sign whose lowest bits give
 * way to its row, counted backwards. So of numbers that differ in those bits only the first row's counts;
 * what is not a number is larger than any.
 */
#define NAME(x) JOIN(x, REAL)
#define VEC NAME(vec)
#define MASK NAME(mask)
#define LANES ((size_t)VECTOR_BYTES / sizeof(REAL))
#define INLINE static inline __attribute__((always_inline))

/* For each search the largest key so far in each lane; what keys of the next vector end in. */
struct NAME(max) {
    MASK key[SEARCHES], now;
};

INLINE MASK NAME(lane_index)(void) {
    static const WHOLE index[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    MASK lane;
    memcpy(&lane, index, sizeof lane);
    return lane;
}

/* low: ones where a row's number needs them. */
INLINE struct NAME(max) NAME(max_none)(WHOLE low) {
    return (struct NAME(max)){.now = low - NAME(lane_index)()};
}

/* The bits that a number gives to its key. */
INLINE MASK NAME(max_high)(WHOLE low) {
    const WHOLE top = (WHOLE)1 << (8 * sizeof(WHOLE) - 2);
    return (((top - 1) * 2 + 1) & ~low) - (MASK){0};
}

#if defined(__AVX512F__)
/* For each vector a bit for each lane that is free. */
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

/* Which rows are free, one after the other, and what the right side has in them, which is closed up. */
INLINE size_t NAME(free_rest)(const NAME(free) * is_free, size_t vectors, size_t *rest,
                              REAL *right) {
    size_t count = 0;
    for (size_t i = 0; i < vectors * LANES; i++) {
        rest[count] = i;
        right[count] = right[i];
        count += NAME(is_free)(is_free, i);
    }
    return count;
}

/* 0 where it is not free. */
INLINE VEC NAME(free_only)(NAME(free) is_free, VEC v) {
    return (VEC)(is_free & (MASK)v);
}

INLINE void NAME(max_look)(struct NAME(max) * max, MASK high, NAME(free) is_free, VEC v,
                           const size_t i) {
    MASK *best = &max->key[i % SEARCHES];
    const MASK key = (((MASK)v & high) | max->now) & is_free;
    *best = NAME(pick_whole)(key > *best, key, *best);
    max->now -= (WHOLE)LANES;
}

/* The row that it is in. */
INLINE size_t NAME(max_row)(const struct NAME(max) * max, WHOLE low) {
    WHOLE best = 0;
    for (size_t i = 0; i < SEARCHES * LANES; i++) {
        const WHOLE key = max->key[i / LANES][i % LANES];
        best = key > best ? key : best;
    }
    return (size_t)(~best & low);
}
#endif

#undef INLINE
#undef LANES
#undef MASK
#undef VEC
#undef NAME
