/*
 * Vectors of float32 and float64, as wide as the instruction set that the including file is
 * compiled for, and the choice between the two types: VECTOR(x) is x of the type REAL that the
 * including file defines, x32 or x64. A file whose code serves both types includes its body twice.
 */
#ifndef BE_HOST_VECTOR_H
#define BE_HOST_VECTOR_H

#include <stdint.h>
#include <string.h>

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
static inline vector32 least32(vector32 a, vector32 b) {
    const mask32 less = a < b;
    return (vector32)((less & (mask32)a) | (~less & (mask32)b));
}

static inline vector64 least64(vector64 a, vector64 b) {
    const mask64 less = a < b;
    return (vector64)((less & (mask64)a) | (~less & (mask64)b));
}

#define VECTOR_INLINE static inline __attribute__((always_inline))

#endif
