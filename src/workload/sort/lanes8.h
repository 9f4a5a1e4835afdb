/*
 * The operations that columns.h needs of vectors of 8 unsigned 32-bit keys, by AVX2.
 */
#ifndef BE_WORKLOAD_SORT_LANES8_H
#define BE_WORKLOAD_SORT_LANES8_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum { SORT_LANES = 8, SORT_ROWS = 8 };

typedef __m256i sort_keys;

/* ---- rows in memory ------------------------------------------------------------------------- */

/* All bits of the lanes of row i that there are keys for. */
SORT_INLINE __m256i sort_here(size_t n, int i) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n - i * SORT_LANES), lane);
}

/* Row i of n keys; missing ones are the largest. */
SORT_INLINE sort_keys sort_row(const uint32_t *from, size_t n, int i) {
    const __m256i here = sort_here(n, i);
    const __m256i v = _mm256_maskload_epi32((const int *)from + (size_t)i * SORT_LANES, here);
    return _mm256_or_si256(v, _mm256_xor_si256(here, _mm256_set1_epi32(-1)));
}

/* A row that is not whole is stored by a mask, which is slow. */
SORT_INLINE void sort_row_put(uint32_t *to, size_t n, int i, sort_keys v) {
    const size_t at = (size_t)i * SORT_LANES;
    if (at + SORT_LANES <= n) {
        _mm256_storeu_si256((__m256i *)(void *)(to + at), v);
    } else if (at < n) {
        _mm256_maskstore_epi32((int *)to + at, sort_here(n, i), v);
    }
}

/* ---- lanes of a vector ---------------------------------------------------------------------- */

/* In each group of so many lanes, the lesser of each pair goes to the lower half, the greater to the upper. */
SORT_INLINE sort_keys sort_pairs(sort_keys v, sort_keys partner, int lanes) {
    const __m256i less = _mm256_min_epu32(v, partner);
    const __m256i more = _mm256_max_epu32(v, partner);
    switch (lanes) {
    case 2:
        return _mm256_blend_epi32(less, more, 0xaa);
    case 4:
        return _mm256_blend_epi32(less, more, 0xcc);
    default:
        return _mm256_blend_epi32(less, more, 0xf0);
    }
}

/* The halves of each group of 2, 4 or 8 lanes in each other's place. */
SORT_INLINE sort_keys sort_swapped(sort_keys v, int lanes) {
    switch (lanes) {
    case 2:
        return _mm256_shuffle_epi32(v, 0xb1);
    case 4:
        return _mm256_shuffle_epi32(v, 0x4e);
    default:
        return _mm256_permute2x128_si256(v, v, 0x01);
    }
}

/* Each group of 2, 4 or 8 lanes from its end to its beginning. */
SORT_INLINE sort_keys sort_mirrored(sort_keys v, int lanes) {
    switch (lanes) {
    case 2:
        return _mm256_shuffle_epi32(v, 0xb1);
    case 4:
        return _mm256_shuffle_epi32(v, 0x1b);
    default:
        return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    }
}

/* The lesser keys of both to `low`. */
SORT_INLINE void sort_exchange(sort_keys *low, sort_keys *high) {
    const __m256i less = _mm256_min_epu32(*low, *high);
    *high = _mm256_max_epu32(*low, *high);
    *low = less;
}

/* ---- rows to columns ------------------------------------------------------------------------ */

/* Turns four rows: vector j gets columns j and 4 + j. */
SORT_INLINE void sort_turn_rows(sort_keys *v) {
    const __m256i a = _mm256_unpacklo_epi32(v[0], v[1]);
    const __m256i b = _mm256_unpackhi_epi32(v[0], v[1]);
    const __m256i c = _mm256_unpacklo_epi32(v[2], v[3]);
    const __m256i d = _mm256_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm256_unpacklo_epi64(a, c);
    v[1] = _mm256_unpackhi_epi64(a, c);
    v[2] = _mm256_unpacklo_epi64(b, d);
    v[3] = _mm256_unpackhi_epi64(b, d);
}

/* Columns, one behind the other, as vectors. */
SORT_INLINE void sort_turn(sort_keys *v, int rows, sort_keys *turned) {
    SORT_UNROLL
    for (int i = 0; i < rows; i += 4) {
        sort_turn_rows(v + i);
    }
    if (rows == 4) {
        SORT_UNROLL
        for (int i = 0; i < 2; i++) {
            turned[i] = _mm256_permute2x128_si256(v[2 * i], v[2 * i + 1], 0x20);
            turned[2 + i] = _mm256_permute2x128_si256(v[2 * i], v[2 * i + 1], 0x31);
        }
        return;
    }
    const int each = rows / SORT_LANES; /* vectors of a column */
    SORT_UNROLL
    for (int i = 0; i < 4 * each; i++) {
        const __m256i low = v[i / each + i % each * 8];
        const __m256i high = v[i / each + i % each * 8 + 4];
        turned[i] = _mm256_permute2x128_si256(low, high, 0x20);
        turned[4 * each + i] = _mm256_permute2x128_si256(low, high, 0x31);
    }
}

#endif
