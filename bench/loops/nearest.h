/* The nearest of 4096 points in three dimensions. */
#include "loop.h"
#define ITEMS 100000L
#define POINTS 4096L
#define INPUTS (3 * ITEMS + 3 * POINTS)
HERE real item(long i, const real *in) {
    const real *p = in + 3 * i, *all = in + 3 * ITEMS;
    real nearest = 100;
    for (long j = 0; j < POINTS; j++) {
        const real a = all[3 * j] - p[0], b = all[3 * j + 1] - p[1], c = all[3 * j + 2] - p[2];
        const real d = a * a + b * b + c * c;
        nearest = d < nearest ? d : nearest;
    }
    return nearest;
}
