/* Compiled once per instruction set, with -DBE_SIMD=suffix: the rows in float32 and in float64. */
#include "workload/distance/simd.h"

#include <float.h>
#include <math.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "host/simd.h"
#include "workload/stream_store.h"
#include "host/vector.h"

enum {
    ROWS =
        BE_DISTANCE_ROWS, /* with PARTS vectors each, sums enough to hide the latency of an addition */
    PARTS = 2,            /* vectors of a row at a time: 16 registers hold all */
    BLOCK = 4096          /* bytes of a row that are put together before they are written */
};

/* a b + c, rounded once, where hardware has it; the root of x to 2^-11.4: x times what is one over
 * it, of which 0 has none. */
#if defined(__AVX512F__)
VECTOR_INLINE vector32 root(vector32 x) {
    const __m512 min = _mm512_set1_ps(FLT_MIN);
    return x * (vector32)_mm512_rsqrt14_ps(_mm512_max_ps((__m512)x, min));
}
#define HAS_FMA 1
VECTOR_INLINE vector32 fma32(vector32 a, vector32 b, vector32 c) {
    return (vector32)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
VECTOR_INLINE vector64 fma64(vector64 a, vector64 b, vector64 c) {
    return (vector64)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
#elif defined(__FMA__)
VECTOR_INLINE vector32 root(vector32 x) {
    const __m256 min = _mm256_set1_ps(FLT_MIN);
    return x * (vector32)_mm256_rsqrt_ps(_mm256_max_ps((__m256)x, min));
}
#define HAS_FMA 1
VECTOR_INLINE vector32 fma32(vector32 a, vector32 b, vector32 c) {
    return (vector32)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
VECTOR_INLINE vector64 fma64(vector64 a, vector64 b, vector64 c) {
    return (vector64)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
#else
#define HAS_FMA 0
VECTOR_INLINE vector32 root(vector32 x) {
    for (int i = 0; i < lanes32; i++) {
        x[i] = sqrtf(x[i]);
    }
    return x;
}
VECTOR_INLINE vector32 fma32(vector32 a, vector32 b, vector32 c) {
    return a * b + c;
}
VECTOR_INLINE vector64 fma64(vector64 a, vector64 b, vector64 c) {
    return a * b + c;
}
#endif

/* As wide as float and as double. */
typedef int32_t whole32;
typedef int64_t whole64;

/* The roots of n numbers in place; numbers behind them, up to a whole vector, change too. */
static void roots(float *x, size_t n) {
    for (size_t i = 0; i < n; i += (size_t)lanes32) {
        const vector32 v = load32(x + i);
        store32(x + i, root(v));
    }
}

#define OF_TYPE(name) name##32
#define REAL float
#define ONE_FMA(a, b, c) __builtin_fmaf(a, b, c)
#include "workload/distance/rows.h"
#include "workload/distance/count.h"
#undef OF_TYPE
#undef REAL
#undef ONE_FMA

#define OF_TYPE(name) name##64
#define REAL double
#define ONE_FMA(a, b, c) __builtin_fma(a, b, c)
#include "workload/distance/rows.h"
#include "workload/distance/count.h"
