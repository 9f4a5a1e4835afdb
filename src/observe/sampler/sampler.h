/*
 * From sources to a trace: it asks every source once a tick and files the answers. It runs in the process that
 * watches (run), or in the live view (watch). It reads the clock only through `be_clock`. It does not know how the
 * program was started.
 */
#ifndef BE_OBSERVE_SAMPLER_SAMPLER_H
#define BE_OBSERVE_SAMPLER_SAMPLER_H

#include "base/clock.h"
#include "observe/process/totals.h"
#include "observe/sources/sources.h"

struct be_sampler_options {
    struct be_watched watched;
    const struct be_signal_source *const *sources; /* NULL: be_signal_sources */
    double interval_s;     /* between ticks; 0: 0.1 at first, 1 once the run is long */
    struct be_clock clock; /* zeroed: the host's */
    double overhead;       /* share of one core's time that the watching may take; 0: 0.0025. Ticks
                              grow rarer, and fewer processes are looked at, to keep it */
};

struct be_sampler; /* owns its trace */

/* Opens what sources there are; one that is absent is noted in the trace. Sources that are foreign
 * may still be opening when this returns. */
enum be_status be_sampler_open(const struct be_sampler_options *options,
                               struct be_sampler **sampler, struct be_error *error);
/* Seconds until the next tick is due; <= 0: now. */
double be_sampler_due(const struct be_sampler *sampler);
/* Takes one tick. `last`: the program has ended; foreign sources get a second to answer. */
void be_sampler_tick(struct be_sampler *sampler, bool last);
/* The root is about to inherit so much that is none of the program's. */
void be_sampler_leave_out(struct be_sampler *sampler, const double grown[BE_GROWNS]);
struct be_trace *be_sampler_trace(struct be_sampler *sampler);
/* Foreign sources that hang are left behind, with their memory. Accepts NULL. */
void be_sampler_close(struct be_sampler *sampler);

#endif
