/*
 * The dense layers of a block of images and the loss behind them, each member's part. Numbers lie one after the
 * other, the images of the block beside each other.
 */
#ifndef BE_NN_FAST_DENSE_H
#define BE_NN_FAST_DENSE_H

#include "nn/fast/fast_memory.h"

/* One block in the hands of one member. */
struct be_nn_part {
    struct be_nn_fast *fast;
    const struct be_nn_pass *pass;
    size_t first, count; /* images of the block: from this one of the batch on, so many */
    size_t padded;       /* count, to whole groups */
    int member, members;
};

/* All members call each of them at the same time; the results are complete behind the team's next barrier. */
void be_nn_dense_forward(const struct be_nn_part *part);
void be_nn_dense_loss(const struct be_nn_part *part);
/* Leaves the gradient by the first layer's input in back[0] or back[1]: which is returned. */
int be_nn_dense_backward(const struct be_nn_part *part);

#endif
