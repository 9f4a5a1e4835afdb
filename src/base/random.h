/*
 * Random numbers from a seed and an index alone: any thread, any order, the same numbers.
 */
#ifndef BE_BASE_RANDOM_H
#define BE_BASE_RANDOM_H

#include <stdint.h>

/* Steele, Lea and Flood's SplitMix64 output function over a counter (OOPSLA 2014). */
static inline uint64_t be_random_bits(uint64_t seed, uint64_t index) {
    uint64_t z = seed * 0xd1342543de82ef95u + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [0, 1), multiples of 2^-24. */
static inline float be_random_float(uint64_t seed, uint64_t index) {
    return (float)(be_random_bits(seed, index) >> 40) * 0x1p-24f;
}

#endif
