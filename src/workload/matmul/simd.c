/*
 * Compiled once per instruction set, with -DBE_SIMD=suffix: products whose matrices are too small, or too narrow, to be
 * worth packing.
 */
#include "workload/matmul/matmul.h"

#include "host/vector.h"

/* Rows of C at a time: with two vectors each, and what they are made of, nearly all registers. */
#if defined(__AVX512F__)
enum { STRIP = 12 };
#elif defined(__AVX__)
enum { STRIP = 6 };
#else
enum { STRIP = 4 };
#endif

#define OF_TYPE(name) name##32
#define REAL float
#include "workload/matmul/small.h"
#include "workload/matmul/narrow.h"
#undef OF_TYPE
#undef REAL

#define OF_TYPE(name) name##64
#define REAL double
#include "workload/matmul/small.h"
#include "workload/matmul/narrow.h"
