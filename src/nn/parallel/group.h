/*
 * A net on several devices, data parallel: each has all weights and its part of every batch. The sums of their
 * gradients, which are those of the whole batch, go to all of them, and each makes the same update. It does not know
 * where the devices are, nor whether they are of one kind.
 *
 * A part's images are neighbours in the batch, and parts differ by one image at most. A batch of fewer images than
 * devices leaves the last ones without. Losses are those of one device but for the order in which float32 numbers are
 * added. Batch norms are the exception: each device's are of its own part, and the running statistics are the first's.
 */
#ifndef BE_NN_PARALLEL_GROUP_H
#define BE_NN_PARALLEL_GROUP_H

#include "nn/device/on_device.h"

struct be_nn_group;

/* For batches of up to `batch` images on 2 to BE_NET_DEVICES devices. All arguments outlive it. Gradients are added by
 * the vendor's library, where all devices are its own and none is there twice; else in host memory, by the calling
 * thread. Errors as be_nn_on_device_open; BE_USAGE: a batch of fewer images than devices. */
enum be_status be_nn_group_open(const struct be_nn_shape *shape, const struct be_nn_rule *rule,
                                size_t batch, enum be_precision precision,
                                struct be_device *const *device, int devices,
                                struct be_nn_group **group, struct be_error *error);
void be_nn_group_close(struct be_nn_group *group); /* accepts NULL */

/* The net on the first device: weights, gradients and the optimiser's state are the same on all. */
struct be_nn_on_device *be_nn_group_first(const struct be_nn_group *group);

int be_nn_group_members(const struct be_nn_group *group);

/* "NCCL 2.27.3", or "host memory (why)". */
const char *be_nn_group_sums(const struct be_nn_group *group);

/* As the functions of on_device.h and held.h, for all devices; a data set is on each of them. */
enum be_status be_nn_group_put(struct be_nn_group *group, const struct be_nn_arrays *from,
                               struct be_error *error);
enum be_status be_nn_group_hold(struct be_nn_group *group, int set, const struct be_net_set *from,
                                struct be_error *error);
enum be_status be_nn_group_take(struct be_nn_group *group, int set, const uint32_t *image,
                                size_t count, struct be_error *error);
enum be_status be_nn_group_pass(struct be_nn_group *group, const struct be_nn_pass *pass,
                                const struct be_nn_update *update, struct be_error *error);

#endif
