/*
 * seek.h's search by AVX-512, whose masks have registers of their own: free lanes are bits there,
 * which a store of one row's changes without a vector that waits for it; and vectors of two halves.
 * Included by simd.c after both templates of that.
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

/* See seek.h. Whole vectors are written: what is behind the last is of no interest. */
INLINE size_t free_rest_double(const free_double *is_free, size_t vectors, size_t *rest,
                               double *right) {
    const __m512i step = _mm512_set1_epi64(8);
    __m512i row = (__m512i)lane_index_double();
    size_t count = 0;
    for (size_t v = 0; v < vectors; v++) {
        const __mmask8 lanes = (__mmask8)is_free[v];
        const __m512d z = _mm512_load_pd(right + v * 8);
        _mm512_storeu_si512(rest + count, _mm512_maskz_compress_epi64(lanes, row));
        _mm512_storeu_pd(right + count, _mm512_maskz_compress_pd(lanes, z));
        row = _mm512_add_epi64(row, step);
        count += (size_t)__builtin_popcount(is_free[v]);
    }
    return count;
}

INLINE size_t free_rest_float(const free_float *is_free, size_t vectors, size_t *rest,
                              float *right) {
    const __m512i step = _mm512_set1_epi64(8);
    __m512i row = (__m512i)lane_index_double();
    size_t count = 0;
    for (size_t v = 0; v < vectors; v++) {
        const __m512 z = _mm512_load_ps(right + v * 16);
        _mm512_storeu_ps(right + count, _mm512_maskz_compress_ps(is_free[v], z));
        for (int half = 0; half < 2; half++) {
            const unsigned lanes = is_free[v] >> half * 8 & 0xff;
            _mm512_storeu_si512(rest + count, _mm512_maskz_compress_epi64((__mmask8)lanes, row));
            row = _mm512_add_epi64(row, step);
            count += (size_t)__builtin_popcount(lanes);
        }
    }
    return count;
}

enum { AND_OR = 0xea }; /* the truth table of (a & b) | c */

INLINE void max_look_double(struct max_double *max, mask_double high, free_double is_free,
                            vec_double v, const size_t i) {
    const __m512i key =
        _mm512_ternarylogic_epi64((__m512i)v, (__m512i)high, (__m512i)max->now, AND_OR);
    const __m512i best = (__m512i)max->key[i % SEARCHES];
    max->key[i % SEARCHES] = (mask_double)_mm512_mask_max_epi64(best, (__mmask8)is_free, best, key);
    max->now -= 8;
}

INLINE void max_look_float(struct max_float *max, mask_float high, free_float is_free, vec_float v,
                           const size_t i) {
    const __m512i key =
        _mm512_ternarylogic_epi32((__m512i)v, (__m512i)high, (__m512i)max->now, AND_OR);
    const __m512i best = (__m512i)max->key[i % SEARCHES];
    max->key[i % SEARCHES] = (mask_float)_mm512_mask_max_epi32(best, is_free, best, key);
    max->now -= 16;
}

INLINE size_t max_row_double(const struct max_double *max, int64_t low) {
    return (size_t)(~_mm512_reduce_max_epi64((__m512i)max->key[0]) & low);
}

INLINE size_t max_row_float(const struct max_float *max, int32_t low) {
    return (size_t)(~_mm512_reduce_max_epi32((__m512i)max->key[0]) & low);
}

/* A load that fills half a vector takes no shuffle: see tiles.h. GCC 12 makes one of
 * __builtin_shufflevector. */
INLINE vec_double halves_double(const double *low, const double *high) {
    const __m512d v = _mm512_castpd256_pd512(_mm256_loadu_pd(low));
    return (vec_double)_mm512_insertf64x4(v, _mm256_loadu_pd(high), 1);
}

INLINE vec_float halves_float(const float *low, const float *high) {
    return (vec_float)halves_double((const double *)low, (const double *)high);
}

#undef INLINE
#endif
