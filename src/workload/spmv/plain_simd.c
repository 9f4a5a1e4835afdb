/* spmv as a book writes it: for each row a loop over its nonzeros. Compiled once for each instruction set. */
#include "host/simd.h"
#include "workload/spmv/spmv.h"

#define PLAIN(REAL, bits)                                                                          \
    static void rows##bits(const struct be_work *work, size_t first, size_t count) {               \
        const int32_t *start = be_work_array(work, BE_SPMV_START);                                 \
        const int32_t *column = be_work_array(work, BE_SPMV_COLUMN);                               \
        const REAL *value = be_work_array(work, BE_SPMV_VALUE);                                    \
        const REAL *x = be_work_array(work, BE_SPMV_X);                                            \
        REAL *y = be_work_array(work, BE_SPMV_Y);                                                  \
        for (size_t i = first; i < first + count; i++) {                                           \
            REAL sum = 0;                                                                          \
            _Pragma("omp simd reduction(+ : sum)") for (int32_t j = start[i]; j < start[i + 1];    \
                                                        j++) {                                     \
                sum += value[j] * x[column[j]];                                                    \
            }                                                                                      \
            y[i] = sum;                                                                            \
        }                                                                                          \
    }
PLAIN(float, 32)
PLAIN(double, 64)

void BE_SIMD_NAME(be_spmv_plain_run)(const struct be_work *work) {
    enum { LINE = 16 }; /* rows whose results may share a cache line */
    size_t first;
    size_t count;
    be_work_rows(work, be_spmv_size(work->problem).rows, LINE, &first, &count);
    if (work->problem->real == BE_REAL64) {
        rows64(work, first, count);
    } else {
        rows32(work, first, count);
    }
}
