/* Compiled once per instruction set, with -DBE_SIMD=suffix: rows of X in float32 and float64. */
#include "workload/regress_simd.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "workload/regress.h"
#include "workload/vector.h"

/* Rows whose sums stay in the type of the numbers; then they are added up in double precision. */
enum { BLOCK = 512 };
/* Rows that are read together, so that their sums do not wait for each other. */
enum { TOGETHER = 4 };

/*
 * pairs(a, b): sums of two lanes beside each other, of a and b in turn; quads(ab, cd): of those, sums
 * of two lanes that are two apart, so that a quad of lanes has a part of the sums of a, b, c, d.
 */
#define PAIRS(a, b, low, high)                                                                     \
    (__builtin_shufflevector(a, b, low) + __builtin_shufflevector(a, b, high))
#define LOW_2 0, 2
#define HIGH_2 1, 3
#define LOW_4 0, 4, 2, 6
#define HIGH_4 1, 5, 3, 7
#define LOW_8 0, 8, 2, 10, 4, 12, 6, 14
#define HIGH_8 1, 9, 3, 11, 5, 13, 7, 15
#define LOW_16 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define HIGH_16 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#define LOWER_4 0, 1, 4, 5
#define HIGHER_4 2, 3, 6, 7
#define LOWER_8 0, 1, 8, 9, 4, 5, 12, 13
#define HIGHER_8 2, 3, 10, 11, 6, 7, 14, 15
#define LOWER_16 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define HIGHER_16 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31

#if defined(__AVX512F__)
#define EACH32(what) what##_16
#define EACH64(what) what##_8
#elif defined(__AVX__)
#define EACH32(what) what##_8
#define EACH64(what) what##_4
#else
#define EACH32(what) what##_4
#define EACH64(what) what##_2
#endif

typedef float four32 __attribute__((vector_size(16)));
typedef double four64 __attribute__((vector_size(32)));

/* r[i] = the sum over v[i]'s lanes - y[i], i < TOGETHER. */
#define TOTALS(bits, real)                                                                         \
    VECTOR_INLINE void totals##bits(const vector##bits *v, const real *y, real *r) {               \
        real part[lanes##bits];                                                                    \
        four##bits sum;                                                                            \
        four##bits more;                                                                           \
        store##bits(part, all##bits(v));                                                           \
        memcpy(&sum, part, sizeof sum);                                                            \
        for (size_t from = TOGETHER; from < lanes##bits; from += TOGETHER) {                       \
            memcpy(&more, part + from, sizeof more);                                               \
            sum += more;                                                                           \
        }                                                                                          \
        memcpy(&more, y, sizeof more);                                                             \
        sum -= more;                                                                               \
        memcpy(r, &sum, sizeof sum);                                                               \
    }

VECTOR_INLINE vector32 all32(const vector32 *v) {
    const vector32 ab = PAIRS(v[0], v[1], EACH32(LOW), EACH32(HIGH));
    const vector32 cd = PAIRS(v[2], v[3], EACH32(LOW), EACH32(HIGH));
    return PAIRS(ab, cd, EACH32(LOWER), EACH32(HIGHER));
}

TOTALS(32, float)

#if defined(__AVX__)
VECTOR_INLINE vector64 all64(const vector64 *v) {
    const vector64 ab = PAIRS(v[0], v[1], EACH64(LOW), EACH64(HIGH));
    const vector64 cd = PAIRS(v[2], v[3], EACH64(LOW), EACH64(HIGH));
    return PAIRS(ab, cd, EACH64(LOWER), EACH64(HIGHER));
}

TOTALS(64, double)
#else /* two lanes: pairs are all there is */
VECTOR_INLINE void totals64(const vector64 *v, const double *y, double *r) {
    store64(r, PAIRS(v[0], v[1], EACH64(LOW), EACH64(HIGH)) - load64(y));
    store64(r + lanes64, PAIRS(v[2], v[3], EACH64(LOW), EACH64(HIGH)) - load64(y + lanes64));
}
#endif

#define REAL float
#define OF_TYPE(name) name##32
#include "workload/regress_rows.h"
#include "workload/regress_steps.h"
#undef REAL
#undef OF_TYPE

#define REAL double
#define OF_TYPE(name) name##64
#include "workload/regress_rows.h"
#include "workload/regress_steps.h"
#undef REAL
#undef OF_TYPE
