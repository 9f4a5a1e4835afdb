/* Gravity: each body is pulled by all others. */
#include "loop.h"
#define ITEMS 16384L
#define INPUTS (3 * ITEMS)
HERE real item(long i, const real *in) {
    real x = 0;
    for (long j = 0; j < ITEMS; j++) {
        const real a = in[3 * j] - in[3 * i], b = in[3 * j + 1] - in[3 * i + 1], c = in[3 * j + 2] - in[3 * i + 2];
        const real d = a * a + b * b + c * c + (real)1e-3;
        x += a / (d * (real)sqrt(d));
    }
    return x;
}
