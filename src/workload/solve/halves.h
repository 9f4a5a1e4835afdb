/*
 * One system A x = b, its columns factored by halves, with large.cl and tall.cl before this
 * source: what the columns right of a factored part take from it, and at the end the unknowns.
 */

#define BACK 64 /* unknowns found at a time */

/* Groups of 64 lanes, a column each, of all columns to ORDER but those of the panel from k0 on: the
 * swaps of its `depth` pivots, and between it and column `solved` its triangle. */
KERNEL LANES_MOST(64)
    k_tall_top(GLOBAL REAL *w, GLOBAL const int *pivots, int k0, int depth, int solved) {
    SHARED REAL l[DEPTH * DEPTH];
    SHARED int row[DEPTH];
    SHARED int source[DEPTH];
    SHARED int target[DEPTH];
    SHARED int displaced[DEPTH];
    const int lane = (int)LANE(0);
    const int j = (int)GROUP(0) * 64 + lane;
    for (int e = lane; e < DEPTH * DEPTH; e += 64) {
        const int i = e / DEPTH;
        const int q = e % DEPTH;
        l[e] = i < depth && q < i ? w[(LONG)(k0 + i) * STRIDE + k0 + q] : 0;
    }
    if (lane < depth)
        row[lane] = pivots[k0 + lane];
    BARRIER();
    if (lane < DEPTH)
        be_follow_swaps(row, lane, k0, depth, source, target, displaced);
    BARRIER();
    if (j > ORDER || (j >= k0 && j < k0 + depth))
        return;
    REAL u[DEPTH];
    REAL away[DEPTH]; /* all on their way at a time */
    w += j;
#pragma unroll
    for (int q = 0; q < DEPTH; q++) {
        u[q] = q < depth ? w[(LONG)source[q] * STRIDE] : 0;
        away[q] = target[q] >= 0 ? w[(LONG)displaced[q] * STRIDE] : 0;
    }
#pragma unroll
    for (int q = 0; q < DEPTH; q++) {
        if (target[q] >= 0)
            w[(LONG)target[q] * STRIDE] = away[q];
    }
    if (j > k0 && j < solved) {
#pragma unroll
        for (int q = 0; q < DEPTH; q++) {
#pragma unroll
            for (int i = q + 1; i < DEPTH; i++) {
                u[i] = REAL_FMA(-l[i * DEPTH + q], u[q], u[i]);
            }
        }
    }
#pragma unroll
    for (int q = 0; q < DEPTH; q++) {
        if (q < depth)
            w[(LONG)(k0 + q) * STRIDE] = u[q];
    }
}

#define STRIP 32                    /* columns of a group */
#define STRIP_ROWS 16               /* of a warp, and columns of L at a time */
#define STRIP_LANES 512             /* of a group */
#define STRIP_L (STRIP_ROWS + 2)    /* of a column of L: pairs of numbers stay aligned */
#define STRIP_NEXT (STRIP_ROWS / 2) /* of what is on its way, for each lane */

/* STRIP_ROWS rows of L from i0 on, as many columns from q0 on, for one warp: on their way, and to
 * shared memory, turned. Numbers that are not of L, or not above `end`, are 0. */
DEVICE void be_strip_fetch(GLOBAL const REAL *w, int i0, int q0, int end, REAL *next) {
    const int q = q0 + (threadIdx.x & 31) % STRIP_ROWS;
    const int first = i0 + (threadIdx.x & 31) / STRIP_ROWS;
#pragma unroll
    for (int e = 0; e < STRIP_NEXT; e++) {
        const int i = first + 2 * e;
        next[e] = i < end && q < i ? w[(LONG)i * STRIDE + q] : 0;
    }
}

DEVICE void be_strip_put(REAL *l, const REAL *next) {
    const int q = (threadIdx.x & 31) % STRIP_ROWS;
    const int first = (threadIdx.x & 31) / STRIP_ROWS;
    __syncwarp();
#pragma unroll
    for (int e = 0; e < STRIP_NEXT; e++) {
        l[q * STRIP_L + first + 2 * e] = next[e];
    }
    __syncwarp();
}

/* The warp's own rows, u a column of them, through their triangle. */
DEVICE void be_strip_triangle(const REAL *l, REAL *u) {
#pragma unroll
    for (int q = 0; q < STRIP_ROWS - 1; q++) {
#pragma unroll
        for (int i = (q + 1) / 2 * 2; i < STRIP_ROWS; i += 2) {
            const PAIR two = *(const PAIR *)(l + q * STRIP_L + i);
            if (i > q)
                u[i] = REAL_FMA(-two.x, u[q], u[i]);
            u[i + 1] = REAL_FMA(-two.y, u[q], u[i + 1]);
        }
    }
}

/* Rows that come later, less what is found of those before. */
DEVICE void be_strip_less(const REAL *l, const REAL (*found)[STRIP], REAL *u) {
#pragma unroll 8
    for (int q = 0; q < STRIP_ROWS; q++) {
        const REAL top = found[q][threadIdx.x & 31];
#pragma unroll
        for (int i = 0; i < STRIP_ROWS; i += 2) {
            const PAIR two = *(const PAIR *)(l + q * STRIP_L + i);
            u[i] = REAL_FMA(-two.x, top, u[i]);
            u[i + 1] = REAL_FMA(-two.y, top, u[i + 1]);
        }
    }
}

/* Groups of STRIP_LANES lanes, STRIP columns each from `from` to `to`: rows [begin, end), 256 at most,
 * through the triangle left of them. A warp has STRIP_ROWS rows, each of its lanes a column of them,
 * and what comes next of L, and after it, is on its way while products are computed. */
KERNEL LANES_MOST(STRIP_LANES) k_tall_follow(GLOBAL REAL *w, int begin, int end, int from, int to) {
    SHARED REAL found[2][STRIP_ROWS][STRIP]; /* in turn: one step may still be read in the next */
    SHARED PAIR room[STRIP_LANES / 32][STRIP_ROWS * STRIP_L / 2];
    const int warp = (int)LANE(0) / 32;
    const int i0 = begin + warp * STRIP_ROWS;
    const int j = from + (int)GROUP(0) * STRIP + (int)LANE(0) % 32;
    const int rows = j < to ? end - i0 : 0;
    REAL *l = (REAL *)room[warp];
    REAL u[STRIP_ROWS];
    REAL next[STRIP_NEXT];
    REAL after[STRIP_NEXT];
    be_strip_fetch(w, i0, begin, end, next);
    be_strip_fetch(w, i0, begin + STRIP_ROWS, end, after);
#pragma unroll
    for (int i = 0; i < STRIP_ROWS; i++) {
        u[i] = i < rows ? w[(LONG)(i0 + i) * STRIDE + j] : 0;
    }
    for (int q0 = begin; q0 < end && q0 <= i0; q0 += STRIP_ROWS) {
        be_strip_put(l, next);
#pragma unroll
        for (int e = 0; e < STRIP_NEXT; e++) {
            next[e] = after[e];
        }
        be_strip_fetch(w, i0, q0 + 2 * STRIP_ROWS, end, after);
        REAL(*const top)[STRIP] = found[(q0 - begin) / STRIP_ROWS % 2];
        if (q0 == i0) {
            be_strip_triangle(l, u);
#pragma unroll
            for (int i = 0; i < STRIP_ROWS; i++) {
                top[i][LANE(0) % 32] = u[i];
            }
        }
        BARRIER();
        if (q0 < i0)
            be_strip_less(l, top, u);
    }
    for (int q0 = i0 + STRIP_ROWS; q0 < end; q0 += STRIP_ROWS) {
        BARRIER();
    }
#pragma unroll
    for (int i = 0; i < STRIP_ROWS; i++) {
        if (i < rows)
            w[(LONG)(i0 + i) * STRIDE + j] = u[i];
    }
}

/* One group of 256 lanes: the unknowns [begin, begin + BACK), from U and column ORDER. */
KERNEL LANES_MOST(256) k_tall_found(GLOBAL const REAL *w, GLOBAL REAL *x, GLOBAL const int *info,
                                    LONG system, int begin) {
    SHARED REAL block[BACK * (BACK + 1)]; /* of U, on its diagonal */
    const int many = ORDER - begin < BACK ? ORDER - begin : BACK;
    const int lane = (int)LANE(0);
    const int bad = info[system];
    REAL right[2] = {0, 0};
    REAL over[2]; /* 1 / the diagonal, all at once: one after the other they would be waited for */
    for (int e = lane; e < BACK * BACK; e += 256) {
        const int i = e / BACK;
        const int j = e % BACK;
        block[i * (BACK + 1) + j] =
            i < many && j < many ? w[(LONG)(begin + i) * STRIDE + begin + j] : 0;
    }
    BARRIER();
    if (lane >= 32)
        return;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const int i = lane + 32 * h;
        right[h] = i < many ? w[(LONG)(begin + i) * STRIDE + ORDER] : 0;
        over[h] = 1 / block[i * (BACK + 1) + i];
    }
    for (int j = many - 1; j >= 0; j--) {
        const REAL one = __shfl_sync(0xffffffff, j < 32 ? right[0] : right[1], j & 31);
        const REAL turned = __shfl_sync(0xffffffff, j < 32 ? over[0] : over[1], j & 31);
        const REAL below = block[j * (BACK + 1) + j];
        const REAL found = FABS(below) < REAL_TINIEST ? one / below : one * turned;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int i = lane + 32 * h;
            right[h] = i < j    ? REAL_FMA(-block[i * (BACK + 1) + j], found, right[h])
                       : i == j ? found
                                : right[h];
        }
    }
#pragma unroll
    for (int h = 0; h < 2; h++) {
        if (lane + 32 * h < many)
            x[system * ORDER + begin + lane + 32 * h] = bad ? REAL_NAN : right[h];
    }
}

/* Groups of 256 lanes, a warp a row above `begin`: what the unknowns from there on are to it. */
KERNEL LANES_MOST(256) k_tall_rest(GLOBAL REAL *w, GLOBAL const REAL *x, LONG system, int begin) {
    const int i = (int)GROUP(0) * 8 + (int)LANE(0) / 32;
    const int lane = (int)LANE(0) % 32;
    if (i >= begin) /* the whole warp */
        return;
    REAL sum = 0;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const int j = begin + lane + 32 * h;
        if (j < begin + BACK && j < ORDER)
            sum = REAL_FMA(w[(LONG)i * STRIDE + j], x[system * ORDER + j], sum);
    }
    for (int far = 16; far > 0; far /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, far);
    }
    if (lane == 0)
        w[(LONG)i * STRIDE + ORDER] -= sum;
}
