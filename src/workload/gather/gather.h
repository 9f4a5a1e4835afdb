/* gather: element by element on the CPU, and by bins. */
#ifndef BE_WORKLOAD_GATHER_GATHER_H
#define BE_WORKLOAD_GATHER_GATHER_H

#include "workload/stream.h"
#include "workload/thresholds.h"

/* This member's share, as struct be_variant's `host`; host.c. */
void be_gather_plain_host(const struct be_work *work);

/* Likewise by bins, see binned.c; offered from BE_GATHER_BINNED_MIN elements on. */
void be_gather_binned_host(const struct be_work *work);
size_t be_gather_binned_scratch(const struct be_problem *problem, int members);

/* On CUDA, see device.c; as struct be_variant's. */
enum be_status be_gather_binned_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error);
enum be_status be_gather_binned_enqueue(const struct be_launch *launch, struct be_error *error);
size_t be_gather_binned_device_scratch(const struct be_problem *problem);

#endif
