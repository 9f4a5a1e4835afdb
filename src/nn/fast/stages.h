/*
 * A net's layers gathered as they are computed: each convolution with its ReLU, pool and dropout, then each dense
 * layer with its ReLU and dropout. It computes nothing.
 */
#ifndef BE_NN_STAGES_H
#define BE_NN_STAGES_H

#include "nn/layers.h"

enum { BE_NN_STAGES = 4 };

struct be_nn_stage {
    const struct be_nn_place *main; /* the convolution or the dense layer */
    bool pool;
    float drop; /* 0: no dropout */
    int drop_layer;
    int height, width; /* of its output */
    size_t out;        /* numbers of its output, an image */
};

struct be_nn_stages {
    int convolutions, dense;
    struct be_nn_stage convolution[BE_NN_STAGES], layer[BE_NN_STAGES];
    size_t parameters; /* of the convolutions: they come first in a net's arrays */
};

/* False: the net is not made of such stages (a convolution and a layer before dropout have a ReLU, a square is of 3
 * or 5, pools and the first layer belong to convolutions). `shape` outlives the stages. */
bool be_nn_stages_find(const struct be_nn_shape *shape, struct be_nn_stages *stages);

#endif
