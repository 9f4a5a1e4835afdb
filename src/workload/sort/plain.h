/*
 * Sorting as a good programmer writes it in an hour: on the CPU by digits of eight bits, on a device a bitonic network.
 */
#ifndef BE_WORKLOAD_SORT_PLAIN_H
#define BE_WORKLOAD_SORT_PLAIN_H

#include "workload/workload.h"

void be_sort_plain_host(const struct be_work *work);
size_t be_sort_plain_host_scratch(const struct be_problem *problem, int members);
enum be_status be_sort_plain_prepare(struct be_device *device, const struct be_problem *problem,
                                     struct be_prepared *prepared, struct be_error *error);
enum be_status be_sort_plain_enqueue(const struct be_launch *launch, struct be_error *error);

#endif
