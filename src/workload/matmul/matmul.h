/*
 * Declarations that the files of the workload matmul share: its parameters, its data and its code.
 */
#ifndef BE_WORKLOAD_MATMUL_MATMUL_H
#define BE_WORKLOAD_MATMUL_MATMUL_H

#include "workload/workload.h"

enum { BE_MATMUL_A, BE_MATMUL_B, BE_MATMUL_C };

static inline size_t be_matmul_order(const struct be_problem *problem) {
    return (size_t)problem->value[0];
}

/* host.c: on the CPU. */
void be_matmul_host_library(const struct be_work *work);
enum be_status be_matmul_host_ready(const struct be_host_libraries *library, int members,
                                    struct be_error *error);
void be_matmul_host_tiled(const struct be_work *work);
size_t be_matmul_host_scratch(const struct be_problem *problem, int members);

/* device.c: on a device. */
enum be_status be_matmul_library_prepare(struct be_device *device, const struct be_problem *problem,
                                         struct be_prepared *prepared, struct be_error *error);
enum be_status be_matmul_library_enqueue(const struct be_launch *launch, struct be_error *error);
void be_matmul_library_discard(struct be_device *device, struct be_prepared *prepared);
enum be_status be_matmul_tiled_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error);
enum be_status be_matmul_tiled_enqueue(const struct be_launch *launch, struct be_error *error);

#endif
