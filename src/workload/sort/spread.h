/*
 * Unsigned 32-bit keys in ascending order by AVX-512, keys that lie in a known range and about evenly in
 * it, as random ones do: each goes to one of as many cells as leave a cell what columns.h sorts.
 * Where it goes follows from its value, so nothing is counted beforehand. Once a cell is full the keys
 * lie otherwise, and quicksort halves or sorts them.
 */
#ifndef BE_WORKLOAD_SORT_SPREAD_H
#define BE_WORKLOAD_SORT_SPREAD_H

#include "workload/sort/cells.h"
#include "workload/sort/vector.h"

enum {
    SORT_STREAMS = 4,
    SORT_PACKED_CELLS = 8, /* so few are filled by packing the keys of each */
    SORT_PACKED_MAX = SORT_PACKED_CELLS * SORT_CELL_MEAN,
    SORT_PACKED_KEYS = SORT_PACKED_MAX + SORT_LANES, /* a cell's room: all may go to one */
    SORT_DEPTH_MAX = 64 /* twice as deep as halving goes, with 2^32 keys */
};

/* The upper half of each product of 32 bits and 32. */
SORT_INLINE __m512i sort_multiply_high(__m512i v, __m512i by) {
    __m512i even = _mm512_srli_epi64(_mm512_mul_epu32(v, by), 32);
    __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(v, 32), by);
    return _mm512_mask_blend_epi32(0xaaaa, even, odd);
}

SORT_INLINE __m512i sort_cell_of(const struct sort_cells *cells, __m512i v) {
    return sort_multiply_high(_mm512_sub_epi32(v, _mm512_set1_epi32((int)cells->min)),
                              _mm512_set1_epi32((int)cells->scale));
}

/* ---- few cells ------------------------------------------------------------------------------ */

SORT_INLINE void sort_pack(const struct sort_cells *cells, __m512i v, __mmask16 here,
                           uint32_t **next) {
    const __m512i which = sort_cell_of(cells, v);
#pragma GCC unroll 8
    for (size_t k = 0; k < SORT_PACKED_CELLS; k++) {
        if (k < cells->count) {
            __mmask16 its = _mm512_mask_cmpeq_epi32_mask(here, which, _mm512_set1_epi32((int)k));
            _mm512_storeu_si512(next[k], _mm512_maskz_compress_epi32(its, v));
            next[k] += __builtin_popcount(its);
        }
    }
}

/* All find a place. */
static void sort_cells_pack(struct sort_cells *cells, const uint32_t *keys, size_t n) {
    const struct sort_cells c = {.count = cells->count, .min = cells->min, .scale = cells->scale};
    uint32_t *next[SORT_PACKED_CELLS];
    size_t i = 0;
    for (size_t k = 0; k < SORT_PACKED_CELLS; k++) {
        next[k] = cells->capacity + k * cells->each;
    }
    for (; i + SORT_LANES <= n; i += SORT_LANES) {
        sort_pack(&c, _mm512_loadu_si512(keys + i), 0xffff, next);
    }
    const __mmask16 rest = sort_mask(n - i);
    sort_pack(&c, _mm512_maskz_loadu_epi32(rest, keys + i), rest, next);
    for (size_t k = 0; k < c.count; k++) {
        cells->next[k] = (uint32_t)(next[k] - cells->capacity);
    }
}

/* ---- many cells ----------------------------------------------------------------------------- */

/* Sixteen keys from each of four places, which are `apart`, in turn: keys in order would each wait for
 * the one before to be put in the same cell. */
SORT_INLINE void sort_cells_put(struct sort_cells *cells, const uint32_t *keys, size_t apart) {
    _Alignas(64) uint32_t which[SORT_STREAMS][SORT_LANES];
#pragma GCC unroll 4
    for (size_t k = 0; k < SORT_STREAMS; k++) {
        _mm512_store_si512(which[k], sort_cell_of(cells, _mm512_loadu_si512(keys + k * apart)));
    }
#pragma GCC unroll 4
    for (size_t k = 0; k < SORT_STREAMS; k++) {
#pragma GCC unroll 16
        for (size_t i = 0; i < SORT_LANES; i++) {
            sort_cell_put(cells, which[k][i], keys[k * apart + i]);
        }
    }
}

/* false: not all found a place. Up to SORT_SPREAD_LOOK keys then went to the next cell, or behind the
 * last. */
static bool sort_cells_fill(struct sort_cells *cells, const uint32_t *keys, size_t n) {
    const size_t apart = n / (SORT_STREAMS * SORT_LANES) * SORT_LANES;
    for (size_t i = 0; i < apart;) {
        const size_t end = apart - i < SORT_SPREAD_LOOK / SORT_STREAMS
                               ? apart
                               : i + SORT_SPREAD_LOOK / SORT_STREAMS;
        for (; i < end; i += SORT_LANES) {
            sort_cells_put(cells, keys + i, apart);
        }
        if (!sort_cells_fit(cells)) {
            return false;
        }
    }
    for (size_t i = apart * SORT_STREAMS; i < n; i++) {
        sort_cell_put(cells, sort_one_cell_of(cells, keys[i]), keys[i]);
    }
    return sort_cells_fit(cells);
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Keys that the room must have space for, to spread n or fewer. */
static size_t sort_spread_capacity(size_t n) {
    const size_t packed = (size_t)SORT_PACKED_CELLS * SORT_PACKED_KEYS;
    const size_t filled = sort_cells_capacity(n);
    return n <= SORT_COLUMNS_MAX ? 0 : filled > packed ? filled : packed;
}

/* Keys of `from` into `to`, which may be the same or overlap; or false, with nothing written. */
static bool sort_spread(const uint32_t *from, uint32_t *to, size_t n, struct sort_range in,
                        uint32_t *capacity) {
    struct sort_cells cells;
    if (n <= SORT_COLUMNS_MAX || n > SORT_SPREAD_MAX || in.max - in.min < n) {
        return false;
    }
    sort_cells_open(&cells, n, n <= SORT_PACKED_MAX ? SORT_PACKED_KEYS : SORT_CELL_KEYS, in,
                    capacity);
    if (n <= SORT_PACKED_MAX) {
        sort_cells_pack(&cells, from, n);
    } else if (!sort_cells_fill(&cells, from, n)) {
        return false;
    }
    for (size_t i = 0; i < cells.count; i++) {
        size_t first = i * cells.each;
        size_t here = cells.next[i] - first;
        sort_quick_from(capacity + first, to, here, SORT_DEPTH_MAX);
        to += here;
    }
    return true;
}

static bool sort_too_many(size_t n, size_t capacity_for) {
    return n > SORT_SPREAD_MAX || (n > capacity_for && n > SORT_COLUMNS_MAX);
}

/* In place; quicksort down to what can be spread, which is at most room_for keys. */
static void sort_known(uint32_t *keys, size_t n, struct sort_range in, uint32_t *capacity,
                       size_t capacity_for, int depth) {
    for (; sort_too_many(n, capacity_for) && depth > 0; depth--) {
        uint32_t pivot = sort_pivot(keys, n);
        size_t low = sort_apart(keys, n, pivot, 0);
        if (low == 0) { /* it is the least key: those that equal it are in their places */
            low = sort_apart(keys, n, pivot, 1);
        } else {
            const struct sort_range below = {in.min, pivot - 1};
            sort_known(keys, low, below, capacity, capacity_for, depth - 1);
        }
        in.min = pivot;
        keys += low;
        n -= low;
    }
    if (n > capacity_for || !sort_spread(keys, keys, n, in, capacity)) {
        sort_quick(keys, n, depth);
    }
}

#endif
