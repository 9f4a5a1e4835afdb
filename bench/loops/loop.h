/*
 * A loop that somebody writes in an afternoon, once for one core and once for a GPU: each file here defines `item`, which
 * computes output i from the inputs, and how large the problem is. cpu.c calls it for all i in turn, gpu.cu for each in a
 * thread of its own.
 */
#ifndef LOOP_H
#define LOOP_H

#include <math.h>

#ifdef __CUDACC__
#define HERE static __device__ __forceinline__
#else
#define HERE static inline
#endif

#ifndef REAL
#define REAL double
#endif
typedef REAL real;

/* Inputs: `INPUTS` numbers between 0 and 1. */
static inline real input_at(long i) {
    return (real)((i * 2654435761u % 1000003u) / 1000003.0);
}

#endif
