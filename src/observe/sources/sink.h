/*
 * The output of a source in a tick: values, names of what they are of, and why others are missing. The trace
 * takes them from here.
 */
#ifndef BE_OBSERVE_SOURCES_SINK_H
#define BE_OBSERVE_SOURCES_SINK_H

#include "observe/trace.h"

/* The thing that a value belongs to, where its scope has several: a GPU: the index in the list that
 * `gpus` gave; a process: pid and start; a thread: pid and tid. The trace knows which of them it
 * keeps. */
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
    be_library_set libraries; /* of a process */
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
    be_library_set libraries; /* of the whole; what is not known replaces nothing */
    struct be_settings settings;
    bool limited; /* the program has moved to where other limits hold; NAN: there is none */
    double cpus_quota, memory_bytes;
};

void be_sink_clear(struct be_sink *sink);
void be_sink_put(struct be_sink *sink, enum be_signal signal, int id, double value);
/* Puts the value of something that could not be looked at as a whole. */
void be_sink_put_part(struct be_sink *sink, enum be_signal signal, int id, double value,
                      double cover);
/* Puts the value of a counter that was not read in each tick: the mean since it was. */
void be_sink_put_since(struct be_sink *sink, enum be_signal signal, int id, double value,
                       double since_s);
void be_sink_put_thread(struct be_sink *sink, enum be_signal signal, int pid, int tid,
                        double value);
void be_sink_name(struct be_sink *sink, const struct be_named *named);
void be_sink_absent(struct be_sink *sink, enum be_signal signal, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
