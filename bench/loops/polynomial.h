/* A polynomial of degree 15 at each point. */
#include "loop.h"
#define ITEMS 2000000L
#define INPUTS ITEMS
HERE real item(long i, const real *in) {
    const real x = in[i];
    real y = (real)0.5;
    for (int k = 0; k < 15; k++) {
        y = y * x + (real)(k - 7);
    }
    return y;
}
