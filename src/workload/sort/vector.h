/*
 * Unsigned 32-bit keys in ascending order by AVX-512: quicksort, whose partition packs 16 keys at a
 * time to either side (compress), down to what fits the registers, and columns.h for that.
 */
#ifndef BE_WORKLOAD_SORT_VECTOR_H
#define BE_WORKLOAD_SORT_VECTOR_H

#include "workload/sort/columns.h"

/* ---- quicksort ------------------------------------------------------------------------------ */

/* The ninth of 16 keys from all over. */
static uint32_t sort_pivot(const uint32_t *keys, size_t n) {
    uint32_t some[SORT_LANES];
    for (size_t i = 0; i < SORT_LANES; i++) {
        some[i] = keys[n / SORT_LANES * i];
    }
    _mm512_storeu_si512(some, sort_lanes(_mm512_loadu_si512(some)));
    return some[SORT_LANES / 2];
}

enum { SORT_READ = 4 }; /* vectors at a time */

/* Keys from `low` and from `high` on were written or are free; those in between were not read. */
struct sort_sides {
    uint32_t *low, *high;
    __m512i pivot;
};

/* The first keys of v, as many as the mask `here` has, to either side. Where all is read, there is
 * no room for whole vectors: with few. */
SORT_INLINE void sort_to_sides(__m512i v, __mmask16 here, int up_to, int few,
                               struct sort_sides *to) {
    __mmask16 less = up_to ? _mm512_mask_cmple_epu32_mask(here, v, to->pivot)
                           : _mm512_mask_cmplt_epu32_mask(here, v, to->pivot);
    __mmask16 more = (__mmask16)(here & ~less);
    unsigned lower = (unsigned)__builtin_popcount(less);
    unsigned upper = (unsigned)__builtin_popcount(here) - lower;
    to->high -= upper;
    _mm512_mask_storeu_epi32(to->low, sort_first(few ? lower : SORT_LANES),
                             _mm512_maskz_compress_epi32(less, v));
    _mm512_mask_storeu_epi32(to->high, sort_first(upper), _mm512_maskz_compress_epi32(more, v));
    to->low += lower;
}

SORT_INLINE void sort_load(const uint32_t *from, __m512i v[SORT_READ]) {
#pragma GCC unroll 4
    for (int k = 0; k < SORT_READ; k++) {
        v[k] = _mm512_loadu_si512(from + (size_t)k * SORT_LANES);
    }
}

SORT_INLINE void sort_all_to_sides(const __m512i v[SORT_READ], int up_to, int few,
                                   struct sort_sides *to) {
#pragma GCC unroll 4
    for (int k = 0; k < SORT_READ; k++) {
        sort_to_sides(v[k], 0xffff, up_to, few, to);
    }
}

/* Keys less than `pivot`, or up to it, before all others, in place; how many they are. Both ends are
 * taken out first. Then the end with less free room is read on, so that there is always room for
 * what is read, whichever end it belongs to. At least twice SORT_READ vectors. */
SORT_INLINE size_t sort_apart(uint32_t *keys, size_t n, uint32_t pivot, int up_to) {
    enum { STEP = SORT_READ * SORT_LANES };
    struct sort_sides to = {keys, keys + n, _mm512_set1_epi32((int)pivot)};
    const uint32_t *low = keys + STEP;
    const uint32_t *high = keys + n - STEP;
    __m512i first[SORT_READ];
    __m512i last[SORT_READ];
    __m512i v[SORT_READ];
    sort_load(keys, first);
    sort_load(high, last);
    while (high - low >= STEP) {
        if (to.high - high < low - to.low) {
            high -= STEP;
            sort_load(high, v);
        } else {
            sort_load(low, v);
            low += STEP;
        }
        sort_all_to_sides(v, up_to, 0, &to);
    }
    size_t rest = (size_t)(high - low);
#pragma GCC unroll 4
    for (int k = 0; k < SORT_READ; k++) {
        size_t at = (size_t)k * SORT_LANES;
        v[k] = _mm512_maskz_loadu_epi32(sort_mask(rest > at ? rest - at : 0), low + at);
    }
    sort_all_to_sides(first, up_to, 1, &to);
    sort_all_to_sides(last, up_to, 1, &to);
#pragma GCC unroll 4
    for (int k = 0; k < SORT_READ; k++) {
        size_t at = (size_t)k * SORT_LANES;
        sort_to_sides(v[k], sort_mask(rest > at ? rest - at : 0), up_to, 1, &to);
    }
    return (size_t)(to.low - keys);
}

/* Likewise from elsewhere: there is nothing to keep out of the way. Keys less than `pivot` only. */
SORT_INLINE size_t sort_apart_from(const uint32_t *from, uint32_t *keys, size_t n, uint32_t pivot) {
    struct sort_sides to = {keys, keys + n, _mm512_set1_epi32((int)pivot)};
    size_t i = 0;
    for (; i + SORT_LANES <= n; i += SORT_LANES) {
        sort_to_sides(_mm512_loadu_si512(from + i), 0xffff, 0, 0, &to);
    }
    __mmask16 rest = sort_mask(n - i);
    sort_to_sides(_mm512_maskz_loadu_epi32(rest, from + i), rest, 0, 1, &to);
    return (size_t)(to.low - keys);
}

/* Where pivots were bad ones time and again. */
static void sort_slowly(uint32_t *keys, size_t n) {
    for (size_t gap = n / 2; gap > 0; gap /= 2) {
        for (size_t i = gap; i < n; i++) {
            uint32_t key = keys[i];
            size_t at = i;
            for (; at >= gap && keys[at - gap] > key; at -= gap) {
                keys[at] = keys[at - gap];
            }
            keys[at] = key;
        }
    }
}

static void sort_quick(uint32_t *keys, size_t n, int depth) {
    for (; n > SORT_COLUMNS_MAX; depth--) {
        if (depth == 0) {
            sort_slowly(keys, n);
            return;
        }
        uint32_t pivot = sort_pivot(keys, n);
        size_t low = sort_apart(keys, n, pivot, 0);
        if (low == 0) { /* it is the least key: those that equal it are in their places */
            low = sort_apart(keys, n, pivot, 1);
        } else {
            sort_quick(keys, low, depth - 1);
        }
        keys += low;
        n -= low;
    }
    sort_few(keys, keys, n);
}

/* Keys of `from` into `to`, elsewhere; the first partition moves them there. */
static void sort_quick_from(const uint32_t *from, uint32_t *to, size_t n, int depth) {
    if (n <= SORT_COLUMNS_MAX) {
        sort_few(from, to, n);
        return;
    }
    size_t low = sort_apart_from(from, to, n, sort_pivot(from, n));
    sort_quick(to, low, depth - 1);
    sort_quick(to + low, n - low, depth - 1);
}

#endif
