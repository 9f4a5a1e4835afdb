/*
 * C = A B as anybody writes it: a lane a number of C, `numbers` of them, those of product `first` first.
 */
#include "kernels/dialect.h"

KERNEL k_plain(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *c, int m, int n, int k,
               LONG first, LONG numbers) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at < numbers) {
        const LONG product = first + at / ((LONG)m * n);
        const LONG i = at % ((LONG)m * n) / n;
        const LONG j = at % n;
        REAL sum = 0;
        a += product * m * k + i * k;
        b += product * k * n + j;
        for (int d = 0; d < k; d++)
            sum = REAL_FMA(a[d], b[d * (LONG)n], sum);
        c[product * m * n + i * n + j] = sum;
    }
}
