/*
 * Where values come from: one table of functions a source, one NULL-terminated list of sources.
 * A source looks at the program, its machine or a GPU, and puts values into a sink once a tick. It
 * knows nothing of the trace that they go to, of other sources, or of what follows from them.
 *
 * Nothing here may harm the program that is watched. Watching happens in a process of its own, so a
 * source that crashes takes only the report with it; one that calls foreign code says so
 * (`foreign`) and gets a thread of its own, so one that hangs takes only its own values with it.
 * Still a source does not allocate without bound, writes to no standard stream and changes no
 * setting of the machine.
 */
#ifndef BE_OBSERVE_SOURCES_SOURCE_H
#define BE_OBSERVE_SOURCES_SOURCE_H

#include <sys/types.h>

#include "observe/trace.h"

/* What is watched. Lives as long as the source. */
struct be_watched {
    pid_t root;     /* the program is what descends from it (its number in /proc; -1: none) ... */
    bool with_root; /* ... with itself (watch), or without (run, where it is the one who waits) */
    pid_t except;   /* a child that is not part of it (the one who watches); 0: none */
    bool node;      /* everything on this machine instead */
    bool job;       /* a whole batch job: its control group is the job's, not that of a step */
    const char *files; /* where /proc and /sys are looked for: "" for real, a folder in tests */
    const char *const *environment; /* of the program: batch systems' limits; NULL: none */
    const char *trace_folder; /* --trace: where the injected library writes; NULL: not asked */
    struct be_tree *tree;     /* the program's processes (tree.h); NULL: each for itself */
    /* Does the process belong to the program, as last seen? From any thread. NULL: not known. */
    bool (*member)(const struct be_watched *watched, pid_t pid);
    /* Does it belong besides those that descend from root? Asked of each process when it is first seen
     * and now and then. NULL: none does. */
    bool (*also)(const struct be_watched *watched, pid_t pid);
    const void *context; /* of `member` and `also` */
};

/* The tick to come: values hold from `from_s` to `now_s`, seconds since the start of the trace. */
struct be_moment {
    double from_s, now_s;
    double budget_s; /* CPU time that this source should not exceed in this tick */
    bool last;       /* the program has ended: what was kept for the end is due */
};

/* What a value is of, where its scope has several: a GPU: the index in the list that `gpus` gave;
 * a process: pid and start; a thread: pid and tid. The trace knows which of them it keeps. */
struct be_value {
    enum be_signal signal;
    int id, tid;    /* GPU index, or pid and tid; 0 otherwise */
    double value;   /* NAN: none */
    double cover;   /* share of what there was that was looked at; 1: all */
    double since_s; /* the mean since then, in the trace's time; 0: of this tick */
};

/* About a process or thread of whom there are values in this tick. */
struct be_named {
    int pid, tid;   /* tid 0: a process */
    double start_s; /* since the start of the trace */
    double cpu_s;   /* CPU time so far */
    double bytes;   /* resident memory; NAN of a thread */
    bool main;
    char name[16];
};

enum { BE_SINK_VALUES = 2048, BE_SINK_NAMED = 160, BE_SINK_ABSENT = 64 };

/* Filled by a source; what does not fit is dropped. */
struct be_sink {
    struct be_value value[BE_SINK_VALUES];
    int values;
    struct be_named named[BE_SINK_NAMED];
    int nameds;
    struct be_trace_absence absent[BE_SINK_ABSENT]; /* `source` is filled in by who takes it */
    int absences;
    char detail[BE_NOTE]; /* replaces that of the source in the trace; empty: as it was */
    double apart_s; /* CPU time of this look that has a budget of its own, beside the ticks' */
    bool totals;    /* `total` holds what is known now; NAN where nothing is */
    struct be_trace_totals total;
};

void be_sink_clear(struct be_sink *sink);
void be_sink_put(struct be_sink *sink, enum be_signal signal, int id, double value);
/* Of what could not be looked at as a whole. */
void be_sink_put_part(struct be_sink *sink, enum be_signal signal, int id, double value,
                      double cover);
/* Of a counter that was not read in each tick: the mean since it was. */
void be_sink_put_since(struct be_sink *sink, enum be_signal signal, int id, double value,
                       double since_s);
void be_sink_put_thread(struct be_sink *sink, enum be_signal signal, int pid, int tid,
                        double value);
void be_sink_name(struct be_sink *sink, const struct be_named *named);
void be_sink_absent(struct be_sink *sink, enum be_signal signal, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct be_signal_source {
    const char *name;    /* "proc"; at most BE_NAME - 1 bytes */
    const char *summary; /* what it looks at, one line, for --help and docs */
    bool foreign;        /* calls code that is not ours (a driver): gets a thread of its own */
    bool on_request;     /* only where the target asks for it (trace_folder) */

    /* *self: the source's own state, freed by close. BE_ABSENT with the reason: not here, no
     * failure. Of a foreign source, called in its thread, as is everything below. */
    enum be_status (*open)(const struct be_watched *target, void **self, struct be_error *error);
    /* The GPUs that it has values of, at most `room`; their number. NULL: has none. Two sources of
     * the same GPU (same uuid) give the same `id`, or leave this NULL and count as the other. */
    int (*gpus)(void *self, struct be_trace_gpu *list, int room);
    /* Puts the values of this tick. BE_ABSENT: it will have no more, for the reason in error; any
     * other failure: none this time. Never waits for the program. */
    enum be_status (*sample)(void *self, const struct be_moment *moment, struct be_sink *sink,
                             struct be_error *error);
    void (*close)(void *self);
};

/* In order of preference: where two give the same signal, the first that has a value keeps it.
 * A new source is a file and a line in sources.c. */
extern const struct be_signal_source *const be_signal_sources[];

extern const struct be_signal_source be_signal_source_proc, be_signal_source_cgroup,
    be_signal_source_node;

#endif
