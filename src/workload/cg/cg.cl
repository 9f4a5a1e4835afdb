/*
 * Conjugate gradients, so that no number goes to the host: sums are left as `parts` parts in device memory, one a group,
 * and whoever needs a sum adds them up. A lane a row, and every parts * LANES_A_GROUP-th row after it.
 *
 * Fused, an iteration is k_product (q = A p, parts of p'q), k_update (x, r, parts of r'r), k_turn (p). Plain, it is
 * k_multiply, k_dot, k_move (x), k_move (r), k_dot, k_turn, as calls of libraries would be.
 */
#include "kernels/dialect.h"

#define LANES_A_GROUP 256
#define LEAST ((REAL)1e-30)
#define EACH_ROW(i, n)                                                                             \
    LONG i = GROUP(0) * LANES_A_GROUP + LANE(0);                                                   \
    i < (n);                                                                                       \
    i += (LONG)parts * LANES_A_GROUP

/* The sum of all lanes' numbers, for each of them. All lanes call this. */
DEVICE REAL sum_of(LOCAL REAL *part, REAL mine) {
    const int lane = (int)LANE(0);
    BARRIER();
    part[lane] = mine;
    BARRIER();
    for (int reach = LANES_A_GROUP / 2; reach > 0; reach /= 2) {
        if (lane < reach)
            part[lane] += part[lane + reach];
        BARRIER();
    }
    return part[0];
}

DEVICE REAL whole(LOCAL REAL *part, GLOBAL const REAL *sums, int parts) {
    REAL mine = 0;
    for (int t = (int)LANE(0); t < parts; t += LANES_A_GROUP)
        mine += sums[t];
    return sum_of(part, mine);
}

DEVICE void leave(LOCAL REAL *part, REAL mine, GLOBAL REAL *sums) {
    const REAL sum = sum_of(part, mine);
    if (LANE(0) == 0)
        sums[GROUP(0)] = sum;
}

DEVICE REAL row_of(GLOBAL const int *start, GLOBAL const int *column, GLOBAL const REAL *value,
                   GLOBAL const REAL *p, LONG i) {
    REAL sum = 0;
    for (int j = start[i]; j < start[i + 1]; j++)
        sum = REAL_FMA(value[j], p[column[j]], sum);
    return sum;
}

/* x = 0, r = p = b; parts of r'r. */
KERNEL LANES_MOST(LANES_A_GROUP)
    k_begin(GLOBAL const REAL *b, GLOBAL REAL *x, GLOBAL REAL *r, GLOBAL REAL *p, LONG n, int parts,
            GLOBAL REAL *square) {
    SHARED REAL part[LANES_A_GROUP];
    REAL mine = 0;
    for (EACH_ROW(i, n)) {
        x[i] = 0;
        r[i] = b[i];
        p[i] = b[i];
        mine = REAL_FMA(b[i], b[i], mine);
    }
    leave(part, mine, square);
}

KERNEL LANES_MOST(LANES_A_GROUP)
    k_product(GLOBAL const int *start, GLOBAL const int *column, GLOBAL const REAL *value,
              GLOBAL const REAL *p, GLOBAL REAL *q, LONG n, int parts, GLOBAL REAL *along) {
    SHARED REAL part[LANES_A_GROUP];
    REAL mine = 0;
    for (EACH_ROW(i, n)) {
        const REAL row = row_of(start, column, value, p, i);
        q[i] = row;
        mine = REAL_FMA(row, p[i], mine);
    }
    leave(part, mine, along);
}

/* square: of r as it was; after: of the new one. */
KERNEL LANES_MOST(LANES_A_GROUP)
    k_update(GLOBAL const REAL *p, GLOBAL const REAL *q, GLOBAL REAL *x, GLOBAL REAL *r, LONG n, int parts,
             GLOBAL const REAL *along, GLOBAL const REAL *square, GLOBAL REAL *after) {
    SHARED REAL part[LANES_A_GROUP];
    const REAL before = whole(part, square, parts);
    const REAL step = whole(part, along, parts);
    const REAL alpha = before > LEAST ? before / step : (REAL)0;
    REAL mine = 0;
    for (EACH_ROW(i, n)) {
        const REAL rest = REAL_FMA(-alpha, q[i], r[i]);
        x[i] = REAL_FMA(alpha, p[i], x[i]);
        r[i] = rest;
        mine = REAL_FMA(rest, rest, mine);
    }
    leave(part, mine, after);
}

KERNEL LANES_MOST(LANES_A_GROUP)
    k_turn(GLOBAL const REAL *r, GLOBAL REAL *p, LONG n, int parts, GLOBAL const REAL *square,
           GLOBAL const REAL *after) {
    SHARED REAL part[LANES_A_GROUP];
    const REAL before = whole(part, square, parts);
    const REAL now = whole(part, after, parts);
    const REAL beta = before > LEAST ? now / before : (REAL)0;
    for (EACH_ROW(i, n))
        p[i] = REAL_FMA(beta, p[i], r[i]);
}

/* ---- a launch for each step of the book -------------------------------------------------------- */

KERNEL LANES_MOST(LANES_A_GROUP)
    k_multiply(GLOBAL const int *start, GLOBAL const int *column, GLOBAL const REAL *value,
               GLOBAL const REAL *p, GLOBAL REAL *q, LONG n, int parts) {
    for (EACH_ROW(i, n))
        q[i] = row_of(start, column, value, p, i);
}

KERNEL LANES_MOST(LANES_A_GROUP)
    k_dot(GLOBAL const REAL *u, GLOBAL const REAL *v, LONG n, int parts, GLOBAL REAL *sums) {
    SHARED REAL part[LANES_A_GROUP];
    REAL mine = 0;
    for (EACH_ROW(i, n))
        mine = REAL_FMA(u[i], v[i], mine);
    leave(part, mine, sums);
}

/* v += sign alpha u. */
KERNEL LANES_MOST(LANES_A_GROUP)
    k_move(GLOBAL const REAL *u, GLOBAL REAL *v, LONG n, int parts, int sign, GLOBAL const REAL *along,
           GLOBAL const REAL *square) {
    SHARED REAL part[LANES_A_GROUP];
    const REAL before = whole(part, square, parts);
    const REAL step = whole(part, along, parts);
    const REAL alpha = before > LEAST ? before / step : (REAL)0;
    for (EACH_ROW(i, n))
        v[i] = REAL_FMA((REAL)sign * alpha, u[i], v[i]);
}
