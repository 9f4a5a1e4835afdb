/* z = x + c, c = 1.25. */
#include "kernels/dialect.h"

#define INPUTS 1

DEVICE REAL element(REAL x) {
    return x + (REAL)1.25;
}

#include "workload/elementwise_kernel.h"

KERNEL k_add(GLOBAL const REAL *x, GLOBAL REAL *z, LONG first, LONG n) {
    elements(x, x, z, first, n);
}
