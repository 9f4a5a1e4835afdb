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

#include "observe/process/watched.h"
#include "observe/sources/sink.h"
#include "observe/trace.h"

/* The tick to come: values hold from `from_s` to `now_s`, seconds since the start of the trace. */
struct be_moment {
    double from_s, now_s;
    double budget_s; /* CPU time that this source should not exceed in this tick */
    bool last;       /* the program has ended: what was kept for the end is due */
};

struct be_signal_source {
    const char *name;    /* "proc"; at most BE_NAME - 1 bytes */
    const char *summary; /* what it looks at, one line, for --help and docs */
    bool foreign;        /* calls code that is not ours (a driver): gets a thread of its own */
    bool on_request;     /* only where the target asks for it (trace_folder) */

    /* *self: the source's own state, freed by close. BE_ABSENT with the reason: not here, no
     * failure. For a foreign source this is called in its thread, as is everything below. */
    enum be_status (*open)(const struct be_watched *target, void **self, struct be_error *error);
    /* The GPUs that it has values of, at most `room`; their number. NULL: has none. Two sources of
     * the same GPU (same uuid) give the same `id`, or leave this NULL and count as the other. */
    int (*gpus)(void *self, struct be_trace_gpu *list, int capacity);
    /* Puts the values of this tick. BE_ABSENT: it will have no more, for the reason in error; any
     * other failure: none this time. Never waits for the program. */
    enum be_status (*sample)(void *self, const struct be_moment *moment, struct be_sink *sink,
                             struct be_error *error);
    void (*close)(void *self);
};

#endif
