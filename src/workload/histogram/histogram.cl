/*
 * Counts of x in equal bins of [0, 1]: the bin is the integer part of x times bins, at most the last one.
 *
 * k_zero first. k_plain: a lane an element, whose bin's count in device memory goes up. k_tables: groups walk over the array
 * and count in shared memory, in COPIES tables, neighbouring lanes in different ones; each group adds its counts to those in
 * device memory. Tables lie one number more apart than they are long, in other banks.
 */
#include "kernels/dialect.h"

#if defined(__OPENCL_VERSION__)
#define ADD_LOCAL(p, n) ((void)atomic_add(p, n))
#define ADD_GLOBAL(p, n) ((void)atomic_add(p, n))
typedef uint count;
#else
#define ADD_LOCAL(p, n) ((void)atomicAdd(p, n))
#define ADD_GLOBAL(p, n) ((void)atomicAdd(p, n))
typedef unsigned int count;
#endif

#define LANES_A_GROUP 256

/* `bins`: in none. */
DEVICE int bin_of(REAL x, int bins) {
    const REAL y = x * (REAL)bins;
    const REAL last = (REAL)(bins - 1);
    return x >= (REAL)0 && x <= (REAL)1 ? (int)(y < last ? y : last) : bins;
}

KERNEL k_zero(GLOBAL count *counts, int bins) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at < bins)
        counts[at] = 0;
}

KERNEL k_plain(GLOBAL const REAL *x, GLOBAL count *counts, LONG n, int bins) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at < n) {
        const int bin = bin_of(x[at], bins);
        if (bin < bins)
            ADD_GLOBAL(&counts[bin], 1u);
    }
}

#if TABLES
KERNEL LANES_MOST(LANES_A_GROUP)
    k_tables(GLOBAL const REAL *x, GLOBAL count *counts, LONG n, int bins, LONG groups) {
    SHARED count table[COPIES * (BINS + 2)];
    const int lane = (int)LANE(0);
    LOCAL count *mine = table + lane % COPIES * (BINS + 2);
    for (int b = lane; b < COPIES * (BINS + 2); b += LANES_A_GROUP)
        table[b] = 0;
    BARRIER();
    UNROLL_BY(4) for (LONG at = GROUP(0) * LANES_A_GROUP + lane; at < n; at += groups * LANES_A_GROUP)
        ADD_LOCAL(&mine[bin_of(x[at], BINS)], 1u);
    BARRIER();
    for (int b = lane; b < BINS; b += LANES_A_GROUP) {
        count all = 0;
        for (int c = 0; c < COPIES; c++)
            all += table[c * (BINS + 2) + b];
        if (all > 0)
            ADD_GLOBAL(&counts[b], all);
    }
}
#endif
