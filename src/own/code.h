/*
 * A user's code as a workload calls it: inputs, the CPU's part of each member, the launch on a device.
 */
#ifndef BE_OWN_CODE_H
#define BE_OWN_CODE_H

#include "own/description.h"

void be_own_fill(const struct be_work *work, uint64_t seed);
void be_own_host(const struct be_work *work);
size_t be_own_host_scratch(const struct be_problem *problem, int members);
enum be_status be_own_host_ready(const struct be_host_libraries *library, int members,
                                 struct be_error *error);
enum be_status be_own_prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error);
enum be_status be_own_enqueue(const struct be_launch *launch, struct be_error *error);
size_t be_own_device_scratch(const struct be_problem *problem);
/* The call of a member; `of`: its arrays. */
struct be_call be_own_call(const struct be_work *work, void *of[BE_ARRAYS]);

#endif
