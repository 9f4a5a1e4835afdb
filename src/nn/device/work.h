/*
 * The launches of a net's step on a device, into its queue of work. It knows nothing of when they run, or how often.
 */
#ifndef BE_NN_DEVICE_WORK_H
#define BE_NN_DEVICE_WORK_H

#include "nn/device/parts.h"

/* One pass on its way: after a failure nothing more is put into the queue. */
struct be_nn_run {
    struct be_nn_on_device *net;
    const struct be_nn_pass *pass;
    int64_t images, chunk, chunks; /* chunk: images of one, of sums of dense layers */
    struct be_nn_launch now;       /* what is being launched */
    enum be_status status;
    struct be_error *error;
};

void be_nn_put_forward(struct be_nn_run *run);
void be_nn_put_loss(struct be_nn_run *run);
void be_nn_put_backward(struct be_nn_run *run);
/* A dense layer and its way back; the first one takes net->entry. */
void be_nn_put_dense_forward(struct be_nn_run *run, int layer);
void be_nn_put_dense_backward(struct be_nn_run *run, int layer);

void be_nn_put_update(struct be_nn_run *run, const struct be_nn_rule *rule);

#endif
