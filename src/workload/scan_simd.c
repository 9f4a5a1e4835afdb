/*
 * Compiled once per instruction set. A block's running sum begins at 0 and what comes before it is
 * added afterwards, from a double: so rounding errors do not pile up over the blocks.
 */
#include "workload/scan_simd.h"

#include "workload/stream_store.h"

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

static float scan_block(const int32_t *o, const float *a, const float *d, float *r, size_t n) {
    float sum = 0;
#pragma omp simd reduction(inscan, + : sum)
    for (size_t i = 0; i < n; i++) {
        sum += (uint32_t)o[i] & 1U ? a[i] : d[i];
#pragma omp scan inclusive(sum)
        r[i] = sum;
    }
    return sum;
}

static void add_block(float *r, float before, size_t n) {
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        r[i] += before;
    }
}

double BE_SIMD_NAME(be_pick_scan_run)(const int32_t *o, const float *a, const float *d, float *r,
                                      size_t n, double before, bool stream) {
    float result[BLOCK];
    size_t i = 0;
    while (i < n) {
        size_t head = i == 0 && stream ? stream_head(r, n) : 0;
        size_t length = head ? head : least(BLOCK, n - i);
        bool lines = stream && !head && length % STREAM_LINE == 0;
        float *to = lines ? result : r + i;
        float sum = scan_block(o + i, a + i, d + i, to, length);
        add_block(to, (float)before, length);
        for (size_t k = 0; lines && k < length; k += STREAM_LINE) {
            stream_line(r + i + k, result + k);
        }
        before += (double)sum;
        i += length;
    }
    stream_end();
    return before;
}
