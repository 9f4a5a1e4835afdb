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

/* ---- step after step -------------------------------------------------------------------------- */

#define LANES_A_GROUP 256
#define ROWS_A_GROUP (LANES_A_GROUP / TEAM)

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

/* 1 / |x|, or 0, from the parts of |x|^2. */
DEVICE REAL scale_of(LOCAL REAL *part, GLOBAL const REAL *squares, int parts) {
    REAL mine = 0, square;
    for (int t = (int)LANE(0); t < parts; t += LANES_A_GROUP)
        mine += squares[t];
    square = sum_of(part, mine);
    return square > (REAL)0 ? (REAL)1 / sqrt(square) : (REAL)0;
}

/* Parts of |y|^2, one a group. */
KERNEL LANES_MOST(LANES_A_GROUP)
    k_square(GLOBAL const REAL *y, LONG rows, int parts, GLOBAL REAL *squares) {
    SHARED REAL part[LANES_A_GROUP];
    REAL mine = 0, all;
    for (LONG i = GROUP(0) * LANES_A_GROUP + LANE(0); i < rows; i += (LONG)parts * LANES_A_GROUP)
        mine = REAL_FMA(y[i], y[i], mine);
    all = sum_of(part, mine);
    if (LANE(0) == 0)
        squares[GROUP(0)] = all;
}

/* x = y / |y|. */
KERNEL LANES_MOST(LANES_A_GROUP)
    k_scale(GLOBAL const REAL *y, GLOBAL REAL *x, LONG rows, int parts, GLOBAL const REAL *squares) {
    SHARED REAL part[LANES_A_GROUP];
    const REAL scale = scale_of(part, squares, parts);
    for (LONG i = GROUP(0) * LANES_A_GROUP + LANE(0); i < rows; i += (LONG)parts * LANES_A_GROUP)
        x[i] = scale * y[i];
}

/* y = A x / |x| and the parts of its square in one launch; `first`: x is not divided. Each group has every parts-th
 * ROWS_A_GROUP rows. */
KERNEL LANES_MOST(LANES_A_GROUP)
    k_step(GLOBAL const int *start, GLOBAL const int *column, GLOBAL const REAL *value,
           GLOBAL const REAL *x, GLOBAL REAL *y, LONG rows, int parts, int first,
           GLOBAL const REAL *before, GLOBAL REAL *after) {
    SHARED REAL part[LANES_A_GROUP];
    const int lane = (int)LANE(0) % TEAM;
    const REAL scale = first ? (REAL)1 : scale_of(part, before, parts);
    REAL mine = 0, all;
    for (LONG block = GROUP(0) * ROWS_A_GROUP; block < rows; block += (LONG)parts * ROWS_A_GROUP) {
        const LONG row = block + LANE(0) / TEAM;
        REAL sum = 0;
        int step;
        if (row < rows)
            sum = part_of_row(column, value, x, start[row] + lane, start[row + 1]);
#if defined(__CUDACC__)
#pragma unroll
        for (step = TEAM / 2; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, step, TEAM);
#else
        BARRIER();
        part[LANE(0)] = sum;
        BARRIER();
        for (step = TEAM / 2; step > 0; step /= 2) {
            if (lane < step)
                part[LANE(0)] += part[LANE(0) + step];
            BARRIER();
        }
        sum = part[LANE(0)];
#endif
        if (lane == 0 && row < rows) {
            sum *= scale;
            y[row] = sum;
            mine = REAL_FMA(sum, sum, mine);
        }
    }
    all = sum_of(part, mine);
    if (LANE(0) == 0)
        after[GROUP(0)] = all;
}
