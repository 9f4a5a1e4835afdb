/*
 * More than a trace has of the processes in the lists of `watch`: user, state and one's own command lines. It keeps
 * names of users, which may come over a network. Arguments may hold secrets: those of others are never looked at, and
 * none goes further than the screen.
 */
#ifndef BE_CLI_RUN_WATCH_MORE_H
#define BE_CLI_RUN_WATCH_MORE_H

#include <sys/types.h>

#include "report/live/live.h"

enum { BE_WATCH_USERS = 64 };

/* Zero-initialise. */
struct be_watch_more {
    struct be_live_more list[BE_TRACE_PROCESSES_MAX]; /* by index of the trace's process */
    struct {
        uid_t number;
        char name[BE_NAME];
    } user[BE_WATCH_USERS];
    int users;
};

/* As they are now. `commands`: with command lines. */
void be_watch_more_look(struct be_watch_more *more, const struct be_trace *trace, bool commands);

#endif
