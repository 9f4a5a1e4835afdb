/*
 * Stands in for the kernels of distance.cl, on the CPU and one lane at a time: its barriers cannot be had there. It
 * tells whether launches, copies and waits are in order.
 */
#include "kernels/host.h"

#include <stdint.h>
#include <string.h>

#include "distance.h"

/* (x, out, n, dimension, first, rows, at), see distance.cl: one lane does all. */
#define FUSED(REAL, name)                                                                          \
    static void name(const struct be_launch_point *at, const void *const *args) {                  \
        const REAL *x = *(const REAL *const *)args[0];                                             \
        REAL *out = *(REAL *const *)args[1];                                                       \
        int64_t number[5];                                                                         \
        for (int i = 0; i < 5; i++) {                                                              \
            memcpy(&number[i], args[2 + i], sizeof number[i]);                                     \
        }                                                                                          \
        const int64_t n = number[0];                                                               \
        const int64_t d = number[1];                                                               \
        for (int64_t r = 0; at->group[0] == 0 && at->lane[0] == 0 && r < number[3]; r++) {         \
            for (int64_t j = 0; j < n; j++) {                                                      \
                REAL sum = 0;                                                                      \
                for (int64_t k = 0; k < d; k++) {                                                  \
                    const REAL t = x[(number[2] + r) * d + k] - x[j * d + k];                      \
                    sum += t * t;                                                                  \
                }                                                                                  \
                out[(number[4] + r) * n + j] = sum;                                                \
            }                                                                                      \
        }                                                                                          \
    }
FUSED(float, fused32)
FUSED(double, fused64)

/* Looked up with the others. */
static void never(const struct be_launch_point *at, const void *const *args) {
    (void)at, (void)args;
}

const struct be_host_kernel fake_distance32[] = {{"k_fused_1", fused32},   {"k_fused_2", fused32},
                                                 {"k_fused_3", fused32},   {"k_fused_4", fused32},
                                                 {"k_fused", fused32},     {"k_nearest", never},
                                                 {"k_nearest_end", never}, {NULL, NULL}};

const struct be_host_kernel fake_distance64[] = {{"k_fused_1", fused64},   {"k_fused_2", fused64},
                                                 {"k_fused_3", fused64},   {"k_fused_4", fused64},
                                                 {"k_fused", fused64},     {"k_nearest", never},
                                                 {"k_nearest_end", never}, {NULL, NULL}};
