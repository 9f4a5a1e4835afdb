/*
 * Sums of rows and vectors stay in registers. Vectors of a row of the image are loaded once for the rows that it belongs to.
 * Where a tile or its taps reach beyond the image, the same code runs on a copy with zeroes around it.
 */
#include "workload/convolve/convolve.h"

#include "host/vector.h"

/* Loads of the image cross cache lines, and take longer than those of a weight for all lanes: rather many rows than many
 * vectors. */
#if defined(__AVX512F__)
enum { TALL = 8, ASK = 1 };
#else
enum { TALL = 4, ASK = 0 }; /* with half as many registers; rows are then foreseen by the core */
#endif
#if defined(__AVX512F__)
#define KEEP(v) __asm__("" : "+v"(v)) /* in a register: a compiler may load it anew for each use */
#else
#define KEEP(v) (void)(v)
#endif
enum { PARTS = 2, TILE = PARTS * lanes32, LINE = 16 /* floats */ };
enum { ROWS = 4 }; /* of a separable filter */
enum {
    STRIP = 1024
}; /* columns that are done before the next rows: those of 38 rows stay in a second-level cache */
enum { MORE = BE_CONVOLVE_TAPS_MAX - 1 };

static inline size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* A number of row y of what a tile reads, for rows from .. to of its sums, both constant where this is inlined. */
VECTOR_INLINE void add_tap(vector32 sum[TALL][PARTS], const float *x, const float *w, size_t taps,
                           size_t y, size_t from, size_t to) {
    vector32 v[PARTS];
    for (size_t p = 0; p < PARTS; p++) {
        v[p] = load32(x + p * lanes32);
        KEEP(v[p]);
    }
#pragma GCC unroll 8
    for (size_t r = from; r <= to; r++) {
        const vector32 weight = spread32(w[(y - r) * taps]);
        for (size_t p = 0; p < PARTS; p++) {
            sum[r][p] += weight * v[p];
        }
    }
}

/* The first rows belong to the first sums only, the last ones to the last; taps are TALL - 1 at least. */
VECTOR_INLINE void add_taps(vector32 sum[TALL][PARTS], const float *x, const float *w, size_t taps,
                            size_t y, size_t from, size_t to) {
    for (size_t b = 0; b < taps; b++) {
        add_tap(sum, x + b, w + b, taps, y, from, to);
    }
}

VECTOR_INLINE void sum_many(const float *x, size_t stride, const float *w, size_t taps,
                            vector32 sum[TALL][PARTS]) {
    const float *const last = x + taps * stride;
#pragma GCC unroll 8
    for (size_t y = 0; y < TALL - 1; y++) {
        add_taps(sum, x + y * stride, w, taps, y, 0, y);
    }
    for (size_t y = TALL - 1; y < taps; y++) {
        add_taps(sum, x + y * stride, w, taps, y, 0, TALL - 1);
    }
#pragma GCC unroll 8
    for (size_t y = 0; y < TALL - 1; y++) {
        add_taps(sum, last + y * stride, w, taps, taps + y, y + 1, TALL - 1);
    }
}

/* x: the first tap of the tile's first point. */
#if defined(__AVX512F__)
/* The same of fewer taps, a constant; across: as many, or where that is too much code in line, not a constant. */
VECTOR_INLINE void sum_few(const float *x, size_t stride, const float *w, const size_t taps,
                           size_t across, vector32 sum[TALL][PARTS]) {
#pragma GCC unroll 16
    for (size_t y = 0; y < TALL + taps - 1; y++) {
#pragma GCC unroll 5
        for (size_t b = 0; b < across; b++) {
            add_tap(sum, x + y * stride + b, w + b, taps, y, y < taps ? 0 : y - taps + 1,
                    y < TALL ? y : TALL - 1);
        }
    }
}

typedef void sum_of(const float *x, size_t stride, const float *w, size_t taps,
                    vector32 z[TALL][PARTS]);

/* A function for each number of taps, so that its sums stay in registers. */
#define SUM_OF(name, sums, ...)                                                                    \
    static void name(const float *x, size_t stride, const float *w, size_t taps,                   \
                     vector32 z[TALL][PARTS]) {                                                    \
        vector32 sum[TALL][PARTS] = {{{0}}};                                                       \
        (void)taps;                                                                                \
        sums(x, stride, w, __VA_ARGS__, sum);                                                      \
        memcpy(z, sum, sizeof sum);                                                                \
    }
SUM_OF(sum_3, sum_few, 3, 3)
SUM_OF(sum_4, sum_few, 4, 4)
SUM_OF(sum_5, sum_few, 5, 5)
SUM_OF(sum_6, sum_few, 6, taps)
SUM_OF(sum_more, sum_many, taps)

static void sum_tile(const float *x, size_t stride, const float *w, size_t taps,
                     vector32 sum[TALL][PARTS]) {
    static sum_of *const few[TALL - 1] = {[3] = sum_3, sum_4, sum_5, sum_6};
    (taps < TALL - 1 ? few[taps] : sum_more)(x, stride, w, taps, sum);
}
#else
VECTOR_INLINE void sum_tile(const float *x, size_t stride, const float *w, size_t taps,
                            vector32 sum[TALL][PARTS]) {
    for (size_t r = 0; r < TALL; r++) {
        for (size_t p = 0; p < PARTS; p++) {
            sum[r][p] = (vector32){0};
        }
    }
    sum_many(x, stride, w, taps, sum);
}
#endif

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
    memset(window, 0, (TALL + s->taps - 1) * wide * sizeof *window);
    for (size_t y = 0; y < TALL + s->taps - 1; y++) {
        const size_t i = row + y - s->before; /* above the image: a large number */
        if (i < s->height) {
            memcpy(window + y * wide + skip, part->x + i * s->width + from, count * sizeof *window);
        }
    }
}

/* The rows that the next row of tiles reads first. */
static void ask(const struct be_convolve_part *part, size_t row, size_t column) {
    const struct be_convolve_sizes *s = part->size;
    const size_t first = row + TALL + s->taps - 1 - s->before;
    for (size_t y = first; ASK && y < first + TALL && y < s->height; y++) {
        for (size_t j = column; j < column + TILE; j += LINE) {
            __builtin_prefetch(part->x + y * s->width + j, 0, 3);
        }
    }
}

static void do_tile(const struct be_convolve_part *part, size_t row, size_t column) {
    const struct be_convolve_sizes *s = part->size;
    const size_t top = row - s->before;
    const size_t left = column - s->before;
    float window[(TALL + MORE) * (TILE + MORE)];
    vector32 sum[TALL][PARTS];
    ask(part, row, column);
    if (row >= s->before && column >= s->before && top + TALL + s->taps - 1 <= s->height &&
        left + TILE + s->taps - 1 <= s->width) {
        sum_tile(part->x + top * s->width + left, s->width, part->w, s->taps, sum);
    } else {
        copy_window(part, row, column, window);
        sum_tile(window, TILE + s->taps - 1, part->w, s->taps, sum);
    }
    for (size_t r = 0; r < least(TALL, part->first + part->rows - row); r++) {
        put(part, row + r, column, s->width - column, sum[r], PARTS);
    }
}

void BE_SIMD_NAME(be_convolve_tiles)(const struct be_convolve_part *part) {
    const size_t end = part->columns ? part->left + part->columns : part->size->width;
    for (size_t left = part->left; left < end; left += STRIP) {
        for (size_t row = part->first; row < part->first + part->rows; row += TALL) {
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
static void sum_down_few(const struct be_convolve_part *part, size_t row, size_t at, size_t count,
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
    sum_down_few(part, row, from + j, wide - j, between + skip + j);
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
