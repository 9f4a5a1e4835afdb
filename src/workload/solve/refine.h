/*
 * Refinement of one system, whatever its factors are: the residual, and whether it is small enough.
 *
 * Defined before this source: ORDER, and TO, the type of the residual that the factors get.
 */

/* Sums over a group of 256 lanes; `sum` has 256 numbers, and its first is the result. */
DEVICE void be_add_up(LOCAL REAL *sum, REAL value) {
    const int lane = (int)LANE(0);
    sum[lane] = value;
    for (int far = 128; far > 0; far /= 2) {
        BARRIER();
        if (lane < far)
            sum[lane] += sum[lane + far];
    }
    BARRIER();
}

/* Before the first correction, in which the residual is b. */
KERNEL k_refine_start(GLOBAL const REAL *b, GLOBAL REAL *x, GLOBAL TO *step, GLOBAL int *done,
                      LONG system) {
    const LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < ORDER) {
        x[system * ORDER + i] = 0;
        step[i] = (TO)b[system * ORDER + i];
    }
    if (i == 0)
        *done = 0;
}

/* A group of 256 lanes a row: r = b - A x, and the sum of the squares of A's row. */
KERNEL LANES_MOST(256)
    k_refine_rest(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL const REAL *x, GLOBAL REAL *r,
                  GLOBAL REAL *squares, GLOBAL TO *step, GLOBAL const int *done, LONG system) {
    SHARED REAL sum[256];
    const int row = (int)GROUP(0);
    REAL product = 0;
    REAL square = 0;
    if (*done != 0)
        return;
    a += (system * ORDER + row) * ORDER;
    x += system * ORDER;
    for (int j = (int)LANE(0); j < ORDER; j += 256) {
        product = REAL_FMA(a[j], x[j], product);
        square = REAL_FMA(a[j], a[j], square);
    }
    be_add_up(sum, product);
    if (LANE(0) == 0) {
        r[row] = b[system * ORDER + row] - sum[0];
        step[row] = (TO)r[row];
    }
    BARRIER();
    be_add_up(sum, square);
    if (LANE(0) == 0)
        squares[row] = sum[0];
}
