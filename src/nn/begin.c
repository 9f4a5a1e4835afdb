#include "nn/begin.h"

#include <math.h>

#include "base/random.h"

/* PyTorch's default for convolutions and dense layers: uniform within 1 / sqrt(inputs of a sum), biases too. */
static void begin_uniform(struct be_net *net, const struct be_nn_place *p) {
    const float bound = (float)(1 / sqrt((double)(p->weights / (size_t)p->out_channels)));
    const size_t end = p->bias + (size_t)p->out_channels;
    for (size_t at = p->weight; at < end; at++) {
        net->weights[at] = bound * (2 * be_random_float(net->seed, at) - 1);
    }
}

/* As torchvision has it: normal, of variance 2 / (outputs of a convolution x its square), by Box and Muller. */
static void begin_normal(struct be_net *net, const struct be_nn_place *p) {
    const double pi = 3.14159265358979323846;
    const double deviation = sqrt(2.0 / ((double)p->out_channels * p->layer.size * p->layer.size));
    for (size_t i = 0; i < p->weights; i++) {
        const size_t at = p->weight + i;
        const double level = 1 - (double)be_random_float(net->seed, 2 * at); /* above 0 */
        const double turn = (double)be_random_float(net->seed, 2 * at + 1);
        net->weights[at] = (float)(deviation * sqrt(-2 * log(level)) * cos(2 * pi * turn));
    }
}

void be_nn_begin_weights(struct be_net *net) {
    for (int i = 0; i < net->shape.layers; i++) {
        const struct be_nn_place *p = &net->shape.place[i];
        const size_t channels = (size_t)p->out_channels;
        if (p->weights && !p->layer.norm) {
            begin_uniform(net, p);
        } else if (p->weights) {
            begin_normal(net, p);
        }
        for (size_t o = 0; p->layer.norm && o < channels; o++) {
            net->weights[p->scale + o] = 1;
            net->weights[p->bias + o] = 0;
            net->statistics[p->statistic + o] = 0;
            net->statistics[p->statistic + channels + o] = 1;
        }
    }
}
