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
    /* A row's registers go round by one a step, so that the column in work is always the first. */
    UNROLL_ON_CUDA
    for (int c = 0; c < DEPTH; c++) {
        const int k = k0 + c;
        const int odd = c & 1;
        const int on = c < columns; /* beyond: the lanes only meet */
        REAL most = -1;
        int best = 0;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            REAL here = FABS(v[r][0]);
            int better = at[r] >= k && at[r] < ORDER && be_is_more(here, most);
            most = better ? here : most;
            best = better ? at[r] : best;
        }
        int p = be_group_most(most, best, size + odd * PANEL_LANES, place + odd * PANEL_LANES,
                              PANEL_LANES);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (at[r] == p && on) {
#pragma unroll
                for (int j = 0; j < DEPTH; j++) {
                    top[odd * DEPTH + j] = v[r][j];
                }
                at[r] = k;
            } else if (at[r] == k && on) {
                at[r] = p;
            }
        }
        if (lane == 0 && on)
            pivots[k] = p;
        BARRIER();
        const REAL pivot = top[odd * DEPTH];
        bad = bad == 0 && pivot == 0 && on ? k + 1 : bad;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const int below = at[r] > k && on;
            const REAL l = below ? v[r][0] / pivot : v[r][0];
#pragma unroll
            for (int j = 1; j < DEPTH; j++) {
                v[r][j - 1] = below && j + c < DEPTH
                                  ? REAL_FMA(-l, top[odd * DEPTH + j], v[r][j])
                                  : v[r][j];
            }
            v[r][DEPTH - 1] = l;
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int i = k0 + r * PANEL_LANES + lane;
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
        const int i = k0 + r * PANEL_LANES + lane;
#pragma unroll
        for (int c = 0; c < DEPTH; c++) {
            if (i < ORDER && c < left)
                w[(LONG)at[r] * STRIDE + k0 - left + c] = v[r][c];
        }
    }
    if (lane == 0 && bad && info[first + GROUP(0)] == 0)
        info[first + GROUP(0)] = bad;
}

/* Groups of 64 lanes, a column each: `chunks` groups a system, columns from `column` to `end`. The
 * swaps of pivots [k0, k0 + depth) and their triangle. */
KERNEL LANES_MOST(64)
k_large_top(GLOBAL REAL *w, GLOBAL const int *pivots, int k0, int depth, int column, int end,
            int chunks) {
    SHARED REAL l[BLOCK * BLOCK];
    SHARED int row[BLOCK];
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
    if (j >= end)
        return;
    REAL u[BLOCK];
#pragma unroll
    for (int q = 0; q < BLOCK; q++) {
        u[q] = q < depth ? w[(LONG)(k0 + q) * STRIDE + j] : 0;
    }
#pragma unroll
    for (int q = 0; q < BLOCK; q++) {
        if (q < depth && row[q] != k0 + q) {
            REAL t = u[q];
            if (row[q] < k0 + depth) { /* within the block: it lies in a register */
#pragma unroll
                for (int i = q + 1; i < BLOCK; i++) {
                    if (row[q] == k0 + i) {
                        u[q] = u[i];
                        u[i] = t;
                    }
                }
            } else {
                u[q] = w[(LONG)row[q] * STRIDE + j];
                w[(LONG)row[q] * STRIDE + j] = t;
            }
        }
    }
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

/* Groups of 256 lanes, a tile each of the rows from k0 + depth and the columns from `column` to
 * `end`; down x across tiles a system. */
KERNEL LANES_MOST(256)
k_large_update(GLOBAL REAL *w, int k0, int depth, int column, int end, int down, int across) {
    SHARED REAL l[DEPTH * (TILE_ROWS + 1)];
    SHARED REAL u[DEPTH * TILE_COLUMNS];
    const LONG system = GROUP(0) / (down * across);
    const int tile = (int)(GROUP(0) % (down * across));
    const int lane = (int)LANE(0);
    const int i0 = k0 + depth + tile / across * TILE_ROWS;
    const int j0 = column + tile % across * TILE_COLUMNS;
    REAL sum[8][4];
    w += system * ((LONG)ORDER * STRIDE);
#pragma unroll
    for (int e = 0; e < 32; e++) {
        sum[e / 4][e % 4] = 0;
    }
    for (int k = 0; k < depth; k += DEPTH) {
        for (int e = lane; e < DEPTH * TILE_ROWS; e += 256) {
            int i = e / DEPTH;
            int q = e % DEPTH;
            l[q * (TILE_ROWS + 1) + i] = i0 + i < ORDER && k + q < depth
                                             ? w[(LONG)(i0 + i) * STRIDE + k0 + k + q]
                                             : 0;
        }
        for (int e = lane; e < DEPTH * TILE_COLUMNS; e += 256) {
            int q = e / TILE_COLUMNS;
            int j = e % TILE_COLUMNS;
            u[e] = j0 + j < end && k + q < depth ? w[(LONG)(k0 + k + q) * STRIDE + j0 + j] : 0;
        }
        BARRIER();
#pragma unroll
        for (int q = 0; q < DEPTH; q++) {
            REAL left[8];
            REAL top[4];
#pragma unroll
            for (int i = 0; i < 8; i++) {
                left[i] = l[q * (TILE_ROWS + 1) + lane / 16 + 16 * i];
            }
#pragma unroll
            for (int j = 0; j < 4; j++) {
                top[j] = u[q * TILE_COLUMNS + lane % 16 + 16 * j];
            }
#pragma unroll
            for (int e = 0; e < 32; e++) {
                sum[e / 4][e % 4] = REAL_FMA(left[e / 4], top[e % 4], sum[e / 4][e % 4]);
            }
        }
        BARRIER();
    }
#pragma unroll
    for (int e = 0; e < 32; e++) {
        int i = i0 + lane / 16 + 16 * (e / 4);
        int j = j0 + lane % 16 + 16 * (e % 4);
        if (i < ORDER && j < end)
            w[(LONG)i * STRIDE + j] -= sum[e / 4][e % 4];
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
