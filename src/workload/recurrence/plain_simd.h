/*
 * Sums of the picked elements (o[i] even ? d[i] : a[i]), on one thread, as a book writes them: their sum, and their
 * running sum r from `before` on.
 */
#ifndef BE_WORKLOAD_RECURRENCE_PLAIN_SIMD_H
#define BE_WORKLOAD_RECURRENCE_PLAIN_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "host/simd.h"

typedef double be_pick_plain_sum(const int32_t *o, const float *a, const float *d, size_t n);
typedef void be_pick_plain_scan(const int32_t *o, const float *a, const float *d, float *r,
                                size_t n, double before);

BE_SIMD_DECLARE(be_pick_plain_sum, be_pick_plain_sum_run);
BE_SIMD_DECLARE(be_pick_plain_scan, be_pick_plain_scan_run);

#endif
