/*
 * The kernel around the arithmetic of an element: a file NAME/element.cl says how many INPUTS there are, up to two,
 * and has `element`, of one number of each; below it a kernel calls `elements`, of arrays. The host takes the same
 * file in two ways more: for each instruction set as a loop (elementwise_loop.h), and as host C, for tests
 * (elementwise_source.h).
 *
 * z[i] = element(x[i], y[i]) for first <= i < first + n; y is not looked at if there is one input. Arrays begin at
 * multiples of 16 bytes, and so does element `first`; n is any number. z may be one of the inputs. A lane does 64
 * bytes of the inputs, 16 at a time, a group's width apart: so neighbouring lanes touch neighbouring addresses, and
 * several loads are in flight before the first is needed.
 */
#if defined(BE_SIMD)

#include "workload/elementwise_loop.h"
#define elements(x, y, z, first, n) (void)(x), (void)(y), (void)(z), (void)(first), (void)(n)

#else

#include "kernels/vector16.h"

#define VECTORS (4 / INPUTS)
#define PART (VECTORS * WIDTH) /* elements of a lane */

#if INPUTS == 1
#define ELEMENT(x, y, i) element((x)[i])
#else
#define ELEMENT(x, y, i) element((x)[i], (y)[i])
#endif

DEVICE void elements(GLOBAL const REAL *x, GLOBAL const REAL *y, GLOBAL REAL *z, LONG first,
                     LONG n) {
    LONG end = first + n;
    LONG step = LANES(0) * WIDTH;
    LONG i = first + GROUP(0) * step * VECTORS + LANE(0) * WIDTH;
    if (i + (VECTORS - 1) * step + WIDTH <= end) {
        REAL v[PART], w[PART];
        for (int k = 0; k < VECTORS; k++) {
            take(x + i + k * step, v + k * WIDTH);
            if (INPUTS > 1)
                take(y + i + k * step, w + k * WIDTH);
        }
        for (int k = 0; k < PART; k++)
            v[k] = ELEMENT(v, w, k);
        for (int k = 0; k < VECTORS; k++)
            give(z + i + k * step, v + k * WIDTH);
        return;
    }
    COLD_LOOP
    for (int k = 0; k < PART; k++) {
        LONG at = i + k / WIDTH * step + k % WIDTH;
        if (at < end)
            z[at] = ELEMENT(x, y, at);
    }
}

#endif
