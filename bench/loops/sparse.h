/* A sparse matrix times a vector: 16 numbers a row, in places that look random. */
#include "loop.h"
#define ITEMS 500000L
#define INPUTS (17 * ITEMS)
HERE real item(long i, const real *in) {
    const real *x = in, *row = in + ITEMS + 16 * i;
    real sum = 0;
    for (long k = 0; k < 16; k++) {
        sum += row[k] * x[(unsigned long)(i * 31 + k * 40503) % ITEMS];
    }
    return sum;
}
