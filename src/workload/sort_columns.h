/*
 * Up to 256 unsigned 32-bit keys in ascending order by AVX-512, in registers. The keys are 4, 8 or 16
 * rows of 16. Each of the 16 columns is sorted, all at once, by exchanges of whole rows; then columns
 * are merged two by two, four by four and so on, where but the first steps of each merge exchange
 * rows again, which needs no shuffle (Batcher, "Sorting networks and their applications", AFIPS 1968).
 * A column then holds 1/16 of the keys, so the rows are transposed at the end.
 *
 * The greater of two keys is what is left of both without the lesser (a ^ b ^ min), for which the
 * processor has two units, where it has one for min and max.
 */
#ifndef BE_WORKLOAD_SORT_COLUMNS_H
#define BE_WORKLOAD_SORT_COLUMNS_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SORT_LANES = 16, SORT_ROWS = 16, SORT_COLUMNS_MOST = SORT_LANES * SORT_ROWS };
enum { SORT_XOR = 0x96 }; /* of three */
#define SORT_INLINE static inline __attribute__((always_inline))

/* All of the next loop. What GCC takes for that, clang does so late that the rows are in memory by then:
 * 2.2 times as slow for 256 keys. */
#ifdef __clang__
#define SORT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define SORT_UNROLL _Pragma("GCC unroll 16")
#endif

SORT_INLINE __mmask16 sort_first(unsigned lanes) {
    return (__mmask16)((1U << lanes) - 1);
}

SORT_INLINE __mmask16 sort_mask(size_t n) {
    return sort_first(n < SORT_LANES ? (unsigned)n : SORT_LANES);
}

/* ---- lanes of a vector ---------------------------------------------------------------------- */

/* The lesser of each pair of lanes to where `upper` is 0, the greater to where it is 1. */
SORT_INLINE __m512i sort_pairs(__m512i v, __m512i partner, __mmask16 upper) {
    __m512i less = _mm512_min_epu32(v, partner);
    return _mm512_mask_ternarylogic_epi32(less, upper, v, partner, SORT_XOR);
}

SORT_INLINE __m512i sort_apart1(__m512i v) {
    return sort_pairs(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB), 0xaaaa);
}

SORT_INLINE __m512i sort_apart2(__m512i v) {
    return sort_pairs(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC), 0xcccc);
}

SORT_INLINE __m512i sort_apart4(__m512i v) {
    return sort_pairs(v, _mm512_shuffle_i32x4(v, v, 0xb1), 0xf0f0);
}

SORT_INLINE __m512i sort_apart8(__m512i v) {
    return sort_pairs(v, _mm512_shuffle_i32x4(v, v, 0x4e), 0xff00);
}

/* Each group of 2, 4, 8 or 16 lanes from its end to its beginning. */
SORT_INLINE __m512i sort_mirrored(__m512i v, int lanes) {
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

/* The upper half of each group of so many lanes. */
SORT_INLINE __mmask16 sort_upper(int lanes) {
    return lanes == 2 ? 0xaaaa : lanes == 4 ? 0xcccc : lanes == 8 ? 0xf0f0 : 0xff00;
}

/* Groups of so many lanes that rise, then fall, or the other way round, into order. */
SORT_INLINE __m512i sort_bitonic(__m512i v, int lanes) {
    v = lanes > 8 ? sort_apart8(v) : v;
    v = lanes > 4 ? sort_apart4(v) : v;
    v = lanes > 2 ? sort_apart2(v) : v;
    return lanes > 1 ? sort_apart1(v) : v;
}

SORT_INLINE __m512i sort_lanes(__m512i v) {
    SORT_UNROLL
    for (int lanes = 2; lanes <= SORT_LANES; lanes *= 2) {
        v = sort_pairs(v, sort_mirrored(v, lanes), sort_upper(lanes));
        v = sort_bitonic(v, lanes / 2);
    }
    return v;
}

/* ---- columns -------------------------------------------------------------------------------- */

SORT_INLINE void sort_exchange(__m512i *low, __m512i *high) {
    __m512i less = _mm512_min_epu32(*low, *high);
    *high = _mm512_ternarylogic_epi32(less, *low, *high, SORT_XOR);
    *low = less;
}

/* Two halves in order, as columns of `rows`, into one: Batcher's odd-even merge. */
SORT_INLINE void sort_columns_merge(__m512i *v, int rows) {
    SORT_UNROLL
    for (int i = 0; i < rows / 2; i++) {
        sort_exchange(&v[i], &v[i + rows / 2]);
    }
    SORT_UNROLL
    for (int apart = rows / 4; apart > 0; apart /= 2) {
        SORT_UNROLL
        for (int i = apart; i + apart < rows; i++) {
            if (i / apart % 2 == 1) {
                sort_exchange(&v[i], &v[i + apart]);
            }
        }
    }
}

/* Columns of 4, 8 or 16 rows. Written out: loops of loops would be unrolled too late for the rows to
 * stay in registers. */
SORT_INLINE void sort_column4(__m512i *v) {
    sort_columns_merge(v, 2);
    sort_columns_merge(v + 2, 2);
    sort_columns_merge(v, 4);
}

SORT_INLINE void sort_column8(__m512i *v) {
    sort_column4(v);
    sort_column4(v + 4);
    sort_columns_merge(v, 8);
}

SORT_INLINE void sort_each_column(__m512i *v, int rows) {
    if (rows == 4) {
        sort_column4(v);
        return;
    }
    sort_column8(v);
    if (rows == 16) {
        sort_column8(v + 8);
        sort_columns_merge(v, 16);
    }
}

/* Groups of `columns` columns, each half of which is in order, column behind column: the second half
 * from its end against the first. */
SORT_INLINE void sort_merge(__m512i *v, int rows, int columns) {
    SORT_UNROLL
    for (int i = 0; i < rows / 2; i++) {
        __m512i *other = &v[rows - 1 - i];
        __m512i first = v[i];
        v[i] = sort_pairs(first, sort_mirrored(*other, columns), sort_upper(columns));
        *other = sort_pairs(*other, sort_mirrored(first, columns), sort_upper(columns));
    }
    SORT_UNROLL
    for (int i = 0; i < rows; i++) {
        v[i] = sort_bitonic(v[i], columns / 2);
    }
    SORT_UNROLL
    for (int apart = rows / 2; apart > 0; apart /= 2) {
        SORT_UNROLL
        for (int i = 0; i + apart < rows; i++) {
            if (!(i & apart)) {
                sort_exchange(&v[i], &v[i + apart]);
            }
        }
    }
}

/* Of four rows: vector j gets columns j, 4 + j, 8 + j and 12 + j. */
SORT_INLINE void sort_turn_rows(__m512i *v) {
    __m512i a = _mm512_unpacklo_epi32(v[0], v[1]);
    __m512i b = _mm512_unpackhi_epi32(v[0], v[1]);
    __m512i c = _mm512_unpacklo_epi32(v[2], v[3]);
    __m512i d = _mm512_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm512_unpacklo_epi64(a, c);
    v[1] = _mm512_unpackhi_epi64(a, c);
    v[2] = _mm512_unpacklo_epi64(b, d);
    v[3] = _mm512_unpackhi_epi64(b, d);
}

/* Quarter i of each of the four to turned[i * step]. */
SORT_INLINE void sort_turn_quarters(__m512i a, __m512i b, __m512i c, __m512i d, __m512i *turned,
                                    int step) {
    __m512i low = _mm512_shuffle_i32x4(a, b, 0x44);
    __m512i high = _mm512_shuffle_i32x4(a, b, 0xee);
    __m512i other_low = _mm512_shuffle_i32x4(c, d, 0x44);
    __m512i other_high = _mm512_shuffle_i32x4(c, d, 0xee);
    turned[0] = _mm512_shuffle_i32x4(low, other_low, 0x88);
    turned[step] = _mm512_shuffle_i32x4(low, other_low, 0xdd);
    turned[2 * step] = _mm512_shuffle_i32x4(high, other_high, 0x88);
    turned[3 * step] = _mm512_shuffle_i32x4(high, other_high, 0xdd);
}

/* Columns, one behind the other, as vectors. */
SORT_INLINE void sort_turn(__m512i *v, int rows, __m512i *turned) {
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

/* ---- few keys ------------------------------------------------------------------------------- */

/* Keys of row i that there are. */
SORT_INLINE __mmask16 sort_here(size_t n, int i) {
    size_t at = (size_t)i * SORT_LANES;
    return sort_mask(n > at ? n - at : 0);
}

/* More than half of the rows, which are 4, 8 or 16; missing keys are the largest, and stay behind. */
SORT_INLINE void sort_rows(const uint32_t *from, uint32_t *to, size_t n, int rows) {
    __m512i v[SORT_ROWS];
    __m512i turned[SORT_ROWS];
    SORT_UNROLL
    for (int i = 0; i < rows; i++) {
        v[i] = _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), sort_here(n, i),
                                       from + (size_t)i * SORT_LANES);
    }
    sort_each_column(v, rows);
    sort_merge(v, rows, 2);
    sort_merge(v, rows, 4);
    sort_merge(v, rows, 8);
    sort_merge(v, rows, 16);
    sort_turn(v, rows, turned);
    SORT_UNROLL
    for (int i = 0; i < rows; i++) {
        _mm512_mask_storeu_epi32(to + (size_t)i * SORT_LANES, sort_here(n, i), turned[i]);
    }
}

SORT_INLINE void sort_two(const uint32_t *from, uint32_t *to, size_t n) {
    const __m512i largest = _mm512_set1_epi32(-1);
    __m512i low = sort_lanes(_mm512_mask_loadu_epi32(largest, sort_here(n, 0), from));
    if (n > SORT_LANES) {
        __m512i high = _mm512_mask_loadu_epi32(largest, sort_here(n, 1), from + SORT_LANES);
        high = sort_mirrored(sort_lanes(high), SORT_LANES);
        sort_exchange(&low, &high);
        low = sort_bitonic(low, SORT_LANES);
        _mm512_mask_storeu_epi32(to + SORT_LANES, sort_here(n, 1), sort_bitonic(high, SORT_LANES));
    }
    _mm512_mask_storeu_epi32(to, sort_here(n, 0), low);
}

/* At most SORT_COLUMNS_MOST keys of `from` into `to`, which may be the same. */
static void sort_few(const uint32_t *from, uint32_t *to, size_t n) {
    if (n <= (size_t)2 * SORT_LANES) {
        sort_two(from, to, n);
    } else if (n <= (size_t)4 * SORT_LANES) {
        sort_rows(from, to, n, 4);
    } else if (n <= (size_t)8 * SORT_LANES) {
        sort_rows(from, to, n, 8);
    } else {
        sort_rows(from, to, n, SORT_ROWS);
    }
}

#endif
