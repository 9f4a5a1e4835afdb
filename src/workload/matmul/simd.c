/* Compiled once per instruction set, with -DBE_SIMD=suffix: the product in float32 and float64. */
#include "workload/matmul/simd.h"

#include "host/simd.h"
#include "host/vector.h"

/* A strip of A times a strip of B: so many vectors of sums that, with what they are made of, all
 * registers are used: 24 of 32 with AVX-512, 12 of 16 with AVX, 8 of 16 where a product and its sum
 * are two instructions. */
#if defined(__AVX512F__)
enum { STRIP = 12 };
#elif defined(__AVX__)
enum { STRIP = 6 };
#else
enum { STRIP = 4 };
#endif

enum {
    PAIR = 2,    /* vectors in a strip of B */
    A_BLOCK = 20 /* strips of A that stay in the second-level cache while B goes by */
};

#define OF_TYPE(name) name##32
#define REAL float
#include "workload/matmul/block.h"
#undef OF_TYPE
#undef REAL

#define OF_TYPE(name) name##64
#define REAL double
#include "workload/matmul/block.h"
