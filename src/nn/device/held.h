/*
 * Data sets that lie on a net's device as bytes, and the batch that is gathered from them there. It does not know which
 * images a batch has.
 */
#ifndef BE_NN_DEVICE_HELD_H
#define BE_NN_DEVICE_HELD_H

#include "nn/device/on_device.h"

/* Brings a set there; one that was there goes. Waits. BE_NOMEM: the text says what it needs. */
enum be_status be_nn_on_device_hold(struct be_nn_on_device *net, int set,
                                    const struct be_net_set *from, struct be_error *error);
void be_nn_on_device_let_go(struct be_nn_on_device *net); /* of all sets */

/* Images and labels of a pass whose images are NULL become those with these numbers. Does not wait. */
enum be_status be_nn_on_device_take(struct be_nn_on_device *net, int set, const uint32_t *image,
                                    size_t count, struct be_error *error);

#endif
