/*
 * solve: what its files share. The table and its arithmetic are in solve.c, code for the CPU in
 * host.c and simd.c, for devices in device.c, blocked.c, butterfly.c
 * and library.c.
 */
#ifndef BE_WORKLOAD_SOLVE_SOLVE_H
#define BE_WORKLOAD_SOLVE_SOLVE_H

#include <math.h>

#include "workload/workload.h"

/* info: 0, or the first pivot that is 0, from 1 on: x is NaN then. After refinement on a device
 * info may also be SOLVE_SLOW: it did not get there; SOLVE_SLOW - pivot: that one is 0 in float32.
 * SOLVE_VAGUE: nor from factors without exchanges, and x is NaN. */
enum { SOLVE_A, SOLVE_B, SOLVE_X, SOLVE_INFO };
enum { SOLVE_VAGUE = -1, SOLVE_SLOW = -2 };

static inline size_t solve_order(const struct be_problem *problem) {
    return (size_t)problem->value[1];
}

/* Refinement, and one system after the other in blocks, are for few large ones. */
enum { SOLVE_LARGE_MIN = 256, SOLVE_LARGE_MAX_SYSTEMS = 64 };

/* The backward error that ends refinement. */
static inline double solve_refined_enough(size_t order) {
    return sqrt((double)order) * 0x1p-53;
}

/* Own code holds panels of this many rows in registers on a GPU. */
enum { SOLVE_BATCHED_MAX = 2048 };

/* The rows of a panel that a cluster of groups holds, one in each lane; and four. */
enum { SOLVE_BLOCKED_ROWS = 4096, SOLVE_BLOCKED_MAX = 4 * SOLVE_BLOCKED_ROWS };

/* Up to this order a GPU does a system in one launch. */
enum { SOLVE_SMALL_MAX = 128 };

/* Code on the CPU: host.c, refined.c. */
/* LAPACK. */
enum be_status be_solve_host_ready(const struct be_host_libraries *library, int members,
                                   struct be_error *error);
void be_solve_library_host(const struct be_work *work);
/* System i by the caller alone; capacity: a square of numbers and 64 bits a row. */
void be_solve_library_one(const struct be_work *work, size_t i, void *capacity);
void be_solve_batched_host(const struct be_work *work);
void be_solve_refined_host(const struct be_work *work);
size_t be_solve_host_scratch(const struct be_problem *problem, int members);
size_t be_solve_refined_host_scratch(const struct be_problem *problem, int members);

/* Code on devices: device.c, blocked.c, butterfly.c, library.c. */
enum be_status be_solve_batched_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error);
enum be_status be_solve_batched_enqueue(const struct be_launch *launch, struct be_error *error);
size_t be_solve_batched_scratch(const struct be_problem *problem);

enum be_status be_solve_blocked_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error);
enum be_status be_solve_blocked_enqueue(const struct be_launch *launch, struct be_error *error);
size_t be_solve_blocked_scratch(const struct be_problem *problem);
void be_solve_blocked_discard(struct be_device *device,
                              struct be_prepared *prepared); /* its blas */

enum be_status be_solve_butterfly_prepare(struct be_device *device,
                                          const struct be_problem *problem,
                                          struct be_prepared *prepared, struct be_error *error);
enum be_status be_solve_butterfly_enqueue(const struct be_launch *launch, struct be_error *error);
size_t be_solve_butterfly_scratch(const struct be_problem *problem);

enum be_status be_solve_library_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error);
enum be_status be_solve_library_enqueue(const struct be_launch *launch, struct be_error *error);

enum be_status be_solve_refined_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error);
enum be_status be_solve_refined_enqueue(const struct be_launch *launch, struct be_error *error);
void be_solve_library_discard(struct be_device *device, struct be_prepared *prepared);

#endif
