/* The numbers that rules go by, each with where it is from. */
#ifndef BE_OBSERVE_RULES_THRESHOLDS_H
#define BE_OBSERVE_RULES_THRESHOLDS_H

#include "observe/trace.h"

/* One line of thresholds.c each. */
enum be_threshold_id {
    BE_T_NONE, /* ends a rule's list */
    BE_T_SAMPLES,
    BE_T_IDLE,
    BE_T_EDGE,
    BE_T_EDGE_TICK,
    BE_T_SPREAD,
    BE_T_BUSY,
    BE_T_EMPTY,
    BE_T_SM_LOW,
    BE_T_SM_GOOD,
    BE_T_OCCUPANCY,
    BE_T_DRAM,
    BE_T_DRAM_NEAR,
    BE_T_TENSOR,
    BE_T_FP32,
    BE_T_FP64,
    BE_T_FP64_WEAK,
    BE_T_BUS,
    BE_T_BUS_SM,
    BE_T_BUS_LOW,
    BE_T_COPIES,
    BE_T_PAGEABLE,
    BE_T_PAGEABLE_SOME,
    BE_T_PAGEABLE_TIME,
    BE_T_ONE_THREAD,
    BE_T_SHORT_KERNEL,
    BE_T_LAUNCHING,
    BE_T_LAUNCH_PAUSES,
    BE_T_LAUNCH_GAP,
    BE_T_WORKER,
    BE_T_LASTING,
    BE_T_KERNEL_MODE,
    BE_T_SMALL_COPIES,
    BE_T_STALLED_GPU,
    BE_T_STALLED_TIME,
    BE_T_WAITING_GPU,
    BE_T_CODE_GROWS,
    BE_T_CODE_MADE,
    BE_T_IO_WAIT,
    BE_T_IO_SOME,
    BE_T_SYNC_GAPS,
    BE_T_SYNC_IDLE,
    BE_T_RUN_WAIT,
    BE_T_QUOTA,
    BE_T_MACHINE_FULL,
    BE_T_OTHERS,
    BE_T_KEPT,
    BE_T_SEVERAL,
    BE_T_SERIAL_FROM,
    BE_T_SERIAL_TO,
    BE_T_TURNS,
    BE_T_LOCKED,
    BE_T_READY,
    BE_T_CPU_LOW,
    BE_T_NO_WORK,
    BE_T_WOKEN,
    BE_T_WORKS,
    BE_T_LOCK_IDLE,
    BE_T_SENT,
    BE_T_CALLS,
    BE_T_SPINS,
    BE_T_YIELDS,
    BE_T_KERNEL,
    BE_T_FAULTS,
    BE_T_SHORT,
    BE_T_SWITCHES,
    BE_T_MESSAGE,
    BE_T_REFAULTS,
    BE_T_MAJOR_FAULTS,
    BE_T_THRASHES,
    BE_T_SMALL_BUSY,
    BE_T_SMALL_BYTES,
    BE_T_MEMORY_FULL,
    BE_T_STARTUP,
    BE_T_STARTUP_S,
    BE_T_LINK,
    BE_T_NCCL,
    BE_T_HELD,
    BE_T_POWER_DRAWN,
    BE_T_CLOCK_LOW,
    BE_T_MEMORY_ASKED,
    BE_T_MEMORY_SPARE,
    BE_T_CORES_A_GPU,
    BE_THRESHOLDS
};

/* A number that rules go by, with where it is from. */
struct be_threshold {
    const char *name; /* "SM activity, good" */
    double value;
    const char *unit;   /* "share", "s", "bytes", "bytes/s", "samples", "cores" */
    const char *source; /* who states it; "ours: ..." with our reason where nobody else does */
};
extern const struct be_threshold be_thresholds[BE_THRESHOLDS];

static inline double be_t(enum be_threshold_id id) {
    return be_thresholds[id].value;
}

/* Fewer than 10 samples: nothing can be said of how well it ran. */
bool be_trace_too_short(const struct be_trace *trace);

#endif
