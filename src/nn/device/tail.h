/*
 * The dense layers of a small batch in two launches (tail.cl), in place of a product each. It knows no convolution.
 */
#ifndef BE_NN_DEVICE_TAIL_H
#define BE_NN_DEVICE_TAIL_H

#include "nn/device/work.h"

/* Whether the net's dense layers are computed so: they are small, and so are its batches. */
bool be_nn_tail_fits(const struct be_nn_on_device *net);

enum be_status be_nn_tail_build(struct be_nn_on_device *net, struct be_error *error);
void be_nn_tail_drop(struct be_nn_on_device *net); /* accepts one that was not built */

/* Numbers of all dense layers' outputs, an image. */
size_t be_nn_tail_outputs(const struct be_nn_on_device *net);

/* Forward, the loss of each image and, in training, the gradient by the last convolution's output; then the gradients
 * by weights. */
void be_nn_tail_put(struct be_nn_run *run);
void be_nn_tail_put_slopes(struct be_nn_run *run);

#endif
