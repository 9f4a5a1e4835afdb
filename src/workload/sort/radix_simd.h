/* Few enough keys for a core's caches in ascending order, see radix_simd.c. */
#ifndef BE_WORKLOAD_SORT_RADIX_SIMD_H
#define BE_WORKLOAD_SORT_RADIX_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "host/simd.h"

/* n keys of `from` into `to`, which may be the same, by their lowest `bits` bits: the others are the
 * same in all. The two may overlap. room: be_sort_room(room_for) keys; room_for: n or more, with AVX-512
 * any number. */
typedef void be_sort_type(const uint32_t *from, uint32_t *to, size_t n, int bits,
                          uint32_t *capacity, size_t capacity_for);
/* Keys that the room for sorting n keys has. */
typedef size_t be_sort_capacity_type(size_t n);

BE_SIMD_DECLARE(be_sort_type, be_sort_run);
BE_SIMD_DECLARE(be_sort_capacity_type, be_sort_capacity);

#endif
