/*
 * Vectors of float32 as wide as the instruction set that the including file is compiled for.
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

#endif
