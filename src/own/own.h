/*
 * A user's description of a computation (breakeven_workload.h) becomes a workload like the built-in ones. It does
 * not know how workloads are compared.
 */
#ifndef BE_OWN_OWN_H
#define BE_OWN_OWN_H

#include "breakeven_workload.h"
#include "workload/workload.h"

struct be_own;

/* BE_USAGE, with what is wrong and where: no name, no CPU code, more arrays than there may be. The description is
 * not copied. */
enum be_status be_own_open(const struct be_computation *computation, struct be_own **own,
                           struct be_error *error);
void be_own_close(struct be_own *own); /* accepts NULL */

const struct be_workload *be_own_workload(const struct be_own *own);

#endif
