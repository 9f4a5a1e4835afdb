/*
 * The layers of a net: their kinds, their shapes, and where each one's weights lie. It computes nothing.
 *
 * Weights, gradients and each part of an optimiser's state lie in one array each, tensor after tensor in the order
 * of the layers, weight before bias, shaped as PyTorch has them.
 */
#ifndef BE_NN_LAYERS_H
#define BE_NN_LAYERS_H

#include "nn/net.h"

enum be_nn_kind {
    BE_NN_CONV,    /* square, stride 1, no padding; weights outputs x inputs x size x size */
    BE_NN_POOL,    /* maximum of 2 x 2, stride 2; an odd last row or column is left out */
    BE_NN_DROPOUT, /* training only: zero with probability `drop`, else divided by 1 - drop */
    BE_NN_DENSE    /* weights outputs x inputs */
};

struct be_nn_layer {
    enum be_nn_kind kind;
    const char *name; /* of its tensors; NULL: it has none */
    int outputs;      /* channels, or numbers */
    int size;         /* of a convolution's square */
    bool relu;        /* after it: max(x, 0) */
    float drop;
};

enum { BE_NN_LAYERS_MAX = 12 };

enum be_nn_optimiser { BE_NN_SGD, BE_NN_ADADELTA, BE_NN_ADAM };

struct be_nn_rule {
    enum be_nn_optimiser optimiser;
    double rate, momentum, second, epsilon, decay; /* second: Adam's beta 2 */
};

struct be_nn_net {
    struct be_net_kind kind;
    struct be_nn_rule rule;
    struct be_nn_layer layer[BE_NN_LAYERS_MAX]; /* up to the first one without outputs or drop */
};

/* One layer in its place. */
struct be_nn_place {
    struct be_nn_layer layer;
    int channels, height, width; /* of its input; dense: channels is all, height and width are 1 */
    int out_height, out_width;
    int out_channels;
    size_t in, out; /* numbers an image */
    size_t weight, bias,
        weights; /* offsets; weights: their number without biases; 0: it has none */
};

struct be_nn_shape {
    int layers;
    struct be_nn_place place[BE_NN_LAYERS_MAX];
    size_t parameters;
    size_t pixels; /* numbers an image */
    double operations;
};

void be_nn_shape_find(const struct be_nn_net *net, struct be_nn_shape *shape);

#endif
