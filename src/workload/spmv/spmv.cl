/*
 * y = A x, A in compressed rows: y[i] is the sum of value[j] x[column[j]], start[i] <= j <
 * start[i + 1]. TEAM lanes, a power of two up to 32, do a row together, so that they read what lies
 * side by side; then they add up.
 */
#include "kernels/dialect.h"

#if !defined(TEAM)
#define TEAM 8
#endif

#if defined(__CUDACC__)
/* Read once: kept out of the way of x. */
#define ONCE(p) __ldcs(&(p))
#else
#define ONCE(p) (p)
#endif

DEVICE REAL part_of_row(GLOBAL const int *column, GLOBAL const REAL *value, GLOBAL const REAL *x,
                        int from, int end) {
    REAL sum = 0;
    int j;
    UNROLL_BY(4)
    for (j = from; j < end; j += TEAM)
        sum = REAL_FMA(ONCE(value[j]), x[ONCE(column[j])], sum);
    return sum;
}

/* A group has 256 lanes: 256 / TEAM rows. */
KERNEL LANES_MOST(256)
    k_spmv(GLOBAL const int *start, GLOBAL const int *column, GLOBAL const REAL *value,
           GLOBAL const REAL *x, GLOBAL REAL *y, LONG rows) {
    int lane = (int)LANE(0) % TEAM;
    LONG row = GROUP(0) * (256 / TEAM) + LANE(0) / TEAM;
    REAL sum = 0;
    int step;
    if (row < rows)
        sum = part_of_row(column, value, x, start[row] + lane, start[row + 1]);
#if defined(__CUDACC__)
#pragma unroll
    for (step = TEAM / 2; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step, TEAM);
#else
    SHARED REAL part[256];
    part[LANE(0)] = sum;
    BARRIER();
    for (step = TEAM / 2; step > 0; step /= 2) {
        if (lane < step)
            part[LANE(0)] += part[LANE(0) + step];
        BARRIER();
    }
    sum = part[LANE(0)];
#endif
    if (lane == 0 && row < rows)
        y[row] = sum;
}
