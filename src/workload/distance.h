/*
 * What the files of the workload distance share: its parameters, its data and its code.
 */
#ifndef BE_WORKLOAD_DISTANCE_H
#define BE_WORKLOAD_DISTANCE_H

#include "workload/workload.h"

extern const struct be_workload be_workload_distance;

/* Parameters, arrays. */
enum { BE_DISTANCE_POINTS, BE_DISTANCE_DIMENSION, BE_DISTANCE_CONSUMER };
enum { BE_DISTANCE_X, BE_DISTANCE_D };

/* consumer */
enum { BE_DISTANCE_MATRIX, BE_DISTANCE_ROW_LEAST };

static inline size_t be_distance_points(const struct be_problem *problem) {
    return (size_t)problem->value[BE_DISTANCE_POINTS];
}

static inline size_t be_distance_dimension(const struct be_problem *problem) {
    return (size_t)problem->value[BE_DISTANCE_DIMENSION];
}

const char *be_distance_not_a_matrix(const struct be_problem *problem); /* an `unfit` */

/* distance_host.c: on the CPU. */
void be_distance_host_fused(const struct be_work *work);
size_t be_distance_host_fused_scratch(const struct be_problem *problem, int members);
void be_distance_host_passes(const struct be_work *work);
size_t be_distance_host_passes_scratch(const struct be_problem *problem, int members);

/* distance_device.c: on a device. */
enum be_status be_distance_fused_prepare(struct be_device *device, const struct be_problem *problem,
                                         struct be_prepared *prepared, struct be_error *error);
enum be_status be_distance_fused_enqueue(const struct be_launch *launch, struct be_error *error);
size_t be_distance_fused_scratch(const struct be_problem *problem);
enum be_status be_distance_symmetric_prepare(struct be_device *device,
                                             const struct be_problem *problem,
                                             struct be_prepared *prepared, struct be_error *error);
enum be_status be_distance_symmetric_enqueue(const struct be_launch *launch,
                                             struct be_error *error);
enum be_status be_distance_passes_prepare(struct be_device *device,
                                          const struct be_problem *problem,
                                          struct be_prepared *prepared, struct be_error *error);
enum be_status be_distance_passes_enqueue(const struct be_launch *launch, struct be_error *error);
size_t be_distance_passes_scratch(const struct be_problem *problem);
void be_distance_passes_discard(struct be_device *device, struct be_prepared *prepared);

#endif
