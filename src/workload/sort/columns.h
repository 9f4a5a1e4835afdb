/*
 * Up to 256 unsigned 32-bit keys in ascending order by AVX-512, up to 64 by AVX2, in registers. The keys
 * are 4, 8 or 16 rows of 16 or 8. Each column is sorted, all at once, by exchanges of whole rows; then columns
 * are merged two by two, four by four and so on, where but the first steps of each merge exchange
 * rows again, which needs no shuffle (Batcher, "Sorting networks and their applications", AFIPS 1968).
 * A column then holds an equal part of the keys, so the rows are transposed at the end.
 */
#ifndef BE_WORKLOAD_SORT_COLUMNS_H
#define BE_WORKLOAD_SORT_COLUMNS_H

#include "workload/sort/lanes.h"

enum { SORT_COLUMNS_MAX = SORT_LANES * SORT_ROWS };

/* ---- lanes of a vector ---------------------------------------------------------------------- */

/* Groups of so many lanes that rise, then fall, or the other way round, into order. */
SORT_INLINE sort_keys sort_bitonic(sort_keys v, int lanes) {
    SORT_UNROLL
    for (int group = SORT_LANES; group > 1; group /= 2) {
        v = lanes >= group ? sort_pairs(v, sort_swapped(v, group), group) : v;
    }
    return v;
}

SORT_INLINE sort_keys sort_lanes(sort_keys v) {
    SORT_UNROLL
    for (int lanes = 2; lanes <= SORT_LANES; lanes *= 2) {
        v = sort_pairs(v, sort_mirrored(v, lanes), lanes);
        v = sort_bitonic(v, lanes / 2);
    }
    return v;
}

/* ---- columns -------------------------------------------------------------------------------- */

/* Two halves in order, as columns of `rows`, into one: Batcher's odd-even merge. */
SORT_INLINE void sort_columns_merge(sort_keys *v, int rows) {
    SORT_UNROLL
    for (int i = 0; i < rows / 2; i++) {
        sort_exchange(&v[i], &v[i + rows / 2]);
    }
    SORT_UNROLL
    for (int apart = rows / 4; apart > 0; apart /= 2) {
        SORT_UNROLL
        for (int i = apart; i + apart < rows; i++) {
            if (i / apart % 2 == 1) {
                sort_exchange(&v[i], &v[i + apart]);
            }
        }
    }
}

/* Columns of 4, 8 or 16 rows. Written out: loops of loops would be unrolled too late for the rows to
 * stay in registers. */
SORT_INLINE void sort_column4(sort_keys *v) {
    sort_columns_merge(v, 2);
    sort_columns_merge(v + 2, 2);
    sort_columns_merge(v, 4);
}

SORT_INLINE void sort_column8(sort_keys *v) {
    sort_column4(v);
    sort_column4(v + 4);
    sort_columns_merge(v, 8);
}

SORT_INLINE void sort_each_column(sort_keys *v, int rows) {
    if (rows == 4) {
        sort_column4(v);
        return;
    }
    sort_column8(v);
    if (rows == 16) {
        sort_column8(v + 8);
        sort_columns_merge(v, 16);
    }
}

/* Groups of `columns` columns, each half of which is in order, column behind column: the second half
 * from its end against the first. */
SORT_INLINE void sort_merge(sort_keys *v, int rows, int columns) {
    SORT_UNROLL
    for (int i = 0; i < rows / 2; i++) {
        sort_keys *other = &v[rows - 1 - i];
        sort_keys first = v[i];
        v[i] = sort_pairs(first, sort_mirrored(*other, columns), columns);
        *other = sort_pairs(*other, sort_mirrored(first, columns), columns);
    }
    SORT_UNROLL
    for (int i = 0; i < rows; i++) {
        v[i] = sort_bitonic(v[i], columns / 2);
    }
    SORT_UNROLL
    for (int apart = rows / 2; apart > 0; apart /= 2) {
        SORT_UNROLL
        for (int i = 0; i + apart < rows; i++) {
            if (!(i & apart)) {
                sort_exchange(&v[i], &v[i + apart]);
            }
        }
    }
}

/* ---- few keys ------------------------------------------------------------------------------- */

/* More than half of the rows, which are 4, 8 or 16; missing keys are the largest, and stay behind: `put` of
 * all are written. */
SORT_INLINE void sort_rows(const uint32_t *from, uint32_t *to, size_t n, size_t put, int rows) {
    sort_keys v[SORT_ROWS];
    sort_keys turned[SORT_ROWS];
    SORT_UNROLL
    for (int i = 0; i < rows; i++) {
        v[i] = sort_row(from, n, i);
    }
    sort_each_column(v, rows);
    SORT_UNROLL
    for (int columns = 2; columns <= SORT_LANES; columns *= 2) {
        sort_merge(v, rows, columns);
    }
    sort_turn(v, rows, turned);
    SORT_UNROLL
    for (int i = 0; i < rows; i++) {
        sort_row_put(to, put, i, turned[i]);
    }
}

SORT_INLINE void sort_two(const uint32_t *from, uint32_t *to, size_t n, size_t put) {
    sort_keys low = sort_lanes(sort_row(from, n, 0));
    if (n > SORT_LANES) {
        sort_keys high = sort_mirrored(sort_lanes(sort_row(from, n, 1)), SORT_LANES);
        sort_exchange(&low, &high);
        low = sort_bitonic(low, SORT_LANES);
        sort_row_put(to, put, 1, sort_bitonic(high, SORT_LANES));
    }
    sort_row_put(to, put, 0, low);
}

SORT_INLINE void sort_few_put(const uint32_t *from, uint32_t *to, size_t n, size_t put) {
    if (n <= (size_t)2 * SORT_LANES) {
        sort_two(from, to, n, put);
    } else if (n <= (size_t)4 * SORT_LANES) {
        sort_rows(from, to, n, put, 4);
    } else if (n <= (size_t)8 * SORT_LANES) {
        sort_rows(from, to, n, put, 8);
    } else {
        sort_rows(from, to, n, put, SORT_ROWS);
    }
}

/* At most SORT_COLUMNS_MAX keys of `from` into `to`, which may be the same. */
static void sort_few(const uint32_t *from, uint32_t *to, size_t n) {
    sort_few_put(from, to, n, n);
}

#endif
