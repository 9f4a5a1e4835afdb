/* The product as anybody writes it: for each row of C a sum of rows of B, of which the compiler makes vectors. */
#include "workload/matmul/matmul.h"

#define PLAIN(bits, real)                                                                          \
    void BE_SIMD_NAME(be_matmul##bits##_plain)(const struct be_matmul_part *p) {                   \
        for (size_t i = 0; i < p->rows; i++) {                                                     \
            const real *a = (const real *)p->a + i * p->a_down;                                    \
            real *c = (real *)p->c + i * p->c_down;                                                \
            for (size_t j = 0; j < p->columns; j++) {                                              \
                c[j] = 0;                                                                          \
            }                                                                                      \
            for (size_t k = 0; k < p->depth; k++) {                                                \
                const real x = a[k];                                                               \
                const real *b = (const real *)p->b + k * p->b_down;                                \
                _Pragma("omp simd") for (size_t j = 0; j < p->columns; j++) {                      \
                    c[j] += x * b[j];                                                              \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

PLAIN(32, float)
PLAIN(64, double)
