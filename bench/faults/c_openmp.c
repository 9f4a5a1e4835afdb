/* A parallel loop over all cores. */
#include <stdio.h>

#include "burn.h"

int main(void) {
    enum { LENGTH = 1 << 16 };
    static double x[LENGTH];
    double end = now() + seconds();
    while (now() < end) {
#pragma omp parallel for num_threads(2) schedule(static)
        for (int i = 0; i < LENGTH; i++) {
            double y = (double)i;
            for (int k = 0; k < 500; k++) {
                y = y * 0.999 + 1;
            }
            x[i] = y;
        }
    }
    return x[7] > 0 ? 0 : 1;
}
