/*
 * C = A B, row after row: n x n each, which begin on multiples of 16 bytes; or any m x k times k x n, many such after one
 * another.
 *
 * A group of 256 lanes, 16 x 16, computes a tile of 128 rows. Each lane keeps 8 rows x 8 columns of
 * sums in registers (x 4 in float64, whose numbers take two), in pieces of 16 bytes that lie a
 * quarter or half of the tile apart, so that the lanes of a warp read neighbouring pieces of shared
 * memory. While a slab of A's columns and B's rows is multiplied, the next one is on its way to
 * registers; it then goes to the other half of shared memory, and one barrier a slab is enough.
 * A lies there column after column.
 */
#include "kernels/dialect.h"

#if defined(__CUDACC__)
#define TWO_GROUPS __launch_bounds__(256, 2) /* a multiprocessor: 128 registers a lane */
#define ALIGNED_SHARED(name, count) __shared__ __align__(16) REAL name[count]
#else
#define TWO_GROUPS
#define ALIGNED_SHARED(name, count) SHARED REAL name[count] __attribute__((aligned(16)))
#endif

/* PIECE numbers are 16 bytes. */
#if defined(BE_REAL64)
#define PIECE 2
#define TILE_COLUMNS 64
#define DEPTH 8
#define PIECE_TYPE double2
#else
#define PIECE 4
#define TILE_COLUMNS 128
#define DEPTH 16
#define PIECE_TYPE float4
#endif

#define TILE_ROWS 128
#define A_STRIDE (TILE_ROWS + PIECE) /* a piece more: columns begin in other banks */
#define B_STRIDE (TILE_COLUMNS + PIECE)
#define ROOM (DEPTH * (A_STRIDE + B_STRIDE)) /* for one slab */
#define LANE_ROWS 8
#define LANE_COLUMNS (TILE_COLUMNS / 16)
#define A_PIECES 2           /* of a slab, a lane loads so many pieces of A */
#define B_PIECES (DEPTH / 8) /* and of B */
#define BAND 8               /* rows of tiles that are done together: they share what is read */

/* A lane's part of a slab on its way to shared memory. */
struct slab {
    REAL a[A_PIECES][PIECE];
    REAL b[B_PIECES][PIECE];
};

DEVICE void load_piece(GLOBAL const REAL *p, REAL v[PIECE]) {
    const PIECE_TYPE all = *(GLOBAL const PIECE_TYPE *)p;
    v[0] = all.x;
    v[1] = all.y;
#if PIECE == 4
    v[2] = all.z;
    v[3] = all.w;
#endif
}

DEVICE void load_local(LOCAL const REAL *p, REAL v[PIECE]) {
    const PIECE_TYPE all = *(LOCAL const PIECE_TYPE *)p;
    v[0] = all.x;
    v[1] = all.y;
#if PIECE == 4
    v[2] = all.z;
    v[3] = all.w;
#endif
}

DEVICE void store_piece(GLOBAL REAL *p, const REAL v[PIECE]) {
    PIECE_TYPE all;
    all.x = v[0];
    all.y = v[1];
#if PIECE == 4
    all.z = v[2];
    all.w = v[3];
#endif
    *(GLOBAL PIECE_TYPE *)p = all;
}

DEVICE void store_local(LOCAL REAL *p, const REAL v[PIECE]) {
    PIECE_TYPE all;
    all.x = v[0];
    all.y = v[1];
#if PIECE == 4
    all.z = v[2];
    all.w = v[3];
#endif
    *(LOCAL PIECE_TYPE *)p = all;
}

/* Where the matrix ends there are zeros. aligned: rows begin on multiples of 16 bytes, and a piece
 * is whole or not there. */
DEVICE void fetch(GLOBAL const REAL *p, int row, int column, int rows, int columns, REAL v[PIECE],
                  const int aligned) {
    UNROLL for (int e = 0; e < PIECE; e++) {
        v[e] = 0;
    }
    if (aligned) {
        if (row < rows && column < columns)
            load_piece(p, v);
    } else {
        UNROLL for (int e = 0; e < PIECE; e++) {
            if (row < rows && column + e < columns)
                v[e] = p[e];
        }
    }
}

/* a and b: where this lane's first piece of the slab is. */
DEVICE void fetch_slab(GLOBAL const REAL *a, GLOBAL const REAL *b, int m, int n, int k, int row,
                       int column, int from, struct slab *next, const int aligned) {
    const int lane = (int)LANE(0);
    UNROLL for (int t = 0; t < A_PIECES; t++) {
        fetch(a + 64 * t * (LONG)k, row + lane / 4 + 64 * t, from + lane % 4 * PIECE, m, k,
              next->a[t], aligned);
    }
    UNROLL for (int t = 0; t < B_PIECES; t++) {
        fetch(b + 8 * t * (LONG)n, from + lane / 32 + 8 * t, column + lane % 32 * PIECE, k, n,
              next->b[t], aligned);
    }
}

DEVICE void keep_slab(const struct slab *next, LOCAL REAL *room) {
    const int lane = (int)LANE(0);
    UNROLL for (int t = 0; t < A_PIECES; t++) {
        UNROLL for (int e = 0; e < PIECE; e++) {
            room[(lane % 4 * PIECE + e) * A_STRIDE + lane / 4 + 64 * t] = next->a[t][e];
        }
    }
    UNROLL for (int t = 0; t < B_PIECES; t++) {
        store_local(room + DEPTH * A_STRIDE + (lane / 32 + 8 * t) * B_STRIDE + lane % 32 * PIECE,
                    next->b[t]);
    }
}

DEVICE void multiply_slab(LOCAL const REAL *room, REAL sum[LANE_ROWS][LANE_COLUMNS]) {
    const int down = (int)LANE(0) / 16;
    const int across = (int)LANE(0) % 16;
    UNROLL for (int k = 0; k < DEPTH; k++) {
        LOCAL const REAL *a = room + k * A_STRIDE + down * PIECE;
        LOCAL const REAL *b = room + DEPTH * A_STRIDE + k * B_STRIDE + across * PIECE;
        REAL x[LANE_ROWS];
        REAL y[LANE_COLUMNS];
        UNROLL for (int r = 0; r < LANE_ROWS; r += PIECE) {
            load_local(a + r * 16, x + r);
        }
        UNROLL for (int q = 0; q < LANE_COLUMNS; q += PIECE) {
            load_local(b + q * 16, y + q);
        }
        UNROLL for (int r = 0; r < LANE_ROWS; r++) {
            UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
                sum[r][q] = REAL_FMA(x[r], y[q], sum[r][q]);
            }
        }
    }
}

DEVICE void keep_sums(GLOBAL REAL *c, int m, int n, int row, int column,
                      REAL sum[LANE_ROWS][LANE_COLUMNS], const int aligned) {
    const int down = (int)LANE(0) / 16;
    const int across = (int)LANE(0) % 16;
    UNROLL for (int r = 0; r < LANE_ROWS; r++) {
        const int i = row + r / PIECE * (16 * PIECE) + down * PIECE + r % PIECE;
        UNROLL for (int q = 0; q < LANE_COLUMNS; q += PIECE) {
            const int j = column + q * 16 + across * PIECE;
            if (aligned) {
                if (i < m && j < n)
                    store_piece(c + i * (LONG)n + j, sum[r] + q);
            } else {
                UNROLL for (int e = 0; e < PIECE; e++) {
                    if (i < m && j + e < n)
                        c[i * (LONG)n + j + e] = sum[r][q + e];
                }
            }
        }
    }
}

DEVICE void tile(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *c, int m, int n, int k,
                 int group, LOCAL REAL *room, const int aligned) {
    const int down = (m + TILE_ROWS - 1) / TILE_ROWS;
    const int across = (n + TILE_COLUMNS - 1) / TILE_COLUMNS;
    const int band = group / (BAND * across);
    const int in_band = group % (BAND * across);
    const int high = down - band * BAND < BAND ? down - band * BAND : BAND;
    const int row = (band * BAND + in_band % high) * TILE_ROWS;
    const int column = in_band / high * TILE_COLUMNS;
    const int lane = (int)LANE(0);
    REAL sum[LANE_ROWS][LANE_COLUMNS];
    struct slab next;
    int now = 0; /* where the slab that is multiplied lies */
    UNROLL for (int r = 0; r < LANE_ROWS; r++) {
        UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
            sum[r][q] = 0;
        }
    }
    a += (row + lane / 4) * (LONG)k + lane % 4 * PIECE;
    b += lane / 32 * (LONG)n + column + lane % 32 * PIECE;
    fetch_slab(a, b, m, n, k, row, column, 0, &next, aligned);
    keep_slab(&next, room);
    BARRIER();
    for (int from = DEPTH; from < k; from += DEPTH) {
        a += DEPTH;
        b += DEPTH * (LONG)n;
        fetch_slab(a, b, m, n, k, row, column, from, &next, aligned);
        multiply_slab(room + now, sum);
        now = ROOM - now;
        keep_slab(&next, room + now);
        BARRIER();
    }
    multiply_slab(room + now, sum);
    keep_sums(c, m, n, row, column, sum, aligned);
}

/* As many groups as there are tiles, of 256 lanes. */
KERNEL TWO_GROUPS k_matmul(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *c, int n) {
    ALIGNED_SHARED(room, 2 * ROOM);
    tile(a, b, c, n, n, n, (int)GROUP(0), room, 1);
}

/* Any m, n and k: tiles of one product after those of another, from product `first` on. */
KERNEL LANES_MOST(256)
    k_matmul_any(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *c, int m, int n, int k,
                 LONG first) {
    ALIGNED_SHARED(room, 2 * ROOM);
    const LONG tiles = ((LONG)m + TILE_ROWS - 1) / TILE_ROWS *
                       (((LONG)n + TILE_COLUMNS - 1) / TILE_COLUMNS);
    const LONG at = first + GROUP(0) / tiles;
    tile(a + at * m * k, b + at * k * n, c + at * m * n, m, n, k, (int)(GROUP(0) % tiles), room, 0);
}
