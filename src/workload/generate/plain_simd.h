/*
 * Random numbers by Philox as a book writes it, on one thread: elements first <= i < first + n of z, as generate.c
 * says what they are. first is a multiple of 4.
 */
#ifndef BE_WORKLOAD_GENERATE_PLAIN_SIMD_H
#define BE_WORKLOAD_GENERATE_PLAIN_SIMD_H

#include "workload/generate/philox_simd.h"

typedef void be_philox_plain32(float *z, uint64_t first, size_t n, struct be_philox_key key);
typedef void be_philox_plain64(double *z, uint64_t first, size_t n, struct be_philox_key key);

BE_SIMD_DECLARE(be_philox_plain32, be_philox_plain32_run);
BE_SIMD_DECLARE(be_philox_plain64, be_philox_plain64_run);

#endif
