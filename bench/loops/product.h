/* A product of matrices as it stands in a textbook. */
#include "loop.h"
#define SIDE 512L
#define ITEMS (SIDE * SIDE)
#define INPUTS (2 * ITEMS)
HERE real item(long i, const real *in) {
    const real *a = in + i / SIDE * SIDE, *b = in + ITEMS + i % SIDE;
    real sum = 0;
    for (long k = 0; k < SIDE; k++) {
        sum += a[k] * b[k * SIDE];
    }
    return sum;
}
