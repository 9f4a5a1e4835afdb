/* Few enough keys for a core's caches in ascending order, see radix_simd.c. */
#ifndef BE_WORKLOAD_RADIX_SIMD_H
#define BE_WORKLOAD_RADIX_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "workload/simd.h"

/* n keys of `from` into `to`, which may be the same, by their lowest `bits` bits: the others are
 * the same in all. room: n keys; AVX-512 needs none. */
typedef void be_sort_type(const uint32_t *from, uint32_t *to, size_t n, int bits, uint32_t *room);

BE_SIMD_DECLARE(be_sort_type, be_sort_run);

#endif
