/*
 * A CPU's loops over the elements of arrays, one thread: what elementwise_loop.h makes of one element's arithmetic
 * in each instruction set.
 */
#ifndef BE_WORKLOAD_ELEMENTWISE_SIMD_H
#define BE_WORKLOAD_ELEMENTWISE_SIMD_H

#include <stdbool.h>
#include <stddef.h>

#include "host/simd.h"
#include "host/stores.h"

/* Element i of `to` from element i of each array of `from`, n of them. `to` may be from[0], and overlaps no other. */
typedef void be_elementwise_loop(const void *const *from, void *to, size_t n,
                                 enum be_stores stores);

/* The loops of NAME/element.cl, by type (enum be_real) and instruction set (enum be_simd). */
typedef be_elementwise_loop *const be_elementwise_loops[2][BE_SIMDS];
#define BE_ELEMENTWISE_LOOPS(name)                                                                 \
    BE_SIMD_DECLARE(be_elementwise_loop, be_##name##_float);                                       \
    BE_SIMD_DECLARE(be_elementwise_loop, be_##name##_double);                                      \
    static be_elementwise_loops be_##name##_loops = {BE_SIMD_EACH(be_##name##_float),              \
                                                     BE_SIMD_EACH(be_##name##_double)}

#endif
