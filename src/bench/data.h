/*
 * The data of one workload at one size, in ordinary memory: inputs, outputs and the reference.
 * Several instances of the problem can lie side by side: walking through them is what makes the
 * caches cold.
 */
#ifndef BE_BENCH_DATA_H
#define BE_BENCH_DATA_H

#include "base/pages.h"
#include "base/team.h"
#include "workload/workload.h"

struct be_data {
    const struct be_workload *workload;
    uint64_t size;
    size_t items;  /* of one instance */
    size_t stride; /* items from one instance to the next: whole grains, for alignment */
    size_t instances;
    struct be_team *team; /* who touched it first */
    struct be_pages pages[BE_ARRAYS];
    void *array[BE_ARRAYS];
    struct be_pages reference; /* doubles */
};

/* Bytes of host memory that be_data_open takes, and of device memory its arrays take. */
double be_data_bytes(const struct be_workload *workload, uint64_t size, size_t instances);
double be_data_device_bytes(const struct be_workload *workload, uint64_t size, size_t instances);

/* Instances that together are `times` as large as the cache; at least 1. */
size_t be_data_instances(const struct be_workload *workload, uint64_t size, double cache_bytes);

/* Allocates, fills the inputs from the seed and computes the reference, all by the team. */
enum be_status be_data_open(const struct be_workload *workload, uint64_t size, size_t instances,
                            struct be_team *team, uint64_t seed, struct be_data *data,
                            struct be_error *error);
void be_data_close(struct be_data *data); /* accepts a zeroed one */

/* Fills an instance's outputs with bytes that are NaN as floating point: what is not written
 * shows. */
void be_data_poison(struct be_data *data, size_t instance);

/* |z - reference| / |reference| of one instance; NAN when an element is NaN. */
double be_data_residual(struct be_data *data, size_t instance);

#endif
