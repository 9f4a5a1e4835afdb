/*
 * The workloads that come with breakeven: the list of them, which the build writes from the folders of
 * src/workload, and how one is found by its name. Workloads of a user's own are not in it: a comparison is handed
 * those (bench/choose.h).
 */
#ifndef BE_BUILTIN_BUILTIN_H
#define BE_BUILTIN_BUILTIN_H

#include "workload_list.h"

/* Each folder src/workload/NAME has a NAME.c that defines be_workload_NAME. By name, NULL-terminated. */
extern const struct be_workload *const be_workloads[];

const struct be_workload *be_workload_find(const char *name); /* NULL: no such one */

#endif
