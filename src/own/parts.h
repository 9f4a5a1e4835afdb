/* What the files of own/ share. Only for them. */
#ifndef BE_OWN_PARTS_H
#define BE_OWN_PARTS_H

#include "own/own.h"

/* A workload has its inputs first, then its outputs, and what it updates at the same place among both. */
struct be_own {
    const struct be_computation *computation;
    struct be_workload workload;
    struct be_variant variant;
    struct be_parameter parameter[BE_PARAMETERS];
    const char *array[BE_ARRAYS];
    int input[BE_ARRAYS],
        output[BE_ARRAYS];   /* of the user's array k: which of the workload's; -1: none */
    char *source;            /* of devices, with the words of dialect.h before it */
    double scale[BE_ARRAYS]; /* of output k: the sum of the squares of its reference */
};

static inline const struct be_own *be_own_of(const struct be_problem *problem) {
    return problem->workload->self;
}

/* Elements of the user's array k, and bytes of one. */
uint64_t be_own_count(const struct be_problem *problem, int k);
size_t be_own_element_bytes(const struct be_problem *problem, int k);
uint64_t be_own_items(const struct be_problem *problem);

/* own/check.c */
void be_own_reference(const struct be_work *work, double *reference);
void be_own_residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm);

/* own/code.c: the CPU's and the devices' */
void be_own_fill(const struct be_work *work, uint64_t seed);
void be_own_host(const struct be_work *work);
enum be_status be_own_host_ready(const struct be_host_libraries *library, int members,
                                 struct be_error *error);
enum be_status be_own_prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error);
enum be_status be_own_enqueue(const struct be_launch *launch, struct be_error *error);
/* The call of a member; `of`: its arrays. */
struct be_call be_own_call(const struct be_work *work, void *of[BE_ARRAYS]);

#endif
