/*
 * Perf events of a command and its children, one a CPU, and their ring buffers. It knows no maps and no names.
 */
#ifndef BE_SAMPLE_EVENTS_H
#define BE_SAMPLE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "breakeven_error.h"
#include "sample/sample.h"

enum be_event_kind { BE_EVENT_SAMPLE, BE_EVENT_MAP, BE_EVENT_FORK, BE_EVENT_EXEC, BE_EVENT_LOST };

/* One record of the kernel. */
struct be_event {
    enum be_event_kind kind;
    uint64_t time_ns;               /* CLOCK_MONOTONIC */
    int pid, parent;                /* parent: of a fork */
    bool in_kernel;                 /* of a sample */
    uint64_t address;               /* of a sample; of a map the first */
    uint64_t length, offset, inode; /* of a map */
    uint64_t count;                 /* of samples that were lost */
    size_t path;                    /* of a map: where its name begins in be_event_batch.text */
};

struct be_event_batch {
    struct be_event *event;
    size_t events, capacity;
    char *text;
    size_t length, room;
};

struct be_events {
    int *file; /* descriptors */
    int files;
    void **ring; /* NULL: not mapped */
    size_t page;
    bool kernel; /* samples in the kernel come, too */
};

/* Opens them, still, for the next exec of a child; where CPUs are limited, for those alone that the command may use.
 * BE_ABSENT: the kernel does not allow it. The rings are mapped, so that
 * they keep what comes until a child of ours maps them for itself. */
enum be_status be_events_open(const struct be_sampling_options *options, struct be_events *events,
                              struct be_error *error);
enum be_status be_events_map(struct be_events *events, struct be_error *error);
/* Adds what has come since the last read, in no order. Without memory records are dropped. */
void be_events_read(struct be_events *events, struct be_event_batch *batch);
void be_events_close(struct be_events *events); /* accepts a zeroed one */

uint64_t be_events_now_ns(void);

#endif
