/*
 * The CPU's loops of chain and reduce, one thread, compiled for each instruction set.
 * Nothing overlaps.
 */
#ifndef BE_WORKLOAD_STREAM_SIMD_H
#define BE_WORKLOAD_STREAM_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/simd.h"
#include "host/stores.h"
#include "workload/elementwise_simd.h"

/* Float sums of at most a few hundred additions each, added up in double; pairwise for double. */
typedef double be_sum_float(const float *x, size_t n);
typedef double be_sum_double(const double *x, size_t n);

/* Arrays of chain, each from the same element on. */
struct be_chain_arrays {
    const float *d, *o, *m;
    float *d_new, *o_new, *m_new;
};
/* One pass; returns the sum of all three results. */
typedef double be_chain_float(const struct be_chain_arrays *array, float c, size_t n,
                              enum be_stores stores);
/* The same, each result where its input was; never past the caches. */
typedef double be_chain_here_float(float *d, float *o, float *m, float c, size_t n,
                                   enum be_stores stores);
/* The sum of the three results that are there. */
typedef double be_chain_sum_float(const struct be_chain_arrays *array, size_t n);

/* d + c and x + y: what chain as it is written is made of. */
#define BE_CHAIN_CONSTANT 1.25F
BE_SIMD_DECLARE(be_elementwise_loop, be_add_float_run);
BE_SIMD_DECLARE(be_elementwise_loop, be_plus_float_run);
BE_SIMD_DECLARE(be_sum_float, be_sum_float_run);
BE_SIMD_DECLARE(be_sum_double, be_sum_double_run);
BE_SIMD_DECLARE(be_chain_float, be_chain_run);
BE_SIMD_DECLARE(be_chain_here_float, be_chain_here_run);
BE_SIMD_DECLARE(be_chain_sum_float, be_chain_sum_run);

#endif
