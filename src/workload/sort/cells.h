/*
 * Keys that lie in a known range and about evenly in it, as random ones do, go to one of as many cells as
 * leave a cell what columns.h sorts. Where a key goes follows from its value, so nothing is counted
 * beforehand; once a cell is full, keys lie otherwise.
 */
#ifndef BE_WORKLOAD_SORT_CELLS_H
#define BE_WORKLOAD_SORT_CELLS_H

#include <stdbool.h>

#include "workload/sort/columns.h"

/* SORT_CELL_MEAN: keys. SORT_CELL_KEYS: its room, an odd number of cache lines: of an even number, cells
 * would share few sets. SORT_CELLS_MAX: with AVX-512 their lines that are being filled stay in a first-level
 * cache of 48 KB, and more keys are halved. Those of 448 would in one of 32 KB; with AVX2 several times as many,
 * past it, still take less time than digits do. */
#if defined(__AVX512F__)
enum {
    SORT_CELL_MEAN = 224, /* of even random ones 2 cells in 100 have more than SORT_COLUMNS_MAX */
    SORT_CELL_KEYS = 304,
    SORT_CELLS_MAX = 576
};
#else
enum {
    SORT_CELL_MEAN = 44, /* 2 cells in 1000 */
    SORT_CELL_KEYS = 80,
    SORT_CELLS_MAX = 4096
};
#endif
enum {
    SORT_SPREAD_MAX = SORT_CELLS_MAX * SORT_CELL_MEAN,
    SORT_SPREAD_LOOK = 1024 /* keys after which it is looked whether a cell is full */
};

/* Keys from `least` to `most`, which is one of them. */
struct sort_range {
    uint32_t min, max;
};

/* The range of keys that are as this one but for the lowest bits. */
static inline struct sort_range sort_range_of(uint32_t key, int bits) {
    const uint32_t varies = (uint32_t)(((uint64_t)1 << bits) - 1);
    return (struct sort_range){key & ~varies, key | varies};
}

struct sort_cells {
    uint32_t next[SORT_CELLS_MAX]; /* where in the room each one's next key goes */
    size_t count;
    size_t each; /* keys from one to the next */
    uint32_t *capacity;
    uint32_t min;
    uint32_t scale; /* cells in 2^32 values */
};

static size_t sort_cells_of(size_t n) {
    return (n + SORT_CELL_MEAN - 1) / SORT_CELL_MEAN;
}

static void sort_cells_open(struct sort_cells *cells, size_t n, size_t each, struct sort_range in,
                            uint32_t *capacity) {
    cells->count = sort_cells_of(n);
    cells->each = each;
    cells->capacity = capacity;
    cells->min = in.min;
    cells->scale = (uint32_t)(((uint64_t)cells->count << 32) / ((uint64_t)in.max - in.min + 1));
    for (size_t i = 0; i < cells->count; i++) {
        cells->next[i] = (uint32_t)(i * cells->each);
    }
}

/* Keys that cells and what may be written behind the last one take. */
static size_t sort_cells_capacity(size_t n) {
    const size_t cells = sort_cells_of(n < SORT_SPREAD_MAX ? n : SORT_SPREAD_MAX);
    return cells * SORT_CELL_KEYS + SORT_SPREAD_LOOK;
}

SORT_INLINE uint32_t sort_one_cell_of(const struct sort_cells *cells, uint32_t key) {
    return (uint32_t)((uint64_t)(key - cells->min) * cells->scale >> 32);
}

SORT_INLINE void sort_cell_put(struct sort_cells *cells, uint32_t cell, uint32_t key) {
    uint32_t at = cells->next[cell];
    cells->next[cell] = at + 1;
    cells->capacity[at] = key;
}

static bool sort_cells_fit(const struct sort_cells *cells) {
    uint32_t over = 0;
    for (size_t i = 0; i < cells->count; i++) {
        over |= cells->next[i] > (uint32_t)(i + 1) * SORT_CELL_KEYS;
    }
    return !over;
}

#endif
