/*
 * Chains side by side in vectors, several vectors at a time: while one waits for its last operation another one
 * computes. States stay in registers from the first step to the last.
 */
#include "workload/steps/steps.h"

#include "host/vector.h"

#define INLINE VECTOR_INLINE
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define JOIN3(a, b, c) a##b##c

/* Words and numbers of as many chains. */
typedef uint32_t word32 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint32_t word64 __attribute__((vector_size(VECTOR_BYTES / 2)));
typedef int32_t whole32 __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t whole64 __attribute__((vector_size(VECTOR_BYTES / 2)));

/* a * b + c, rounded once. */
#if defined(__AVX512F__)
INLINE vector32 fused32(vector32 a, vector32 b, vector32 c) {
    return _mm512_fmadd_ps(a, b, c);
}
INLINE vector64 fused64(vector64 a, vector64 b, vector64 c) {
    return _mm512_fmadd_pd(a, b, c);
}
/* x where a < b, else y. */
INLINE vector32 less32(vector32 a, vector32 b, vector32 x, vector32 y) {
    return _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), x);
}
INLINE vector64 less64(vector64 a, vector64 b, vector64 x, vector64 y) {
    return _mm512_mask_mov_pd(y, _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ), x);
}
#elif defined(__FMA__)
INLINE vector32 fused32(vector32 a, vector32 b, vector32 c) {
    return _mm256_fmadd_ps(a, b, c);
}
INLINE vector64 fused64(vector64 a, vector64 b, vector64 c) {
    return _mm256_fmadd_pd(a, b, c);
}
INLINE vector32 less32(vector32 a, vector32 b, vector32 x, vector32 y) {
    return _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
}
INLINE vector64 less64(vector64 a, vector64 b, vector64 x, vector64 y) {
    return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_LT_OQ));
}
#else
INLINE vector32 fused32(vector32 a, vector32 b, vector32 c) {
    for (int i = 0; i < lanes32; i++) {
        c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    }
    return c;
}
INLINE vector64 fused64(vector64 a, vector64 b, vector64 c) {
    for (int i = 0; i < lanes64; i++) {
        c[i] = __builtin_fma(a[i], b[i], c[i]);
    }
    return c;
}
INLINE vector32 less32(vector32 a, vector32 b, vector32 x, vector32 y) {
    const mask32 less = a < b;
    return (vector32)((less & (mask32)x) | (~less & (mask32)y));
}
INLINE vector64 less64(vector64 a, vector64 b, vector64 x, vector64 y) {
    const mask64 less = a < b;
    return (vector64)((less & (mask64)x) | (~less & (mask64)y));
}
#endif

#define NUMBER NAME(vector)
#define WORD NAME(word)
#define EACH(x) NAME(spread)(x)
#define FUSED(a, b, c) NAME(fused)(a, b, c)
#define FROM(word) __builtin_convertvector((NAME(whole))((word) >> 8), NAME(vector))
#define LESS(a, b, x, y) NAME(less)(a, b, x, y)

/* Vectors of each map that hide the latency of its operations; steps.md has what was tried. */
enum { MOST = 8 };
static const size_t most_of[BE_STEPS_MAPS] = {
    [BE_STEPS_LOGISTIC] = 8, [BE_STEPS_LORENZ] = 2, [BE_STEPS_METROPOLIS] = 4};

#define REAL float
#define NAME(name) JOIN(name, 32)
#include "workload/steps/vectors.h"
#undef REAL
#undef NAME

#define REAL double
#define NAME(name) JOIN(name, 64)
#include "workload/steps/vectors.h"

void BE_SIMD_NAME(be_steps32_vectors)(const struct be_steps_chains *chains, uint64_t steps) {
    vectors32(chains, steps);
}

void BE_SIMD_NAME(be_steps64_vectors)(const struct be_steps_chains *chains, uint64_t steps) {
    vectors64(chains, steps);
}
