/*
 * The data of one workload at one size, in ordinary memory: inputs, outputs and the reference.
 * Several instances of the problem can lie side by side: walking through them is what makes the
 * caches cold.
 */
#ifndef BE_BENCH_CASE_DATA_H
#define BE_BENCH_CASE_DATA_H

#include "host/pages.h"
#include "host/team.h"
#include "workload/workload.h"

struct be_data {
    struct be_problem problem;
    struct be_shape shape;
    size_t items;  /* of one instance */
    size_t stride; /* items from one instance to the next: whole grains, for alignment */
    size_t instances;
    struct be_team *team; /* who touched it first */
    struct be_pages pages[BE_ARRAYS];
    void *array[BE_ARRAYS];
    struct be_pages reference; /* doubles, of the two instances that are looked at */
};

/* Bytes of host memory that be_data_open takes, and of device memory its arrays take. */
double be_data_bytes(const struct be_problem *problem, size_t instances);
double be_data_device_bytes(const struct be_problem *problem, size_t instances);

/* The largest size that needs at most `have` bytes, which grow with it; 0: none. */
uint64_t be_data_largest(const struct be_problem *problem, double have,
                         double (*need)(const struct be_problem *sized, const void *context),
                         const void *context);

/* Instances that together are several times as large as the cache; at least 1. */
size_t be_data_instances(const struct be_problem *problem, double cache_bytes);

/* Allocates, fills the inputs from the seed and computes the reference of the instances that may
 * be looked at, all by the team. */
enum be_status be_data_open(const struct be_problem *problem, size_t instances,
                            struct be_team *team, uint64_t seed, struct be_data *data,
                            struct be_error *error);
void be_data_close(struct be_data *data); /* accepts a zeroed one */

/* The instance whose results are looked at where calls walk through all of them: one in the
 * middle, so that offsets are checked too. Where they do not it is instance 0. */
size_t be_data_looked_at(const struct be_data *data);

/* Fills an instance's outputs with bytes that are NaN as floating point: what is not written
 * shows. */
void be_data_poison(struct be_data *data, size_t instance);

/* An instance's outputs that are updated (struct be_variant) begin as its inputs. */
void be_data_begin(struct be_data *data, unsigned updates, size_t instance);

/* |z - reference| / |reference| of an instance that is looked at; NAN when an element is NaN. */
double be_data_residual(struct be_data *data, size_t instance);

/* The workload's explanation of a wrong result; an empty note: there is none. */
void be_data_explain(struct be_data *data, size_t instance, char note[BE_NOTE]);

/* The meaning of an instance's right result, in a line; only for a workload that has `tell`. */
void be_data_tell(struct be_data *data, size_t instance, char note[BE_NOTE]);

/* Draws an instance's result; of a workload that has a picture. */
enum be_status be_data_picture(struct be_data *data, size_t instance, struct be_picture *picture,
                               struct be_error *error);

#endif
