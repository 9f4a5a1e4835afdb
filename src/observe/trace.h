/*
 * A running program over time: the table of signals, and a trace, which has one value a tick of each signal that a
 * source gave. It does not know where values come from (source.h) nor what follows from them (finding.h). It reads no
 * clock.
 *
 * Ticks are intervals, not moments. A value holds for the time from the end of the previous tick to the end of
 * its own tick. A trace has at most BE_TICKS_MAX ticks. When it is full, each two neighbours become one tick, as
 * the signal's `merge` says, and later ticks are twice as long. So a trace has at most some megabytes, however long
 * the program runs.
 *
 * Shares are 0..1. A value that was not measured in a tick is NAN, never 0.
 */
#ifndef BE_OBSERVE_TRACE_H
#define BE_OBSERVE_TRACE_H

#include "breakeven.h"

/* ---- signals -------------------------------------------------------------------------------- */

/* What a signal is of, and what `of` of a series then counts. */
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
    BE_GROUP_PRESSURE_CPU,
    BE_GROUP_PRESSURE_MEMORY,
    BE_GROUP_PRESSURE_IO,
    /* the machine: source node */
    BE_NODE_CPU,
    BE_NODE_IOWAIT,
    BE_NODE_STEAL,
    BE_NODE_RUNNABLE,
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

/* ---- a trace -------------------------------------------------------------------------------- */

enum {
    BE_TICKS_MAX = 4096,
    BE_TRACE_SOURCES_MAX = 16,
    BE_TRACE_PROCESSES_MAX = 64, /* kept one by one; the others are only in the sums */
    BE_TRACE_THREADS_MAX = 64,
    BE_TRACE_ABSENCES_MAX = 128
};

/* How the program ended. */
enum be_end {
    BE_END_RUNNING, /* it has not: an interim trace */
    BE_END_EXITED,  /* code */
    BE_END_KILLED,  /* signal */
    BE_END_LOST,    /* we lost sight of it */
    BE_ENDS
};

/* What may be used, and who says so. */
struct be_trace_limits {
    int cpus;                    /* logical CPUs that may be used; 0 not known */
    char cpus_by[BE_NAME];       /* "affinity", "cgroup quota", "SLURM_CPUS_PER_TASK" */
    int cpus_machine;            /* logical CPUs of the machine */
    double cpus_quota;           /* CPUs' worth of time, where a quota is set; NAN there is none */
    double memory_bytes;         /* NAN: no limit but the machine's memory */
    char memory_by[BE_NAME];     /* "cgroup", "SLURM_MEM_PER_NODE"; "machine" */
    double memory_machine_bytes; /* of the machine */
    bool asked;                  /* cpus and memory are what was asked of a batch system */
    int tasks;                   /* that the cpus were asked for; 0 not known */
    int tasks_here;              /* on its node of those of which it is one; 0 not known */
};

/* Whole-run sums as the kernel counted them, not from samples. NAN: not known. */
struct be_trace_totals {
    double user_s, system_s;   /* CPU, of all processes that were waited for or seen at the end */
    double peak_process_bytes; /* largest resident memory of one process */
    double peak_group_bytes;   /* of the control group; since its beginning, which may be earlier */
    double read_bytes, written_bytes; /* from and to storage */
    double major_faults, minor_faults;
    double switches, preempted; /* voluntary and involuntary context switches */
    double orphans;             /* processes that outlived their parents */
    double left;                /* descendants still running when the program ended */
};

extern const struct be_trace_totals be_trace_no_totals; /* all NAN */

struct be_trace_gpu {
    char id[BE_NAME]; /* "nvml:0", "rocm:1", "sysman:0"; a MIG slice: "nvml:0.3" */
    char name[BE_NAME * 2];
    char uuid[BE_NAME * 2]; /* empty where there is none */
    char note[BE_NOTE];     /* "untested on hardware"; may be empty */
    double memory_bytes;    /* NAN not known, here and below */
    double bus_bytes_s;     /* most that its bus carries one way, from generation and width */
    double power_limit_w;
    double fp64_ratio; /* peak FP64 / peak FP32 rate outside the tensor units */
    bool slice;        /* part of a GPU (MIG) */
};

struct be_trace_process {
    int pid;
    double start_s;     /* since the start of the trace; below 0: before it */
    char name[BE_NAME]; /* the kernel's name for it (comm), 15 bytes; foreign text */
    bool main;          /* the command itself */
    double cpu_s;       /* its own CPU time when last seen */
    double peak_bytes;  /* resident memory */
};

struct be_trace_thread {
    int pid, tid;
    char name[BE_NAME]; /* foreign text */
    double cpu_s;       /* when last seen */
};

/* Where values came from. */
struct be_trace_source {
    char name[BE_NAME];   /* "proc", "cgroup", "node", "nvml", "gpm" */
    bool gpu;             /* it looks at GPUs */
    char detail[BE_NOTE]; /* "v2 at /slurm/job_7", driver versions; may be empty */
    char absent[BE_NOTE]; /* why it gave nothing, or nothing more; empty: it did to the end */
    double sampled;       /* ticks it answered */
    double missed;        /* ticks it was asked and did not answer in time */
    double cost_s;        /* CPU time it took, its thread's; NAN not known */
};

/* Why a signal has no value, or not from the source one would expect. */
struct be_trace_absence {
    enum be_signal signal;
    char source[BE_NAME];
    char reason[BE_NOTE];
};

/* One signal of one thing. */
struct be_signal_series {
    enum be_signal signal;
    int of;          /* which process, thread or GPU; 0 otherwise */
    int source;      /* index in be_trace.source */
    float *value;    /* BE_TICKS_MAX of them, as many as `ticks` are in use; NAN not measured */
    double sum_s;    /* time for which it was measured */
    double integral; /* value x time, over all of it, before any merging */
    double least, most;
    double cover;  /* share of what there was that the source looked at, last time; 1: all */
    double filled; /* be_trace.samples when it last got a value: for filling */
};

struct be_trace {
    /* the run */
    char date[BE_NAME]; /* of the start, ISO 8601, UTC */
    char host[BE_NAME];
    char cpu[BE_NAME * 2]; /* model; empty not known */
    char command[BE_NOTE]; /* with its arguments where that was asked for; else its name only */
    char job[BE_NAME];     /* "slurm 4711", "lsf 12"; empty: no batch job */
    int pid;               /* of the command, or of what is watched */
    enum be_end end;
    int code;           /* exit code, or number of the signal */
    char note[BE_NOTE]; /* "asked to end (SIGTERM) after 59 min"; may be empty */
    double elapsed_s;   /* wall time from start to end */
    double stopped_s;   /* of it: stopped by job control */
    bool watched;       /* from outside, and maybe not from its beginning; files do not say it */
    struct be_trace_limits limits;
    struct be_trace_totals total;
    /* what it cost */
    double interval_s;     /* between samples: asked for, or 0: grows with the run */
    double own_cpu_s;      /* CPU time of the watching itself */
    double own_peak_bytes; /* its resident memory */

    /* ticks: tick i is the time from end_s[i-1] (0 for the first) to end_s[i], since the start */
    int ticks;
    double *end_s;  /* BE_TICKS_MAX of them */
    double samples; /* ticks before any merging */
    int merges;     /* times that two became one */
    double part_s;  /* length of the last sample, and how many are in the last tick: for filling */
    int parts;

    struct be_signal_series *one; /* series, in the order of their first value */
    size_t series;
    struct be_trace_gpu gpu[BE_DEVICES_MAX];
    int gpus;
    struct be_trace_process process[BE_TRACE_PROCESSES_MAX];
    int processes;
    struct be_trace_thread thread[BE_TRACE_THREADS_MAX];
    int threads;
    struct be_trace_source source[BE_TRACE_SOURCES_MAX];
    int sources;
    struct be_trace_absence absent[BE_TRACE_ABSENCES_MAX];
    int absences;
};

/* Numbers not known are set to NAN. On failure there is nothing to free. */
enum be_status be_trace_open(struct be_trace *trace, struct be_error *error);
void be_trace_close(struct be_trace *trace); /* accepts a zeroed one */

/* ---- filling it ----------------------------------------------------------------------------- */

/* Begins a sample that ends at `end_s`, which must lie after the one before, or nothing happens and
 * false. It is a tick of its own until the trace has been merged; then 2^merges of them are one.
 * Values added belong to it. */
bool be_trace_tick(struct be_trace *trace, double end_s);

/* The value of this tick, from `source`. NAN and infinite: nothing happens. Where another source
 * gave this series its first value, that one is the better one and this value is dropped; likewise
 * when there is no memory. */
void be_trace_add(struct be_trace *trace, enum be_signal signal, int of, int source, double value);
/* The value just added is the mean since then: ticks that ended later and have none get it too. */
void be_trace_since(struct be_trace *trace, enum be_signal signal, int of, double since_s);
/* The share of processes, threads ... that the source looked at for the value just added. */
void be_trace_cover(struct be_trace *trace, enum be_signal signal, int of, double share);

/* Index of the source of that name, added where it is new; -1: no room. */
int be_trace_source(struct be_trace *trace, const char *name);
/* Index of the process; a new one takes the place of the one that used least where all are taken,
 * if `cpu_s` is more than that one used. -1: no place. */
int be_trace_process(struct be_trace *trace, int pid, double start_s, double cpu_s);
int be_trace_thread(struct be_trace *trace, int pid, int tid, double cpu_s);
/* Said once a signal and source; later ones are dropped. */
void be_trace_absent(struct be_trace *trace, enum be_signal signal, const char *source,
                     const char *reason);

/* A whole series as a file has it: as many values as there are ticks, and what they came from.
 * False: it is there already, or there is no memory. */
struct be_trace_measured {
    double sum_s, integral, least, most, cover;
};
bool be_trace_restore(struct be_trace *trace, enum be_signal signal, int of, int source,
                      const float *value, const struct be_trace_measured *measured);

/* Merges each two ticks into one. */
void be_trace_merge(struct be_trace *trace);

/* Rounds every value to what the file keeps (5 significant digits), so that what is reported now
 * and what is reported from the file are the same. */
void be_trace_round(struct be_trace *trace);

/* ---- reading it ----------------------------------------------------------------------------- */

/* NULL: never measured; be_trace_why then says why. */
const struct be_signal_series *be_trace_series(const struct be_trace *trace, enum be_signal signal,
                                               int of);
/* Over the whole run, weighted by time; NAN: never measured. */
double be_trace_mean(const struct be_trace *trace, enum be_signal signal, int of);
double be_trace_most(const struct be_trace *trace, enum be_signal signal, int of);
/* Share of the run's time for which there is a value; 0: none. */
double be_trace_coverage(const struct be_trace *trace, enum be_signal signal, int of);
/* Mean and time of the ticks for which `holds` is true; the time may be NULL. */
double be_trace_mean_where(const struct be_trace *trace, enum be_signal signal, int of,
                           bool (*holds)(const struct be_trace *trace, int tick,
                                         const void *context),
                           const void *context, double *time_s);
/* Value in one tick; NAN: not measured. */
double be_trace_at(const struct be_trace *trace, enum be_signal signal, int of, int tick);
/* Length of a tick, seconds. */
double be_trace_length(const struct be_trace *trace, int tick);
/* The reason why it was not measured, in words: an absence, its source's, or that no source here
 * knows it. Never NULL. */
const char *be_trace_why(const struct be_trace *trace, enum be_signal signal);

#endif
