/*
 * Compiled once per instruction set. Each 64-bit lane makes one block of the generator: its four
 * words stand in the lower halves of four vectors, where the multiplication of 32 to 64 bits takes
 * them from; what is in the upper halves does not matter until the end.
 *
 * Intrinsics, since compilers turn the product of two masked 64-bit lanes into a full 64-bit
 * multiplication, which takes three times as long.
 */
#include "workload/generate/philox_simd.h"

#include <stdbool.h>

#include "workload/stream_store.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)

enum { LANES = 8, CHAINS = 4 };
typedef __m512i wide;

/* Lane l is block counter_of[l]: so that unpacking the lower and then the upper of each pair of
 * lanes puts the blocks in order. */
static inline wide counters(uint64_t block) {
    return _mm512_add_epi64(_mm512_set1_epi64((long long)block),
                            _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7));
}
static inline wide all_lanes(uint32_t a) {
    return _mm512_set1_epi64((long long)a);
}
static inline wide nothing(void) {
    return _mm512_setzero_si512();
}
static inline wide product(wide a, wide b) {
    return _mm512_mul_epu32(a, b);
}
static inline wide upper(wide a) {
    return _mm512_srli_epi64(a, 32);
}
static inline wide xor3(wide a, wide b, wide c) {
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}
static inline wide pair(wide low, wide high) {
    return _mm512_mask_blend_epi32(0xaaaa, low, _mm512_slli_epi64(high, 32));
}
static inline void put_floats(float *z, wide v, bool stream) {
    __m512 f = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_srli_epi32(v, 8)), _mm512_set1_ps(0x1p-24F));
    stream ? _mm512_stream_ps(z, f) : _mm512_storeu_ps(z, f);
}
static inline void put_doubles(double *z, wide v, bool stream) {
    __m512d f =
        _mm512_mul_pd(_mm512_cvtepu64_pd(_mm512_srli_epi64(v, 11)), _mm512_set1_pd(0x1p-53));
    stream ? _mm512_stream_pd(z, f) : _mm512_storeu_pd(z, f);
}
static inline wide first_pairs(wide a, wide b) {
    return _mm512_unpacklo_epi64(a, b);
}
static inline wide second_pairs(wide a, wide b) {
    return _mm512_unpackhi_epi64(a, b);
}

#elif defined(__AVX2__)

enum { LANES = 4, CHAINS = 2 };
typedef __m256i wide;

static inline wide counters(uint64_t block) {
    return _mm256_add_epi64(_mm256_set1_epi64x((long long)block), _mm256_setr_epi64x(0, 2, 1, 3));
}
static inline wide all_lanes(uint32_t a) {
    return _mm256_set1_epi64x((long long)a);
}
static inline wide nothing(void) {
    return _mm256_setzero_si256();
}
static inline wide product(wide a, wide b) {
    return _mm256_mul_epu32(a, b);
}
static inline wide upper(wide a) {
    return _mm256_srli_epi64(a, 32);
}
static inline wide xor3(wide a, wide b, wide c) {
    return _mm256_xor_si256(_mm256_xor_si256(a, b), c);
}
static inline wide pair(wide low, wide high) {
    return _mm256_blend_epi32(low, _mm256_slli_epi64(high, 32), 0xaa);
}
static inline void put_floats(float *z, wide v, bool stream) {
    __m256 f = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(v, 8)), _mm256_set1_ps(0x1p-24F));
    stream ? _mm256_stream_ps(z, f) : _mm256_storeu_ps(z, f);
}
/* 53 bits as two exact doubles: the lower 32 under 2^52, the upper 21 under 2^84. */
static inline void put_doubles(double *z, wide v, bool stream) {
    wide bits = _mm256_srli_epi64(v, 11);
    __m256d low =
        _mm256_castsi256_pd(_mm256_blend_epi32(bits, _mm256_set1_epi64x(0x4330000000000000), 0xaa));
    __m256d high = _mm256_castsi256_pd(
        _mm256_or_si256(_mm256_srli_epi64(bits, 32), _mm256_set1_epi64x(0x4530000000000000)));
    low = _mm256_sub_pd(low, _mm256_set1_pd(0x1p52));
    high = _mm256_sub_pd(high, _mm256_set1_pd(0x1p84));
    __m256d f = _mm256_mul_pd(_mm256_add_pd(low, high), _mm256_set1_pd(0x1p-53));
    stream ? _mm256_stream_pd(z, f) : _mm256_storeu_pd(z, f);
}
static inline wide first_pairs(wide a, wide b) {
    return _mm256_unpacklo_epi64(a, b);
}
static inline wide second_pairs(wide a, wide b) {
    return _mm256_unpackhi_epi64(a, b);
}

#else

/* One block at a time; a pair of words is a half of it. */
enum { LANES = 1, CHAINS = 2 };
typedef uint64_t wide;

static inline wide counters(uint64_t block) {
    return block;
}
static inline wide all_lanes(uint32_t a) {
    return a;
}
static inline wide nothing(void) {
    return 0;
}
static inline wide product(wide a, wide b) {
    return (wide)(uint32_t)a * (uint32_t)b;
}
static inline wide upper(wide a) {
    return a >> 32;
}
static inline wide xor3(wide a, wide b, wide c) {
    return a ^ b ^ c;
}
static inline wide pair(wide low, wide high) {
    return (uint32_t)low | high << 32;
}
static inline void put_floats(float *z, wide v, bool stream) {
    (void)stream;
    z[0] = (float)((uint32_t)v >> 8) * 0x1p-24F;
    z[1] = (float)(uint32_t)(v >> 40) * 0x1p-24F;
}
static inline void put_doubles(double *z, wide v, bool stream) {
    (void)stream;
    z[0] = (double)(v >> 11) * 0x1p-53;
}
static inline wide first_pairs(wide a, wide b) {
    (void)b;
    return a;
}
static inline wide second_pairs(wide a, wide b) {
    (void)a;
    return b;
}

#endif

/* ---- the generator -------------------------------------------------------------------------- */

enum {
    FLOATS = 2 * LANES,          /* of a vector */
    DOUBLES = LANES,             /* of a vector */
    BLOCKS = LANES * CHAINS,     /* made at a time */
    PART = 2 * (FLOATS * CHAINS) /* floats made at a time; half as many doubles */
};

/* CHAINS vectors of blocks from `block` on, since one would wait for its multiplications; the
 * words of a block as two pairs, one vector of blocks after the other, in the order of memory. */
static inline void make(uint64_t block, struct be_philox_key key, wide out[2 * CHAINS]) {
    wide c[4][CHAINS];
    const wide m0 = all_lanes(0xd2511f53U);
    const wide m1 = all_lanes(0xcd9e8d57U);
#pragma GCC unroll 4
    for (int j = 0; j < CHAINS; j++) {
        c[0][j] = counters(block + (uint64_t)(j * LANES));
        c[1][j] = upper(c[0][j]);
        c[2][j] = nothing();
        c[3][j] = nothing();
    }
#pragma GCC unroll 10
    for (uint32_t round = 0; round < 10; round++) {
        const wide k0 = all_lanes(key.word[0] + round * 0x9e3779b9U);
        const wide k1 = all_lanes(key.word[1] + round * 0xbb67ae85U);
#pragma GCC unroll 4
        for (int j = 0; j < CHAINS; j++) {
            wide p0 = product(m0, c[0][j]);
            wide p1 = product(m1, c[2][j]);
            c[0][j] = xor3(upper(p1), c[1][j], k0);
            c[2][j] = xor3(upper(p0), c[3][j], k1);
            c[1][j] = p1;
            c[3][j] = p0;
        }
    }
#pragma GCC unroll 4
    for (int j = 0; j < CHAINS; j++) {
        wide a = pair(c[0][j], c[1][j]);
        wide b = pair(c[2][j], c[3][j]);
        out[2 * j] = first_pairs(a, b);
        out[2 * j + 1] = second_pairs(a, b);
    }
}

static inline void part_floats(float *z, uint64_t block, struct be_philox_key key, bool stream) {
    wide v[2 * CHAINS];
    make(block, key, v);
#pragma GCC unroll 8
    for (int j = 0; j < 2 * CHAINS; j++) {
        put_floats(z + (ptrdiff_t)j * FLOATS, v[j], stream);
    }
}

static inline void part_doubles(double *z, uint64_t block, struct be_philox_key key, bool stream) {
    wide v[2 * CHAINS];
    make(block, key, v);
#pragma GCC unroll 8
    for (int j = 0; j < 2 * CHAINS; j++) {
        put_doubles(z + (ptrdiff_t)j * DOUBLES, v[j], stream);
    }
}

void BE_SIMD_NAME(be_philox_float_run)(float *z, uint64_t first, size_t n, struct be_philox_key key,
                                       enum be_stores stores) {
    float rest[PART];
    size_t i = 0;
    const bool nontemporal = stores == BE_STORES_NONTEMPORAL && stream_head(z, n) == 0;
    for (; nontemporal && i + PART <= n; i += PART) {
        part_floats(z + i, (first + i) / 4, key, true);
    }
    for (; i + PART <= n; i += PART) {
        if (stores == BE_STORES_AHEAD) {
            stream_will_write(z + i, PART);
        }
        part_floats(z + i, (first + i) / 4, key, false);
    }
    if (i < n) {
        part_floats(rest, (first + i) / 4, key, false);
        memcpy(z + i, rest, (n - i) * sizeof *z);
    }
    stream_end();
}

void BE_SIMD_NAME(be_philox_double_run)(double *z, uint64_t first, size_t n,
                                        struct be_philox_key key, enum be_stores stores) {
    enum { PART64 = PART / 2 };
    double rest[PART64];
    size_t i = 0;
    const bool nontemporal =
        stores == BE_STORES_NONTEMPORAL && stream_head((const float *)(const void *)z, 2 * n) == 0;
    for (; nontemporal && i + PART64 <= n; i += PART64) {
        part_doubles(z + i, (first + i) / 2, key, true);
    }
    for (; i + PART64 <= n; i += PART64) {
        if (stores == BE_STORES_AHEAD) {
            stream_will_write((const float *)(const void *)(z + i), PART);
        }
        part_doubles(z + i, (first + i) / 2, key, false);
    }
    if (i < n) {
        part_doubles(rest, (first + i) / 2, key, false);
        memcpy(z + i, rest, (n - i) * sizeof *z);
    }
    stream_end();
}
