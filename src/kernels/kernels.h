/* The device kernels that are also compiled as host C, one table per source file. */
#ifndef BE_KERNELS_KERNELS_H
#define BE_KERNELS_KERNELS_H

#include "host.h"

/*
 * k_power and k_multiply: (const float *x, const float *y, float *z, int64_t first, int64_t n),
 * z[i] = x[i]^y[i] or x[i] * y[i] for first <= i < first + n; first is a multiple of 4.
 */
extern const struct be_host_kernel be_elementwise_host[];

/*
 * k_triad (x, y, z, n), k_read (x, sink, n, groups, rounds), k_fma (sink, rounds): see ceilings.cl.
 */
extern const struct be_host_kernel be_ceilings_host[];

/* Both as programs that a device can build. */
extern const struct be_program be_program_elementwise, be_program_ceilings;

#endif
