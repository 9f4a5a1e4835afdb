/*
 * Variants that were asked for by name and cannot be measured: which, why, and the variants that there are. A
 * variant that nobody named is left out without a message.
 */
#ifndef BE_BENCH_NAMED_H
#define BE_BENCH_NAMED_H

#include "bench/fit.h"

/* Is there anything to measure of all plans? At the places that are open, or before any is.
 * BE_USAGE: no size suits a variant asked for; BE_ABSENT: what would suit has code for devices only,
 * and there is none. The text names variant, reason and others that can. */
enum be_status be_named_check(const struct be_fit *fit, const struct be_plan *plan, int plans,
                              struct be_error *error);

/* One remark a variant of the plan that was asked for, and cannot be measured at some of its sizes:
 * once for all sizes with the same reason. */
void be_named_remark(struct be_session *session, const struct be_plan *plan);

#endif
