/* Compiled once per instruction set, with -DBE_SIMD=suffix: rows of X in float32 and float64. */
#include "workload/regress/simd.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "workload/regress/regress.h"
#include "host/vector.h"

/* Rows whose sums stay in the type of the numbers; then they are added up in double precision. */
enum { BLOCK = 512 };
/* Rows that are read together, so that their sums do not wait for each other. */
enum { TOGETHER = 4 };
/* Rows of X'X at a time where there are not as many as a tile has. */
enum { FEW = 3 };
enum { LINE = 64 }; /* bytes of a line of the cache */

/*
 * PAIRS(a, b): sums of two lanes beside each other, of a and b in turn; QUADS(ab, cd): of those, sums
 * of two lanes that are two apart, so that a quad of lanes has a part of the sums of a, b, c, d.
 */
#define PAIRS(bits, a, b) (EXCHANGED##bits(UPPER, a, b, 1) + EXCHANGED##bits(LOWER, a, b, 1))
#define QUADS(bits, ab, cd) (EXCHANGED##bits(UPPER, ab, cd, 2) + EXCHANGED##bits(LOWER, ab, cd, 2))

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
    const vector32 ab = PAIRS(32, v[0], v[1]);
    const vector32 cd = PAIRS(32, v[2], v[3]);
    return QUADS(32, ab, cd);
}

TOTALS(32, float)

#if defined(__AVX__)
VECTOR_INLINE vector64 all64(const vector64 *v) {
    const vector64 ab = PAIRS(64, v[0], v[1]);
    const vector64 cd = PAIRS(64, v[2], v[3]);
    return QUADS(64, ab, cd);
}

TOTALS(64, double)
#else /* two lanes: pairs are all there is */
VECTOR_INLINE void totals64(const vector64 *v, const double *y, double *r) {
    store64(r, PAIRS(64, v[0], v[1]) - load64(y));
    store64(r + lanes64, PAIRS(64, v[2], v[3]) - load64(y + lanes64));
}
#endif

#define REAL float
#define OF_TYPE(name) name##32
#include "workload/regress/rows.h"
#include "workload/regress/steps.h"
#undef REAL
#undef OF_TYPE

#define REAL double
#define OF_TYPE(name) name##64
#include "workload/regress/rows.h"
#include "workload/regress/steps.h"
#undef REAL
#undef OF_TYPE
