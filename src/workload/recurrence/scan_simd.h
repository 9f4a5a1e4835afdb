/*
 * The CPU's loops of recurrence, one thread, compiled for each instruction set: sums of what is
 * picked, o[i] even ? d[i] : a[i].
 */
#ifndef BE_WORKLOAD_RECURRENCE_SCAN_SIMD_H
#define BE_WORKLOAD_RECURRENCE_SCAN_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "host/stores.h"
#include "host/simd.h"

typedef double be_pick_sum(const int32_t *o, const float *a, const float *d, size_t n);
/* r[i] = before + the sum up to i; returns the last, unrounded. */
typedef double be_pick_scan(const int32_t *o, const float *a, const float *d, float *r, size_t n,
                            double before, enum be_stores stores);

BE_SIMD_DECLARE(be_pick_sum, be_pick_sum_run);
BE_SIMD_DECLARE(be_pick_scan, be_pick_scan_run);

#endif
