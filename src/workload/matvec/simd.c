/*
 * Several rows of J at a time: each vector of r is loaded once for all of them, and their sums do not wait for one
 * another.
 */
#include "workload/matvec/matvec.h"

#include "host/vector.h"

enum { SEVERAL = 8 };

#define SEVERAL_ROWS(bits, real)                                                                   \
    static real bent##bits(real x) {                                                               \
        return x / (1 + (x < 0 ? -x : x));                                                         \
    }                                                                                              \
    VECTOR_INLINE void sums##bits(const real *row, size_t n, const real *r, double *sum,           \
                                  size_t rows) {                                                   \
        vector##bits part[SEVERAL];                                                                \
        for (size_t j = 0; j < rows; j++) {                                                        \
            part[j] = spread##bits(0);                                                             \
        }                                                                                          \
        size_t k = 0;                                                                              \
        for (; k + lanes##bits <= n; k += lanes##bits) {                                           \
            const vector##bits v = load##bits(r + k);                                              \
            _Pragma("GCC unroll 8") for (size_t j = 0; j < rows; j++) {                            \
                part[j] += load##bits(row + j * n + k) * v;                                        \
            }                                                                                      \
        }                                                                                          \
        for (size_t j = 0; j < rows; j++) {                                                        \
            sum[j] = all_of##bits(part[j]);                                                        \
            for (size_t rest = k; rest < n; rest++) {                                              \
                sum[j] += (double)(row[j * n + rest] * r[rest]);                                   \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    void BE_SIMD_NAME(be_matvec##bits##_several)(const struct be_matvec_rows *p) {                 \
        const size_t n = p->order;                                                                 \
        for (size_t i = p->first; i < p->first + p->rows;) {                                       \
            const size_t left = p->first + p->rows - i;                                            \
            const size_t rows = left < SEVERAL ? 1 : SEVERAL;                                      \
            for (size_t b = 0; b < p->batch; b++) {                                                \
                const real *row = (const real *)p->j + i * n;                                      \
                const real *r = (const real *)p->from + b * n;                                     \
                double sum[SEVERAL];                                                               \
                if (rows == SEVERAL) {                                                             \
                    sums##bits(row, n, r, sum, SEVERAL);                                           \
                } else {                                                                           \
                    sums##bits(row, n, r, sum, 1);                                                 \
                }                                                                                  \
                for (size_t j = 0; j < rows; j++) {                                                \
                    const size_t at = b * n + i + j;                                               \
                    ((real *)p->to)[at] = bent##bits((real)sum[j] + ((const real *)p->input)[at]); \
                }                                                                                  \
            }                                                                                      \
            i += rows;                                                                             \
        }                                                                                          \
    }

SEVERAL_ROWS(32, float)
SEVERAL_ROWS(64, double)
