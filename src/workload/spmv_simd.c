#include "spmv_simd.h"

#define ROWS(bits, real)                                                                           \
    void BE_SIMD_NAME(be_spmv##bits##_run)(const int32_t *start, const int32_t *column,            \
                                           const real *value, const real *x, real *y,              \
                                           size_t first, size_t rows) {                            \
        for (size_t i = first; i < first + rows; i++) {                                            \
            const int32_t end = start[i + 1];                                                      \
            real sum = 0;                                                                          \
            _Pragma("omp simd reduction(+ : sum)") for (int32_t j = start[i]; j < end; j++) sum += \
                value[j] * x[column[j]];                                                           \
            y[i] = sum;                                                                            \
        }                                                                                          \
    }

ROWS(32, float)
ROWS(64, double)
