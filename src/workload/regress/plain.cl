/*
 * X'X and X'y, then steps of k x k, as a good programmer writes it in an hour. The sums are those of groups that share
 * the rows; y counts as one more column of X.
 */
#include "kernels/dialect.h"

#define PLAIN_LANES 256
#define FEATURES_MOST 128
#define BLOCK 64 /* rows summed up before they join the others: fewer digits are lost */

/* sums[g * k * (k + 1) + a * (k + 1) + b]: column a times column b, of the g-th share of the rows. */
KERNEL LANES_MOST(PLAIN_LANES) k_plain_gram(GLOBAL const REAL *x, GLOBAL const REAL *y,
                                            GLOBAL REAL *sums, LONG n, LONG k, LONG groups) {
    const LONG from = n * GROUP(0) / groups, to = n * (GROUP(0) + 1) / groups;
    for (LONG p = LANE(0); p < k * (k + 1); p += PLAIN_LANES) {
        const LONG a = p / (k + 1), b = p % (k + 1);
        REAL all = 0;
        for (LONG first = from; first < to; first += BLOCK) {
            const LONG end = first + BLOCK < to ? first + BLOCK : to;
            REAL sum = 0;
            for (LONG i = first; i < end; i++)
                sum += x[i * k + a] * (b < k ? x[i * k + b] : y[i]);
            all += sum;
        }
        sums[GROUP(0) * k * (k + 1) + p] = all;
    }
}

/* gram[p] = factor times the sum of the groups' sums. */
KERNEL LANES_MOST(PLAIN_LANES)
    k_plain_sum(GLOBAL const REAL *sums, GLOBAL REAL *gram, LONG k, LONG groups, REAL factor) {
    const LONG p = GROUP(0) * LANES(0) + LANE(0);
    REAL all = 0;
    if (p >= k * (k + 1))
        return;
    for (LONG first = 0; first < groups; first += BLOCK) {
        const LONG end = first + BLOCK < groups ? first + BLOCK : groups;
        REAL sum = 0;
        for (LONG g = first; g < end; g++)
            sum += sums[g * k * (k + 1) + p];
        all += sum;
    }
    gram[p] = factor * all;
}

/* One group, a lane a feature. X'X is its own transpose: neighbours read neighbouring numbers. */
KERNEL LANES_MOST(FEATURES_MOST)
    k_plain_descend(GLOBAL const REAL *gram, GLOBAL REAL *out, LONG k, LONG steps) {
    SHARED REAL w[FEATURES_MOST];
    const LONG a = LANE(0);
    w[a] = 0;
    BARRIER();
    for (LONG step = 0; step < steps; step++) {
        REAL gradient = a < k ? -gram[a * (k + 1) + k] : (REAL)0;
        for (LONG b = 0; b < k && a < k; b++)
            gradient += gram[b * (k + 1) + a] * w[b];
        BARRIER();
        w[a] -= gradient;
        BARRIER();
    }
    if (a < k)
        out[a] = w[a];
}
