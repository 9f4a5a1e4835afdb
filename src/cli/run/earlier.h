/*
 * Children from before there was a command: a shell that ends in `exec breakeven run` leaves us its own. They are
 * ours to wait for, and what they use is none of the command's.
 */
#ifndef BE_CLI_RUN_EARLIER_H
#define BE_CLI_RUN_EARLIER_H

#include <sys/resource.h>
#include <sys/types.h>

#include "observe/process/totals.h"

struct be_earlier {
    struct rusage used; /* by those that we have waited for */
    bool any;           /* there are others */
    double since;       /* who began before that is one of them; 0: not known */
};

/* To be called before there is any child of our own. */
void be_earlier_begin(struct be_earlier *earlier);
/* Our first child. */
void be_earlier_until(struct be_earlier *earlier, pid_t first);
/* Is this child, which has ended and was not waited for, one of them? Then with what it used. */
bool be_earlier_has(const struct be_earlier *earlier, pid_t pid, double grown[BE_GROWNS]);
/* It was waited for. */
void be_earlier_add(struct be_earlier *earlier, const struct rusage *used);
/* Takes from the use of all our children that of the earlier ones. */
void be_earlier_leave_out(const struct be_earlier *earlier, struct rusage *used);

#endif
