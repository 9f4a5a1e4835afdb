/*
 * X'X and X'y, and gradient descent with them alone. FEATURES is defined for the problem. y counts
 * as one more column of X. The product is made of tiles of 4 x 4, those on the diagonal and right
 * of it, one a lane; where there are few, several lanes have the same one, of different rows.
 */
#include "kernels/dialect.h"

#define LANES_HERE 256
#define COLUMNS (FEATURES + 1)
#define ACROSS ((COLUMNS + 3) / 4) /* tiles */
#define TILES (ACROSS * (ACROSS + 1) / 2)
#define BLOCK (TILES < LANES_HERE ? TILES : LANES_HERE) /* tiles that a group does */
#define SETS (LANES_HERE / BLOCK)                       /* lanes that have the same one */
#define WIDE (4 * ACROSS)                               /* numbers of a row in shared memory */
#define ROOM (24576 / (int)sizeof(REAL) / WIDE)         /* rows that fit there: a power of two */
#define ROWS                                                                                       \
    (ROOM >= 1024  ? 1024                                                                          \
     : ROOM >= 512 ? 512                                                                           \
     : ROOM >= 256 ? 256                                                                           \
     : ROOM >= 128 ? 128                                                                           \
     : ROOM >= 64  ? 64                                                                            \
     : ROOM >= 32  ? 32                                                                            \
                   : 16)
#define FLUSH 128 /* rows a lane sums up before they join the others */

#if defined(__CUDACC__)
struct __align__(16) quad {
    REAL v[4];
};
#define QUAD(p) (*(const quad *)(p))
#define ALIGNED_SHARED(name, count) __shared__ __align__(16) REAL name[count]
#else
struct quad {
    REAL v[4];
};
static inline struct quad load_quad(LOCAL const REAL *p) {
    struct quad q;
    q.v[0] = p[0];
    q.v[1] = p[1];
    q.v[2] = p[2];
    q.v[3] = p[3];
    return q;
}
#define QUAD(p) load_quad(p)
#define ALIGNED_SHARED(name, count) SHARED REAL name[count]
#endif

/* Where a tile is: first those of the first row, then the second's from the diagonal on, ... */
DEVICE int tile_row(int tile) {
    int row = 0;
    for (; tile >= ACROSS - row; row++)
        tile -= ACROSS - row;
    return row;
}
DEVICE int tile_column(int tile, int row) {
    return tile - row * ACROSS + row * (row + 1) / 2;
}

/* Group: one of `groups` shares of the rows, of one BLOCK of tiles after the other. sums: 16 BLOCK
 * numbers a group, a tile after the other. */
KERNEL LANES_MOST(LANES_HERE)
    k_regress_gram(GLOBAL const REAL *x, GLOBAL const REAL *y, GLOBAL REAL *sums, LONG n,
                   LONG groups) {
    ALIGNED_SHARED(room, ROWS *WIDE > 16 * LANES_HERE ? ROWS * WIDE : 16 * LANES_HERE);
    LONG share = GROUP(0) % groups, pieces = (n + ROWS - 1) / ROWS;
    LONG piece = pieces * share / groups, end = pieces * (share + 1) / groups;
    int lane = (int)LANE(0), set = lane / BLOCK;
    int tile = (int)(GROUP(0) / groups) * BLOCK + lane % BLOCK;
    int down, across, i, j, row, count = 0;
    REAL sum[4][4], all[4][4];
    tile = tile < TILES ? tile : TILES - 1;
    down = 4 * tile_row(tile);
    across = 4 * tile_column(tile, down / 4);
    UNROLL for (i = 0; i < 4; i++) {
        UNROLL for (j = 0; j < 4; j++) sum[i][j] = all[i][j] = 0;
    }
    for (; piece < end; piece++) {
        LONG first = piece * ROWS;
        UNROLL_BY(8) for (i = lane; i < ROWS * WIDE; i += LANES_HERE) {
            int column = i % WIDE;
            LONG at = first + i / WIDE;
            room[i] = at >= n || column > FEATURES ? 0
                      : column < FEATURES          ? x[at * FEATURES + column]
                                                   : y[at];
        }
        BARRIER();
        for (row = set; row < ROWS && set < SETS; row += SETS) {
            struct quad a = QUAD(room + row * WIDE + down);
            struct quad b = QUAD(room + row * WIDE + across);
            UNROLL for (i = 0; i < 4; i++) {
                UNROLL for (j = 0; j < 4; j++) sum[i][j] = REAL_FMA(a.v[i], b.v[j], sum[i][j]);
            }
        }
        count += ROWS / SETS;
        if (count >= FLUSH || piece + 1 == end) {
            count = 0;
            UNROLL for (i = 0; i < 4; i++) {
                UNROLL for (j = 0; j < 4; j++) {
                    all[i][j] += sum[i][j];
                    sum[i][j] = 0;
                }
            }
        }
        BARRIER();
    }
    UNROLL for (i = 0; i < 4; i++) {
        UNROLL for (j = 0; j < 4; j++) room[lane * 16 + 4 * i + j] = all[i][j];
    }
    BARRIER();
    for (i = lane; i < 16 * BLOCK; i += LANES_HERE) {
        REAL one = 0;
        for (j = 0; j < SETS; j++)
            one += room[j * 16 * BLOCK + i];
        sums[GROUP(0) * 16 * BLOCK + i] = one;
    }
}

/* gram[j * FEATURES + i] = factor (X'X)[i][j], and for j = FEATURES factor (X'y)[i]. A group does
 * NUMBERS numbers of the tiles, several lanes each. */
#define NUMBERS 32
KERNEL LANES_MOST(LANES_HERE)
    k_regress_gram_sum(GLOBAL const REAL *sums, GLOBAL REAL *gram, LONG groups, REAL factor) {
    SHARED REAL part[LANES_HERE];
    int lane = (int)LANE(0);
    LONG at = GROUP(0) * NUMBERS + lane % NUMBERS, share;
    int tile = (int)(at / 16), i, j;
    REAL sum = 0;
    if (tile < TILES) {
        GLOBAL const REAL *from =
            sums + (tile / BLOCK * groups * BLOCK + tile % BLOCK) * 16 + at % 16;
        for (share = lane / NUMBERS; share < groups; share += LANES_HERE / NUMBERS)
            sum += from[share * BLOCK * 16];
    }
    part[lane] = sum;
    BARRIER();
    if (tile < TILES && lane < NUMBERS) {
        for (i = 1; i < LANES_HERE / NUMBERS; i++)
            sum += part[i * NUMBERS + lane];
        i = tile_row(tile);
        j = 4 * tile_column(tile, i) + (int)(at % 4);
        i = 4 * i + (int)(at % 16) / 4;
        if (i < FEATURES && j <= FEATURES)
            gram[j * FEATURES + i] = factor * sum;
        if (j < FEATURES && i < FEATURES)
            gram[i * FEATURES + j] = factor * sum;
    }
}

/* ---- steps ---------------------------------------------------------------------------------- */

#define DESCENT_LANES 128
#define GRAM_FITS (FEATURES * FEATURES * (int)sizeof(REAL) <= 32768)

/* w: so many steps from 0. One group, a lane a feature. */
KERNEL LANES_MOST(DESCENT_LANES)
    k_regress_descend(GLOBAL const REAL *gram, GLOBAL REAL *w, LONG steps) {
    SHARED REAL kept[GRAM_FITS ? FEATURES * FEATURES : 1];
    SHARED REAL weight[DESCENT_LANES];
    int lane = (int)LANE(0), mine = lane < FEATURES ? lane : 0, j;
    REAL start = -gram[FEATURES * FEATURES + mine];
    if (GRAM_FITS)
        for (j = lane; j < FEATURES * FEATURES; j += DESCENT_LANES)
            kept[j] = gram[j];
    weight[lane] = 0;
    BARRIER();
    for (; steps > 0; steps--) {
        REAL sum = start, now = weight[lane];
        for (j = 0; j < FEATURES; j++)
            sum = REAL_FMA(GRAM_FITS ? kept[j * FEATURES + mine] : gram[j * FEATURES + mine],
                           weight[j], sum);
        BARRIER();
        weight[lane] = now - sum;
        BARRIER();
    }
    if (lane < FEATURES)
        w[lane] = weight[lane];
}

#if defined(__CUDACC__)
/* The same, several lanes a feature, each with its part of that row in registers: quads, HELPERS
 * apart. Weights are written where the last step's are not, so that a step has one barrier. */
#define HELPERS (FEATURES > 64 ? 8 : 4)
#define QUADS ((FEATURES + 4 * HELPERS - 1) / (4 * HELPERS))
#define PADDED (4 * HELPERS * QUADS)
#define HELPED_LANES ((FEATURES * HELPERS + 31) / 32 * 32)

KERNEL LANES_MOST(HELPED_LANES)
    k_regress_descend_helped(const REAL *gram, REAL *w, LONG steps) {
    ALIGNED_SHARED(weight, 2 * PADDED);
    int lane = (int)threadIdx.x, feature = lane / HELPERS, helper = lane % HELPERS;
    bool there = feature < FEATURES;
    REAL part[QUADS][4], now = 0;
    REAL right = there ? gram[FEATURES * FEATURES + feature] : 0;
    UNROLL for (int q = 0; q < QUADS; q++) {
        UNROLL for (int i = 0; i < 4; i++) {
            int column = 4 * (q * HELPERS + helper) + i;
            part[q][i] = there && column < FEATURES ? gram[column * FEATURES + feature] : 0;
        }
    }
    for (int i = lane; i < 2 * PADDED; i += HELPED_LANES)
        weight[i] = 0;
    __syncthreads();
    for (LONG step = 0; step < steps; step++) {
        const REAL *at = weight + (step & 1) * PADDED + 4 * helper;
        REAL sum[4] = {0, 0, 0, 0};
        UNROLL for (int q = 0; q < QUADS; q++) {
            quad v = QUAD(at + 4 * q * HELPERS);
            UNROLL for (int i = 0; i < 4; i++) sum[i] = REAL_FMA(part[q][i], v.v[i], sum[i]);
        }
        REAL all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        UNROLL for (int far = 1; far < HELPERS; far *= 2) {
            all += __shfl_xor_sync(0xffffffffu, all, far);
        }
        now -= all - right;
        if (there && helper == 0)
            weight[((step & 1) ^ 1) * PADDED + feature] = now;
        __syncthreads();
    }
    if (there && helper == 0)
        w[feature] = now;
}
#endif
