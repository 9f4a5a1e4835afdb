/* Pi by random darts. */
#include "loop.h"
#define ITEMS 65536L
#define INPUTS 1L
HERE real item(long i, const real *in) {
    unsigned long state = (unsigned long)i * 6364136223846793005ul + 1442695040888963407ul;
    long hits = 0;
    for (int dart = 0; dart < 1000; dart++) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        const real x = (real)(state >> 40) * (real)0x1p-24;
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        const real y = (real)(state >> 40) * (real)0x1p-24;
        hits += x * x + y * y < 1;
    }
    return (real)hits + 0 * in[0];
}
