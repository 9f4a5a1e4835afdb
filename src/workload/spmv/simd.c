/*
 * Numbers of x are loaded one by one and put together: gather instructions are slower than that on
 * many processors, since their flaws were mended. A core makes a few loads at a time, so columns are
 * loaded two at once.
 */
#include "simd.h"

#include <stdbool.h>
#include <string.h>

#include "workload/stream_store.h"
#include "host/vector.h"

typedef float part32 __attribute__((vector_size(32)));
typedef double part64 __attribute__((vector_size(32)));
typedef float half32 __attribute__((vector_size(16)));
typedef double half64 __attribute__((vector_size(16)));

struct two {
    size_t a, b;
};

VECTOR_INLINE struct two two(const int32_t *column) {
    enum { LOW_FIRST = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };
    uint64_t both;
    memcpy(&both, column, sizeof both);
    const struct two low_high = {(uint32_t)both, both >> 32};
    return LOW_FIRST ? low_high : (struct two){low_high.b, low_high.a};
}

/* The products of the next numbers are added to as many sums. (Through pointers: without AVX the types
 * have no place in calls.) */
VECTOR_INLINE void add32(part32 *sum, const float *value, const int32_t *column, const float *x) {
    const struct two c = two(column);
    const struct two d = two(column + 2);
    const struct two e = two(column + 4);
    const struct two f = two(column + 6);
    part32 v;
    memcpy(&v, value, sizeof v);
    *sum += v * (part32){x[c.a], x[c.b], x[d.a], x[d.b], x[e.a], x[e.b], x[f.a], x[f.b]};
}

VECTOR_INLINE void add64(part64 *sum, const double *value, const int32_t *column, const double *x) {
    const struct two c = two(column);
    const struct two d = two(column + 2);
    part64 v;
    memcpy(&v, value, sizeof v);
    *sum += v * (part64){x[c.a], x[c.b], x[d.a], x[d.b]};
}

VECTOR_INLINE float sum32(const part32 *v) {
    const half32 h =
        (half32){(*v)[0], (*v)[1], (*v)[2], (*v)[3]} + (half32){(*v)[4], (*v)[5], (*v)[6], (*v)[7]};
    return (h[0] + h[2]) + (h[1] + h[3]);
}

VECTOR_INLINE double sum64(const part64 *v) {
    const half64 h = (half64){(*v)[0], (*v)[1]} + (half64){(*v)[2], (*v)[3]};
    return h[0] + h[1];
}

/* For a matrix that is not in the caches the numbers and columns to come are prefetched, these bytes ahead: loads of x
 * here and there keep a core's own prefetchers from following the matrix. And x for the last column of each row, these
 * nonzeros ahead: in a band that is where x is new. (Not of shorter rows than so many nonzeros: there that takes longer
 * than it saves.) */
enum { LINE = 64, VALUES_AHEAD = 8192, COLUMNS_AHEAD = 6144, FRONT_AHEAD = 768 };
enum { SHORTEST32 = 16, SHORTEST64 = 1 };

/* The rows that have FRONT_AHEAD nonzeros; `end` where they are too short. */
VECTOR_INLINE size_t rows_ahead(const int32_t *start, size_t first, size_t end, size_t shortest) {
    const size_t all = (size_t)start[end] - (size_t)start[first];
    return all > 0 && all >= shortest * (end - first) ? FRONT_AHEAD * (end - first) / all + 1 : end;
}

/* In float32 there is half as much to save, and putting lines together takes longer than that. */
enum { NONTEMPORAL32 = 0, NONTEMPORAL64 = 1 };

/* One index for all that a row reads: there are enough registers for that. past: results go past the caches;
 * they are whole lines. */
#define ROWS(bits, real)                                                                           \
    VECTOR_INLINE void rows##bits(const int32_t *start, const int32_t *column, const real *value,  \
                                  const real *x, real *y, size_t first, size_t end,                \
                                  enum be_prefetch ask, bool nontemporal) {                        \
        enum { PART = 32 / sizeof(real), COLUMNS = 2 * PART * sizeof *column };                    \
        enum { RESULTS = LINE / sizeof(real) };                                                    \
        _Alignas(LINE) real line[RESULTS];                                                         \
        const size_t lead = ask > BE_ASK_NOT ? rows_ahead(start, first, end, SHORTEST##bits) : 0;  \
        size_t j = (size_t)start[first];                                                           \
        for (size_t i = first; i < end; i++) {                                                     \
            const size_t after = (size_t)start[i + 1];                                             \
            part##bits sum = {0};                                                                  \
            part##bits more = {0};                                                                 \
            real rest = 0;                                                                         \
            if (ask > BE_ASK_NOT && i + lead < end && start[i + lead + 1] > 0) {                   \
                be_ask_line(x + column[start[i + lead + 1] - 1], ask);                             \
            }                                                                                      \
            for (; j + 2 * PART <= after; j += 2 * PART) {                                         \
                be_ask_line((const char *)(value + j) + VALUES_AHEAD, ask);                        \
                if ((uintptr_t)(column + j) % LINE < COLUMNS) { /* once a line */                  \
                    be_ask_line((const char *)(column + j) + COLUMNS_AHEAD, ask);                  \
                }                                                                                  \
                add##bits(&sum, value + j, column + j, x);                                         \
                add##bits(&more, value + j + PART, column + j + PART, x);                          \
            }                                                                                      \
            if (j + PART <= after) {                                                               \
                add##bits(&sum, value + j, column + j, x);                                         \
                j += PART;                                                                         \
            }                                                                                      \
            for (; j < after; j++) {                                                               \
                rest += value[j] * x[column[j]];                                                   \
            }                                                                                      \
            sum += more;                                                                           \
            *(nontemporal ? line + i % RESULTS : y + i) = rest + sum##bits(&sum);                  \
            if (nontemporal && i % RESULTS == RESULTS - 1) {                                       \
                stream_line((float *)(void *)(y + (i + 1 - RESULTS)),                              \
                            (const float *)(const void *)line);                                    \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    VECTOR_INLINE void asked##bits(const int32_t *start, const int32_t *column, const real *value, \
                                   const real *x, real *y, size_t first, size_t end,               \
                                   enum be_prefetch ask, enum be_stores stores) {                  \
        enum { RESULTS = LINE / sizeof(real) };                                                    \
        size_t from = first;                                                                       \
        if (stores == BE_STORES_NONTEMPORAL && NONTEMPORAL##bits && (uintptr_t)y % LINE == 0 &&    \
            first % RESULTS == 0) {                                                                \
            from = end - (end - first) % RESULTS;                                                  \
            rows##bits(start, column, value, x, y, first, from, ask, true);                        \
            stream_end();                                                                          \
        }                                                                                          \
        rows##bits(start, column, value, x, y, from, end, ask, false);                             \
    }                                                                                              \
    void BE_SIMD_NAME(be_spmv##bits##_run)(                                                        \
        const int32_t *start, const int32_t *column, const real *value, const real *x, real *y,    \
        size_t first, size_t rows, enum be_prefetch ask, enum be_stores stores) {                  \
        const size_t end = first + rows;                                                           \
        switch (ask) { /* each a loop without a choice in it */                                    \
        case BE_ASK_NOT:                                                                           \
            rows##bits(start, column, value, x, y, first, end, BE_ASK_NOT, false);                 \
            break;                                                                                 \
        case BE_PREFETCH_L1:                                                                       \
            asked##bits(start, column, value, x, y, first, end, BE_PREFETCH_L1, stores);           \
            break;                                                                                 \
        case BE_PREFETCH_L2:                                                                       \
            asked##bits(start, column, value, x, y, first, end, BE_PREFETCH_L2, stores);           \
            break;                                                                                 \
        }                                                                                          \
    }

ROWS(32, float)
ROWS(64, double)
