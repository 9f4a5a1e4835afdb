/*
 * One kernel source, three languages: CUDA as NVRTC compiles it (no headers), OpenCL C 1.2, and
 * host C. This file names what they call differently. It knows nothing of any kernel.
 *
 * A kernel computes its place from GROUP(d), LANE(d) and LANES(d), d = 0, 1 or 2 written as a
 * digit. In host C they read the launch point that the runner puts into `be_here` before the call.
 *
 *   MUL       a product that is never fused with an addition; error-free sums depend on that
 *   FMA       a * b + c, rounded once
 *   RECIP     1 / x to a relative 2^-21 or better, for x in [1, 4]; nothing finer is promised
 *   POW       the language's own power function over its full range; slow
 *   LOAD4 STORE4   four floats in one access; the address is a multiple of 16 bytes on a device
 *   LOCAL          what a pointer into SHARED memory is declared with
 *   UNROLL UNROLL_BY(n)  before a loop, CUDA only: there are as many copies of its body as turns, or
 *                  n. Barriers in unrolled loops keep some OpenCL compilers busy for minutes
 *   COLD_LOOP      before a loop that hardly ever runs: keep one copy of its body
 *   REAL           float, or double in a program built with BE_REAL64 defined; REAL_FMA on it
 *   BARRIER()      all lanes of the group, and their SHARED memory; not in host C
 *   LANES_MOST(n)  before a kernel: it is never launched with more than n lanes a group
 *   LANES_MOST_OF(n, groups)  and so many groups are to fit a multiprocessor at a time
 */
#ifndef BE_KERNELS_DIALECT_H
#define BE_KERNELS_DIALECT_H

#if defined(BE_REAL64)
#define REAL double
#else
#define REAL float
#endif

#if defined(__OPENCL_VERSION__)

#if defined(BE_REAL64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF
#define KERNEL __kernel void
#define GLOBAL __global
#define SHARED __local
#define LOCAL __local
/* Always inlined: PoCL makes wrong code of barriers and SHARED memory in a function called. */
#define DEVICE static inline __attribute__((always_inline))
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define LONG long
#define GROUP(d) ((LONG)get_group_id(d))
#define LANE(d) ((LONG)get_local_id(d))
#define LANES(d) ((LONG)get_local_size(d))
#define UNROLL
#define UNROLL_BY(n)
#define COLD_LOOP
#define LANES_MOST(n)
#define LANES_MOST_OF(n, groups)
#define REAL_FMA(a, b, c) fma(a, b, c)

#define FLOAT4 float4
#define LOAD4(p) (*(GLOBAL const float4 *)(p))
#define STORE4(p, v) (*(GLOBAL float4 *)(p) = (v))
#define MUL(a, b) ((a) * (b))
#define FMA(a, b, c) fma(a, b, c)
#define RINT(x) rint(x)
#define POW(x, y) pow(x, y)
#define AS_INT(f) as_int(f)
#define AS_FLOAT(i) as_float(i)

/* native_recip promises no accuracy: one Newton step makes 2^-21 of the 2^-11 that devices have. */
static inline float be_recip(float x) {
    float r = native_recip(x);
    return fma(fma(-x, r, 1.0f), r, r);
}
#define RECIP(x) be_recip(x)

#elif defined(__CUDACC__)

#define KERNEL extern "C" __global__ void
#define GLOBAL
#define SHARED __shared__
#define LOCAL
#define DEVICE static __device__ __forceinline__
#define BARRIER() __syncthreads()
#define LONG long long
#define GROUP(d) ((LONG)BE_GROUP_##d)
#define LANE(d) ((LONG)BE_LANE_##d)
#define LANES(d) ((LONG)BE_LANES_##d)
#define BE_GROUP_0 blockIdx.x
#define BE_GROUP_1 blockIdx.y
#define BE_GROUP_2 blockIdx.z
#define BE_LANE_0 threadIdx.x
#define BE_LANE_1 threadIdx.y
#define BE_LANE_2 threadIdx.z
#define BE_LANES_0 blockDim.x
#define BE_LANES_1 blockDim.y
#define BE_LANES_2 blockDim.z
#define BE_PRAGMA(text) _Pragma(#text)
#define UNROLL BE_PRAGMA(unroll)
#define UNROLL_BY(n) BE_PRAGMA(unroll n)
#define COLD_LOOP UNROLL_BY(1)
#define LANES_MOST(n) __launch_bounds__(n)
#define LANES_MOST_OF(n, groups) __launch_bounds__(n, groups)
#define REAL_FMA(a, b, c) fma(a, b, c)

#define FLOAT4 float4
#define LOAD4(p) (*(const float4 *)(p))
#define STORE4(p, v) __stcs((float4 *)(p), v) /* an assignment became four stores */
#define MUL(a, b) __fmul_rn(a, b)
#define FMA(a, b, c) __fmaf_rn(a, b, c)
#define RINT(x) rintf(x)
#define POW(x, y) powf(x, y)
#define AS_INT(f) __float_as_int(f)
#define AS_FLOAT(i) __int_as_float(i)

/* One instruction, to 1 ulp; __frcp_rn and `/` are many. */
static __device__ __forceinline__ float be_recip(float x) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
#define RECIP(x) be_recip(x)

#else

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "host.h"

/* Per thread: each thread of a host runner walks its own launch points. */
static _Thread_local const struct be_launch_point *be_here __attribute__((unused));

#define KERNEL static void
#define GLOBAL
#define SHARED
#define LOCAL
#define DEVICE static inline __attribute__((always_inline))
#define LONG int64_t
#define GROUP(d) ((LONG)be_here->group[d])
#define LANE(d) ((LONG)be_here->lane[d])
#define LANES(d) ((LONG)be_here->lanes[d])
#define UNROLL
#define UNROLL_BY(n)
#define COLD_LOOP
#define LANES_MOST(n)
#define LANES_MOST_OF(n, groups)
#define REAL_FMA(a, b, c) be_real_fma(a, b, c)

struct be_float4 {
    float x, y, z, w;
};
#define FLOAT4 struct be_float4
#define LOAD4(p) be_load4(p)
#define STORE4(p, v) be_store4(p, v)
#define MUL(a, b) ((a) * (b)) /* with -ffp-contract=off, which -std=c17 implies in GCC */
#define FMA(a, b, c) __builtin_fmaf(a, b, c)
#define RINT(x) rintf(x)
#define POW(x, y) powf(x, y)
#define AS_INT(f) be_as_int(f)
#define AS_FLOAT(i) be_as_float(i)
#define RECIP(x) (1.0f / (x))

DEVICE struct be_float4 be_load4(const float *p) {
    struct be_float4 v;
    memcpy(&v, p, sizeof v);
    return v;
}

DEVICE void be_store4(float *p, struct be_float4 v) {
    memcpy(p, &v, sizeof v);
}

#if defined(BE_REAL64)
DEVICE double be_real_fma(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}
#else
DEVICE float be_real_fma(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}
#endif

DEVICE int be_as_int(float f) {
    int i;
    memcpy(&i, &f, sizeof i);
    return i;
}

DEVICE float be_as_float(int i) {
    float f;
    memcpy(&f, &i, sizeof f);
    return f;
}

#endif

#endif
