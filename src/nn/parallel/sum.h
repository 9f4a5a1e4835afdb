/*
 * Sums across the devices of a group: of gradients, and of losses and correct images. It is for the files of group.h,
 * whose parts it has.
 */
#ifndef BE_NN_PARALLEL_SUM_H
#define BE_NN_PARALLEL_SUM_H

#include "nn/device/work.h"
#include "nn/parallel/group.h"

struct be_nn_group {
    struct be_nn_on_device *member[BE_NET_DEVICES];
    int members;
    size_t batch;
    struct be_reduce reduce; /* handle 0: by way of host memory */
    char sums[BE_NOTE];
};

/* One pass of all devices on its way. After a failure of one, nothing more is put into any queue. */
struct be_nn_group_run {
    struct be_nn_group *group;
    struct be_nn_pass pass[BE_NET_DEVICES];
    struct be_net_step step[BE_NET_DEVICES];
    struct be_nn_run run[BE_NET_DEVICES];
    enum be_status status;
    struct be_error *error;
};

/* Gradients and sums of losses become those of all devices, on each. */
void be_nn_group_sum_there(
    struct be_nn_group_run *all);                       /* by the vendor's library; does not wait */
void be_nn_group_sum_here(struct be_nn_group_run *all); /* by way of host memory; waits */

#endif
