/*
 * Places as samples of their times: draw d of every place stands for one course of events, so that differences between
 * places mean something. decide.c ranks them.
 */
#ifndef BE_DECIDE_DRAWS_H
#define BE_DECIDE_DRAWS_H

#include "breakeven_decide.h"

enum { BE_DRAWS = 16384 };

/* All in seconds. wait: NAN where it is not known. */
struct be_draws {
    double *wait, *load, *work; /* work: transfer + compute + network; BE_DRAWS each */
};

/* Fills the three arrays. Places of one partition meet the same queue: who is unlucky in one is so in the other.
 * Places of one basis err together. */
void be_draws_make(const struct be_decide_place *place, struct be_draws *draws);

/* total[d] of the work times `factor`; with_wait: else from the start. */
void be_draws_total(const struct be_draws *draws, double factor, bool with_wait, double *total);

/* A quantile of BE_DRAWS values, which it reorders; none is NAN. */
double be_draws_quantile(double *value, double share);

#endif
