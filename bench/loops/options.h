/* The price of an option by Black and Scholes. */
#include "loop.h"
#define ITEMS 1000000L
#define INPUTS ITEMS
HERE real item(long i, const real *in) {
    const real s = 50 + 100 * in[i], k = 100, t = 1, r = (real)0.02, v = (real)0.3;
    const real d = ((real)log(s / k) + (r + v * v / 2) * t) / (v * (real)sqrt(t)), e = d - v * (real)sqrt(t);
    return s * (real)0.5 * (real)erfc(-d * (real)0.70710678) - k * (real)exp(-r * t) * (real)0.5 * (real)erfc(-e * (real)0.70710678);
}
