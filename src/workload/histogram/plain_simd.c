/* A histogram as anybody writes it: for each element its bin, whose count goes
 * up. */
#include "workload/histogram/histogram.h"

#define PLAIN(bits, real)                                                                          \
    void BE_SIMD_NAME(be_histogram_plain_##bits)(const struct be_histogram_part *p) {              \
        const real *x = p->x;                                                                      \
        for (size_t i = 0; i < p->count; i++) {                                                    \
            if (x[i] >= 0 && x[i] <= 1) {                                                          \
                const size_t bin = (size_t)(x[i] * (real)p->bins);                                 \
                p->counts[bin < p->bins ? bin : p->bins - 1]++;                                    \
            }                                                                                      \
        }                                                                                          \
    }

PLAIN(32, float)
PLAIN(64, double)
