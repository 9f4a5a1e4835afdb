/*
 * A description as a workload: where each array of the user's is among the workload's, and how long it is. Only for the
 * files of own/.
 */
#ifndef BE_OWN_DESCRIPTION_H
#define BE_OWN_DESCRIPTION_H

#include "own/own.h"

/* A workload has its inputs first, then its outputs, and what it updates at the same place among both. */
struct be_own {
    const struct be_computation *computation;
    struct be_workload workload;
    struct be_variant variant;
    struct be_parameter parameter[BE_PARAMETERS];
    const char *array[BE_ARRAYS];
    int input[BE_ARRAYS],
        output[BE_ARRAYS]; /* of the user's array k: which of the workload's; -1: none */
    char *source;          /* of devices, with the words of dialect.h before it */
};

static inline const struct be_own *be_own_of(const struct be_problem *problem) {
    return problem->workload->self;
}

/* Elements of the user's array k, and bytes of one. */
uint64_t be_own_count(const struct be_problem *problem, int k);
size_t be_own_element_bytes(const struct be_problem *problem, int k);
/* Behind each array of a kernel that is taken as it is: what is written there is found. As much as a group of 256 lanes
 * writes that does not look where the array ends. */
size_t be_own_guard_bytes(const struct be_computation *computation);
uint64_t be_own_items(const struct be_problem *problem);

/* The launches of device code, of which a description may have one without a list. */
int be_own_launches(const struct be_own_device *device);
struct be_own_launch be_own_launch(const struct be_own_device *device, int i);

#endif
