/*
 * One source as the sampler sees it: opened, asked for a tick, its answer taken. A foreign one does
 * all of this in a thread of its own, and may not answer.
 */
#ifndef BE_OBSERVE_SAMPLER_ASKED_H
#define BE_OBSERVE_SAMPLER_ASKED_H

#include "observe/sources/source.h"

struct be_asked; /* a source and, if it is foreign, its thread */

/* The answer of the source. Valid until it is asked again. */
struct be_answer {
    enum be_status status;
    struct be_error error;
    const struct be_trace_gpu *gpu; /* as `gpus` gave them */
    int gpus;
    const struct be_sink *sink;
    double cost_s; /* CPU time of its thread, since it was opened */
};

/* Opens it, or has its thread begin to. `watched` must live until be_asked_close. */
enum be_status be_asked_open(const struct be_signal_source *source,
                             const struct be_watched *watched, struct be_asked **asked,
                             struct be_error *error);
/* Asks for the values of a tick; false: it is still at the last one. */
bool be_asked_begin(struct be_asked *asked, const struct be_moment *moment);
/* Its answer, if there is one within `wait_s` that was not taken before; an answer to opening has
 * status only. */
bool be_asked_take(struct be_asked *asked, double wait_s, struct be_answer *answer);
/* One that hangs in foreign code is left where it is, with its memory: it can be neither ended nor
 * freed: false. Accepts NULL. */
bool be_asked_close(struct be_asked *asked);

#endif
