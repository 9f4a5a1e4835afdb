/*
 * CUDA: parts of k_solve_rows of cuda.cl, which has a lane a row and some systems a warp. It knows nothing of where
 * systems come from.
 *
 * Defined before: ORDER, SPAN and GROUP_LANES as in cuda.cl.
 */
#ifndef BE_WORKLOAD_SOLVE_WARP_ROWS_H
#define BE_WORKLOAD_SOLVE_WARP_ROWS_H

#define STRIDE (ORDER | 1)
#define WARP_SYSTEMS (32 / SPAN)
#define WARPS (GROUP_LANES / 32)
#define TILE (ORDER * STRIDE)
#define TOP (ORDER / 2 + 2) /* pairs: pivot and its inverse, right side and column 1, 2 and 3 ... */
#define PHASE 2             /* steps after which the registers that are done with are left out */

/* Matrices of a warp, one after another, into its tiles. */
DEVICE void be_load_tiles(GLOBAL const REAL *from, REAL *tile, int count) {
    const int lane = threadIdx.x & 31;
#if ORDER % 2 == 0
    const PAIR *pairs = (const PAIR *)from;
#pragma unroll 8
    for (int e = lane; e < count / 2; e += 32) {
        const PAIR two = pairs[e];
        REAL *to = tile + 2 * e / ORDER * STRIDE + 2 * e % ORDER;
        to[0] = two.x;
        to[1] = two.y;
    }
#else
#pragma unroll 8
    for (int e = lane; e < count; e += 32) {
        tile[e / ORDER * STRIDE + e % ORDER] = from[e];
    }
#endif
}

/* A lane's row into its registers; 0 where there is none. */
DEVICE void be_rows_take(REAL *v, const REAL *row, int valid) {
#pragma unroll
    for (int j = 0; j < ORDER; j++) {
        v[j] = valid ? row[j] : 0;
    }
    v[ORDER] = 0;
}

/* A row's factor in step k: its number over the pivot. head: the pivot and one over it; *bad: the first step whose
 * pivot was 0. */
DEVICE REAL be_rows_factor(REAL first, PAIR head, int k, int *bad) {
    REAL l = first * head.y;
    if (!be_is_usual(head.x)) {
        *bad = *bad == 0 && head.x == 0 ? k + 1 : *bad;
        l = first / head.x;
    }
    return l;
}

/* A pivot's row goes from its lane's registers to where all lanes of the system read it. */
DEVICE void be_rows_share(PAIR *top, const REAL *v, REAL inverse, REAL right, int wide) {
    top[0] = be_pair(v[0], inverse);
    top[1] = be_pair(right, v[1]);
#pragma unroll
    for (int j = 2; j < wide; j += 2) {
        top[j / 2 + 1] = be_pair(v[j], v[j + 1]);
    }
}

/* Subtracts l times a pivot's row from a lane's row. The registers of that move down by one. next: top[1], which
 * was read while the lane waited for l. */
DEVICE void be_rows_subtract(const PAIR *top, PAIR next, REAL *v, REAL *right, REAL l, int wide) {
    *right = REAL_FMA(-l, next.x, *right);
    v[0] = REAL_FMA(-l, next.y, v[1]);
#pragma unroll
    for (int j = 2; j < wide; j += 2) {
        const PAIR two = top[j / 2 + 1];
        v[j - 1] = REAL_FMA(-l, two.x, v[j]);
        v[j] = REAL_FMA(-l, two.y, v[j + 1]);
    }
}

/* The unknown that a lane has: that of step `mine`, in which its row was the pivot's. own, scale: that pivot and one
 * over it; `where`: the row that step `row` used up. */
DEVICE REAL be_rows_back(const REAL *tile, REAL right, REAL own, REAL scale, int row, int mine,
                         int where) {
    const int at = row < ORDER ? row : 0;
    const int unusual = __any_sync(0xffffffff, !be_is_usual(own));
    REAL found = 0;
#pragma unroll 4
    for (int j = ORDER - 1; j >= 0; j--) {
        const REAL u = tile[j * STRIDE + at];
        REAL here = right * scale;
        if (unusual)
            here = be_over(right, own, scale);
        const REAL there =
            __shfl_sync(0xffffffff, here, __shfl_sync(0xffffffff, where, j, SPAN), SPAN);
        found = mine == j ? here : found;
        right = mine < j ? REAL_FMA(-u, there, right) : right;
    }
    return found;
}

#endif
