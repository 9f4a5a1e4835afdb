/* Signals of a running program over time: the table of signals. */
#ifndef BE_OBSERVE_SIGNALS_H
#define BE_OBSERVE_SIGNALS_H

/* The scope of a signal, and what `of` of a series then counts. */
enum be_scope {
    BE_OF_TREE,    /* the program with all its descendants; of: 0 */
    BE_OF_GROUP,   /* the control group it runs in, which others may share; of: 0 */
    BE_OF_NODE,    /* the whole machine; of: 0 */
    BE_OF_PROCESS, /* of: index in be_trace.process */
    BE_OF_THREAD,  /* of: index in be_trace.thread */
    BE_OF_GPU,     /* of: index in be_trace.gpu */
    BE_SCOPES
};

enum be_signal_unit {
    BE_IN_CORES, /* CPU seconds a second */
    BE_IN_SHARE, /* 0..1 */
    BE_IN_COUNT, /* things at the moment */
    BE_IN_PER_S, /* things a second */
    BE_IN_BYTES,
    BE_IN_BYTES_S,
    BE_IN_WATTS,
    BE_IN_CELSIUS,
    BE_IN_HERTZ,
    BE_IN_SECONDS,
    BE_SIGNAL_UNITS
};

/* How two ticks become one. */
enum be_merge {
    BE_MERGE_MEAN, /* mean weighted by time: of rates and shares */
    BE_MERGE_MAX   /* of what must not be exceeded: memory, temperature */
};

/* One line of signals.c each, in this order; what each is says that table (`summary`). */
enum be_signal {
    /* the program with its descendants: source proc */
    BE_CPU_BUSY,
    BE_CPU_SYSTEM,
    BE_CPU_CHILDREN,
    BE_BUSIEST_THREAD,
    BE_RUN_WAIT,
    BE_PROCESSES,
    BE_SPAWNED,
    BE_THREADS,
    BE_RUNNABLE,
    BE_BLOCKED,
    BE_STOPPED_SHARE,
    BE_MEMORY,
    BE_MEMORY_PSS,
    BE_SWAPPED,
    BE_READ,
    BE_WRITTEN,
    BE_READ_CALLS,
    BE_WRITE_CALLS,
    BE_MAJOR_FAULTS,
    BE_MINOR_FAULTS,
    BE_SWITCHES,
    BE_LOCK_WAIT,
    BE_MUTEX_WAIT,
    BE_ASLEEP_TIMERS,
    BE_ASLEEP_MESSAGES,
    BE_ASLEEP_LOCKS,
    BE_CODE_MADE,
    BE_WAITING_CODE,
    BE_CORES_ALLOWED,
    /* each of its largest processes and busiest threads: source proc */
    BE_PROCESS_CPU,
    BE_PROCESS_MEMORY,
    BE_PROCESS_THREADS,
    BE_PROCESS_READ,
    BE_PROCESS_WRITTEN,
    BE_THREAD_CPU,
    /* its control group: source cgroup */
    BE_GROUP_CPU,
    BE_GROUP_THROTTLED,
    BE_GROUP_THROTTLED_PERIODS,
    BE_GROUP_MEMORY,
    BE_JOB_MEMORY,
    BE_GROUP_READ,
    BE_GROUP_WRITTEN,
    BE_GROUP_OOM_KILLS,
    BE_GROUP_REFAULTS,
    BE_GROUP_PRESSURE_CPU,
    BE_GROUP_PRESSURE_MEMORY,
    BE_GROUP_PRESSURE_IO,
    /* the machine: source node */
    BE_NODE_CPU,
    BE_NODE_IOWAIT,
    BE_NODE_STEAL,
    BE_NODE_RUNNABLE,
    BE_NODE_SPAWNED,
    BE_NODE_HUGE_FAULTS,
    BE_NODE_MEMORY_AVAILABLE,
    BE_NODE_PRESSURE_CPU,
    BE_NODE_PRESSURE_MEMORY,
    BE_NODE_PRESSURE_IO,
    /* each GPU: counters of its driver */
    BE_GPU_BUSY,
    BE_GPU_MEMORY,
    BE_GPU_MEMORY_BUSY,
    BE_GPU_POWER,
    BE_GPU_TEMPERATURE,
    BE_GPU_CLOCK,
    BE_GPU_MEMORY_CLOCK,
    BE_GPU_THROTTLED_POWER,
    BE_GPU_THROTTLED_HEAT,
    BE_GPU_THROTTLED_OTHER,
    BE_GPU_BUS_IN,
    BE_GPU_BUS_OUT,
    BE_GPU_LINK_IN,
    BE_GPU_LINK_OUT,
    BE_GPU_OWN_PROCESSES,
    BE_GPU_FOREIGN_PROCESSES,
    BE_GPU_OWN_MEMORY,
    /* each GPU: profiling counters */
    BE_GPU_GRAPHICS,
    BE_GPU_SM_ACTIVE,
    BE_GPU_SM_OCCUPANCY,
    BE_GPU_TENSOR,
    BE_GPU_TENSOR_FP64,
    BE_GPU_TENSOR_HALF,
    BE_GPU_TENSOR_INT,
    BE_GPU_DRAM,
    BE_GPU_FP64,
    BE_GPU_FP32,
    BE_GPU_FP16,
    BE_GPU_INT,
    /* each GPU: a trace of kernels and copies (--trace) */
    BE_GPU_KERNELS,
    BE_GPU_KERNEL_SHARE,
    BE_GPU_KERNEL_MEDIAN,
    BE_GPU_GAP_MEDIAN,
    BE_GPU_LAUNCH_MEDIAN,
    BE_GPU_COPY_IN_SHARE,
    BE_GPU_COPY_OUT_SHARE,
    BE_GPU_COPY_IN,
    BE_GPU_COPY_OUT,
    BE_GPU_COPY_PAGEABLE,
    BE_GPU_SYNC_SHARE,
    BE_GPU_SYNCS,
    BE_GPU_SYNC_GAP,
    BE_GPU_NCCL_SHARE,
    BE_SIGNALS
};

struct be_signal_info {
    const char *name;    /* in JSON and in text: "cpu_busy"; never changed once published */
    const char *summary; /* what it is, in one line */
    enum be_scope scope;
    enum be_signal_unit unit;
    enum be_merge merge;
};
extern const struct be_signal_info be_signals[BE_SIGNALS];

/* -1: there is none of that name. */
int be_signal_find(const char *name);

#endif
