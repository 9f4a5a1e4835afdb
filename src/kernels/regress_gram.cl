/*
 * X'X and X'y, and gradient descent with them alone. FEATURES is defined for the problem. y counts
 * as one more column of X; the product is made in blocks of BLOCK x BLOCK, those on the diagonal and
 * right of it.
 */
#if !defined(LOCAL)
#if defined(__OPENCL_VERSION__)
#define LOCAL __local /* a pointer to shared memory */
#else
#define LOCAL
#endif
#endif

#define SIDE 16 /* lanes across and down a block */
#define LANES_HERE (SIDE * SIDE)
#define COLUMNS (FEATURES + 1)
#define EACH (COLUMNS > 32 ? 4 : COLUMNS > 16 ? 2 : 1) /* numbers across and down a lane's part */
#define BLOCK (SIDE * EACH)
#define BLOCKS ((COLUMNS + BLOCK - 1) / BLOCK)
#define ROWS 32       /* of X in shared memory */
#define FLUSH 8       /* times that many rows are summed up before they join the others */
#define STRIDE (BLOCK + 1)

DEVICE REAL number(GLOBAL const REAL *x, GLOBAL const REAL *y, LONG row, int column, LONG n) {
    if (row >= n || column > FEATURES)
        return 0;
    return column < FEATURES ? x[row * FEATURES + column] : y[row];
}

/* Group: one of `groups` shares of the rows, of one block after the other. sums: BLOCK x BLOCK
 * numbers a group. */
KERNEL LANES_MOST(LANES_HERE)
    k_regress_gram(GLOBAL const REAL *x, GLOBAL const REAL *y, GLOBAL REAL *sums, LONG n,
                   LONG groups) {
    SHARED REAL left[ROWS * STRIDE];
    SHARED REAL right[ROWS * STRIDE];
    LONG block = GROUP(0) / groups, share = GROUP(0) % groups;
    LONG tiles = (n + ROWS - 1) / ROWS;
    LONG tile = tiles * share / groups, end = tiles * (share + 1) / groups;
    int lane = (int)LANE(0), down = lane / SIDE, across = lane % SIDE;
    int above = 0, beside, i, j, row, count = 0;
    REAL sum[EACH][EACH], all[EACH][EACH];
    /* Blocks of the first row, then those of the second from the diagonal on, ... */
    for (beside = (int)block; beside >= BLOCKS - above; above++)
        beside -= BLOCKS - above;
    beside += above;
    for (i = 0; i < EACH; i++)
        for (j = 0; j < EACH; j++)
            sum[i][j] = all[i][j] = 0;
    for (; tile < end; tile++) {
        for (i = lane; i < ROWS * BLOCK; i += LANES_HERE) {
            int column = i % BLOCK, at = i / BLOCK * STRIDE + column;
            left[at] = number(x, y, tile * ROWS + i / BLOCK, above * BLOCK + column, n);
            if (above != beside)
                right[at] = number(x, y, tile * ROWS + i / BLOCK, beside * BLOCK + column, n);
        }
        BARRIER();
        for (row = 0; row < ROWS; row++) {
            LOCAL const REAL *a = left + row * STRIDE + down;
            LOCAL const REAL *b = (above == beside ? left : right) + row * STRIDE + across;
            for (i = 0; i < EACH; i++)
                for (j = 0; j < EACH; j++)
                    sum[i][j] = REAL_FMA(a[i * SIDE], b[j * SIDE], sum[i][j]);
        }
        if (++count % FLUSH == 0 || tile + 1 == end) {
            for (i = 0; i < EACH; i++)
                for (j = 0; j < EACH; j++) {
                    all[i][j] += sum[i][j];
                    sum[i][j] = 0;
                }
        }
        BARRIER();
    }
    sums += GROUP(0) * BLOCK * BLOCK;
    for (i = 0; i < EACH; i++)
        for (j = 0; j < EACH; j++)
            sums[(down + i * SIDE) * BLOCK + across + j * SIDE] = all[i][j];
}

/* gram[j * FEATURES + i] = factor (X'X)[i][j], and for j = FEATURES factor (X'y)[i]: a lane each. */
KERNEL LANES_MOST(LANES_HERE)
    k_regress_gram_sum(GLOBAL const REAL *sums, GLOBAL REAL *gram, LONG groups, REAL factor) {
    LONG at = GROUP(0) * LANES_HERE + LANE(0), share;
    int i = (int)(at % FEATURES), j = (int)(at / FEATURES);
    if (j < COLUMNS) {
        int low = i < j ? i : j, high = i < j ? j : i;
        int above = low / BLOCK, beside = high / BLOCK;
        LONG block = above * BLOCKS - above * (above - 1) / 2 + (beside - above);
        REAL sum = 0;
        sums += block * groups * BLOCK * BLOCK + low % BLOCK * BLOCK + high % BLOCK;
        for (share = 0; share < groups; share++)
            sum += sums[share * BLOCK * BLOCK];
        gram[at] = factor * sum;
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
