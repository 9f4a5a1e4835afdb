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
    const struct be_nn_update *update; /* behind it; NULL: none */
    int64_t images, chunk, chunks;     /* chunk: images of one, of sums of dense layers */
    int64_t whole;                     /* images of the batch, of which these may be a part */
    struct be_nn_launch now;           /* what is being launched */
    bool summed;                       /* BE_NN_SUM is a phase of its own */
    enum be_status status;
    struct be_error *error;
};

/* A pass on its way, and what it consists of, for several devices that pass at the same time (parallel/group.h). */
struct be_nn_run be_nn_run_of(struct be_nn_on_device *net, const struct be_nn_pass *pass,
                              const struct be_nn_update *update, struct be_error *error);
void be_nn_mark(struct be_nn_run *run, enum be_nn_phase phase); /* it begins here */
void be_nn_put_pass(struct be_nn_run *run);   /* images, forward, loss, backward */
void be_nn_put_change(struct be_nn_run *run); /* the update */
/* Waits, and writes the pass's result. total: the sum of losses, and of correct images; NULL: neither is looked at. */
void be_nn_finish(struct be_nn_run *run, float total[2]);

void be_nn_put_forward(struct be_nn_run *run);
void be_nn_put_loss(struct be_nn_run *run);
void be_nn_put_backward(struct be_nn_run *run);
/* A dense layer and its way back; the first one takes net->entry. */
void be_nn_put_dense_forward(struct be_nn_run *run, int layer);
void be_nn_put_dense_backward(struct be_nn_run *run, int layer);

void be_nn_put_update(struct be_nn_run *run, const struct be_nn_rule *rule);

#endif
