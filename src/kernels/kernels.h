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
 * k_triad (x, y, z, n), k_write (z, n, value), k_read (x, sink, n, groups, rounds), k_fma (sink,
 * rounds): see ceilings.cl.
 */
extern const struct be_host_kernel be_ceilings_host[];

/* k_nothing (z, n), k_random_float32/bfloat16/float16 (z, n, seed); in double precision k_fma64
 * (sink, rounds) and k_random_float64: see probe.cl, probe64.cl. */
extern const struct be_host_kernel be_probe_host[], be_probe64_host[];

/* What k_random_* write for seed + i, with 24, 8, 11 bits: z[i] = be_probe_random(seed + i, bits). */
float be_probe_random(unsigned int i, int bits);

/* As programs that a device can build; the last two have no host C: k_fma_pair (sink, rounds). */
extern const struct be_program be_program_elementwise, be_program_ceilings, be_program_probe,
    be_program_probe64, be_program_probe_float16, be_program_probe_bfloat16;

/* Of workloads, without host C: what their kernels take, and what is to be defined, is said in
 * NAME.cl. */
extern const struct be_program be_program_distance, be_program_fft, be_program_gather_binned,
    be_program_mandelbrot, be_program_matmul, be_program_nbody, be_program_onesweep,
    be_program_philox, be_program_radix, be_program_regress, be_program_regress_gram,
    be_program_regress_together, be_program_scan, be_program_solve_butterfly, be_program_solve_cuda,
    be_program_solve_large, be_program_solve_small, be_program_solve_tall, be_program_solve_turn,
    be_program_spmv, be_program_stencil, be_program_stream;

#endif
