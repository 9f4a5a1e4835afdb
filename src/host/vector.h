/*
 * Vectors of float32 and float64, as wide as the instruction set that the including file is
 * compiled for, and the choice between the two types: VECTOR(x) is x of the type REAL that the
 * including file defines, x32 or x64. A file whose code serves both types includes its body twice.
 */
#ifndef BE_HOST_VECTOR_H
#define BE_HOST_VECTOR_H

#include <stdint.h>
#include <string.h>

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif

typedef float vector32 __attribute__((vector_size(VECTOR_BYTES)));
typedef double vector64 __attribute__((vector_size(VECTOR_BYTES)));
enum { lanes32 = VECTOR_BYTES / 4, lanes64 = VECTOR_BYTES / 8 };

static inline vector32 load32(const float *from) {
    vector32 v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline vector64 load64(const double *from) {
    vector64 v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store32(float *to, vector32 v) {
    memcpy(to, &v, sizeof v);
}

static inline void store64(double *to, vector64 v) {
    memcpy(to, &v, sizeof v);
}

static inline vector32 spread32(float value) {
    return value - (vector32){0};
}

static inline vector64 spread64(double value) {
    return value - (vector64){0};
}

typedef int32_t mask32 __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t mask64 __attribute__((vector_size(VECTOR_BYTES)));

/* a < b ? a : b: b where either is no number. */
static inline vector32 min32(vector32 a, vector32 b) {
    const mask32 less = a < b;
    return (vector32)((less & (mask32)a) | (~less & (mask32)b));
}

static inline vector64 min64(vector64 a, vector64 b) {
    const mask64 less = a < b;
    return (vector64)((less & (mask64)a) | (~less & (mask64)b));
}

#if defined(__AVX512F__)
static inline vector32 root32(vector32 v) {
    return (vector32)_mm512_sqrt_ps((__m512)v);
}

static inline vector64 root64(vector64 v) {
    return (vector64)_mm512_sqrt_pd((__m512d)v);
}
#elif defined(__AVX__)
static inline vector32 root32(vector32 v) {
    return (vector32)_mm256_sqrt_ps((__m256)v);
}

static inline vector64 root64(vector64 v) {
    return (vector64)_mm256_sqrt_pd((__m256d)v);
}
#elif defined(__SSE2__)
static inline vector32 root32(vector32 v) {
    return (vector32)_mm_sqrt_ps((__m128)v);
}

static inline vector64 root64(vector64 v) {
    return (vector64)_mm_sqrt_pd((__m128d)v);
}
#else
static inline vector32 root32(vector32 v) {
    for (int k = 0; k < lanes32; k++) {
        v[k] = __builtin_sqrtf(v[k]);
    }
    return v;
}

static inline vector64 root64(vector64 v) {
    for (int k = 0; k < lanes64; k++) {
        v[k] = __builtin_sqrt(v[k]);
    }
    return v;
}
#endif

/* The sum of all lanes, in double and in their order. */
static inline double all_of32(vector32 v) {
    float lane[lanes32];
    double all = 0;
    store32(lane, v);
    for (int k = 0; k < lanes32; k++) {
        all += (double)lane[k];
    }
    return all;
}

static inline double all_of64(vector64 v) {
    double lane[lanes64];
    double all = 0;
    store64(lane, v);
    for (int k = 0; k < lanes64; k++) {
        all += lane[k];
    }
    return all;
}

/* Past the caches, to an address that is a multiple of a vector's bytes; stores_done orders such stores before
 * whatever follows, as other threads see it. */
#if defined(__AVX512F__)
static inline void store_nontemporal32(float *to, vector32 v) {
    _mm512_stream_ps(to, (__m512)v);
}
#elif defined(__AVX__)
static inline void store_nontemporal32(float *to, vector32 v) {
    _mm256_stream_ps(to, (__m256)v);
}
#elif defined(__SSE2__)
static inline void store_nontemporal32(float *to, vector32 v) {
    _mm_stream_ps(to, (__m128)v);
}
#else
static inline void store_nontemporal32(float *to, vector32 v) {
    memcpy(to, &v, sizeof v);
}
#endif

static inline void stores_done(void) {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

#define VECTOR_INLINE static inline __attribute__((always_inline))

/* ---- lanes ---------------------------------------------------------------------------------- */

/* Floats, and doubles, of vectors a and b by their numbers, which are constants: those of a from 0 on, then those of b.
 * gcc has the function of clang from 12 on, and before it one of its own, which takes the numbers as a vector. */
#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLED32(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define SHUFFLED64(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLED32(a, b, ...) __builtin_shuffle(a, b, (mask32){__VA_ARGS__})
#define SHUFFLED64(a, b, ...) __builtin_shuffle(a, b, (mask64){__VA_ARGS__})
#endif

/* The numbers one by one: LANES32(f, ...) is f(0, ...), f(1, ...), for each float of a vector, LANES64 for each
 * double. */
#define LANES_2(f, ...) f(0, __VA_ARGS__), f(1, __VA_ARGS__)
#define LANES_4(f, ...) LANES_2(f, __VA_ARGS__), f(2, __VA_ARGS__), f(3, __VA_ARGS__)
#define LANES_8(f, ...)                                                                            \
    LANES_4(f, __VA_ARGS__), f(4, __VA_ARGS__), f(5, __VA_ARGS__), f(6, __VA_ARGS__),              \
        f(7, __VA_ARGS__)
#define LANES_16(f, ...)                                                                           \
    LANES_8(f, __VA_ARGS__), f(8, __VA_ARGS__), f(9, __VA_ARGS__), f(10, __VA_ARGS__),             \
        f(11, __VA_ARGS__), f(12, __VA_ARGS__), f(13, __VA_ARGS__), f(14, __VA_ARGS__),            \
        f(15, __VA_ARGS__)

#if defined(__AVX512F__)
#define LANES32 LANES_16
#define LANES64 LANES_8
#define LANES_BYTES 64
#elif defined(__AVX__)
#define LANES32 LANES_8
#define LANES64 LANES_4
#define LANES_BYTES 32
#else
#define LANES32 LANES_4
#define LANES64 LANES_2
#define LANES_BYTES 16
#endif

/* The UPPER or LOWER one of rows a and b, once squares of half x half numbers off the diagonal changed places: with 4
 * lanes and half 1, a0 b0 a2 b2 and a1 b1 a3 b3; with half 2, a0 a1 b0 b1 and a2 a3 b2 b3. */
#define EXCHANGED32(row, a, b, half) SHUFFLED32(a, b, LANES32(row, half, LANES_BYTES / 4))
#define EXCHANGED64(row, a, b, half) SHUFFLED64(a, b, LANES64(row, half, LANES_BYTES / 8))
#define UPPER(k, half, lanes) ((k) & (half) ? (k) + (lanes) - (half) : (k))
#define LOWER(k, half, lanes) ((UPPER(k, half, lanes) + (half)) % (2 * (lanes)))

#endif
