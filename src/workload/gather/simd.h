/* The work of binned.c on every element, compiled once per instruction set for its shifts. */
#ifndef BE_WORKLOAD_GATHER_SIMD_H
#define BE_WORKLOAD_GATHER_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "host/simd.h"

/* Each index of a cell becomes the bits of its element of x. */
typedef void be_gather_fetch_type(const float *x, uint32_t *cell, size_t n);

/* z[i]: the next of bin index[i] >> shift; next[bin]: where in `room` that is, moved on. */
struct be_gather_put {
    const uint32_t *index;
    size_t n;
    int shift;
    const uint32_t *capacity;
    uint32_t *next;
    float *z;
};
typedef void be_gather_put_type(const struct be_gather_put *put);

BE_SIMD_DECLARE(be_gather_fetch_type, be_gather_fetch_run);
BE_SIMD_DECLARE(be_gather_put_type, be_gather_put_run);

#endif
