/* Bins of a block of elements at a time, as vectors; then the counts in memory
 * go up, one after the other. */
#include "workload/histogram/histogram.h"

enum { BLOCK = 512 };

#define TABLES(bits, real)                                                                         \
    static void bins##bits(const real *x, size_t n, size_t bins, int32_t *to) {                    \
        const real scale = (real)bins;                                                             \
        const real last = (real)(bins - 1);                                                        \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) {                                       \
            const real y = x[i] * scale;                                                           \
            const real kept = y < last ? y : last;                                                 \
            to[i] = (int32_t)(x[i] >= 0 && x[i] <= 1 ? kept : scale);                              \
        }                                                                                          \
    }                                                                                              \
    void BE_SIMD_NAME(be_histogram_tables_##bits)(const struct be_histogram_part *p) {             \
        const size_t copies = be_histogram_copies(p->bins);                                        \
        const size_t apart = copies > 1 ? p->bins + 1 : 0;                                         \
        uint32_t *const counts = p->counts;                                                        \
        for (size_t first = 0; first < p->count; first += BLOCK) {                                 \
            const size_t n = p->count - first < BLOCK ? p->count - first : BLOCK;                  \
            int32_t bin[BLOCK];                                                                    \
            size_t i = 0;                                                                          \
            bins##bits((const real *)p->x + first, n, p->bins, bin);                               \
            for (; i + 4 <= n; i += 4) {                                                           \
                counts[bin[i]]++;                                                                  \
                counts[apart + (size_t)bin[i + 1]]++;                                              \
                counts[2 * apart + (size_t)bin[i + 2]]++;                                          \
                counts[3 * apart + (size_t)bin[i + 3]]++;                                          \
            }                                                                                      \
            for (; i < n; i++) {                                                                   \
                counts[bin[i]]++;                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

TABLES(32, float)
TABLES(64, double)
