/*
 * C = A B, m x k times k x n, row after row, of sizes that tiles of 128 rows are too large for: small matrices; few rows,
 * or few columns, where the larger matrix goes by once. The products of a batch are those from `first` on.
 */
#include "kernels/dialect.h"

/* k_small: a tile of SIDE x SIDE by 64 lanes, each 4 rows and 4 columns of it, 8 apart. */
#define SIDE 32
#define DEPTH 16
#define STRIDE (SIDE + 1) /* what is stored transposed goes to other banks */
#define EACH 4

#define FEW 8
#define WIDE_COLUMNS 32 /* of k_wide, a group: 128 bytes of float32 are read side by side */
#define WIDE_SLICES 16  /* which share out the rows of B */
#define TALL_LANES 64   /* of k_tall, a group a row */

/* ---- small ---------------------------------------------------------------------------------- */

/* A slab of A's columns and B's rows from `from` on; zeros where the matrices end. */
DEVICE void fetch_small(GLOBAL const REAL *a, GLOBAL const REAL *b, int m, int n, int k, int row,
                        int column, int from, LOCAL REAL *a_slab, LOCAL REAL *b_slab) {
    UNROLL for (int t = 0; t < SIDE * DEPTH / 64; t++) {
        const int at = (int)LANE(0) + 64 * t;
        const int i = row + at / DEPTH;
        const int left = from + at % DEPTH;
        const int down = from + at / SIDE;
        const int j = column + at % SIDE;
        a_slab[at % DEPTH * STRIDE + at / DEPTH] =
            i < m && left < k ? a[i * (LONG)k + left] : (REAL)0;
        b_slab[at / SIDE * STRIDE + at % SIDE] =
            down < k && j < n ? b[down * (LONG)n + j] : (REAL)0;
    }
}

DEVICE void add_small(LOCAL const REAL *a, LOCAL const REAL *b, REAL sum[EACH][EACH]) {
    UNROLL for (int d = 0; d < DEPTH; d++) {
        REAL x[EACH];
        REAL y[EACH];
        UNROLL for (int e = 0; e < EACH; e++) {
            x[e] = a[d * STRIDE + 8 * e];
            y[e] = b[d * STRIDE + 8 * e];
        }
        UNROLL for (int r = 0; r < EACH; r++) {
            UNROLL for (int q = 0; q < EACH; q++) {
                sum[r][q] = REAL_FMA(x[r], y[q], sum[r][q]);
            }
        }
    }
}

/* 64 lanes a tile. */
KERNEL LANES_MOST(64)
    k_small(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *c, int m, int n, int k,
            LONG first) {
    SHARED REAL a_slab[DEPTH * STRIDE];
    SHARED REAL b_slab[DEPTH * STRIDE];
    const int across = (n + SIDE - 1) / SIDE;
    const LONG tiles = ((LONG)m + SIDE - 1) / SIDE * across;
    const LONG at = first + GROUP(0) / tiles;
    const int row = (int)(GROUP(0) % tiles / across) * SIDE;
    const int column = (int)(GROUP(0) % tiles % across) * SIDE;
    const int down = (int)LANE(0) / 8;
    const int right = (int)LANE(0) % 8;
    REAL sum[EACH][EACH];
    UNROLL for (int r = 0; r < EACH; r++) {
        UNROLL for (int q = 0; q < EACH; q++) {
            sum[r][q] = 0;
        }
    }
    a += at * m * k;
    b += at * k * n;
    c += at * m * n;
    for (int from = 0; from < k; from += DEPTH) {
        fetch_small(a, b, m, n, k, row, column, from, a_slab, b_slab);
        BARRIER();
        add_small(a_slab + down, b_slab + right, sum);
        BARRIER();
    }
    UNROLL for (int r = 0; r < EACH; r++) {
        UNROLL for (int q = 0; q < EACH; q++) {
            const int i = row + down + 8 * r;
            const int j = column + right + 8 * q;
            if (i < m && j < n)
                c[i * (LONG)n + j] = sum[r][q];
        }
    }
}

/* ---- few rows, few columns ------------------------------------------------------------------ */

/* m <= FEW: WIDE_SLICES x WIDE_COLUMNS lanes for WIDE_COLUMNS columns of C. */
KERNEL LANES_MOST(512)
    k_wide(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *c, int m, int n, int k,
           LONG first) {
    SHARED REAL part[WIDE_SLICES * WIDE_COLUMNS];
    const LONG blocks = ((LONG)n + WIDE_COLUMNS - 1) / WIDE_COLUMNS;
    const LONG at = first + GROUP(0) / blocks;
    const int right = (int)LANE(0) % WIDE_COLUMNS;
    const int slice = (int)LANE(0) / WIDE_COLUMNS;
    const int j = (int)(GROUP(0) % blocks) * WIDE_COLUMNS + right;
    REAL sum[FEW];
    UNROLL for (int i = 0; i < FEW; i++) {
        sum[i] = 0;
    }
    a += at * m * k;
    b += at * k * n;
    c += at * m * n;
    for (int d = slice; j < n && d < k; d += WIDE_SLICES) {
        const REAL y = b[d * (LONG)n + j];
        UNROLL for (int i = 0; i < FEW; i++) {
            if (i < m)
                sum[i] = REAL_FMA(a[i * (LONG)k + d], y, sum[i]);
        }
    }
    UNROLL for (int i = 0; i < FEW; i++) {
        part[LANE(0)] = sum[i];
        BARRIER();
        if (slice == 0 && j < n && i < m) {
            REAL all = 0;
            for (int s = 0; s < WIDE_SLICES; s++)
                all += part[s * WIDE_COLUMNS + right];
            c[i * (LONG)n + j] = all;
        }
        BARRIER();
    }
}

/* n <= FEW: TALL_LANES lanes for a row of C. */
KERNEL LANES_MOST(TALL_LANES)
    k_tall(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *c, int m, int n, int k,
           LONG first) {
    SHARED REAL part[FEW * TALL_LANES];
    const LONG at = first + GROUP(0) / m;
    const LONG i = GROUP(0) % m;
    const int lane = (int)LANE(0);
    REAL sum[FEW];
    UNROLL for (int j = 0; j < FEW; j++) {
        sum[j] = 0;
    }
    a += at * m * k + i * k;
    b += at * k * n;
    for (int d = lane; d < k; d += TALL_LANES) {
        const REAL x = a[d];
        UNROLL for (int j = 0; j < FEW; j++) {
            if (j < n)
                sum[j] = REAL_FMA(x, b[d * (LONG)n + j], sum[j]);
        }
    }
    UNROLL for (int j = 0; j < FEW; j++) {
        part[j * TALL_LANES + lane] = sum[j];
    }
    BARRIER();
    if (lane < n) {
        REAL all = 0;
        for (int s = 0; s < TALL_LANES; s++)
            all += part[lane * TALL_LANES + (s + lane * 8) % TALL_LANES];
        c[at * m * n + i * n + lane] = all;
    }
}
