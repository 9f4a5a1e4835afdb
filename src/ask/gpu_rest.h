/*
 * The time of a run with a GPU in which the GPU did not work: how much of it a run without a GPU needs, too. It does not know
 * what the GPU did. Pure.
 */
#ifndef BE_ASK_GPU_REST_H
#define BE_ASK_GPU_REST_H

#include "ask/gpu_work.h"

struct be_gpu_rest {
    double
        start_s; /* the driver's start and end, in the kernel: at most, a run without a GPU lacks it */
    double
        preparing_s; /* from the GPU's first memory to its first work: code for it is made, at most */
    double host_s;   /* between its first work and its last, while it stood still */
    bool launching;               /* launches or small copies fill host_s (docs/findings.md) */
    struct be_worth_time without; /* that a run without a GPU needs of the run's time */
};
/* `work` of all its GPUs. */
void be_gpu_rest_of(const struct be_trace *trace, const struct be_gpu_work *work,
                    struct be_gpu_rest *rest);

#endif
