/* Steps of z = z^2 + c until it leaves the circle. */
#include "loop.h"
#define SIDE 512L
#define ITEMS (SIDE * SIDE)
#define INPUTS 1L
HERE real item(long i, const real *in) {
    const real a = (real)(i % SIDE) / SIDE * 3 - 2 + 0 * in[0], b = (real)(i / SIDE) / SIDE * 3 - (real)1.5;
    real x = 0, y = 0;
    int step = 0;
    while (step < 500 && x * x + y * y < 4) {
        const real next = x * x - y * y + a;
        y = 2 * x * y + b;
        x = next;
        step++;
    }
    return (real)step;
}
