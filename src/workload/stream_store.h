/*
 * Stores that go past the caches, in the widest form of the instruction set that the including file
 * is compiled for; plain stores where there is none.
 */
#ifndef BE_WORKLOAD_STREAM_STORE_H
#define BE_WORKLOAD_STREAM_STORE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "workload/prefetch.h"

enum { STREAM_LINE = 16 }; /* floats in a cache line */

#if defined(__AVX512F__)
#include <immintrin.h>

static inline void stream_line(float *z, const float *v) {
    _mm512_stream_ps(z, _mm512_loadu_ps(v));
}
#elif defined(__AVX__)
#include <immintrin.h>

static inline void stream_line(float *z, const float *v) {
    _mm256_stream_ps(z, _mm256_loadu_ps(v));
    _mm256_stream_ps(z + 8, _mm256_loadu_ps(v + 8));
}
#elif defined(__SSE2__)
#include <xmmintrin.h>

static inline void stream_line(float *z, const float *v) {
    for (int i = 0; i < STREAM_LINE; i += 4)
        _mm_stream_ps(z + i, _mm_loadu_ps(v + i));
}
#else
static inline void stream_line(float *z, const float *v) {
    memcpy(z, v, STREAM_LINE * sizeof *v);
}
#endif

/* For stores through the caches: asks for the lines that n floats from 4 KiB further on lie in, to be
 * read or written. A core by itself waits for few lines at a time; those asked for beforehand it does not
 * wait for. Never faults. */
enum { STREAM_AHEAD = 1024 };

static inline void stream_will_read(const float *x, size_t n, enum be_prefetch ask) {
    for (size_t i = 0; i < n; i += STREAM_LINE) {
        be_ask_line(x + i + STREAM_AHEAD, ask);
    }
}

static inline void stream_will_write(const float *z, size_t n) {
    for (size_t i = 0; i < n; i += STREAM_LINE) {
        __builtin_prefetch(z + i + STREAM_AHEAD, 1);
    }
}

/* Orders the stores above before whatever follows, as other threads see it. */
#if defined(__SSE2__)
static inline void stream_end(void) {
    _mm_sfence();
}
#else
static inline void stream_end(void) {
}
#endif

/* How many of n floats lie before the first cache line boundary. */
static inline size_t stream_head(const float *z, size_t n) {
    size_t nontemporal = ((uintptr_t)z / sizeof *z) % STREAM_LINE;
    size_t head = nontemporal ? STREAM_LINE - nontemporal : 0;
    return head < n ? head : n;
}

#endif
