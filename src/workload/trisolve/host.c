/* A sparse triangular system on the CPU. Rows are short and wait for each
 * other: vectors are of no use. */
#include "workload/trisolve/trisolve.h"

/* Arrays of the system: each is looked for once a call, not once a row. */
#define ROWS(REAL, bits)                                                                           \
    struct system##bits {                                                                          \
        const int32_t *start, *column, *order;                                                     \
        const REAL *value, *b;                                                                     \
        REAL *y;                                                                                   \
    };                                                                                             \
    static struct system##bits system##bits##_of(const struct be_work *work) {                     \
        return (struct system##bits){.start = be_work_array(work, BE_TRISOLVE_START),              \
                                     .column = be_work_array(work, BE_TRISOLVE_COLUMN),            \
                                     .order = be_work_array(work, BE_TRISOLVE_ORDER),              \
                                     .value = be_work_array(work, BE_TRISOLVE_VALUE),              \
                                     .b = be_work_array(work, BE_TRISOLVE_B),                      \
                                     .y = be_work_array(work, BE_TRISOLVE_Y)};                     \
    }                                                                                              \
    static inline void row##bits(const struct system##bits *s, size_t i) {                         \
        const int32_t last = s->start[i + 1] - 1;                                                  \
        const REAL inverse = 1 / s->value[last]; /* does not wait for the row before */            \
        REAL sum = s->b[i];                                                                        \
        for (int32_t j = s->start[i]; j < last; j++) {                                             \
            sum -= s->value[j] * s->y[s->column[j]];                                               \
        }                                                                                          \
        s->y[i] = sum * inverse;                                                                   \
    }                                                                                              \
    static void all##bits(const struct be_work *work) {                                            \
        const struct system##bits s = system##bits##_of(work);                                     \
        const size_t rows = be_trisolve_sizes_of(work->problem).rows;                              \
        for (size_t i = 0; i < rows; i++) {                                                        \
            row##bits(&s, i);                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void levels##bits(const struct be_work *work) {                                         \
        const struct system##bits s = system##bits##_of(work);                                     \
        const int32_t *first = be_work_array(work, BE_TRISOLVE_FIRST);                             \
        const size_t levels = be_trisolve_sizes_of(work->problem).levels;                          \
        for (size_t level = 0; level < levels; level++) {                                          \
            const size_t begin = (size_t)first[level];                                             \
            size_t from, count;                                                                    \
            be_work_rows(work, (size_t)first[level + 1] - begin, 1, &from, &count);                \
            for (size_t k = begin + from; k < begin + from + count; k++) {                         \
                row##bits(&s, (size_t)s.order[k]);                                                 \
            }                                                                                      \
            be_team_barrier(work->team);                                                           \
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
    (work->problem->real == BE_REAL64 ? levels64 : levels32)(work);
}
