/*
 * Stands in for the kernel of gemm.cl, on the CPU: its barriers cannot be had there. Each group has its
 * tile, which its first lane makes: too few groups, or an argument in another's place, is a wrong result.
 */
#include "gemm.h"

#include <stdint.h>
#include <string.h>

enum { LONGS = 11, TILE_ROWS = 128 };

/* (a, b, c, their beginnings, m, n, k, steps in A, B and C, alpha, beta), see gemm.cl. */
#define GEMM(REAL, name, TILE_COLUMNS)                                                             \
    static void name(const struct be_launch_point *at, const void *const *args) {                  \
        const REAL *a = *(const REAL *const *)args[0];                                             \
        const REAL *b = *(const REAL *const *)args[1];                                             \
        REAL *c = *(REAL *const *)args[2];                                                         \
        const REAL alpha = *(const REAL *)args[3 + LONGS];                                         \
        const REAL beta = *(const REAL *)args[4 + LONGS];                                          \
        int64_t g[LONGS];                                                                          \
        for (int i = 0; i < LONGS; i++) {                                                          \
            memcpy(&g[i], args[3 + i], sizeof g[i]);                                               \
        }                                                                                          \
        const int64_t down = (g[3] + TILE_ROWS - 1) / TILE_ROWS;                                   \
        const int64_t row = at->group[0] % down * TILE_ROWS;                                       \
        const int64_t column = at->group[0] / down * (TILE_COLUMNS);                               \
        for (int64_t j = column; at->lane[0] == 0 && j < column + (TILE_COLUMNS) && j < g[4];      \
             j++) {                                                                                \
            for (int64_t i = row; i < row + TILE_ROWS && i < g[3]; i++) {                          \
                REAL *to = c + g[2] + i + j * g[10];                                               \
                REAL sum = 0;                                                                      \
                for (int64_t k = 0; k < g[5]; k++) {                                               \
                    sum += a[g[0] + i * g[6] + k * g[7]] * b[g[1] + k * g[8] + j * g[9]];          \
                }                                                                                  \
                *to = alpha * sum + (beta == 0 ? 0 : beta * *to);                                  \
            }                                                                                      \
        }                                                                                          \
    }
GEMM(float, gemm32, 128)
GEMM(double, gemm64, 64)

const struct be_host_kernel fake_gemm32[] = {{"k_gemm", gemm32}, {NULL, NULL}};
const struct be_host_kernel fake_gemm64[] = {{"k_gemm", gemm64}, {NULL, NULL}};
