/*
 * The operations that columns.h needs of vectors of 16 unsigned 32-bit keys, by AVX-512.
 *
 * The greater of two keys is what is left of both without the lesser (a ^ b ^ min), for which the
 * processor has two units, where it has one for min and max.
 */
#ifndef BE_WORKLOAD_SORT_LANES16_H
#define BE_WORKLOAD_SORT_LANES16_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum { SORT_LANES = 16, SORT_ROWS = 16 };
enum { SORT_XOR = 0x96 }; /* of three */

typedef __m512i sort_keys;

SORT_INLINE __mmask16 sort_first(unsigned lanes) {
    return (__mmask16)((1U << lanes) - 1);
}

SORT_INLINE __mmask16 sort_mask(size_t n) {
    return sort_first(n < SORT_LANES ? (unsigned)n : SORT_LANES);
}

/* ---- rows in memory ------------------------------------------------------------------------- */

/* Keys of row i that there are. */
SORT_INLINE __mmask16 sort_here(size_t n, int i) {
    size_t at = (size_t)i * SORT_LANES;
    return sort_mask(n > at ? n - at : 0);
}

/* Row i of n keys; missing ones are the largest. */
SORT_INLINE sort_keys sort_row(const uint32_t *from, size_t n, int i) {
    return _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), sort_here(n, i),
                                   from + (size_t)i * SORT_LANES);
}

SORT_INLINE void sort_row_put(uint32_t *to, size_t n, int i, sort_keys v) {
    _mm512_mask_storeu_epi32(to + (size_t)i * SORT_LANES, sort_here(n, i), v);
}

/* ---- lanes of a vector ---------------------------------------------------------------------- */

/* The upper half of each group of so many lanes. */
SORT_INLINE __mmask16 sort_upper(int lanes) {
    return lanes == 2 ? 0xaaaa : lanes == 4 ? 0xcccc : lanes == 8 ? 0xf0f0 : 0xff00;
}

/* In each group of so many lanes, the lesser of each pair goes to the lower half, the greater to the upper. */
SORT_INLINE sort_keys sort_pairs(sort_keys v, sort_keys partner, int lanes) {
    __m512i less = _mm512_min_epu32(v, partner);
    return _mm512_mask_ternarylogic_epi32(less, sort_upper(lanes), v, partner, SORT_XOR);
}

/* The halves of each group of 2, 4, 8 or 16 lanes in each other's place. */
SORT_INLINE sort_keys sort_swapped(sort_keys v, int lanes) {
    switch (lanes) {
    case 2:
        return _mm512_shuffle_epi32(v, _MM_PERM_CDAB);
    case 4:
        return _mm512_shuffle_epi32(v, _MM_PERM_BADC);
    case 8:
        return _mm512_shuffle_i32x4(v, v, 0xb1);
    default:
        return _mm512_shuffle_i32x4(v, v, 0x4e);
    }
}

/* Each group of 2, 4, 8 or 16 lanes from its end to its beginning. */
SORT_INLINE sort_keys sort_mirrored(sort_keys v, int lanes) {
    switch (lanes) {
    case 2:
        return _mm512_shuffle_epi32(v, _MM_PERM_CDAB);
    case 4:
        return _mm512_shuffle_epi32(v, _MM_PERM_ABCD);
    case 8:
        return _mm512_permutexvar_epi32(
            _mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8), v);
    default:
        return _mm512_permutexvar_epi32(
            _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), v);
    }
}

/* The lesser keys of both to `low`. */
SORT_INLINE void sort_exchange(sort_keys *low, sort_keys *high) {
    __m512i less = _mm512_min_epu32(*low, *high);
    *high = _mm512_ternarylogic_epi32(less, *low, *high, SORT_XOR);
    *low = less;
}

/* ---- rows to columns ------------------------------------------------------------------------ */

/* Turns four rows: vector j gets columns j, 4 + j, 8 + j and 12 + j. */
SORT_INLINE void sort_turn_rows(sort_keys *v) {
    sort_keys a = _mm512_unpacklo_epi32(v[0], v[1]);
    sort_keys b = _mm512_unpackhi_epi32(v[0], v[1]);
    sort_keys c = _mm512_unpacklo_epi32(v[2], v[3]);
    sort_keys d = _mm512_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm512_unpacklo_epi64(a, c);
    v[1] = _mm512_unpackhi_epi64(a, c);
    v[2] = _mm512_unpacklo_epi64(b, d);
    v[3] = _mm512_unpackhi_epi64(b, d);
}

/* Quarter i of each of the four to turned[i * step]. */
SORT_INLINE void sort_turn_quarters(sort_keys a, sort_keys b, sort_keys c, sort_keys d,
                                    sort_keys *turned, int step) {
    sort_keys low = _mm512_shuffle_i32x4(a, b, 0x44);
    sort_keys high = _mm512_shuffle_i32x4(a, b, 0xee);
    sort_keys other_low = _mm512_shuffle_i32x4(c, d, 0x44);
    sort_keys other_high = _mm512_shuffle_i32x4(c, d, 0xee);
    turned[0] = _mm512_shuffle_i32x4(low, other_low, 0x88);
    turned[step] = _mm512_shuffle_i32x4(low, other_low, 0xdd);
    turned[2 * step] = _mm512_shuffle_i32x4(high, other_high, 0x88);
    turned[3 * step] = _mm512_shuffle_i32x4(high, other_high, 0xdd);
}

/* Columns, one behind the other, as vectors. */
SORT_INLINE void sort_turn(sort_keys *v, int rows, sort_keys *turned) {
    SORT_UNROLL
    for (int i = 0; i < rows; i += 4) {
        sort_turn_rows(v + i);
    }
    if (rows == 4) {
        sort_turn_quarters(v[0], v[1], v[2], v[3], turned, 1);
    } else if (rows == 8) {
        sort_turn_quarters(v[0], v[4], v[1], v[5], turned, 2);
        sort_turn_quarters(v[2], v[6], v[3], v[7], turned + 1, 2);
    } else {
        SORT_UNROLL
        for (int i = 0; i < 4; i++) {
            sort_turn_quarters(v[i], v[4 + i], v[8 + i], v[12 + i], turned + i, 4);
        }
    }
}

#endif
