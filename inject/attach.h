/*
 * Whether CUPTI is held in this program. While it is, it costs something though it be asked for nothing. To
 * let go of it, CUPTI has to be left as one of the program's own calls to CUDA returns; after that no
 * function of CUPTI may be called but for taking hold of it again.
 */
#ifndef INJECT_ATTACH_H
#define INJECT_ATTACH_H

#include <stdatomic.h>
#include <stdbool.h>

#include "cupti_table.h"

enum attach_state { ATTACH_GONE, ATTACH_HELD, ATTACH_LEAVING, ATTACH_ENDING };

struct attach {
    const struct cupti *cupti;
    CUpti_SubscriberHandle subscriber;
    atomic_int state; /* ENDING: a thread of the program is letting go at this moment */
};

/* Subscribes. Anything but CUPTI_SUCCESS: not held. */
CUptiResult attach_hold(struct attach *attach);
/* It is let go of when the program's next call to CUDA returns. False: this CUPTI cannot be. All that
 * it has must have been asked back. */
bool attach_leave(struct attach *attach);
/* Whether functions of CUPTI may be called. */
bool attach_held(const struct attach *attach);
/* It has been let go of, and what it held is ours again. */
bool attach_gone(const struct attach *attach);
/* Takes back attach_leave(), if it has not happened; waits, up to a second, where it is just
 * happening. */
void attach_stay(struct attach *attach);

#endif
