/* A sweep of the heat equation over a square. */
#include "loop.h"
#define SIDE 3000L
#define ITEMS (SIDE * SIDE)
#define INPUTS ITEMS
HERE real item(long i, const real *in) {
    if (i < SIDE || i >= ITEMS - SIDE) {
        return in[i];
    }
    return in[i] + (real)0.1 * (in[i - 1] + in[i + 1] + in[i - SIDE] + in[i + SIDE] - 4 * in[i]);
}
