/* Compiled once per instruction set, with -DBE_SIMD=suffix: accelerations in float32 and float64. */
#include "workload/nbody/nbody.h"

#include <math.h>

#include "host/simd.h"
#include "host/vector.h"

/* Bodies that a vector of others meets at a time: what is loaded serves all, and their sums (three each)
 * stay in registers. */
#if defined(__AVX512F__)
enum { BODIES = 4 };
#else
enum { BODIES = 2 };
#endif

/* Half of a small second-level cache. */
enum { TILE_BYTES = 64 * 1024 };

/*
 * x^(-3/2), x neither 0 nor so large or small that float32 does not have it: y^3 (1 - e)^(-3/2) with y the processor's
 * estimate of 1 / sqrt(x) and e = 1 - x y^2. The series 1 + 3/2 e + 15/8 e^2 + 35/16 e^3 + ... is cut where the rest is
 * below 2^-24, 2^-50: e is up to 2^-13, or 2^-10.4. With AVX-512 float32 has 2/3 of it (CUBES times the rest): y^3 (5/3
 * - x y^2) is an operation less.
 */
#if defined(__AVX512F__)
#include <immintrin.h>

VECTOR_INLINE float sum32(vector32 v) {
    return _mm512_reduce_add_ps((__m512)v);
}

VECTOR_INLINE double sum64(vector64 v) {
    return _mm512_reduce_add_pd((__m512d)v);
}

VECTOR_INLINE vector32 inverse_cube32(vector32 x) {
    const vector32 y = (vector32)_mm512_rsqrt14_ps((__m512)x);
    const vector32 y2 = y * y;
    return (y * y2) * (5.0f / 3 - x * y2);
}

VECTOR_INLINE vector64 inverse_cube64(vector64 x) {
    const vector64 y = (vector64)_mm512_rsqrt14_pd((__m512d)x);
    const vector64 y2 = y * y;
    const vector64 e = 1 - x * y2;
    const vector64 y3 = y * y2;
    return y3 + (y3 * e) * (1.5 + e * (1.875 + e * 2.1875));
}
#elif defined(__AVX__)
#include <immintrin.h>

VECTOR_INLINE vector32 inverse_cube32(vector32 x) {
    const vector32 y = (vector32)_mm256_rsqrt_ps((__m256)x);
    const vector32 y2 = y * y;
    const vector32 e = 1 - x * y2;
    const vector32 y3 = y * y2;
    return y3 + (y3 * e) * (1.5f + e * 1.875f);
}

VECTOR_INLINE vector64 inverse_cube64(vector64 x) {
    const vector64 y = (vector64)_mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps((__m256d)x)));
    const vector64 y2 = y * y;
    const vector64 e = 1 - x * y2;
    const vector64 y3 = y * y2;
    return y3 + (y3 * e) * (1.5 + e * (1.875 + e * (2.1875 + e * 2.4609375)));
}
#else
VECTOR_INLINE vector32 inverse_cube32(vector32 x) {
    vector32 y = x;
    for (int i = 0; i < lanes32; i++) {
        y[i] = 1 / (y[i] * sqrtf(y[i]));
    }
    return y;
}

VECTOR_INLINE vector64 inverse_cube64(vector64 x) {
    vector64 y = x;
    for (int i = 0; i < lanes64; i++) {
        y[i] = 1 / (y[i] * sqrt(y[i]));
    }
    return y;
}
#endif

#if !defined(__AVX512F__)
static float sum32(vector32 v) {
    float lane[lanes32];
    float sum = 0;
    store32(lane, v);
    for (int i = 0; i < lanes32; i++) {
        sum += lane[i];
    }
    return sum;
}

static double sum64(vector64 v) {
    double lane[lanes64];
    double sum = 0;
    store64(lane, v);
    for (int i = 0; i < lanes64; i++) {
        sum += lane[i];
    }
    return sum;
}
#endif

#if defined(__AVX512F__)
#define CUBES 1.5f
#else
#define CUBES 1.0f
#endif
#define OF_TYPE(name) name##32
#define REAL float
#include "workload/nbody/pairs.h"
#undef CUBES
#undef OF_TYPE
#undef REAL

#define CUBES 1.0
#define OF_TYPE(name) name##64
#define REAL double
#include "workload/nbody/pairs.h"
