/*
 * Sums of ROWS rows and PARTS vectors stay in registers. Vectors of a row of the image are loaded once for the rows that
 * it belongs to. Where a tile or its taps reach beyond the image, the same code runs on a copy with zeroes around it.
 */
#include "workload/convolve/convolve.h"

#include "host/vector.h"

#if defined(__AVX512F__)
enum { PARTS = 4 };
#else
enum { PARTS = 2 }; /* with half as many registers */
#endif
enum { ROWS = 4, TILE = PARTS * lanes32 };
enum {
    STRIP = 1024
}; /* columns that are done before the next rows: those of 34 rows stay in a second-level cache */
enum { MORE = BE_CONVOLVE_TAPS_MAX - 1 };

static inline size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Row y of what a tile reads, for rows from .. to of its sums, both constant where this is inlined. */
VECTOR_INLINE void add_taps(vector32 sum[ROWS][PARTS], const float *x, const float *w, size_t taps,
                            size_t y, size_t from, size_t to) {
    for (size_t b = 0; b < taps; b++) {
        vector32 v[PARTS];
        for (size_t p = 0; p < PARTS; p++) {
            v[p] = load32(x + b + p * lanes32);
        }
        for (size_t r = from; r <= to; r++) {
            const vector32 weight = spread32(w[(y - r) * taps + b]);
            for (size_t p = 0; p < PARTS; p++) {
                sum[r][p] += weight * v[p];
            }
        }
    }
}

/* x: the first tap of the tile's first point. The first rows belong to the first sums only, the last ones to the last;
 * there are at least as many taps as rows before all sums have one. */
VECTOR_INLINE void sum_tile(const float *x, size_t stride, const float *w, size_t taps,
                            vector32 sum[ROWS][PARTS]) {
    _Static_assert(ROWS == 4 && (int)BE_CONVOLVE_TAPS_MIN == ROWS - 1, "the rows below are these");
    size_t y = ROWS - 1;
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t p = 0; p < PARTS; p++) {
            sum[r][p] = (vector32){0};
        }
    }
    add_taps(sum, x, w, taps, 0, 0, 0);
    add_taps(sum, x + stride, w, taps, 1, 0, 1);
    add_taps(sum, x + 2 * stride, w, taps, 2, 0, 2);
    for (; y < taps; y++) {
        add_taps(sum, x + y * stride, w, taps, y, 0, 3);
    }
    add_taps(sum, x + y * stride, w, taps, y, 1, 3);
    add_taps(sum, x + (y + 1) * stride, w, taps, y + 1, 2, 3);
    add_taps(sum, x + (y + 2) * stride, w, taps, y + 2, 3, 3);
}

/* count: columns that are on the image. Rows whose stores go past the caches begin at a line. */
VECTOR_INLINE void put(const struct be_convolve_part *part, size_t row, size_t column, size_t count,
                       const vector32 *sum, size_t vectors) {
    float *z = part->z + row * part->size->width + column;
    if (count < vectors * lanes32) {
        memcpy(z, sum, count * sizeof *z);
    } else if (part->past && part->size->width % 16 == 0 && (uintptr_t)z % VECTOR_BYTES == 0) {
        for (size_t p = 0; p < vectors; p++) {
            store_nontemporal32(z + p * lanes32, sum[p]);
        }
    } else {
        memcpy(z, sum, vectors * sizeof *sum);
    }
}

/* The part of the image that a tile reads, with zeroes for what is beyond it. */
static void copy_window(const struct be_convolve_part *part, size_t row, size_t column,
                        float *window) {
    const struct be_convolve_sizes *s = part->size;
    const size_t wide = TILE + s->taps - 1;
    const size_t skip = column < s->before ? s->before - column : 0;
    const size_t from = column + skip - s->before;
    const size_t count = from < s->width ? least(wide - skip, s->width - from) : 0;
    memset(window, 0, (ROWS + s->taps - 1) * wide * sizeof *window);
    for (size_t y = 0; y < ROWS + s->taps - 1; y++) {
        const size_t i = row + y - s->before; /* above the image: a large number */
        if (i < s->height) {
            memcpy(window + y * wide + skip, part->x + i * s->width + from, count * sizeof *window);
        }
    }
}

static void do_tile(const struct be_convolve_part *part, size_t row, size_t column) {
    const struct be_convolve_sizes *s = part->size;
    const size_t top = row - s->before;
    const size_t left = column - s->before;
    float window[(ROWS + MORE) * (TILE + MORE)];
    vector32 sum[ROWS][PARTS];
    if (row >= s->before && column >= s->before && top + ROWS + s->taps - 1 <= s->height &&
        left + TILE + s->taps - 1 <= s->width) {
        sum_tile(part->x + top * s->width + left, s->width, part->w, s->taps, sum);
    } else {
        copy_window(part, row, column, window);
        sum_tile(window, TILE + s->taps - 1, part->w, s->taps, sum);
    }
    for (size_t r = 0; r < least(ROWS, part->first + part->rows - row); r++) {
        put(part, row + r, column, s->width - column, sum[r], PARTS);
    }
}

void BE_SIMD_NAME(be_convolve_tiles)(const struct be_convolve_part *part) {
    const size_t end = part->columns ? part->left + part->columns : part->size->width;
    for (size_t left = part->left; left < end; left += STRIP) {
        for (size_t row = part->first; row < part->first + part->rows; row += ROWS) {
            for (size_t at = left; at < least(left + STRIP, end); at += TILE) {
                do_tile(part, row, at);
            }
        }
    }
    stores_done();
}

/* ---- a separable filter --------------------------------------------------------------------- */

enum { ROOM = STRIP + MORE + lanes32 }; /* numbers a row between the passes */

/* Vectors of the rows' sums down column `at`, of rows top .. top + ROWS + taps - 2 as far as they are on the image. A sum
 * has its own taps only: a tap of 0 would make NaN of an infinity that is none of the point's. */
VECTOR_INLINE void sum_down(const struct be_convolve_part *part, size_t row, size_t at,
                            vector32 sum[ROWS]) {
    const struct be_convolve_sizes *s = part->size;
    const size_t skip = row < s->before ? s->before - row : 0;
    const size_t end = least(ROWS + s->taps - 1, s->height + s->before - row);
    for (size_t r = 0; r < ROWS; r++) {
        sum[r] = (vector32){0};
    }
    for (size_t y = skip; y < end; y++) {
        const vector32 v = load32(part->x + (row + y - s->before) * s->width + at);
        for (size_t r = 0; r < ROWS; r++) {
            if (r <= y && y - r < s->taps) {
                sum[r] += spread32(part->w[y - r]) * v;
            }
        }
    }
}

/* The same of fewer columns than a vector has. */
static void sum_few(const struct be_convolve_part *part, size_t row, size_t at, size_t count,
                    float *to) {
    const struct be_convolve_sizes *s = part->size;
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t j = 0; j < count; j++) {
            float sum = 0;
            for (size_t a = 0; a < s->taps; a++) {
                const size_t i = row + r + a - s->before;
                sum += i < s->height ? part->w[a] * part->x[i * s->width + at + j] : 0;
            }
            to[r * ROOM + j] = sum;
        }
    }
}

/* Columns left - before .. left + count + taps - before - 2: zeroes beyond the image. */
static void go_down(const struct be_convolve_part *part, size_t row, size_t left, size_t count,
                    float *between) {
    const struct be_convolve_sizes *s = part->size;
    const size_t skip = left < s->before ? s->before - left : 0;
    const size_t from = left + skip - s->before;
    const size_t wide = least(count + s->taps - 1 - skip, s->width - from);
    size_t j = 0;
    for (; j + lanes32 <= wide; j += lanes32) {
        vector32 sum[ROWS];
        sum_down(part, row, from + j, sum);
        for (size_t r = 0; r < ROWS; r++) {
            store32(between + r * ROOM + skip + j, sum[r]);
        }
    }
    sum_few(part, row, from + j, wide - j, between + skip + j);
    for (size_t r = 0; r < ROWS; r++) {
        float *to = between + r * ROOM;
        memset(to, 0, skip * sizeof *to);
        memset(to + skip + wide, 0, (ROOM - skip - wide) * sizeof *to);
    }
}

static void go_across(const struct be_convolve_part *part, const float *between, size_t row,
                      size_t left, size_t count) {
    const struct be_convolve_sizes *s = part->size;
    const float *across = part->w + s->taps;
    for (size_t j = 0; j < count; j += lanes32) {
        vector32 sum[ROWS] = {{0}};
        for (size_t b = 0; b < s->taps; b++) {
            const vector32 weight = spread32(across[b]);
            for (size_t r = 0; r < ROWS; r++) {
                sum[r] += weight * load32(between + r * ROOM + j + b);
            }
        }
        for (size_t r = 0; r < least(ROWS, part->first + part->rows - row); r++) {
            put(part, row + r, left + j, count - j, &sum[r], 1);
        }
    }
}

void BE_SIMD_NAME(be_convolve_tiles_separable)(const struct be_convolve_part *part) {
    const struct be_convolve_sizes *s = part->size;
    float between[ROWS * ROOM];
    for (size_t left = 0; left < s->width; left += STRIP) {
        const size_t count = least(STRIP, s->width - left);
        for (size_t row = part->first; row < part->first + part->rows; row += ROWS) {
            go_down(part, row, left, count, between);
            go_across(part, between, row, left, count);
        }
    }
    stores_done();
}
