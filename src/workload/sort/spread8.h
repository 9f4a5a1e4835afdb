/*
 * Unsigned 32-bit keys in ascending order by AVX2: each goes to its cell (cells.h), and cells are
 * sorted in registers.
 */
#ifndef BE_WORKLOAD_SORT_SPREAD8_H
#define BE_WORKLOAD_SORT_SPREAD8_H

#include "workload/sort/cells.h"
#include "workload/sort/insert.h"

enum { SORT_STREAMS = 4 };

/* A key from each of four places in turn: keys in order would each wait for the one before to be put in the
 * same cell. false: not all found a place; up to SORT_SPREAD_LOOK keys then went to the next cell, or behind the
 * last. */
static bool sort_cells_fill(struct sort_cells *cells, const uint32_t *keys, size_t n) {
    const struct sort_cells c = {.min = cells->min,
                                 .scale = cells->scale}; /* which no store changes */
    const size_t apart = n / SORT_STREAMS;
    for (size_t i = 0; i < apart;) {
        const size_t look = SORT_SPREAD_LOOK / SORT_STREAMS;
        const size_t end = apart - i < look ? apart : i + look;
        for (; i < end; i++) {
#pragma GCC unroll 4
            for (size_t k = 0; k < SORT_STREAMS; k++) {
                const uint32_t key = keys[k * apart + i];
                sort_cell_put(cells, sort_one_cell_of(&c, key), key);
            }
        }
        if (!sort_cells_fit(cells)) {
            return false;
        }
    }
    for (size_t i = apart * SORT_STREAMS; i < n; i++) {
        sort_cell_put(cells, sort_one_cell_of(&c, keys[i]), keys[i]);
    }
    return sort_cells_fit(cells);
}

/* Keys of `from` into `to`, which may be the same or overlap; or false, with nothing written. */
static bool sort_spread(const uint32_t *from, uint32_t *to, size_t n, struct sort_range in,
                        uint32_t *capacity) {
    struct sort_cells cells;
    const uint32_t *end = to + n;
    if (n > SORT_SPREAD_MAX || in.max - in.min < n) {
        return false;
    }
    sort_cells_open(&cells, n, SORT_CELL_KEYS, in, capacity);
    if (!sort_cells_fill(&cells, from, n)) {
        return false;
    }
    for (size_t i = 0; i < cells.count; i++) {
        const uint32_t *first = capacity + i * SORT_CELL_KEYS;
        const size_t here = cells.next[i] - i * SORT_CELL_KEYS;
        if (here > SORT_COLUMNS_MAX) {
            sort_few(first, to, SORT_COLUMNS_MAX);
            sort_insert(first, to, SORT_COLUMNS_MAX, here);
        } else if (end - to >= SORT_COLUMNS_MAX) { /* whole vectors: the next cells go over them */
            sort_few_put(first, to, here, SORT_COLUMNS_MAX);
        } else {
            sort_few(first, to, here);
        }
        to += here;
    }
    return true;
}

#endif
