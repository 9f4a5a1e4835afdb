/*
 * Vectors of unsigned 32-bit keys, as columns.h needs them: SORT_LANES keys each, SORT_ROWS of them at
 * the most, and what is done with their lanes.
 */
#ifndef BE_WORKLOAD_SORT_LANES_H
#define BE_WORKLOAD_SORT_LANES_H

#define SORT_INLINE static inline __attribute__((always_inline))

/* All of the next loop. The pragma that works for GCC takes effect so late in clang that the rows are in memory by
 * then: 2.2 times as slow for 256 keys. */
#ifdef __clang__
#define SORT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define SORT_UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(__AVX512F__)
#include "workload/sort/lanes16.h"
#else
#include "workload/sort/lanes8.h"
#endif

#endif
