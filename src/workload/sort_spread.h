/*
 * Unsigned 32-bit keys in ascending order by AVX-512, keys that lie in a known range and about evenly in
 * it, as random ones do: each goes to one of as many cells as leave a cell what sort_columns.h sorts.
 * Where it goes follows from its value, so nothing is counted beforehand. Once a cell is full the keys
 * lie otherwise, and quicksort halves or sorts them.
 */
#ifndef BE_WORKLOAD_SORT_SPREAD_H
#define BE_WORKLOAD_SORT_SPREAD_H

#include <stdbool.h>

#include "workload/sort_vector.h"

enum {
    SORT_CELL_MEAN =
        224, /* keys: of even random ones 2 cells in 100 have more than SORT_COLUMNS_MOST */
    SORT_CELL_KEYS =
        304, /* its room: 19 cache lines; of an even number, cells would share few sets */
    SORT_CELLS_MOST = 288, /* their lines that are being filled stay in the first-level cache */
    SORT_SPREAD_MOST = SORT_CELLS_MOST * SORT_CELL_MEAN,
    SORT_SPREAD_LEAST = 3000, /* fewer keys are as fast by quicksort, or faster */
    SORT_SPREAD_STEP = 64,    /* keys whose cells are found at a time */
    SORT_DEPTH_MOST = 64      /* twice as deep as halving goes, with 2^32 keys */
};

/* Keys from `least` to `most`, which is one of them. */
struct sort_range {
    uint32_t least, most;
};

/* Where in the room its next key goes, and where it ends. */
struct sort_cell {
    uint32_t next, end;
};

struct sort_cells {
    struct sort_cell cell[SORT_CELLS_MOST];
    size_t count;
    uint32_t *room;
    uint32_t least;
    uint32_t scale; /* cells in 2^32 values */
};

static size_t sort_cells_of(size_t n) {
    return (n + SORT_CELL_MEAN - 1) / SORT_CELL_MEAN;
}

static void sort_cells_open(struct sort_cells *cells, size_t n, struct sort_range in,
                            uint32_t *room) {
    cells->count = sort_cells_of(n);
    cells->room = room;
    cells->least = in.least;
    cells->scale = (uint32_t)(((uint64_t)cells->count << 32) / ((uint64_t)in.most - in.least + 1));
    for (size_t i = 0; i < cells->count; i++) {
        uint32_t first = (uint32_t)i * SORT_CELL_KEYS;
        cells->cell[i] = (struct sort_cell){first, first + SORT_CELL_KEYS};
    }
}

/* The upper half of each product of 32 bits and 32. */
SORT_INLINE __m512i sort_multiply_high(__m512i v, __m512i by) {
    __m512i even = _mm512_srli_epi64(_mm512_mul_epu32(v, by), 32);
    __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(v, 32), by);
    return _mm512_mask_blend_epi32(0xaaaa, even, odd);
}

/* false: the cell is full. */
SORT_INLINE bool sort_cell_put(struct sort_cell *cell, uint32_t *room, uint32_t key) {
    uint32_t at = cell->next;
    if (__builtin_expect(at == cell->end, 0)) {
        return false;
    }
    cell->next = at + 1;
    room[at] = key;
    return true;
}

/* false: not all found a place. */
static bool sort_cells_fill(struct sort_cells *cells, const uint32_t *keys, size_t n) {
    enum { STEP = SORT_SPREAD_STEP };
    const __m512i least = _mm512_set1_epi32((int)cells->least);
    const __m512i scale = _mm512_set1_epi32((int)cells->scale);
    uint32_t *room = cells->room;
    _Alignas(64) uint32_t which[STEP];
    size_t i = 0;
    for (; i + STEP <= n; i += STEP) {
#pragma GCC unroll 4
        for (size_t k = 0; k < STEP; k += SORT_LANES) {
            __m512i v = _mm512_sub_epi32(_mm512_loadu_si512(keys + i + k), least);
            _mm512_store_si512(which + k, sort_multiply_high(v, scale));
        }
#pragma GCC unroll 16
        for (size_t k = 0; k < STEP; k++) {
            if (!sort_cell_put(&cells->cell[which[k]], room, keys[i + k])) {
                return false;
            }
        }
    }
    for (; i < n; i++) {
        size_t cell = (size_t)((uint64_t)(keys[i] - cells->least) * cells->scale >> 32);
        if (!sort_cell_put(&cells->cell[cell], room, keys[i])) {
            return false;
        }
    }
    return true;
}

/* Keys that the room must have space for, to spread n or fewer. */
static size_t sort_spread_room(size_t n) {
    size_t cells = sort_cells_of(n);
    return (cells < SORT_CELLS_MOST ? cells : SORT_CELLS_MOST) * SORT_CELL_KEYS;
}

/* Keys of `from` into `to`, which may be the same or overlap; or false, with nothing written. */
static bool sort_spread(const uint32_t *from, uint32_t *to, size_t n, struct sort_range in,
                        uint32_t *room) {
    struct sort_cells cells;
    if (n < SORT_SPREAD_LEAST || n > SORT_SPREAD_MOST || in.most - in.least < n) {
        return false;
    }
    sort_cells_open(&cells, n, in, room);
    if (!sort_cells_fill(&cells, from, n)) {
        return false;
    }
    for (size_t i = 0; i < cells.count; i++) {
        size_t first = i * SORT_CELL_KEYS;
        size_t here = cells.cell[i].next - first;
        sort_quick_from(room + first, to, here, SORT_DEPTH_MOST);
        to += here;
    }
    return true;
}

static bool sort_too_many(size_t n, size_t room_for) {
    return n > SORT_SPREAD_MOST || (n > room_for && n >= SORT_SPREAD_LEAST);
}

/* In place; quicksort down to what can be spread, which is at most room_for keys. */
static void sort_known(uint32_t *keys, size_t n, struct sort_range in, uint32_t *room,
                       size_t room_for, int depth) {
    for (; sort_too_many(n, room_for) && depth > 0; depth--) {
        uint32_t pivot = sort_pivot(keys, n);
        size_t low = sort_apart(keys, n, pivot, 0);
        if (low == 0) { /* it is the least key: those that equal it are in their places */
            low = sort_apart(keys, n, pivot, 1);
        } else {
            const struct sort_range below = {in.least, pivot - 1};
            sort_known(keys, low, below, room, room_for, depth - 1);
        }
        in.least = pivot;
        keys += low;
        n -= low;
    }
    if (n > room_for || !sort_spread(keys, keys, n, in, room)) {
        sort_quick(keys, n, depth);
    }
}

#endif
