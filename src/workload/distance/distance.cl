/*
 * D[i][j] = |x_i - x_j|^2 of n points, row after row, x row after row too; any n and dimension.
 *
 * k_fused_1 .. 4 and k_fused do `rows` rows of it from `first` on, and put them into `out` from its
 * row `at` on.
 *
 * k_fused_1 .. 4: few coordinates. A group of 256 lanes does 32 rows x 256 columns: a lane keeps
 * the points of four columns in registers, the rows' points are read from shared memory by all
 * lanes at once, and four results leave in 16-byte stores where rows begin on a multiple of 16
 * bytes.
 *
 * The others go by tiles of 64 x 64, a slab of coordinates at a time through shared memory: a
 * group's lane has columns c and c + 32 of eight rows, so that 32 neighbouring lanes write
 * neighbouring numbers. k_symmetric computes the tiles on and above the diagonal and writes each
 * also the other way round. k_nearest keeps only the least of each row, over every `parts`-th
 * column of tiles; k_nearest_end puts the parts together.
 *
 * k_histogram counts pairs: distance_histogram.cl.
 *
 * k_squares, k_gram, k_outer_sum, k_twice and k_subtract are the steps of |x|^2 + |y|^2 - 2 x.y as
 * array libraries take them, each a pass over memory.
 */
#include "kernels/dialect.h"

#if defined(__CUDACC__)
#define STREAM(p, v) __stcs(p, v)
#define REAL2 double2
#define STORE2(p, v) __stcs((double2 *)(p), v)
#else
#define STREAM(p, v) (*(p) = (v))
#define REAL2 double2
#define STORE2(p, v) (*(GLOBAL double2 *)(p) = (v))
#endif

#define INFINITE ((REAL)AS_FLOAT(0x7f800000))

/* ---- few coordinates ------------------------------------------------------------------------ */

#define FEW_LANES 256
#define FEW_ROWS 32
#define FEW_COLUMNS 256
#define FEW_MOST 4 /* coordinates */

/* Where a lane's q-th column is: four neighbours, two pairs or four far ones. */
#if defined(BE_REAL64)
#define TOGETHER 2
#else
#define TOGETHER 4
#endif

DEVICE LONG few_column(int lane, int q, int aligned) {
    if (!aligned)
        return lane + 64 * q;
    return (q / TOGETHER) * (64 * TOGETHER) + lane * TOGETHER + q % TOGETHER;
}

#if defined(BE_REAL64)
DEVICE void few_store(GLOBAL double *row, const double *v, LONG j0, LONG j2, LONG n) {
    REAL2 a, b;
    a.x = v[0];
    a.y = v[1];
    b.x = v[2];
    b.y = v[3];
    if (j0 < n)
        STORE2(row + j0, a);
    if (j2 < n)
        STORE2(row + j2, b);
}
#else
DEVICE void few_store(GLOBAL float *row, const float *v, LONG j0, LONG j2, LONG n) {
    FLOAT4 a;
    a.x = v[0];
    a.y = v[1];
    a.z = v[2];
    a.w = v[3];
    (void)j2;
    if (j0 < n)
        STORE4(row + j0, a);
}
#endif

/* A group's rows: those from `first` on, before `last`; row i to out + i n. */
DEVICE void few_rows(GLOBAL const REAL *x, GLOBAL REAL *out, LONG n, LOCAL const REAL *row,
                     const int dimension, const int aligned, LONG first, LONG last) {
    const LONG across = (n + FEW_COLUMNS - 1) / FEW_COLUMNS;
    const int lane = (int)LANE(0) % 64;
    const int strand = (int)LANE(0) / 64;
    const LONG start = GROUP(0) % across * FEW_COLUMNS;
    REAL column[4][FEW_MOST];
    LONG j[4];
    UNROLL for (int q = 0; q < 4; q++) {
        j[q] = start + few_column(lane, q, aligned);
        UNROLL for (int k = 0; k < dimension; k++) {
            column[q][k] = x[(j[q] < n ? j[q] : n - 1) * dimension + k];
        }
    }
    for (int r = strand; r < FEW_ROWS && first + r < last; r += FEW_LANES / 64) {
        REAL v[4];
        GLOBAL REAL *to = out + (first + r) * n;
        UNROLL for (int q = 0; q < 4; q++) {
            REAL t = row[r * dimension] - column[q][0];
            v[q] = t * t;
            UNROLL for (int k = 1; k < dimension; k++) {
                t = row[r * dimension + k] - column[q][k];
                v[q] = REAL_FMA(t, t, v[q]);
            }
        }
        if (aligned) {
            few_store(to, v, j[0], j[2], n);
        } else {
            UNROLL for (int q = 0; q < 4; q++) {
                if (j[q] < n)
                    STREAM(to + j[q], v[q]);
            }
        }
    }
}

DEVICE void few(GLOBAL const REAL *x, GLOBAL REAL *out, LONG n, LOCAL REAL *row, const int dimension,
                LONG first, LONG rows, LONG to) {
    const LONG before = GROUP(0) / ((n + FEW_COLUMNS - 1) / FEW_COLUMNS) * FEW_ROWS;
    const int at = (int)LANE(0);
    out += to * n;
    if (at < FEW_ROWS * dimension && before + at / dimension < rows)
        row[at] = x[(first + before) * dimension + at];
    BARRIER();
    if (n % TOGETHER == 0) {
        few_rows(x, out, n, row, dimension, 1, before, rows);
    } else {
        few_rows(x, out, n, row, dimension, 0, before, rows);
    }
}

KERNEL LANES_MOST(FEW_LANES) k_fused_1(GLOBAL const REAL *x, GLOBAL REAL *out, LONG n, LONG dimension,
                                       LONG first, LONG rows, LONG at) {
    SHARED REAL row[FEW_ROWS * FEW_MOST];
    few(x, out, n, row, 1, first, rows, at);
}

KERNEL LANES_MOST(FEW_LANES) k_fused_2(GLOBAL const REAL *x, GLOBAL REAL *out, LONG n, LONG dimension,
                                       LONG first, LONG rows, LONG at) {
    SHARED REAL row[FEW_ROWS * FEW_MOST];
    few(x, out, n, row, 2, first, rows, at);
}

KERNEL LANES_MOST(FEW_LANES) k_fused_3(GLOBAL const REAL *x, GLOBAL REAL *out, LONG n, LONG dimension,
                                       LONG first, LONG rows, LONG at) {
    SHARED REAL row[FEW_ROWS * FEW_MOST];
    few(x, out, n, row, 3, first, rows, at);
}

KERNEL LANES_MOST(FEW_LANES) k_fused_4(GLOBAL const REAL *x, GLOBAL REAL *out, LONG n, LONG dimension,
                                       LONG first, LONG rows, LONG at) {
    SHARED REAL row[FEW_ROWS * FEW_MOST];
    few(x, out, n, row, 4, first, rows, at);
}

/* ---- any number of coordinates, by tiles ---------------------------------------------------- */

#define TILE 64
#define TILE_LANES 256
#define LANE_ROWS 8
#define LANE_COLUMNS 2
#define SLAB 16                        /* coordinates in shared memory at a time */
#define SLAB_STRIDE (TILE + 16 / (int)sizeof(REAL)) /* two rows of it begin in other banks */
#define TURN_STRIDE (TILE + 1)         /* of a tile that is turned over */
#define TILE_ROOM (TILE * TURN_STRIDE) /* what a group needs: holds two slabs too */

DEVICE void load_slab(GLOBAL const REAL *x, LONG n, LONG dimension, LONG first, LONG from,
                      LOCAL REAL *slab) {
    const int k = (int)LANE(0) % SLAB;
    for (int p = (int)LANE(0) / SLAB; p < TILE; p += TILE_LANES / SLAB) {
        if (from + k < dimension)
            slab[k * SLAB_STRIDE + p] =
                x[(first + p < n ? first + p : n - 1) * dimension + from + k];
    }
}

/* sum[r][q]: row 8 * strand + r of the tile, column c + 32 q. */
DEVICE void tile_sums(GLOBAL const REAL *x, LONG n, LONG dimension, LONG row, LONG column,
                      LOCAL REAL *room, REAL sum[LANE_ROWS][LANE_COLUMNS], const int product) {
    LOCAL REAL *rows = room;
    LOCAL REAL *columns = room + SLAB * SLAB_STRIDE;
    const int c = (int)LANE(0) % 32;
    const int strand = (int)LANE(0) / 32;
    UNROLL for (int r = 0; r < LANE_ROWS; r++) {
        UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
            sum[r][q] = 0;
        }
    }
    for (LONG from = 0; from < dimension; from += SLAB) {
        const int depth = dimension - from < SLAB ? (int)(dimension - from) : SLAB;
        BARRIER();
        load_slab(x, n, dimension, row, from, rows);
        load_slab(x, n, dimension, column, from, columns);
        BARRIER();
        for (int k = 0; k < depth; k++) {
            LOCAL const REAL *a = rows + k * SLAB_STRIDE + strand * LANE_ROWS;
            LOCAL const REAL *b = columns + k * SLAB_STRIDE + c;
            UNROLL for (int r = 0; r < LANE_ROWS; r++) {
                UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
                    const REAL t = product ? a[r] : a[r] - b[32 * q];
                    sum[r][q] = REAL_FMA(t, product ? b[32 * q] : t, sum[r][q]);
                }
            }
        }
    }
}

/* Rows before `last`, row i to out + i n. */
DEVICE void store_tile(GLOBAL REAL *out, LONG n, LONG row, LONG last, LONG column,
                       REAL sum[LANE_ROWS][LANE_COLUMNS]) {
    const int c = (int)LANE(0) % 32;
    const int strand = (int)LANE(0) / 32;
    UNROLL for (int r = 0; r < LANE_ROWS; r++) {
        const LONG i = row + strand * LANE_ROWS + r;
        UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
            const LONG j = column + c + 32 * q;
            if (i < last && j < n)
                STREAM(out + i * n + j, sum[r][q]);
        }
    }
}

DEVICE void tile_matrix(GLOBAL const REAL *x, GLOBAL REAL *out, LONG n, LONG dimension,
                        LOCAL REAL *room, const int product, LONG first, LONG rows, LONG at) {
    const LONG across = (n + TILE - 1) / TILE;
    const LONG row = first + GROUP(0) / across * TILE;
    const LONG column = GROUP(0) % across * TILE;
    REAL sum[LANE_ROWS][LANE_COLUMNS];
    tile_sums(x, n, dimension, row, column, room, sum, product);
    store_tile(out + (at - first) * n, n, row, first + rows, column, sum);
}

KERNEL LANES_MOST(TILE_LANES) k_fused(GLOBAL const REAL *x, GLOBAL REAL *out, LONG n, LONG dimension,
                                      LONG first, LONG rows, LONG at) {
    SHARED REAL room[2 * SLAB * SLAB_STRIDE];
    tile_matrix(x, out, n, dimension, room, 0, first, rows, at);
}

KERNEL LANES_MOST(TILE_LANES) k_gram(GLOBAL const REAL *x, GLOBAL REAL *out, LONG n, LONG dimension) {
    SHARED REAL room[2 * SLAB * SLAB_STRIDE];
    tile_matrix(x, out, n, dimension, room, 1, 0, n, 0);
}

/*
 * Where tile g of those on and above the diagonal begins, of a square of `even` tiles a side: row of tiles p has
 * even - p, row even - 1 - p has p + 1, together even + 1. Some of the last tiles are behind the matrix's edge.
 */
DEVICE LONG even_tiles(LONG n) {
    const LONG tiles = (n + TILE - 1) / TILE;
    return tiles + tiles % 2;
}

DEVICE LONG upper_row(LONG g, LONG even) {
    const LONG pair = g / (even + 1);
    return (g % (even + 1) < even - pair ? pair : even - 1 - pair) * TILE;
}

DEVICE LONG upper_column(LONG g, LONG even) {
    const LONG pair = g / (even + 1);
    const LONG at = g % (even + 1);
    return (at < even - pair ? pair + at : even - 1 - pair + at - (even - pair)) * TILE;
}

KERNEL LANES_MOST(TILE_LANES) k_symmetric(GLOBAL const REAL *x, GLOBAL REAL *out, LONG n, LONG dimension) {
    SHARED REAL room[TILE_ROOM];
    const LONG even = even_tiles(n);
    const LONG row = upper_row(GROUP(0), even);
    const LONG column = upper_column(GROUP(0), even);
    const int c = (int)LANE(0) % 32;
    const int strand = (int)LANE(0) / 32;
    REAL sum[LANE_ROWS][LANE_COLUMNS];
    /* A tile beyond the matrix is computed of its last point and not stored, one on the diagonal is turned
     * in vain: a group that ends before its barriers is more than some compilers bear (PoCL 5.0). */
    tile_sums(x, n, dimension, row, column, room, sum, 0);
    store_tile(out, n, row, n, column, sum);
    BARRIER();
    UNROLL for (int r = 0; r < LANE_ROWS; r++) {
        UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
            room[(c + 32 * q) * TURN_STRIDE + strand * LANE_ROWS + r] = sum[r][q];
        }
    }
    BARRIER();
    UNROLL for (int r = 0; r < LANE_ROWS; r++) {
        UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
            sum[r][q] = room[(strand * LANE_ROWS + r) * TURN_STRIDE + c + 32 * q];
        }
    }
    if (row != column)
        store_tile(out, n, column, n, row, sum);
}

/* ---- the least of each row ------------------------------------------------------------------ */

/* least[part * n + i], or with one part the result itself. */
KERNEL LANES_MOST(TILE_LANES) k_nearest(GLOBAL const REAL *x, GLOBAL REAL *least, LONG n, LONG dimension, LONG parts) {
    SHARED REAL room[TILE_ROOM];
    const LONG row = GROUP(0) / parts * TILE;
    const LONG part = GROUP(0) % parts;
    const int c = (int)LANE(0) % 32;
    const int strand = (int)LANE(0) / 32;
    REAL sum[LANE_ROWS][LANE_COLUMNS];
    REAL best[LANE_ROWS];
    UNROLL for (int r = 0; r < LANE_ROWS; r++) {
        best[r] = INFINITE;
    }
    for (LONG column = part * TILE; column < n; column += parts * TILE) {
        tile_sums(x, n, dimension, row, column, room, sum, 0);
        UNROLL for (int r = 0; r < LANE_ROWS; r++) {
            UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
                const LONG j = column + c + 32 * q;
                const int other = j < n && j != row + strand * LANE_ROWS + r;
                best[r] = other && sum[r][q] < best[r] ? sum[r][q] : best[r];
            }
        }
    }
    BARRIER();
    UNROLL for (int r = 0; r < LANE_ROWS; r++) {
        room[(strand * LANE_ROWS + r) * 33 + c] = best[r];
    }
    BARRIER();
    const int i = (int)LANE(0);
    if (i < TILE && row + i < n) {
        REAL all = room[i * 33];
        for (int k = 1; k < 32; k++) {
            all = room[i * 33 + k] < all ? room[i * 33 + k] : all;
        }
        least[part * n + row + i] = all;
    }
}

KERNEL k_nearest_end(GLOBAL const REAL *least, GLOBAL REAL *out, LONG n, LONG parts) {
    const LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i >= n)
        return;
    REAL all = least[i];
    for (LONG k = 1; k < parts; k++) {
        all = least[k * n + i] < all ? least[k * n + i] : all;
    }
    out[i] = all;
}

/* ---- as array libraries do it --------------------------------------------------------------- */

KERNEL k_squares(GLOBAL const REAL *x, GLOBAL REAL *square, LONG n, LONG dimension) {
    const LONG i = GROUP(0) * LANES(0) + LANE(0);
    REAL sum = 0;
    if (i >= n)
        return;
    for (LONG k = 0; k < dimension; k++) {
        sum = REAL_FMA(x[i * dimension + k], x[i * dimension + k], sum);
    }
    square[i] = sum;
}

/* One row of the matrix after the other: groups_a_row groups of lanes do one. */
KERNEL k_outer_sum(GLOBAL const REAL *square, GLOBAL REAL *sum, LONG n, LONG groups_a_row) {
    const LONG i = GROUP(0) / groups_a_row;
    const LONG j = GROUP(0) % groups_a_row * LANES(0) + LANE(0);
    if (j < n)
        sum[i * n + j] = square[i] + square[j];
}

KERNEL k_twice(GLOBAL REAL *product, LONG n) {
    const LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < n)
        product[i] = 2 * product[i];
}

KERNEL k_subtract(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *z, LONG n) {
    const LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < n)
        z[i] = a[i] - b[i];
}

#include "histogram.h"
