/*
 * One pass over a batch: forward, loss and, in training, backward to the gradients. It does not know the optimiser.
 */
#ifndef BE_NN_PASS_H
#define BE_NN_PASS_H

#include "base/clock.h"
#include "nn/layers.h"

struct be_nn_pass {
    const struct be_nn_shape *shape;
    const float *weights;
    float *gradients; /* of the mean loss; overwritten. Evaluation leaves it alone */
    const float *images;
    const uint8_t *labels;
    size_t count;
    size_t before; /* images of the batch before these, where these are a device's part of it */
    size_t whole;  /* images of the whole batch; 0: these are all */
    bool training;
    const float *statistics; /* of batch norms, running: evaluation takes them */
    float *seen; /* those of this batch: training writes them, variances over count - 1 */
    uint64_t seed;
    uint32_t step;
    const struct be_clock *clock;
    struct be_net_step *result; /* all but update_s */
};

#endif
