/*
 * Factors Q R of matrices, a group of lanes each, by Householder's reflections (Golub and Van Loan, Matrix Computations,
 * 5.2.1): a lane has a column, which it reflects by the one whose turn it is.
 *
 * Defined before: ORDER, GROUP_LANES. The columns of A, R and Q lie one after the other. Reflections and then Q lie
 * where Q goes in the end.
 */
#include "kernels/dialect.h"
#include "jacobi.h"

#define NUMBERS (ORDER * ORDER)

#if defined(__OPENCL_VERSION__)
#define MEMORY_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define MEMORY_BARRIER() BARRIER()
#endif

/* The largest number of a matrix, and NaN where one is not finite, else 0: every lane goes through all of them. */
DEVICE REAL be_qr_look(GLOBAL const REAL *a, REAL *nothing) {
    REAL largest = 0;
    *nothing = 0;
    for (int e = 0; e < NUMBERS; e++) {
        const REAL size = fabs(a[e]);
        largest = size > largest ? size : largest;
        *nothing += size * 0;
    }
    return largest;
}

/* The reflection of column k from row k on: v, whose first number is 1, to v; the number that is left, *end; and the
 * factor, 0 where there is nothing to clear. Every lane computes the same. */
DEVICE REAL be_qr_reflection(GLOBAL const REAL *column, int k, LOCAL REAL *v, int lane, REAL *end) {
    const REAL first = column[k];
    REAL rest = 0;
    for (int i = k + 1; i < ORDER; i++) {
        rest = REAL_FMA(column[i], column[i], rest);
    }
    const int clear = rest < (REAL)TINY;
    const REAL norm = sqrt(REAL_FMA(first, first, rest));
    *end = clear ? first : first < 0 ? norm : -norm;
    for (int i = k + lane; i < ORDER; i += GROUP_LANES) {
        v[i] = i == k ? 1 : clear ? 0 : column[i] / (first - *end);
    }
    return clear ? 0 : (*end - first) / *end;
}

/* A column is reflected from row k on. */
DEVICE void be_qr_reflect(GLOBAL REAL *column, int k, REAL factor, LOCAL const REAL *v) {
    REAL sum = 0;
    for (int i = k; i < ORDER; i++) {
        sum = REAL_FMA(column[i], v[i], sum);
    }
    sum *= factor;
    for (int i = k; i < ORDER; i++) {
        column[i] = REAL_FMA(-sum, v[i], column[i]);
    }
}

/* R's columns, scaled back, and the reflections below the diagonal of q. */
DEVICE void be_qr_triangle(GLOBAL REAL *r, GLOBAL REAL *q, LOCAL REAL *v, LOCAL REAL *factors, const REAL *to,
                           REAL nothing, int lane) {
    for (int k = 0; k < ORDER; k++) {
        REAL end;
        const REAL factor = be_qr_reflection(q + k * ORDER, k, v, lane, &end);
        MEMORY_BARRIER();
        for (int j = k + 1 + lane; j < ORDER; j += GROUP_LANES) {
            be_qr_reflect(q + j * ORDER, k, factor, v);
        }
        for (int i = lane; i < ORDER; i += GROUP_LANES) {
            const REAL number = i < k ? q[k * ORDER + i] : i == k ? end : 0;
            r[k * ORDER + i] = number / to[1] / to[0] + nothing;
            q[k * ORDER + i] = i < k ? 0 : v[i];
        }
        if (lane == 0) {
            factors[k] = factor;
        }
        MEMORY_BARRIER();
    }
}

/* Q from the reflections, from the last one on. */
DEVICE void be_qr_orthogonal(GLOBAL REAL *q, LOCAL REAL *v, LOCAL const REAL *factors, REAL nothing, int lane) {
    for (int k = ORDER - 1; k >= 0; k--) {
        for (int i = k + lane; i < ORDER; i += GROUP_LANES) {
            v[i] = q[k * ORDER + i];
            q[k * ORDER + i] = i == k ? 1 : 0;
        }
        MEMORY_BARRIER();
        for (int j = k + lane; j < ORDER; j += GROUP_LANES) {
            be_qr_reflect(q + j * ORDER, k, factors[k], v);
        }
        MEMORY_BARRIER();
    }
    for (int e = lane; e < NUMBERS; e += GROUP_LANES) {
        q[e] += nothing;
    }
}

/* Groups of GROUP_LANES lanes, a matrix each, from the first on. */
KERNEL LANES_MOST(GROUP_LANES)
k_eigen_qr(GLOBAL const REAL *a, GLOBAL REAL *r, GLOBAL REAL *q, LONG first) {
    SHARED REAL v[ORDER];
    SHARED REAL factors[ORDER];
    const int lane = (int)LANE(0);
    const LONG start = (first + GROUP(0)) * NUMBERS;
    REAL to[2];
    REAL nothing;
    be_scale(be_qr_look(a + start, &nothing), to);
    for (int e = lane; e < NUMBERS; e += GROUP_LANES) {
        q[start + e] = a[start + e] * to[0] * to[1];
    }
    MEMORY_BARRIER();
    be_qr_triangle(r + start, q + start, v, factors, to, nothing, lane);
    be_qr_orthogonal(q + start, v, factors, nothing, lane);
}
