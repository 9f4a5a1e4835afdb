/*
 * Compiled once per instruction set, with -DBE_SIMD=suffix: nearest points, by a tree and among all of them.
 */
#include "workload/neighbours/neighbours.h"

#include <math.h>

#include "host/vector.h"

#define OF_TYPE(name) name##32
#define NAME(name) BE_SIMD_NAME(name##_32)
#define REAL float
#include "workload/neighbours/nearest.h"
#include "workload/neighbours/tree.h"
#undef OF_TYPE
#undef NAME
#undef REAL

#define OF_TYPE(name) name##64
#define NAME(name) BE_SIMD_NAME(name##_64)
#define REAL double
#include "workload/neighbours/nearest.h"
#include "workload/neighbours/tree.h"
