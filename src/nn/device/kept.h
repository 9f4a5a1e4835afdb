/*
 * Launches of a step that are kept by the device and put into its queue again as one: a small batch
 * is a chain of launches that each take longer to put than to run. It does not know what they
 * compute.
 */
#ifndef BE_NN_DEVICE_KEPT_H
#define BE_NN_DEVICE_KEPT_H

#include "nn/device/work.h"

/* Puts what `put` puts: plainly on the first pass with as many images, this seed, and training or
 * not; kept from the second one on. Plainly, too, on a device that keeps nothing or refuses to, and
 * while launches are timed. Whatever else differs from step to step is in the device's memory. */
void be_nn_put_kept(struct be_nn_run *run, struct be_nn_kept *kept,
                    void (*put)(struct be_nn_run *run));

void be_nn_forget_kept(struct be_device *device, struct be_nn_kept *kept);

#endif
