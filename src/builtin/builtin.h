/*
 * The workloads that come with breakeven. The build writes their list from the folders of src/workload, and a
 * function finds one by its name.
 *
 * It does not know a user's own computations. A comparison gets those from its options (bench/choose.h).
 */
#ifndef BE_BUILTIN_BUILTIN_H
#define BE_BUILTIN_BUILTIN_H

#include "workload_list.h"

/* Each folder src/workload/NAME has a NAME.c that defines be_workload_NAME. By name, NULL-terminated. */
extern const struct be_workload *const be_workloads[];

const struct be_workload *be_workload_find(const char *name); /* NULL: no such one */

#endif
