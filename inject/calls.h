/*
 * The program's calls to CUDA that are timed: those that start a kernel or a graph, and those that wait.
 *
 * CUPTI calls us where such a call begins and ends, and we look at the clock. It could write records of
 * them, too. But once records of waits (CUPTI_ACTIVITY_KIND_SYNCHRONIZATION) have been asked for, each
 * launch takes longer, and goes on to when they are asked for no more
 * (docs/measurements/trace-cost.md); and a record of a call costs more than two looks at the clock.
 */
#ifndef INJECT_CALLS_H
#define INJECT_CALLS_H

#include "cupti_table.h"

enum call { CALL_LAUNCH, CALL_WAIT_EVENT, CALL_WAIT_STREAM, CALL_WAIT_DEVICE };

struct call_time {
    enum call call;
    bool runtime;        /* of the runtime's interface; else of the driver's */
    uint64_t start, end; /* of CUPTI's clock, ns */
};

/* Takes hold of CUPTI. While we listen, which is not yet, `take` is told of waits, by the thread that
 * waited. */
CUptiResult calls_begin(const struct cupti *cupti, void (*take)(const struct call_time *time));
void calls_end(const struct cupti *cupti);
/* Also from a child that forked, where CUPTI may not be called: then never again. */
void calls_listen(bool on);
/* Launches, too, or no longer. False: this CUPTI cannot tell them. */
bool calls_launches(const struct cupti *cupti, bool on);

#endif
