/* Compiled once per instruction set, with -DBE_SIMD=suffix: accelerations in float32 and float64. */
#include "workload/nbody.h"

#include <math.h>

#include "workload/simd.h"
#include "workload/vector.h"

/* Bodies that are accelerated at a time by a vector of others: what is loaded serves all, and their
 * sums (three each) stay in registers. */
#if defined(__AVX512F__)
enum { BODIES = 4 };
#else
enum { BODIES = 2 };
#endif

/*
 * 1 / sqrt(x), x neither 0 nor so large or small that float32 does not have it: the processor's
 * estimate made better by y (1 + e (1/2 + 3/8 e)), e = 1 - x y^2, which leaves 5/16 e^3, or in
 * float32 by y (1 + e / 2), which leaves 3/8 e^2 (Newton's step).
 */
#if defined(__AVX512F__)
#include <immintrin.h>

VECTOR_INLINE vector32 estimate32(vector32 x) { /* to 2^-14 */
    return (vector32)_mm512_rsqrt14_ps((__m512)x);
}
VECTOR_INLINE vector64 estimate64(vector64 x) {
    return (vector64)_mm512_rsqrt14_pd((__m512d)x);
}
#elif defined(__AVX__)
#include <immintrin.h>

VECTOR_INLINE vector32 estimate32(vector32 x) { /* to 1.5 * 2^-12 */
    return (vector32)_mm256_rsqrt_ps((__m256)x);
}
VECTOR_INLINE vector64 estimate64(vector64 x) {
    return (vector64)_mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps((__m256d)x)));
}
#endif

#if defined(__AVX__)
VECTOR_INLINE vector32 inverse_root32(vector32 x) {
    const vector32 y = estimate32(x);
    const vector32 e = 1 - x * y * y;
    return y + 0.5f * y * e;
}

VECTOR_INLINE vector64 inverse_root64(vector64 x) {
    vector64 y = estimate64(x);
    vector64 e = 1 - x * y * y; /* up to 2^-10.4 */
    y += y * e * (0.5 + 0.375 * e);
    e = 1 - x * y * y; /* up to 2^-32 */
    return y + 0.5 * y * e;
}
#else
VECTOR_INLINE vector32 inverse_root32(vector32 x) {
    vector32 y = x;
    for (int i = 0; i < lanes32; i++) {
        y[i] = 1 / sqrtf(y[i]);
    }
    return y;
}

VECTOR_INLINE vector64 inverse_root64(vector64 x) {
    vector64 y = x;
    for (int i = 0; i < lanes64; i++) {
        y[i] = 1 / sqrt(y[i]);
    }
    return y;
}
#endif

#define OF_TYPE(name) name##32
#define REAL float
#include "workload/nbody_pairs.h"
#undef OF_TYPE
#undef REAL

#define OF_TYPE(name) name##64
#define REAL double
#include "workload/nbody_pairs.h"
