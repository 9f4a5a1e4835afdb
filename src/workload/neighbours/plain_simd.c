/* Nearest points as anybody writes it: the distance to each point, kept in order where it is among the least. */
#include <math.h>

#include "workload/neighbours/neighbours.h"

#define PLAIN(bits, real)                                                                          \
    static real squared##bits(const real *a, const real *b, size_t d) {                            \
        real sum = 0;                                                                              \
        for (size_t i = 0; i < d; i++) {                                                           \
            sum += (a[i] - b[i]) * (a[i] - b[i]);                                                  \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    static void insert##bits(real *square, uint32_t *which, size_t k, real one, uint32_t point) {  \
        size_t at = k - 1;                                                                         \
        for (; at > 0 && square[at - 1] > one; at--) {                                             \
            square[at] = square[at - 1];                                                           \
            which[at] = which[at - 1];                                                             \
        }                                                                                          \
        square[at] = one;                                                                          \
        which[at] = point;                                                                         \
    }                                                                                              \
    void BE_SIMD_NAME(be_neighbours_plain_##bits)(const struct be_neighbours_queries *q) {         \
        for (size_t i = q->first; i < q->first + q->count; i++) {                                  \
            const real *query = (const real *)q->queries + i * q->dimension;                       \
            real *square = (real *)q->squares + i * q->k;                                          \
            uint32_t *which = q->which + i * q->k;                                                 \
            for (size_t j = 0; j < q->k; j++) {                                                    \
                square[j] = (real)INFINITY;                                                        \
                which[j] = (uint32_t)q->n;                                                         \
            }                                                                                      \
            for (size_t j = 0; j < q->n; j++) {                                                    \
                const real *point = (const real *)q->points + j * q->dimension;                    \
                const real one = squared##bits(query, point, q->dimension);                        \
                if (one < square[q->k - 1]) {                                                      \
                    insert##bits(square, which, q->k, one, (uint32_t)j);                           \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

PLAIN(32, float)
PLAIN(64, double)
