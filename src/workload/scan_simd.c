/*
 * Compiled once per instruction set. A block's running sum begins at 0 and what comes before it is
 * added afterwards, from a double: so rounding errors do not pile up over the blocks.
 */
#include "workload/scan_simd.h"

#include <stdbool.h>

#include "workload/stream_store.h"
#include "workload/vector.h"

enum { BLOCK = 256 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static float sum_block(const int32_t *o, const float *a, const float *d, size_t n) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) {
        float odd = a[i];
        float even = d[i];
        sum += (uint32_t)o[i] & 1U ? odd : even;
    }
    return sum;
}

double BE_SIMD_NAME(be_pick_sum_run)(const int32_t *o, const float *a, const float *d, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i += BLOCK) {
        sum += (double)sum_block(o + i, a + i, d + i, least(BLOCK, n - i));
    }
    return sum;
}

/* r[i] = before + the sum up to i; returns the sum without `before`. */
static float scan_few(const int32_t *o, const float *a, const float *d, float *r, size_t n,
                      float before) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (uint32_t)o[i] & 1U ? a[i] : d[i];
        r[i] = sum + before;
    }
    return sum;
}

#if defined(__AVX__)
enum { SHIFTS = VECTOR_BYTES == 64 ? 4 : 3 };

/* Lane k of a vector shifted by s gets lane k - s, or 0. */
struct shift {
    mask32 from, keep;
};

static struct shift shift_by(int lanes) {
    struct shift shift;
    for (int k = 0; k < lanes32; k++) {
        shift.from[k] = k < lanes ? 0 : k - lanes;
        shift.keep[k] = k < lanes ? 0 : -1;
    }
    return shift;
}

/* The same for whole vectors, in registers: sums within a vector by shifted additions, so that from
 * one vector to the next only one addition waits for another. */
static float scan_block(const int32_t *o, const float *a, const float *d, float *r, size_t n,
                        float before) {
    const mask32 last = (lanes32 - 1) - (mask32){0};
    struct shift shift[SHIFTS];
    vector32 sum = spread32(0);
    for (int s = 0; s < SHIFTS; s++) {
        shift[s] = shift_by(1 << s);
    }
    for (size_t i = 0; i < n; i += lanes32) {
        mask32 odd;
        memcpy(&odd, o + i, sizeof odd);
        odd = -(odd & 1);
        vector32 v = (vector32)((odd & (mask32)load32(a + i)) | (~odd & (mask32)load32(d + i)));
#pragma GCC unroll 4
        for (int s = 0; s < SHIFTS; s++) {
            v += (vector32)(shift[s].keep & (mask32)__builtin_shuffle(v, shift[s].from));
        }
        store32(r + i, (v + sum) + before);
        sum += __builtin_shuffle(v, last);
    }
    return sum[0];
}
#else
static float scan_block(const int32_t *o, const float *a, const float *d, float *r, size_t n,
                        float before) {
    return scan_few(o, a, d, r, n, before);
}
#endif

double BE_SIMD_NAME(be_pick_scan_run)(const int32_t *o, const float *a, const float *d, float *r,
                                      size_t n, double before, enum be_stores stores) {
    _Alignas(64) float result[BLOCK];
    const bool stream = stores == BE_STORES_PAST;
    size_t i = stream ? stream_head(r, n) : 0;
    before += (double)scan_few(o, a, d, r, i, (float)before);
    for (size_t length; n - i >= STREAM_LINE; i += length) {
        length = least(BLOCK, (n - i) / STREAM_LINE * STREAM_LINE);
        float *to = stream ? result : r + i;
        before += (double)scan_block(o + i, a + i, d + i, to, length, (float)before);
        for (size_t k = 0; stream && k < length; k += STREAM_LINE) {
            stream_line(r + i + k, result + k);
        }
    }
    before += (double)scan_few(o + i, a + i, d + i, r + i, n - i, (float)before);
    stream_end();
    return before;
}
