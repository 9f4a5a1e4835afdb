/*
 * Declarations that the files of the workload nbody share.
 */
#ifndef BE_WORKLOAD_NBODY_NBODY_H
#define BE_WORKLOAD_NBODY_NBODY_H

#include "host/simd.h"
#include "workload/workload.h"

/* Squared softening length: no two bodies act as if they were nearer than its root. */
#define BE_NBODY_SOFTENING 1e-4

enum { BE_NBODY_BODIES, BE_NBODY_ACCELERATIONS }; /* arrays */

static inline size_t be_nbody_bodies(const struct be_problem *problem) {
    return (size_t)problem->value[0];
}

/* host.c */
void be_nbody_host(const struct be_work *work);
size_t be_nbody_host_scratch(const struct be_problem *problem, int members);

/* Bodies [first, end) of n. bodies: x of all, then y, z and masses; out, accelerations: x of all, y, z. */
struct be_nbody_part {
    const void *bodies;
    void *out;
    size_t n, first, end;
};

/* Parts that are given to be_nbody_within and be_nbody_between begin at multiples of this. */
enum { BE_NBODY_GRAIN = 16 };

/* simd.c, compiled once for each instruction set, each for float32 and float64. Their results are added to
 * accelerations. */

/* A part's by all bodies: each pair is seen from this side alone. */
typedef void be_nbody_by_all(const struct be_nbody_part *part);
/* A part's by its own bodies, each pair once. */
typedef void be_nbody_within(const struct be_nbody_part *part);
/* Two parts' by the bodies of the other, each pair once. */
typedef void be_nbody_between(const struct be_nbody_part *a, const struct be_nbody_part *b);

BE_SIMD_DECLARE(be_nbody_by_all, be_nbody_by_all32);
BE_SIMD_DECLARE(be_nbody_by_all, be_nbody_by_all64);
BE_SIMD_DECLARE(be_nbody_within, be_nbody_within32);
BE_SIMD_DECLARE(be_nbody_within, be_nbody_within64);
BE_SIMD_DECLARE(be_nbody_between, be_nbody_between32);
BE_SIMD_DECLARE(be_nbody_between, be_nbody_between64);

/* plain_simd.c: the CPU's code of `plain`. */
typedef void be_nbody_plain(const struct be_work *work);
BE_SIMD_DECLARE(be_nbody_plain, be_nbody_plain_run);

#endif
