/*
 * What the files of the workload nbody share.
 */
#ifndef BE_WORKLOAD_NBODY_H
#define BE_WORKLOAD_NBODY_H

#include "workload/workload.h"

extern const struct be_workload be_workload_nbody;

/* Squared softening length: no two bodies act as if they were nearer than its root. */
#define BE_NBODY_SOFTENING 1e-4

/* nbody_simd.c, compiled once for each instruction set: the accelerations of bodies
 * [first, first + count) of n. bodies: x of all, then y, z and masses; out: x of all, y, z. */
typedef void be_nbody_run(const void *bodies, size_t n, size_t first, size_t count, void *out);
be_nbody_run be_nbody_run32_plain, be_nbody_run32_v3, be_nbody_run32_v4;
be_nbody_run be_nbody_run64_plain, be_nbody_run64_v3, be_nbody_run64_v4;

#endif
