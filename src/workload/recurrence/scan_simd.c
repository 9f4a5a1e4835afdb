/*
 * Compiled once per instruction set. A block's running sum begins at 0 and what comes before it is
 * added afterwards, from a double: so rounding errors do not pile up over the blocks.
 */
#include "workload/recurrence/scan_simd.h"

#include <stdbool.h>

#include "workload/stream_store.h"
#include "host/vector.h"

enum { BLOCK = 256 };

static size_t min(size_t a, size_t b) {
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
        sum += (double)sum_block(o + i, a + i, d + i, min(BLOCK, n - i));
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
/* A shift of a vector with 0 before it: lane k gets the vector's lane k - by, or 0. */
#define SHIFTED(k, by) (lanes32 - (by) + (k))
#define LAST(k, of) ((of)-1)

/* The same for a line, in registers: sums within a vector by shifted additions, so that from one vector to
 * the next only one addition waits for another. *sum: of what is before, in each lane. */
VECTOR_INLINE void scan_line(const int32_t *o, const float *a, const float *d, float *r,
                             float before, vector32 *sum) {
    const vector32 none = spread32(0);
    for (size_t i = 0; i < STREAM_LINE; i += lanes32) {
        mask32 odd;
        memcpy(&odd, o + i, sizeof odd);
        odd = -(odd & 1);
        vector32 v = (vector32)((odd & (mask32)load32(a + i)) | (~odd & (mask32)load32(d + i)));
        v += SHUFFLED32(none, v, LANES32(SHIFTED, 1));
        v += SHUFFLED32(none, v, LANES32(SHIFTED, 2));
        v += SHUFFLED32(none, v, LANES32(SHIFTED, 4));
        if (lanes32 > 8) {
            v += SHUFFLED32(none, v, LANES32(SHIFTED, 8));
        }
        store32(r + i, (v + *sum) + before);
        *sum += SHUFFLED32(v, v, LANES32(LAST, lanes32));
    }
}

/* n: whole lines. A loop with non-temporal stores prefetches: there is more to do between one line and the next than
 * lets a core see the lines it will need. */
static float scan_block(const int32_t *o, const float *a, const float *d, float *r, size_t n,
                        float before, bool nontemporal) {
    vector32 sum = spread32(0);
    for (size_t i = 0; i < n && !nontemporal; i += STREAM_LINE) {
        scan_line(o + i, a + i, d + i, r + i, before, &sum);
    }
    for (size_t i = 0; i < n && nontemporal; i += STREAM_LINE) {
        float line[STREAM_LINE];
        stream_will_read((const float *)(const void *)(o + i), STREAM_LINE, BE_PREFETCH_L1);
        stream_will_read(a + i, STREAM_LINE, BE_PREFETCH_L1);
        stream_will_read(d + i, STREAM_LINE, BE_PREFETCH_L1);
        scan_line(o + i, a + i, d + i, line, before, &sum);
        stream_line(r + i, line);
    }
    return sum[0];
}
#else
static float scan_block(const int32_t *o, const float *a, const float *d, float *r, size_t n,
                        float before, bool nontemporal) {
    float result[BLOCK];
    const float sum = scan_few(o, a, d, nontemporal ? result : r, n, before);
    for (size_t i = 0; i < n && nontemporal; i += STREAM_LINE) {
        stream_line(r + i, result + i);
    }
    return sum;
}
#endif

double BE_SIMD_NAME(be_pick_scan_run)(const int32_t *o, const float *a, const float *d, float *r,
                                      size_t n, double before, enum be_stores stores) {
    const bool nontemporal = stores == BE_STORES_NONTEMPORAL;
    size_t i = nontemporal ? stream_head(r, n) : 0;
    before += (double)scan_few(o, a, d, r, i, (float)before);
    for (size_t length; n - i >= STREAM_LINE; i += length) {
        length = min(BLOCK, (n - i) / STREAM_LINE * STREAM_LINE);
        before +=
            (double)scan_block(o + i, a + i, d + i, r + i, length, (float)before, nontemporal);
    }
    before += (double)scan_few(o + i, a + i, d + i, r + i, n - i, (float)before);
    stream_end();
    return before;
}
