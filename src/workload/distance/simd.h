/*
 * Rows of the matrix of squared distances on the CPU, one thread. It knows nothing of threads or
 * of which matrices count as large.
 *
 * Columns come packed: BE_DISTANCE_TILE(bytes of a number) points lie together, coordinate after
 * coordinate, so that a vector is one coordinate of neighbouring points and a tile is read from
 * front to back. The values behind the last point may be anything that is a number.
 */
#ifndef BE_WORKLOAD_DISTANCE_SIMD_H
#define BE_WORKLOAD_DISTANCE_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two cache lines. */
#define BE_DISTANCE_TILE(number) ((size_t)128 / (number))

enum be_distance_kind {
    BE_DISTANCE_SQUARED, /* rows of the matrix */
    BE_DISTANCE_NEAREST, /* one number a row: the least of it, but for the diagonal */
    BE_DISTANCE_PRODUCT  /* rows of the matrix of products x_i . x_j */
};

struct be_distance_rows {
    enum be_distance_kind kind;
    const void *points; /* point i's coordinates begin at i * dimension */
    const void *packed;
    size_t n, dimension;
    size_t first, count; /* the rows */
    void *out;           /* of row 0 */
    bool beyond_cache;
};

/* Packs the columns of the tiles [first, first + count). */
typedef void be_distance_pack(const void *points, size_t n, size_t dimension, size_t first,
                              size_t count, void *packed);
typedef void be_distance_run(const struct be_distance_rows *rows);

/* The histogram of the distances of pairs i < j: rows in groups of BE_DISTANCE_ROWS, of which a member does every
 * `members`-th. The header distance.h defines the bins. */
enum { BE_DISTANCE_ROWS = 4 };
struct be_distance_counts {
    const void *points;
    const void *packed;
    size_t n, dimension, bins;
    size_t member, members;
    double edge; /* exact in the type of the points */
    float scale;
    uint64_t *counts; /* be_distance_count_bytes, all 0: the first `bins` are the result */
};
/* Behind the counts, of 64 bits, narrower ones in several copies, each with two bins more: for what
 * is in none. */
enum { BE_DISTANCE_COPIES = 4 };
static inline size_t be_distance_count_bytes(size_t bins) {
    return bins * sizeof(uint64_t) + BE_DISTANCE_COPIES * (bins + 2) * sizeof(uint32_t);
}
typedef void be_distance_count(const struct be_distance_counts *counts);

/* simd.c, compiled once for each instruction set. */
be_distance_run be_distance_run32_plain, be_distance_run32_v3, be_distance_run32_v4;
be_distance_run be_distance_run64_plain, be_distance_run64_v3, be_distance_run64_v4;
be_distance_count be_distance_count32_plain, be_distance_count32_v3, be_distance_count32_v4;
be_distance_count be_distance_count64_plain, be_distance_count64_v3, be_distance_count64_v4;
be_distance_pack be_distance_pack32_plain, be_distance_pack32_v3, be_distance_pack32_v4;
be_distance_pack be_distance_pack64_plain, be_distance_pack64_v3, be_distance_pack64_v4;

#endif
