/*
 * The work that a trace's GPUs did, from their counters; and the time that cores of a node take for it. It does not know the
 * rest of the run. Pure.
 */
#ifndef BE_ASK_GPU_WORK_H
#define BE_ASK_GPU_WORK_H

#include "observe/trace.h"

/* Seconds: 90 % lie within, as far as code was held against these rules (docs/run.md). NAN: not known. */
struct be_worth_time {
    double lo_s, typical_s, hi_s;
};

struct be_gpu_work {
    double plain32, plain64, half, matrix64; /* operations; half: products in 16 bits and TF32 */
    double bytes, bus_s, set_bytes;
    double issued;  /* lanes of instructions, at most, of all units */
    double threads; /* on a GPU at a time, while kernels run */
    double gpu_s, kernels;
    double from_s, to_s;  /* from the first use of a GPU to the last; NAN at first */
    bool counted, seldom; /* seldom: there are such counters, and too few readings of them */
};

/* Adds what one GPU did. */
void be_gpu_work_add(const struct be_trace *trace, int gpu, struct be_gpu_work *work);

/* By code that uses so many cores well, as far as the work has threads for them. */
struct be_worth_time be_gpu_work_on_cores(const struct be_trace_rates *rates,
                                          const struct be_gpu_work *work, double cores);
/* As NumPy does it: products on so many cores, everything else on one, a call after the other. */
struct be_worth_time be_gpu_work_as_arrays(const struct be_trace_rates *rates,
                                           const struct be_gpu_work *work, double cores);
/* Nothing but the time of use is known: at most it was at its maximum all that time. */
struct be_worth_time be_gpu_work_at_most(const struct be_trace_rates *rates, double gpu_s, int gpus,
                                         double cores);

#endif
