/* Parts of be_decide, in files decide_NAME.c; breakeven_decide.h has the whole. */
#ifndef BE_DECIDE_DECIDE_H
#define BE_DECIDE_DECIDE_H

#include "decide/draws.h"

/* All places with their draws, while they are ranked. */
struct be_deciding {
    const struct be_decide_place *place;
    int places;
    struct be_draws *draws; /* one a place */
    bool waits;             /* the wait of some place is known: those count */
    double *scratch;        /* 2 x BE_DRAWS */
};

/* Sets the reason, the row that the first is held against, and what would change the answer. Rows are ranked. */
void be_decide_explain(const struct be_deciding *deciding, struct be_decision *decision);

#endif
