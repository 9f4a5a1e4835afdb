/*
 * Many steps of a map, each a function of the one before, in independent chains. steps.c has the table and the device's
 * side, step.h the maps themselves, plain_simd.c the reference and plain code, simd.c chains side by side in vectors.
 */
#ifndef BE_WORKLOAD_STEPS_STEPS_H
#define BE_WORKLOAD_STEPS_STEPS_H

#include "host/simd.h"
#include "workload/workload.h"

enum { BE_STEPS_CHAINS, BE_STEPS_STEPS, BE_STEPS_MAP };    /* parameters */
enum { BE_STEPS_START, BE_STEPS_PARAMETER, BE_STEPS_END }; /* arrays */
enum { BE_STEPS_VALUES = 3 };                              /* numbers of a chain, at most */

/* In the order of the workload's parameter `map`. */
enum be_steps_map { BE_STEPS_LOGISTIC, BE_STEPS_LORENZ, BE_STEPS_METROPOLIS, BE_STEPS_MAPS };

/* Chains one behind the other: `values` numbers and a parameter each, of the type that the function is for. */
struct be_steps_chains {
    enum be_steps_map map;
    size_t values;
    const void *start, *parameter;
    void *end;
    size_t first, n; /* of these arrays */
    size_t all;      /* chain i draws its random words as number i modulo this */
};

size_t be_steps_values(const struct be_problem *problem);

/* `steps` steps of each chain, from start to end. */
typedef void be_steps_run(const struct be_steps_chains *chains, uint64_t steps);
/* Step number `step`, from 0, of each chain, where it is: in `end`. */
typedef void be_steps_pass(const struct be_steps_chains *chains, uint64_t step);

/* One chain after the other, as it is written. */
BE_SIMD_DECLARE(be_steps_run, be_steps32_alone);
BE_SIMD_DECLARE(be_steps_run, be_steps64_alone);
/* A step of all chains after the other. */
BE_SIMD_DECLARE(be_steps_pass, be_steps32_pass);
BE_SIMD_DECLARE(be_steps_pass, be_steps64_pass);
/* Several vectors of chains at a time, in registers. */
BE_SIMD_DECLARE(be_steps_run, be_steps32_vectors);
BE_SIMD_DECLARE(be_steps_run, be_steps64_vectors);

#endif
