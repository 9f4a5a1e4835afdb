/*
 * The fastest code for z = x^y on this CPU, one thread. It knows nothing of threads or of which sizes count
 * as big. Right to 1 ulp (libm's where that is used), special values as C's Annex F has them. z may
 * not overlap x or y.
 */
#ifndef BE_WORKLOAD_POWER_SIMD_H
#define BE_WORKLOAD_POWER_SIMD_H

#include <stddef.h>

#include "host/simd.h"
#include "host/stores.h"
#include "workload/prefetch.h"

/* ask: for x and y, which lie in no cache. */
typedef void be_power_float(const float *x, const float *y, float *z, size_t n,
                            enum be_stores stores, enum be_prefetch ask);

BE_SIMD_DECLARE(be_power_float, be_power_run);

#endif
