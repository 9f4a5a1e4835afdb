/*
 * Code of the workloads whose time is reading and writing long arrays: add, chain, recurrence,
 * generate, reduce, gather, sort. Each sweeps one parameter, "size".
 */
#ifndef BE_WORKLOAD_STREAM_H
#define BE_WORKLOAD_STREAM_H

#include "workload/workload.h"

enum {
    BE_STREAM_GRAIN = 64,       /* elements: shares begin at cache lines */
    BE_STREAM_LANES = 256,      /* of a group, in every kernel of these workloads */
    BE_STREAM_GROUPS_MAX = 4096 /* of kernels that walk over an array */
};

/* Fills this member's rows of array k, in a workload of whole problems; copies of the problem
 * differ. */
void be_stream_fill(const struct be_work *work, int k, uint64_t seed, double low);

/* ---- sums of all members -------------------------------------------------------------------- */

/* The sum of x, its error that of one rounding: for references. */
double be_stream_exact_sum(const void *x, enum be_real real, size_t n);

/* One double a member, a cache line apart. */
size_t be_stream_slots_bytes(const struct be_problem *problem, int members);
/* Puts `mine` into this member's slot and meets the others; the sum of all, the same for each. */
double be_stream_total(const struct be_work *work, double mine);

/* A reference can hold a sum as one slot a member: doubles of it. */
enum { BE_STREAM_REFERENCE = BE_CORES_MAX };
void be_stream_keep(const struct be_work *work, double mine, double *reference);
double be_stream_kept(const double *reference);

/* ---- devices -------------------------------------------------------------------------------- */

/* Elements that a group of workload/stream.cl takes at a time. */
size_t be_stream_tile(const struct be_problem *problem);
/* Groups for n elements of which a group takes `tile` at a time: enough to fill the device. */
size_t be_stream_groups(const struct be_device *device, size_t n, size_t tile);
/* Room for what each group of such a kernel leaves: a double each. */
size_t be_stream_scratch(const struct be_problem *problem);
bool be_stream_on_cuda(const struct be_device *device);

#endif
