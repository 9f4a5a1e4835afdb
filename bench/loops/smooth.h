/* A filter of 31 taps over a long signal. */
#include "loop.h"
#define ITEMS 2000000L
#define INPUTS (ITEMS + 31)
HERE real item(long i, const real *in) {
    real sum = 0;
    for (int k = 0; k < 31; k++) {
        sum += in[i + k] * (real)(1.0 / (1 + (k - 15) * (k - 15)));
    }
    return sum;
}
