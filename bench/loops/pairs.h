/* Lennard-Jones energy of pairs that are near. */
#include "loop.h"
#define ITEMS 16384L
#define INPUTS (3 * ITEMS)
HERE real item(long i, const real *in) {
    real energy = 0;
    for (long j = 0; j < ITEMS; j++) {
        const real a = in[3 * j] - in[3 * i], b = in[3 * j + 1] - in[3 * i + 1], c = in[3 * j + 2] - in[3 * i + 2];
        const real d = a * a + b * b + c * c;
        if (d < (real)0.04 && j != i) {
            const real inverse = 1 / (d + (real)0.01), six = inverse * inverse * inverse * (real)1e-6;
            energy += 4 * six * (six - 1);
        }
    }
    return energy;
}
