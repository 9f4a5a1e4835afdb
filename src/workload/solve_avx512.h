/*
 * solve_seek.h's search by AVX-512, whose masks have registers of their own: free lanes are bits there,
 * which a store of one row's changes without a vector that waits for it. Included by solve_simd.c after
 * both templates of that.
 */
#ifndef BE_WORKLOAD_SOLVE_AVX512_H
#define BE_WORKLOAD_SOLVE_AVX512_H

#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

INLINE vec_double free_only_double(free_double is_free, vec_double v) {
    return (vec_double)_mm512_maskz_mov_pd((__mmask8)is_free, (__m512d)v);
}

INLINE vec_float free_only_float(free_float is_free, vec_float v) {
    return (vec_float)_mm512_maskz_mov_ps(is_free, (__m512)v);
}

INLINE void most_look_double(struct most_double *most, free_double is_free, vec_double v) {
    const __m512i bits = (__m512i)without_sign_double(v);
    const __mmask8 better =
        _mm512_mask_cmpgt_epi64_mask((__mmask8)is_free, bits, (__m512i)most->bits);
    most->bits = (mask_double)_mm512_mask_mov_epi64((__m512i)most->bits, better, bits);
    most->at = (mask_double)_mm512_mask_mov_epi64((__m512i)most->at, better, (__m512i)most->now);
    most->now += 2;
}

INLINE void most_look_float(struct most_float *most, free_float is_free, vec_float v) {
    const __m512i bits = (__m512i)without_sign_float(v);
    const __mmask16 better = _mm512_mask_cmpgt_epi32_mask(is_free, bits, (__m512i)most->bits);
    most->bits = (mask_float)_mm512_mask_mov_epi32((__m512i)most->bits, better, bits);
    most->at = (mask_float)_mm512_mask_mov_epi32((__m512i)most->at, better, (__m512i)most->now);
    most->now += 2;
}

/* Mostly it is in one lane. */
INLINE size_t most_row_double(const struct most_double most[2]) {
    int64_t at[16];
    memcpy(at, &most[0].at, sizeof most[0].at);
    memcpy(at + 8, &most[1].at, sizeof most[1].at);
    const __m512i bits[2] = {(__m512i)most[0].bits, (__m512i)most[1].bits};
    const __m512i best =
        _mm512_set1_epi64(_mm512_reduce_max_epi64(_mm512_max_epi64(bits[0], bits[1])));
    unsigned lanes = (unsigned)_mm512_cmpeq_epi64_mask(bits[0], best) |
                     (unsigned)_mm512_cmpeq_epi64_mask(bits[1], best) << 8;
    size_t row = SIZE_MAX;
    for (; lanes != 0; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        const size_t its = (size_t)at[lane] * 8 + lane % 8;
        row = its < row ? its : row;
    }
    return row;
}

INLINE size_t most_row_float(const struct most_float most[2]) {
    int32_t at[32];
    memcpy(at, &most[0].at, sizeof most[0].at);
    memcpy(at + 16, &most[1].at, sizeof most[1].at);
    const __m512i bits[2] = {(__m512i)most[0].bits, (__m512i)most[1].bits};
    const __m512i best =
        _mm512_set1_epi32(_mm512_reduce_max_epi32(_mm512_max_epi32(bits[0], bits[1])));
    unsigned lanes = (unsigned)_mm512_cmpeq_epi32_mask(bits[0], best) |
                     (unsigned)_mm512_cmpeq_epi32_mask(bits[1], best) << 16;
    size_t row = SIZE_MAX;
    for (; lanes != 0; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        const size_t its = (size_t)at[lane] * 16 + lane % 16;
        row = its < row ? its : row;
    }
    return row;
}

#undef INLINE
#endif
