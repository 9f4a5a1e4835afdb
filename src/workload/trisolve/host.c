/* A sparse triangular system on the CPU. Rows are short and wait for each
 * other: vectors are of no use. */
#include "workload/trisolve/trisolve.h"

#define ROWS(REAL, bits)                                                                           \
    static inline void row##bits(const struct be_work *work, size_t i) {                           \
        const int32_t *start = be_work_array(work, BE_TRISOLVE_START);                             \
        const int32_t *column = be_work_array(work, BE_TRISOLVE_COLUMN);                           \
        const REAL *value = be_work_array(work, BE_TRISOLVE_VALUE);                                \
        const REAL *b = be_work_array(work, BE_TRISOLVE_B);                                        \
        REAL *y = be_work_array(work, BE_TRISOLVE_Y);                                              \
        const int32_t last = start[i + 1] - 1;                                                     \
        REAL sum = b[i];                                                                           \
        for (int32_t j = start[i]; j < last; j++) {                                                \
            sum -= value[j] * y[column[j]];                                                        \
        }                                                                                          \
        y[i] = sum / value[last];                                                                  \
    }                                                                                              \
    static void all##bits(const struct be_work *work) {                                            \
        const size_t rows = be_trisolve_sizes_of(work->problem).rows;                              \
        for (size_t i = 0; i < rows; i++) {                                                        \
            row##bits(work, i);                                                                    \
        }                                                                                          \
    }                                                                                              \
    static void some##bits(const struct be_work *work, size_t from, size_t end) {                  \
        const int32_t *order = be_work_array(work, BE_TRISOLVE_ORDER);                             \
        for (size_t k = from; k < end; k++) {                                                      \
            row##bits(work, (size_t)order[k]);                                                     \
        }                                                                                          \
    }

ROWS(float, 32)
ROWS(double, 64)

void be_trisolve_host_serial(const struct be_work *work) {
    if (work->member == 0) {
        (work->problem->real == BE_REAL64 ? all64 : all32)(work);
    }
}

void be_trisolve_host_levels(const struct be_work *work) {
    const size_t levels = be_trisolve_sizes_of(work->problem).levels;
    const int32_t *first = be_work_array(work, BE_TRISOLVE_FIRST);
    for (size_t level = 0; level < levels; level++) {
        const size_t begin = (size_t)first[level];
        size_t from;
        size_t count;
        be_work_rows(work, (size_t)first[level + 1] - begin, 1, &from, &count);
        (work->problem->real == BE_REAL64 ? some64 : some32)(work, begin + from,
                                                             begin + from + count);
        be_team_barrier(work->team);
    }
}
