/*
 * The fastest code for z = x^y and z = x * y on this CPU, one thread. It knows nothing of threads
 * or of which sizes count as big.
 *
 * Power is right to 1 ulp (libm's where that is used), special values as C's Annex F has them.
 * z may not overlap x or y.
 */
#ifndef BE_WORKLOAD_ELEMENTWISE_SIMD_H
#define BE_WORKLOAD_ELEMENTWISE_SIMD_H

#include <stddef.h>

#include "host/stores.h"
#include "workload/prefetch.h"

typedef void be_multiply_run(const float *x, const float *y, float *z, size_t n,
                             enum be_stores stores);
/* ask: for x and y, which lie in no cache. */
typedef void be_power_run(const float *x, const float *y, float *z, size_t n, enum be_stores stores,
                          enum be_ask ask);

struct be_elementwise_simd {
    const char *name;
    be_power_run *power;
    be_multiply_run *multiply;
    int (*runs_here)(void);
};

/* Every variant in this program, the best first; a null name ends the list. */
extern const struct be_elementwise_simd be_elementwise_simd_list[];

/* The best variant that this CPU runs; never null. */
const struct be_elementwise_simd *be_elementwise_simd(void);

/* elementwise_simd.c, compiled once for each instruction set; v3 and v4 exist on x86-64 only. */
be_power_run be_power_run_plain, be_power_run_v3, be_power_run_v4;
be_multiply_run be_multiply_run_plain, be_multiply_run_v3, be_multiply_run_v4;

#endif
