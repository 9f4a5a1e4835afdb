/* z = a x + y, a = 2.5. */
#include "kernels/dialect.h"

#define INPUTS 2

DEVICE REAL element(REAL y, REAL x) {
    return (REAL)2.5 * x + y;
}

#include "workload/elementwise_kernel.h"

KERNEL k_axpy(GLOBAL const REAL *y, GLOBAL const REAL *x, GLOBAL REAL *z, LONG first, LONG n) {
    elements(y, x, z, first, n);
}
