/*
 * Unsigned 32-bit keys in ascending order by AVX-512: quicksort, whose partition packs 16 keys at a
 * time to either side (compress), down to what fits some registers, and a bitonic network for those
 * (Batcher, "Sorting networks and their applications", AFIPS 1968).
 */
#ifndef BE_WORKLOAD_SORT_VECTOR_H
#define BE_WORKLOAD_SORT_VECTOR_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SORT_LANES = 16, SORT_VECTORS = 16, SORT_NETWORK = SORT_LANES * SORT_VECTORS };
#define SORT_INLINE static inline __attribute__((always_inline))

/* ---- a network ------------------------------------------------------------------------------ */

/* The lesser of each pair of lanes to where `upper` is 0, the greater to where it is 1. */
SORT_INLINE __m512i sort_pairs(__m512i v, __m512i partner, __mmask16 upper) {
    return _mm512_mask_max_epu32(_mm512_min_epu32(v, partner), upper, v, partner);
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

SORT_INLINE __m512i sort_mirrored(__m512i v) {
    return _mm512_permutexvar_epi32(
        _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), v);
}

/* Rising, then falling lanes into order. */
SORT_INLINE __m512i sort_bitonic(__m512i v) {
    return sort_apart1(sort_apart2(sort_apart4(sort_apart8(v))));
}

SORT_INLINE __m512i sort_lanes(__m512i v) {
    v = sort_apart1(v);
    v = sort_pairs(v, _mm512_shuffle_epi32(v, _MM_PERM_ABCD), 0xcccc);
    v = sort_apart1(v);
    v = sort_pairs(v,
                   _mm512_permutexvar_epi32(
                       _mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8), v),
                   0xf0f0);
    v = sort_apart1(sort_apart2(v));
    v = sort_pairs(v, sort_mirrored(v), 0xff00);
    return sort_apart1(sort_apart2(sort_apart4(v)));
}

SORT_INLINE void sort_exchange(__m512i *low, __m512i *high) {
    __m512i v = *low;
    *low = _mm512_min_epu32(v, *high);
    *high = _mm512_max_epu32(v, *high);
}

/* Rising, then falling vectors into order; a power of two of them. */
SORT_INLINE void sort_bitonic_vectors(__m512i *v, int vectors) {
#pragma GCC unroll 8
    for (int apart = vectors / 2; apart > 0; apart /= 2) {
#pragma GCC unroll 16
        for (int i = 0; i + apart < vectors; i++) {
            if (!(i & apart)) {
                sort_exchange(&v[i], &v[i + apart]);
            }
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < vectors; i++) {
        v[i] = sort_bitonic(v[i]);
    }
}

/* `first` vectors in order and `second` ones behind them; powers of two, the second not the greater:
 * it is as if the largest key filled it up. */
SORT_INLINE void sort_merge(__m512i *v, int first, int second) {
    __m512i other[SORT_VECTORS / 2];
#pragma GCC unroll 8
    for (int i = 0; i < second; i++) {
        other[i] = sort_mirrored(v[first + second - 1 - i]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < second; i++) {
        sort_exchange(&v[first - second + i], &other[i]);
        v[first + i] = other[i];
    }
    sort_bitonic_vectors(v, first);
    sort_bitonic_vectors(v + first, second);
}

SORT_INLINE __mmask16 sort_first(unsigned lanes) {
    return (__mmask16)((1U << lanes) - 1);
}

SORT_INLINE __mmask16 sort_mask(size_t n) {
    return sort_first(n < SORT_LANES ? (unsigned)n : SORT_LANES);
}

/* At most `vectors` vectors of keys; what is missing is the largest key, and stays behind. */
SORT_INLINE void sort_network(uint32_t *keys, size_t n, int vectors) {
    __m512i v[SORT_VECTORS];
#pragma GCC unroll 16
    for (int i = 0; i < vectors; i++) {
        size_t at = (size_t)i * SORT_LANES;
        __mmask16 here = sort_mask(n > at ? n - at : 0);
        v[i] = sort_lanes(_mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), here, keys + at));
    }
#pragma GCC unroll 8
    for (int half = 1; half < vectors; half *= 2) {
#pragma GCC unroll 16
        for (int i = 0; i < vectors; i += 2 * half) {
            int behind = vectors - i - half;
            if (behind > 0) {
                sort_merge(v + i, half, behind < half ? behind : half);
            }
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < vectors; i++) {
        size_t at = (size_t)i * SORT_LANES;
        _mm512_mask_storeu_epi32(keys + at, sort_mask(n > at ? n - at : 0), v[i]);
    }
}

static void sort_few(uint32_t *keys, size_t n) {
    switch ((n + SORT_LANES - 1) / SORT_LANES) {
    case 0:
    case 1:
        sort_network(keys, n, 1);
        break;
    case 2:
        sort_network(keys, n, 2);
        break;
    case 3:
        sort_network(keys, n, 3);
        break;
    case 4:
        sort_network(keys, n, 4);
        break;
    case 5:
    case 6:
        sort_network(keys, n, 6);
        break;
    case 7:
    case 8:
        sort_network(keys, n, 8);
        break;
    case 9:
    case 10:
    case 11:
    case 12:
        sort_network(keys, n, 12);
        break;
    default:
        sort_network(keys, n, SORT_VECTORS);
    }
}

/* ---- quicksort ------------------------------------------------------------------------------ */

/* The ninth of 16 keys from all over. */
static uint32_t sort_pivot(const uint32_t *keys, size_t n) {
    uint32_t some[SORT_LANES];
    for (size_t i = 0; i < SORT_LANES; i++) {
        some[i] = keys[n / SORT_LANES * i];
    }
    _mm512_storeu_si512(some, sort_lanes(_mm512_loadu_si512(some)));
    return some[SORT_LANES / 2];
}

enum { SORT_READ = 4 }; /* vectors at a time */

/* Keys from `low` and from `high` on were written or are free; those in between were not read. */
struct sort_sides {
    uint32_t *low, *high;
    __m512i pivot;
};

/* The first keys of v, as many as the mask `here` has, to either side. Where all is read, there is
 * no room for whole vectors: with few. */
SORT_INLINE void sort_to_sides(__m512i v, __mmask16 here, int up_to, int few,
                               struct sort_sides *to) {
    __mmask16 less = up_to ? _mm512_mask_cmple_epu32_mask(here, v, to->pivot)
                           : _mm512_mask_cmplt_epu32_mask(here, v, to->pivot);
    __mmask16 more = (__mmask16)(here & ~less);
    unsigned lower = (unsigned)__builtin_popcount(less);
    unsigned upper = (unsigned)__builtin_popcount(here) - lower;
    to->high -= upper;
    _mm512_mask_storeu_epi32(to->low, sort_first(few ? lower : SORT_LANES),
                             _mm512_maskz_compress_epi32(less, v));
    _mm512_mask_storeu_epi32(to->high, sort_first(upper), _mm512_maskz_compress_epi32(more, v));
    to->low += lower;
}

SORT_INLINE void sort_load(const uint32_t *from, __m512i v[SORT_READ]) {
#pragma GCC unroll 4
    for (int k = 0; k < SORT_READ; k++) {
        v[k] = _mm512_loadu_si512(from + (size_t)k * SORT_LANES);
    }
}

SORT_INLINE void sort_all_to_sides(const __m512i v[SORT_READ], int up_to, int few,
                                   struct sort_sides *to) {
#pragma GCC unroll 4
    for (int k = 0; k < SORT_READ; k++) {
        sort_to_sides(v[k], 0xffff, up_to, few, to);
    }
}

/* Keys less than `pivot`, or up to it, before all others, in place; how many they are. Both ends are
 * taken out first. Then the end with less free room is read on, so that there is always room for
 * what is read, whichever end it belongs to. At least twice SORT_READ vectors. */
SORT_INLINE size_t sort_apart(uint32_t *keys, size_t n, uint32_t pivot, int up_to) {
    enum { STEP = SORT_READ * SORT_LANES };
    struct sort_sides to = {keys, keys + n, _mm512_set1_epi32((int)pivot)};
    const uint32_t *low = keys + STEP;
    const uint32_t *high = keys + n - STEP;
    __m512i first[SORT_READ];
    __m512i last[SORT_READ];
    __m512i v[SORT_READ];
    sort_load(keys, first);
    sort_load(high, last);
    while (high - low >= STEP) {
        if (to.high - high < low - to.low) {
            high -= STEP;
            sort_load(high, v);
        } else {
            sort_load(low, v);
            low += STEP;
        }
        sort_all_to_sides(v, up_to, 0, &to);
    }
    size_t rest = (size_t)(high - low);
#pragma GCC unroll 4
    for (int k = 0; k < SORT_READ; k++) {
        size_t at = (size_t)k * SORT_LANES;
        v[k] = _mm512_maskz_loadu_epi32(sort_mask(rest > at ? rest - at : 0), low + at);
    }
    sort_all_to_sides(first, up_to, 1, &to);
    sort_all_to_sides(last, up_to, 1, &to);
#pragma GCC unroll 4
    for (int k = 0; k < SORT_READ; k++) {
        size_t at = (size_t)k * SORT_LANES;
        sort_to_sides(v[k], sort_mask(rest > at ? rest - at : 0), up_to, 1, &to);
    }
    return (size_t)(to.low - keys);
}

/* Where pivots were bad ones time and again. */
static void sort_slowly(uint32_t *keys, size_t n) {
    for (size_t gap = n / 2; gap > 0; gap /= 2) {
        for (size_t i = gap; i < n; i++) {
            uint32_t key = keys[i];
            size_t at = i;
            for (; at >= gap && keys[at - gap] > key; at -= gap) {
                keys[at] = keys[at - gap];
            }
            keys[at] = key;
        }
    }
}

static void sort_quick(uint32_t *keys, size_t n, int depth) {
    for (; n > SORT_NETWORK; depth--) {
        if (depth == 0) {
            sort_slowly(keys, n);
            return;
        }
        uint32_t pivot = sort_pivot(keys, n);
        size_t low = sort_apart(keys, n, pivot, 0);
        if (low == 0) { /* it is the least key: those that equal it are in their places */
            low = sort_apart(keys, n, pivot, 1);
        } else {
            sort_quick(keys, low, depth - 1);
        }
        keys += low;
        n -= low;
    }
    sort_few(keys, n);
}

#endif
