/* The distance of two words of 32 letters, by the table of Levenshtein. */
#include "loop.h"
#define ITEMS 40000L
#define INPUTS (64 * ITEMS)
HERE real item(long i, const real *in) {
    const real *a = in + 64 * i, *b = a + 32;
    int row[33];
    for (int k = 0; k <= 32; k++) {
        row[k] = k;
    }
    for (int m = 0; m < 32; m++) {
        int corner = row[0];
        row[0] = m + 1;
        for (int k = 0; k < 32; k++) {
            const int same = corner + ((int)(a[m] * 4) != (int)(b[k] * 4));
            const int edge = (row[k] < row[k + 1] ? row[k] : row[k + 1]) + 1;
            corner = row[k + 1];
            row[k + 1] = same < edge ? same : edge;
        }
    }
    return (real)row[32];
}
