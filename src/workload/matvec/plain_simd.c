/* A step as anybody writes it: for each row a sum over its products, of which the compiler makes vectors. */
#include "workload/matvec/matvec.h"

#define PLAIN(bits, real)                                                                          \
    static real bent##bits(real x) {                                                               \
        return x / (1 + (x < 0 ? -x : x));                                                         \
    }                                                                                              \
    void BE_SIMD_NAME(be_matvec##bits##_plain)(const struct be_matvec_rows *p) {                   \
        for (size_t i = p->first; i < p->first + p->rows; i++) {                                   \
            const real *row = (const real *)p->j + i * p->order;                                   \
            for (size_t b = 0; b < p->batch; b++) {                                                \
                const real *r = (const real *)p->from + b * p->order;                              \
                real sum = 0;                                                                      \
                _Pragma("omp simd reduction(+ : sum)") for (size_t k = 0; k < p->order; k++) {     \
                    sum += row[k] * r[k];                                                          \
                }                                                                                  \
                const size_t at = b * p->order + i;                                                \
                ((real *)p->to)[at] = bent##bits(sum + ((const real *)p->input)[at]);              \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    void BE_SIMD_NAME(be_matvec##bits##_finish)(const struct be_matvec_rows *p) {                  \
        for (size_t b = 0; b < p->batch; b++) {                                                    \
            real *to = (real *)p->to + b * p->order + p->first;                                    \
            const real *input = (const real *)p->input + b * p->order + p->first;                  \
            _Pragma("omp simd") for (size_t i = 0; i < p->rows; i++) {                             \
                to[i] = bent##bits(to[i] + input[i]);                                              \
            }                                                                                      \
        }                                                                                          \
    }

PLAIN(32, float)
PLAIN(64, double)
