/* Lorenz's equations, a path from each start, by small steps. */
#include "loop.h"
#define ITEMS 100000L
#define INPUTS ITEMS
HERE real item(long i, const real *in) {
    real x = in[i], y = 1, z = 1;
    for (int step = 0; step < 400; step++) {
        const real a = 10 * (y - x), b = x * (28 - z) - y, c = x * y - (real)(8.0 / 3) * z;
        x += (real)1e-3 * a;
        y += (real)1e-3 * b;
        z += (real)1e-3 * c;
    }
    return x;
}
