/*
 * Vectors of float32 and float64 as wide as the instruction set that the including file is compiled for.
 */
#ifndef BE_MACHINE_VECTOR_H
#define BE_MACHINE_VECTOR_H

#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
enum { VECTOR_FLOATS = 16 };
typedef __m512 vector;
static inline void store_past_cache(float *to, vector v) {
    _mm512_stream_ps(to, v);
}
#elif defined(__AVX__)
#include <immintrin.h>
enum { VECTOR_FLOATS = 8 };
typedef __m256 vector;
static inline void store_past_cache(float *to, vector v) {
    _mm256_stream_ps(to, v);
}
#elif defined(__SSE2__)
#include <xmmintrin.h>
enum { VECTOR_FLOATS = 4 };
typedef __m128 vector;
static inline void store_past_cache(float *to, vector v) {
    _mm_stream_ps(to, v);
}
#else
enum { VECTOR_FLOATS = 4 };
typedef float vector __attribute__((vector_size(16)));
static inline void store_past_cache(float *to, vector v) {
    memcpy(to, &v, sizeof v);
}
#endif

#if defined(__SSE2__)
static inline void stores_done(void) {
    _mm_sfence();
}
#else
static inline void stores_done(void) {
}
#endif

enum { VECTOR_DOUBLES = VECTOR_FLOATS / 2 };
typedef double vector64 __attribute__((vector_size(VECTOR_DOUBLES * sizeof(double))));

static inline vector load(const float *from) {
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store(float *to, vector v) {
    memcpy(to, &v, sizeof v);
}

static inline vector spread(float value) {
    return value + (vector){0};
}

static inline vector64 spread64(double value) {
    return value + (vector64){0};
}

#endif
