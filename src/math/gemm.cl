/*
 * C = alpha op(A) op(B) + beta C of any sizes, column after column, where each matrix has a leading
 * dimension of its own and begins anywhere in its buffer.
 *
 * A group of 256 lanes, 16 x 16, computes a tile of C. Each lane keeps 8 rows x 8 columns of sums in
 * registers (x 4 in float64, whose numbers take two), 16 apart, so that neighbouring lanes read
 * neighbouring numbers of shared memory and write neighbouring rows of C. op is in how a slab of A's
 * columns and B's rows comes to shared memory: neighbouring lanes read along memory whichever way the
 * matrix lies. Past the edges there are zeros, which add nothing, and no sum is stored.
 */
#include "kernels/dialect.h"

#if defined(BE_REAL64)
#define TILE_COLUMNS 64
#define DEPTH 8
#else
#define TILE_COLUMNS 128
#define DEPTH 16
#endif

#define TILE_ROWS 128
#define A_STRIDE (TILE_ROWS + 1) /* one more: what lies transposed is stored to other banks */
#define B_STRIDE (TILE_COLUMNS + 1)
#define LANE_ROWS (TILE_ROWS / 16)
#define LANE_COLUMNS (TILE_COLUMNS / 16)

/* A part of a matrix, `wide` across and DEPTH deep, to shared memory: across a row of it, and down from
 * row to row. right, down: the distances in the matrix; have: how much of it there is. */
DEVICE void fetch(GLOBAL const REAL *from, LONG right, LONG down, LONG have_right, LONG have_down,
                  LOCAL REAL *to, const int wide) {
    for (int t = (int)LANE(0); t < wide * DEPTH; t += 256) {
        const int i = right == 1 ? t % wide : t / DEPTH;
        const int k = right == 1 ? t / wide : t % DEPTH;
        to[k * (wide + 1) + i] =
            i < have_right && k < have_down ? from[i * right + k * down] : (REAL)0;
    }
}

DEVICE void multiply_slab(LOCAL const REAL *a, LOCAL const REAL *b,
                          REAL sum[LANE_ROWS][LANE_COLUMNS]) {
    UNROLL for (int k = 0; k < DEPTH; k++) {
        REAL x[LANE_ROWS];
        REAL y[LANE_COLUMNS];
        UNROLL for (int r = 0; r < LANE_ROWS; r++) {
            x[r] = a[k * A_STRIDE + 16 * r];
        }
        UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
            y[q] = b[k * B_STRIDE + 16 * q];
        }
        UNROLL for (int r = 0; r < LANE_ROWS; r++) {
            UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
                sum[r][q] = REAL_FMA(x[r], y[q], sum[r][q]);
            }
        }
    }
}

/* As many groups as there are tiles, of 256 lanes. *_from: the first number of a matrix in its buffer;
 * *_down, *_right: from a number of op(A), op(B) to the one below, and to the one on its right. With
 * beta 0 C is not read. */
KERNEL LANES_MOST(256)
    k_gemm(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *c, LONG a_from, LONG b_from,
           LONG c_from, LONG m, LONG n, LONG k, LONG a_down, LONG a_right, LONG b_down,
           LONG b_right, LONG c_right, REAL alpha, REAL beta) {
    SHARED REAL a_slab[DEPTH * A_STRIDE];
    SHARED REAL b_slab[DEPTH * B_STRIDE];
    const LONG tiles_down = (m + TILE_ROWS - 1) / TILE_ROWS;
    const LONG row = GROUP(0) % tiles_down * TILE_ROWS;
    const LONG column = GROUP(0) / tiles_down * TILE_COLUMNS;
    const int down = (int)LANE(0) % 16;
    const int across = (int)LANE(0) / 16;
    REAL sum[LANE_ROWS][LANE_COLUMNS];
    UNROLL for (int r = 0; r < LANE_ROWS; r++) {
        UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
            sum[r][q] = 0;
        }
    }
    for (LONG from = 0; from < k; from += DEPTH) {
        fetch(a + a_from + row * a_down + from * a_right, a_down, a_right, m - row, k - from,
              a_slab, TILE_ROWS);
        fetch(b + b_from + from * b_down + column * b_right, b_right, b_down, n - column, k - from,
              b_slab, TILE_COLUMNS);
        BARRIER();
        multiply_slab(a_slab + down, b_slab + across, sum);
        BARRIER();
    }
    UNROLL for (int r = 0; r < LANE_ROWS; r++) {
        UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
            const LONG i = row + down + 16 * r;
            const LONG j = column + across + 16 * q;
            if (i < m && j < n) {
                GLOBAL REAL *to = c + c_from + i + j * c_right;
                *to = beta == 0 ? alpha * sum[r][q] : alpha * sum[r][q] + beta * *to;
            }
        }
    }
}
