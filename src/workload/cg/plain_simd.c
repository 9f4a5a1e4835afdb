/* A step of conjugate gradients on a member's rows, one loop for what can be
 * done in one pass: a row has few nonzeros, and memory sets the pace. Compiled
 * once for each instruction set. */
#include "workload/cg/cg.h"

#define LOOPS(REAL, bits)                                                                          \
    double BE_SIMD_NAME(be_cg_begin_##bits)(const struct be_cg_part *part) {                       \
        const REAL *restrict b = part->b;                                                          \
        REAL *restrict x = part->x;                                                                \
        REAL *restrict r = part->r;                                                                \
        REAL *restrict p = part->p;                                                                \
        double sum = 0;                                                                            \
        _Pragma("omp simd reduction(+ : sum)") for (size_t i = part->first; i < part->end; i++) {  \
            x[i] = 0;                                                                              \
            r[i] = b[i];                                                                           \
            p[i] = b[i];                                                                           \
            sum += (double)b[i] * (double)b[i];                                                    \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    double BE_SIMD_NAME(be_cg_product_##bits)(const struct be_cg_part *part) {                     \
        const int32_t *restrict start = part->start;                                               \
        const int32_t *restrict column = part->column;                                             \
        const REAL *restrict value = part->value;                                                  \
        const REAL *restrict p = part->p;                                                          \
        REAL *restrict q = part->q;                                                                \
        double sum = 0;                                                                            \
        for (size_t i = part->first; i < part->end; i++) {                                         \
            REAL row = 0;                                                                          \
            for (int32_t j = start[i]; j < start[i + 1]; j++) {                                    \
                row += value[j] * p[column[j]];                                                    \
            }                                                                                      \
            q[i] = row;                                                                            \
            sum += (double)row * (double)p[i];                                                     \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    double BE_SIMD_NAME(be_cg_update_##bits)(const struct be_cg_part *part, double by) {           \
        const REAL *restrict p = part->p;                                                          \
        const REAL *restrict q = part->q;                                                          \
        REAL *restrict x = part->x;                                                                \
        REAL *restrict r = part->r;                                                                \
        const REAL alpha = (REAL)by;                                                               \
        double sum = 0;                                                                            \
        _Pragma("omp simd reduction(+ : sum)") for (size_t i = part->first; i < part->end; i++) {  \
            x[i] += alpha * p[i];                                                                  \
            r[i] -= alpha * q[i];                                                                  \
            sum += (double)r[i] * (double)r[i];                                                    \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    double BE_SIMD_NAME(be_cg_turn_##bits)(const struct be_cg_part *part, double by) {             \
        const REAL *restrict r = part->r;                                                          \
        REAL *restrict p = part->p;                                                                \
        const REAL beta = (REAL)by;                                                                \
        _Pragma("omp simd") for (size_t i = part->first; i < part->end; i++) {                     \
            p[i] = r[i] + beta * p[i];                                                             \
        }                                                                                          \
        return 0;                                                                                  \
    }

LOOPS(float, 32)
LOOPS(double, 64)
