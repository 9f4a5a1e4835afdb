/*
 * Log-softmax and cross-entropy of an image, and the gradient, in double. It does not know where its numbers come from.
 */
#ifndef BE_NN_LOSS_H
#define BE_NN_LOSS_H

#include <math.h>

#include "nn/net.h"

/* Outputs and gradients lie `stride` apart; `share` is 1 / the images of the batch, over which the loss is a mean. */
static inline double be_nn_image_loss(const float *out, size_t stride, size_t label, double share,
                                      float *back, uint8_t *correct) {
    float max = out[0];
    size_t best = 0;
    double sum = 0;
    double power[BE_NET_CLASSES];
    for (size_t i = 1; i < BE_NET_CLASSES; i++) {
        best = out[i * stride] > max ? i : best;
        max = out[best * stride];
    }
    for (size_t i = 0; i < BE_NET_CLASSES; i++) {
        power[i] = exp((double)(out[i * stride] - max));
        sum += power[i];
    }
    for (size_t i = 0; i < BE_NET_CLASSES; i++) {
        back[i * stride] = (float)((power[i] / sum - (i == label)) * share);
    }
    *correct = best == label;
    return log(sum) - (double)(out[label * stride] - max);
}

#endif
