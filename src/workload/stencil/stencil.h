/*
 * Declarations that the files of the workload stencil share: its parameters, and sweeps on the CPU.
 */
#ifndef BE_WORKLOAD_STENCIL_STENCIL_H
#define BE_WORKLOAD_STENCIL_STENCIL_H

#include "workload/workload.h"

static inline size_t be_stencil_side(const struct be_problem *problem) {
    return (size_t)problem->value[0];
}

static inline size_t be_stencil_sweeps(const struct be_problem *problem) {
    return (size_t)problem->value[1];
}

/* bands.c: several sweeps in one pass. */
void be_stencil_bands(const struct be_work *work);
size_t be_stencil_bands_scratch(const struct be_problem *problem, int members);

#endif
