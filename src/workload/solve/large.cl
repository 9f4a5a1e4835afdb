/*
 * Systems A x = b of any order up to ROWS PANEL_LANES, LU with partial pivoting in device memory, a
 * batch of systems in each launch. w: a working copy of each system, ORDER rows of STRIDE numbers,
 * b in column ORDER.
 *
 * Panels of DEPTH columns: k_large_panel factors one in the registers of a group, swaps its rows
 * and says where they went; k_large_top does the same swaps and the panel's triangle right of it;
 * k_large_update subtracts the product of the two. Panels go in pairs: only the second of a pair is
 * updated from the first alone, all else from both at once, which halves the traffic.
 *
 * Defined before this source: ORDER, STRIDE; PANEL_LANES of a group of k_large_panel, and ROWS, the
 * rows of each of its lanes.
 */
#include "kernels/dialect.h"
#include "pivot.h"

#define DEPTH 16
#define BLOCK (2 * DEPTH)

/* groups x lanes cover n systems of ORDER * (ORDER + 1) numbers. */
KERNEL k_large_start(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *w, GLOBAL int *info,
                     LONG first, LONG n) {
    const LONG apiece = (LONG)ORDER * (ORDER + 1);
    for (LONG e = GROUP(0) * LANES(0) + LANE(0); e < n * apiece; e += be_groups() * LANES(0)) {
        LONG s = e / apiece;
        int at = (int)(e % apiece);
        int i = at / (ORDER + 1);
        int j = at % (ORDER + 1);
        w[(s * ORDER + i) * STRIDE + j] =
            j < ORDER ? a[((first + s) * ORDER + i) * ORDER + j] : b[(first + s) * ORDER + i];
        if (at == 0)
            info[first + s] = 0;
    }
}

/* The largest of a lane's rows in the column in work, which is in the first registers, and which row that is. */
DEVICE REAL be_large_most(REAL (*v)[DEPTH], const int *at, int k, int *row) {
    REAL most = -1;
    int best = 0;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        REAL here = FABS(v[r][0]);
        int better = at[r] >= k && at[r] < ORDER && be_is_more(here, most);
        most = better ? here : most;
        best = better ? at[r] : best;
    }
    *row = best;
    return most;
}

/* Rows k and p change places, and p's goes to where all lanes read it. c: steps done before. */
DEVICE void be_large_swap(REAL (*v)[DEPTH], int *at, LOCAL REAL *top, int k, int p, int c) {
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        if (at[r] == p) {
#pragma unroll
            for (int j = 0; j < DEPTH; j++) {
                top[j] = j + c < DEPTH ? v[r][j] : 0; /* done ones stay */
            }
            at[r] = k;
        } else if (at[r] == k) {
            at[r] = p;
        }
    }
}

/* Each row below k less its factor times the pivot's. Registers go round by one. */
DEVICE void be_large_subtract(REAL (*v)[DEPTH], const int *at, LOCAL const REAL *top, REAL pivot,
                              int k, int on) {
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int below = at[r] > k && on;
        const REAL first = v[r][0];
        const REAL l = below ? first / pivot : 0;
#pragma unroll
        for (int j = 1; j < DEPTH; j++) {
            v[r][j - 1] = REAL_FMA(-l, top[j], v[r][j]);
        }
        v[r][DEPTH - 1] = below ? l : first;
    }
}

/* The panel goes to where its rows are now, and so do the rows of the `left` columns before it. */
DEVICE void be_large_store(REAL (*v)[DEPTH], const int *at, GLOBAL REAL *w, int k0, int columns, int left) {
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int i = k0 + r * PANEL_LANES + (int)LANE(0);
#pragma unroll
        for (int c = 0; c < DEPTH; c++) {
            if (i < ORDER && c < columns)
                w[(LONG)at[r] * STRIDE + k0 + c] = v[r][c];
            v[r][c] = i < ORDER && c < left ? w[(LONG)i * STRIDE + k0 - left + c] : 0;
        }
    }
    GLOBAL_BARRIER();
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int i = k0 + r * PANEL_LANES + (int)LANE(0);
#pragma unroll
        for (int c = 0; c < DEPTH; c++) {
            if (i < ORDER && c < left)
                w[(LONG)at[r] * STRIDE + k0 - left + c] = v[r][c];
        }
    }
}

/* A group a system. Columns [k0, k0 + columns); the rows of the `left` columns before them are
 * swapped too. pivots: ORDER of each system. */
KERNEL LANES_MOST(PANEL_LANES)
k_large_panel(GLOBAL REAL *w, GLOBAL int *pivots, GLOBAL int *info, LONG first, int k0, int columns,
              int left) {
    SHARED REAL size[2 * PANEL_LANES];
    SHARED int place[2 * PANEL_LANES];
    SHARED REAL top[2 * DEPTH];
    const int lane = (int)LANE(0);
    w += GROUP(0) * ((LONG)ORDER * STRIDE);
    pivots += GROUP(0) * ORDER;
    REAL v[ROWS][DEPTH];
    int at[ROWS];
    int bad = 0;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int i = k0 + r * PANEL_LANES + lane;
        at[r] = i;
#pragma unroll
        for (int c = 0; c < DEPTH; c++) {
            v[r][c] = i < ORDER && c < columns ? w[(LONG)i * STRIDE + k0 + c] : 0;
        }
    }
    /* A row's registers go round by one a step, so that the column in work is always the first and
     * the loop need not be unrolled: its code would be fetched anew for each step. */
#pragma unroll 1
    for (int c = 0; c < DEPTH; c++) {
        const int k = k0 + c;
        const int odd = c & 1;
        const int on = c < columns; /* beyond: the lanes only wait for each other */
        int best;
        const REAL most = be_large_most(v, at, k, &best);
        int p = be_group_most(most, best, size + odd * PANEL_LANES, place + odd * PANEL_LANES,
                              PANEL_LANES);
        if (on)
            be_large_swap(v, at, top + odd * DEPTH, k, p, c);
        if (lane == 0 && on)
            pivots[k] = p;
        BARRIER();
        const REAL pivot = top[odd * DEPTH];
        bad = bad == 0 && pivot == 0 && on ? k + 1 : bad;
        be_large_subtract(v, at, top + odd * DEPTH, pivot, k, on);
    }
    be_large_store(v, at, w, k0, columns, left);
    if (lane == 0 && bad && info[first + GROUP(0)] == 0)
        info[first + GROUP(0)] = bad;
}

/* Where rows go by the swaps of pivots [k0, k0 + depth), for lane q < BLOCK: source[q] comes to row
 * k0 + q; displaced[q], of the block, goes to target[q] behind it, unless that is -1. A row's way is
 * followed back through the swaps, the last one first. */
DEVICE void be_follow_swaps(LOCAL const int *row, int q, int k0, int depth,
                            LOCAL int *source, LOCAL int *target,
                            LOCAL int *displaced) {
    const int to = q < depth ? row[q] : -1;
    int last = to >= k0 + depth;
    int from = to;
    int gone = to;
    for (int t = depth - 1; t >= 0; t--) {
        const int here = row[t];
        last = t > q && here == to ? 0 : last;
        from = t < q && here == from ? k0 + t : from;
        gone = here == gone ? k0 + t : gone;
    }
    source[q] = from;
    target[q] = last ? to : -1;
    displaced[q] = gone;
}

/* Takes the rows of one column, w: those that come to the block into u, the displaced ones to where
 * they go. */
DEVICE void be_take_rows(GLOBAL REAL *w, LOCAL const int *source, LOCAL const int *target,
                         LOCAL const int *displaced, int depth, REAL *u) {
#pragma unroll
    for (int q = 0; q < BLOCK; q++) {
        u[q] = q < depth ? w[(LONG)source[q] * STRIDE] : 0;
    }
#pragma unroll
    for (int q = 0; q < BLOCK; q += 8) {
        REAL away[8]; /* several on their way at a time */
#pragma unroll
        for (int i = 0; i < 8; i++) {
            away[i] = target[q + i] >= 0 ? w[(LONG)displaced[q + i] * STRIDE] : 0;
        }
#pragma unroll
        for (int i = 0; i < 8; i++) {
            if (target[q + i] >= 0)
                w[(LONG)target[q + i] * STRIDE] = away[i];
        }
    }
}

/* Groups of 64 lanes, a column each: `chunks` groups a system, columns from `column`, right of the
 * panel, to `end`. The swaps of pivots [k0, k0 + depth), and the panel's triangle. */
KERNEL LANES_MOST(64)
k_large_top(GLOBAL REAL *w, GLOBAL const int *pivots, int k0, int depth, int column, int end,
            int chunks) {
    SHARED REAL l[BLOCK * BLOCK];
    SHARED int row[BLOCK];
    SHARED int source[BLOCK];
    SHARED int target[BLOCK];
    SHARED int displaced[BLOCK];
    const LONG system = GROUP(0) / chunks;
    const int j = column + (int)(GROUP(0) % chunks) * 64 + (int)LANE(0);
    w += system * ((LONG)ORDER * STRIDE);
    for (int e = (int)LANE(0); e < BLOCK * BLOCK; e += 64) {
        int i = e / BLOCK;
        int q = e % BLOCK;
        l[e] = i < depth && q < i ? w[(LONG)(k0 + i) * STRIDE + k0 + q] : 0;
    }
    if (LANE(0) < depth)
        row[LANE(0)] = pivots[system * ORDER + k0 + LANE(0)];
    BARRIER();
    if (LANE(0) < BLOCK)
        be_follow_swaps(row, (int)LANE(0), k0, depth, source, target, displaced);
    BARRIER();
    if (j >= end)
        return;
    REAL u[BLOCK];
    be_take_rows(w + j, source, target, displaced, depth, u);
#pragma unroll
    for (int q = 0; q < BLOCK; q++) {
#pragma unroll
        for (int i = q + 1; i < BLOCK; i++) {
            u[i] = REAL_FMA(-l[i * BLOCK + q], u[q], u[i]);
        }
    }
#pragma unroll
    for (int q = 0; q < BLOCK; q++) {
        if (q < depth)
            w[(LONG)(k0 + q) * STRIDE + j] = u[q];
    }
}

#define TILE_ROWS 128
#define TILE_COLUMNS 64
#define L_STRIDE (TILE_ROWS + 4) /* four rows of each begin in different banks */
#define U_STRIDE (TILE_COLUMNS + 4)

/*
 * A lane's 32 numbers of a tile, e = 0 .. 31: be_tile_row, be_tile_column; and DEPTH products added
 * to each. In float64 on CUDA by matrix units, 8 x 8 numbers at a time, 4 x 4 times a warp: PTX ISA,
 * mma.m8n8k4.
 */
#if defined(BE_REAL64) && defined(__CUDACC__) && __CUDA_ARCH__ >= 800
DEVICE int be_tile_row(int lane, int e) {
    return lane / 64 * 32 + e / 8 * 8 + lane % 32 / 4;
}

DEVICE int be_tile_column(int lane, int e) {
    return lane / 32 % 2 * 32 + e / 2 % 4 * 8 + lane % 4 * 2 + e % 2;
}

DEVICE void be_tile_add(const REAL *l, const REAL *u, int lane, REAL *sum) {
    const int row = lane / 64 * 32 + lane % 32 / 4;
    const int column = lane / 32 % 2 * 32 + lane % 32 / 4;
#pragma unroll
    for (int k = 0; k < DEPTH; k += 4) {
        REAL left[4];
        REAL top[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            left[i] = l[(k + lane % 4) * L_STRIDE + row + 8 * i];
            top[i] = u[(k + lane % 4) * U_STRIDE + column + 8 * i];
        }
#pragma unroll
        for (int e = 0; e < 16; e++) {
            asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                : "+d"(sum[2 * e]), "+d"(sum[2 * e + 1])
                : "d"(left[e / 4]), "d"(top[e % 4]));
        }
    }
}
#else
DEVICE int be_tile_row(int lane, int e) {
    return lane / 16 + e / 4 * 16;
}

DEVICE int be_tile_column(int lane, int e) {
    return lane % 16 + e % 4 * 16;
}

DEVICE void be_tile_add(LOCAL const REAL *l, LOCAL const REAL *u, int lane, REAL *sum) {
#pragma unroll
    for (int q = 0; q < DEPTH; q++) {
        REAL left[8];
        REAL top[4];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            left[i] = l[q * L_STRIDE + lane / 16 + 16 * i];
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            top[j] = u[q * U_STRIDE + lane % 16 + 16 * j];
        }
#pragma unroll
        for (int e = 0; e < 32; e++) {
            sum[e] = REAL_FMA(left[e / 4], top[e % 4], sum[e]);
        }
    }
}
#endif

/* The numbers that a lane brings of the DEPTH columns left of a tile, and of the DEPTH rows above
 * it. */
#define L_APIECE (DEPTH * TILE_ROWS / 256)
#define U_APIECE (DEPTH * TILE_COLUMNS / 256)

/* From memory: rows from i0, columns from j0 to `end`; `depth` of them from k0 on are there. */
DEVICE void be_tile_fetch(GLOBAL const REAL *w, int lane, int i0, int j0, int end, int k0,
                          int depth, REAL *left, REAL *top) {
    const int i = i0 + lane / DEPTH;
    const int q = lane / TILE_COLUMNS;
    const int j = j0 + lane % TILE_COLUMNS;
    GLOBAL const REAL *l = w + (LONG)i * STRIDE + k0 + lane % DEPTH;
    GLOBAL const REAL *u = w + (LONG)(k0 + q) * STRIDE + j;
    const int rows = lane % DEPTH < depth ? ORDER - i : 0;
    const int deep = j < end ? depth - q : 0;
#pragma unroll
    for (int e = 0; e < L_APIECE; e++) {
        left[e] = 256 / DEPTH * e < rows ? l[256 / DEPTH * e * STRIDE] : 0;
    }
#pragma unroll
    for (int e = 0; e < U_APIECE; e++) {
        top[e] = 256 / TILE_COLUMNS * e < deep ? u[256 / TILE_COLUMNS * e * STRIDE] : 0;
    }
}

DEVICE void be_tile_put(LOCAL REAL *l, LOCAL REAL *u, int lane, const REAL *left,
                        const REAL *top) {
#pragma unroll
    for (int e = 0; e < L_APIECE; e++) {
        const int at = lane + 256 * e;
        l[at % DEPTH * L_STRIDE + at / DEPTH] = -left[e];
    }
#pragma unroll
    for (int e = 0; e < U_APIECE; e++) {
        const int at = lane + 256 * e;
        u[at / TILE_COLUMNS * U_STRIDE + at % TILE_COLUMNS] = top[e];
    }
}

/* Groups of 256 lanes, a tile each of the rows from k0 + depth on and the columns from
 * `column` to `end`; down x across tiles a system. The tile itself, and the columns and rows that come next, are
 * on their way from memory while products are computed. */
KERNEL LANES_MOST_OF(256, 2)
k_large_update(GLOBAL REAL *w, int k0, int depth, int column, int end, int down,
               int across) {
    SHARED REAL l[DEPTH * L_STRIDE];
    SHARED REAL u[DEPTH * U_STRIDE];
    const LONG system = GROUP(0) / (down * across);
    const int tile = (int)(GROUP(0) % (down * across));
    const int lane = (int)LANE(0);
    const int i0 = k0 + depth + tile / across * TILE_ROWS;
    const int j0 = column + tile % across * TILE_COLUMNS;
    REAL left[L_APIECE];
    REAL top[U_APIECE];
    REAL sum[32];
    w += system * ((LONG)ORDER * STRIDE);
    const int i = i0 + be_tile_row(lane, 0);
    const int j = j0 + be_tile_column(lane, 0);
    GLOBAL REAL *own = w + (LONG)i * STRIDE + j; /* the others lie as far from it in each lane */
    be_tile_fetch(w, lane, i0, j0, end, k0, depth, left, top);
#pragma unroll
    for (int e = 0; e < 32; e++) {
        const int down_e = be_tile_row(0, e);
        const int across_e = be_tile_column(0, e);
        sum[e] = i + down_e < ORDER && j + across_e < end ? own[down_e * STRIDE + across_e] : 0;
    }
    for (int k = 0; k < depth; k += DEPTH) {
        be_tile_put(l, u, lane, left, top);
        BARRIER();
        if (k + DEPTH < depth)
            be_tile_fetch(w, lane, i0, j0, end, k0 + k + DEPTH, depth - k - DEPTH, left, top);
        be_tile_add(l, u, lane, sum);
        BARRIER();
    }
#pragma unroll
    for (int e = 0; e < 32; e++) {
        const int down_e = be_tile_row(0, e);
        const int across_e = be_tile_column(0, e);
        if (i + down_e < ORDER && j + across_e < end)
            own[down_e * STRIDE + across_e] = sum[e];
    }
}

/* A group of 256 lanes a system: x from U and column ORDER, 32 unknowns at a time. */
KERNEL LANES_MOST(256)
k_large_back(GLOBAL REAL *w, GLOBAL REAL *x, GLOBAL const int *info, LONG first) {
    SHARED REAL found[32];
    SHARED REAL block[32 * 33]; /* of U, on its diagonal */
    const int bad = info[first + GROUP(0)];
    const int lane = (int)LANE(0);
    w += GROUP(0) * ((LONG)ORDER * STRIDE);
    x += (first + GROUP(0)) * ORDER;
    for (int begin = (ORDER - 1) / 32 * 32; begin >= 0; begin -= 32) {
        const int end = begin + 32 < ORDER ? begin + 32 : ORDER;
        const int i = begin + lane;
        REAL right = lane < 32 && i < end ? w[(LONG)i * STRIDE + ORDER] : 0;
        for (int e = lane; e < 32 * 32; e += 256) {
            if (begin + e / 32 < end && begin + e % 32 < end)
                block[e / 32 * 33 + e % 32] = w[(LONG)(begin + e / 32) * STRIDE + begin + e % 32];
        }
        BARRIER();
        for (int j = end - 1; j >= begin; j--) {
            if (i == j) {
                right = right / block[lane * 33 + lane];
                found[lane] = right;
                x[j] = bad ? REAL_NAN : right;
            }
            BARRIER();
            if (lane < 32 && i < j)
                right = REAL_FMA(-block[lane * 33 + j - begin], found[j - begin], right);
        }
        for (int above = lane; above < begin; above += 256) {
            REAL sum = w[(LONG)above * STRIDE + ORDER];
            for (int j = begin; j < end; j++) {
                sum = REAL_FMA(-w[(LONG)above * STRIDE + j], found[j - begin], sum);
            }
            w[(LONG)above * STRIDE + ORDER] = sum;
        }
        GLOBAL_BARRIER();
    }
}
