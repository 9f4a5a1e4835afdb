/*
 * Philox4x32-10 on the CPU, one thread, compiled for each instruction set: elements
 * first <= i < first + n of z, uniform in [0, 1), as philox.cl has them. first is a multiple of 4.
 * z goes past the caches only if it begins at a cache line.
 */
#ifndef BE_WORKLOAD_GENERATE_PHILOX_SIMD_H
#define BE_WORKLOAD_GENERATE_PHILOX_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "host/stores.h"
#include "host/simd.h"

struct be_philox_key {
    uint32_t word[2];
};

typedef void be_philox_float(float *z, uint64_t first, size_t n, struct be_philox_key key,
                             enum be_stores stores);
typedef void be_philox_double(double *z, uint64_t first, size_t n, struct be_philox_key key,
                              enum be_stores stores);

BE_SIMD_DECLARE(be_philox_float, be_philox_float_run);
BE_SIMD_DECLARE(be_philox_double, be_philox_double_run);

#endif
