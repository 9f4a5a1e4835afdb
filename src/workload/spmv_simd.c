/*
 * Numbers of x are loaded one by one and put together: gather instructions are slower than that on
 * many processors, since their flaws were mended.
 */
#include "spmv_simd.h"

#include <string.h>

typedef float part32 __attribute__((vector_size(32)));
typedef double part64 __attribute__((vector_size(32)));

/* What x has for the next columns. */
#define PICK32(x, c)                                                                               \
    { x[(c)[0]], x[(c)[1]], x[(c)[2]], x[(c)[3]], x[(c)[4]], x[(c)[5]], x[(c)[6]], x[(c)[7]] }
#define PICK64(x, c)                                                                               \
    { x[(c)[0]], x[(c)[1]], x[(c)[2]], x[(c)[3]] }

#define SUM32(s) (((s)[0] + (s)[4]) + ((s)[1] + (s)[5])) + (((s)[2] + (s)[6]) + ((s)[3] + (s)[7]))
#define SUM64(s) ((s)[0] + (s)[2]) + ((s)[1] + (s)[3])

/* Bytes: numbers and columns of the rows to come are asked for. A core that waits for the x of one row
 * does not get to the next ones in time; the hardware's own prefetchers are not that far ahead. */
enum { AHEAD = 8192 };

#define ROWS(bits, real)                                                                           \
    static real row##bits(const int32_t *column, const real *value, const real *x, size_t n) {     \
        enum { PART = 32 / sizeof(real) };                                                         \
        part##bits sum = {0};                                                                      \
        part##bits more = {0};                                                                     \
        part##bits v;                                                                              \
        real rest = 0;                                                                             \
        size_t j = 0;                                                                              \
        for (; j + 2 * PART <= n; j += 2 * PART) {                                                 \
            __builtin_prefetch((const char *)(value + j) + AHEAD);                                 \
            __builtin_prefetch((const char *)(column + j) + AHEAD);                                \
            const part##bits a = PICK##bits(x, column + j);                                        \
            const part##bits b = PICK##bits(x, column + j + PART);                                 \
            memcpy(&v, value + j, sizeof v);                                                       \
            sum += v * a;                                                                          \
            memcpy(&v, value + j + PART, sizeof v);                                                \
            more += v * b;                                                                         \
        }                                                                                          \
        if (j + PART <= n) {                                                                       \
            const part##bits a = PICK##bits(x, column + j);                                        \
            memcpy(&v, value + j, sizeof v);                                                       \
            sum += v * a;                                                                          \
            j += PART;                                                                             \
        }                                                                                          \
        for (; j < n; j++) {                                                                       \
            rest += value[j] * x[column[j]];                                                       \
        }                                                                                          \
        sum += more;                                                                               \
        return rest + (SUM##bits(sum));                                                            \
    }                                                                                              \
    void BE_SIMD_NAME(be_spmv##bits##_run)(const int32_t *start, const int32_t *column,            \
                                           const real *value, const real *x, real *y,              \
                                           size_t first, size_t rows) {                            \
        for (size_t i = first; i < first + rows; i++) {                                            \
            const size_t from = (size_t)start[i];                                                  \
            y[i] = row##bits(column + from, value + from, x, (size_t)start[i + 1] - from);         \
        }                                                                                          \
    }

ROWS(32, float)
ROWS(64, double)
