/* z = x y. */
#include "kernels/dialect.h"

#define INPUTS 2

DEVICE REAL element(REAL x, REAL y) {
    return x * y;
}

#include "workload/elementwise_kernel.h"

KERNEL k_multiply(GLOBAL const REAL *x, GLOBAL const REAL *y, GLOBAL REAL *z, LONG first, LONG n) {
    elements(x, y, z, first, n);
}
