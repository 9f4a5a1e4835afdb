/*
 * Processes that have ended, until the parent that waited for them has what they used: the kernel adds to it
 * all that they ever used, also what was before the trace began. Knows members of a tree, and looks at none.
 */
#ifndef BE_OBSERVE_PROCESS_INHERITED_H
#define BE_OBSERVE_PROCESS_INHERITED_H

#include "observe/process/tree.h"

enum { BE_HEIRS_MAX = 256 }; /* that end in a look; of those beyond a rise is taken for work */

struct be_left {
    int pid, parent;
    int looks; /* at who should inherit, without a sign of it */
    double old[BE_GROWNS], grown[BE_GROWNS];
};

struct be_heirs {
    struct be_left left[BE_HEIRS_MAX];
    int count;
};

/* It has ended. */
void be_heirs_add(struct be_heirs *heirs, const struct be_member *member);
/* After a look: of whoever has just inherited, what came from before the trace is no growth, and what others
 * read and wrote is none of its own. */
void be_heirs_settle(struct be_heirs *heirs, struct be_member *member, int members, double now_s);

#endif
