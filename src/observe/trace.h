/*
 * A running program over time: a trace has one value a tick of each signal (signals.h) that a
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
#include "observe/calls/trace_calls.h"
#include "observe/kinds.h"
#include "observe/libraries.h"
#include "observe/rates.h"
#include "observe/signals.h"

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

/* The limits on use, and who says so. */
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
    double start_s;                    /* since the start of the trace; below 0: before it */
    char name[BE_NAME];                /* the kernel's name for it (comm), 15 bytes; foreign text */
    bool main;                         /* the command itself */
    double cpu_s;                      /* its own CPU time when last seen */
    double peak_bytes;                 /* resident memory */
    char libraries[BE_LIBRARIES_TEXT]; /* that it has mapped, as be_libraries_write has them */
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
    double min, max;
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
    int rank, ranks; /* which of the processes of a parallel program; ranks 0: none of several */
    int pid;         /* of the command, or of what is watched */
    enum be_end end;
    int code;                          /* exit code, or number of the signal */
    char note[BE_NOTE];                /* "asked to end (SIGTERM) after 59 min"; may be empty */
    double elapsed_s;                  /* wall time from start to end */
    double stopped_s;                  /* of it: stopped by job control */
    char libraries[BE_LIBRARIES_TEXT]; /* that processes with a part of the CPU time have mapped, or
                                          that are on a GPU; as be_libraries_write has them */
    char
        settings[BE_NOTE]; /* of threads, in the environment of the process that took most CPU time;
                               as be_settings_write has them */
    bool node;             /* everything on the machine; files do not say it */
    bool watched;          /* from outside, and maybe not from its beginning; files do not say it */
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
    struct be_trace_calls calls; /* run --calls */
    struct be_trace_kinds kinds; /* of a run that was sampled, too */
    struct be_trace_rates rates; /* where a GPU was used */
    bool no_verdict;             /* none is shown; files do not say it */
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
    double sum_s, integral, min, max, cover;
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
double be_trace_max(const struct be_trace *trace, enum be_signal signal, int of);
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
