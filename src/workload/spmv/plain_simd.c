/* spmv as a book writes it: for each row a loop over its nonzeros; and a vector times a number. Compiled once for each
 * instruction set. */
#include "host/simd.h"
#include "workload/spmv/spmv.h"

#define PLAIN(REAL, bits)                                                                          \
    void BE_SIMD_NAME(be_spmv_plain_##bits)(const struct be_spmv_rows *rows) {                     \
        const REAL *value = rows->value;                                                           \
        const REAL *x = rows->x;                                                                   \
        REAL *y = rows->y;                                                                         \
        for (size_t i = rows->first; i < rows->first + rows->rows; i++) {                          \
            REAL sum = 0;                                                                          \
            _Pragma("omp simd reduction(+ : sum)") for (int32_t j = rows->start[i];                \
                                                        j < rows->start[i + 1]; j++) {             \
                sum += value[j] * x[rows->column[j]];                                              \
            }                                                                                      \
            y[i] = sum;                                                                            \
        }                                                                                          \
    }                                                                                              \
    double BE_SIMD_NAME(be_spmv_scaled_##bits)(const void *from, void *to, size_t count,           \
                                               double by) {                                        \
        const REAL *in = from;                                                                     \
        REAL *out = to;                                                                            \
        const REAL factor = (REAL)by;                                                              \
        double sum = 0;                                                                            \
        _Pragma("omp simd reduction(+ : sum)") for (size_t i = 0; i < count; i++) {                \
            const REAL one = factor * in[i];                                                       \
            out[i] = one;                                                                          \
            sum += (double)one * (double)one;                                                      \
        }                                                                                          \
        return sum;                                                                                \
    }
PLAIN(float, 32)
PLAIN(double, 64)
