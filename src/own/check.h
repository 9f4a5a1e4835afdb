/*
 * The results of a user's code held against a reference: the user's own, or the CPU's code on one thread.
 */
#ifndef BE_OWN_CHECK_H
#define BE_OWN_CHECK_H

#include "own/description.h"

void be_own_reference(const struct be_work *work, double *reference);
/* Which element of which output is furthest off, and how many are off. */
void be_own_explain(const struct be_work *work, const double *reference, char note[BE_NOTE]);
void be_own_residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm);

#endif
