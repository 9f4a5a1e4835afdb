/*
 * The layers of a net: their kinds, their shapes, and where each one's weights lie. It computes nothing.
 *
 * Weights, gradients and each part of an optimiser's state lie in one array each, tensor after tensor in the order
 * of the layers, weight before bias, shaped as PyTorch has them. Running statistics of batch norms lie in an array of
 * their own.
 */
#ifndef BE_NN_LAYERS_H
#define BE_NN_LAYERS_H

#include "nn/net.h"

enum be_nn_kind {
    BE_NN_CONV, /* square; weights outputs x inputs x size x size */
    BE_NN_POOL, /* maximum of 2 x 2, stride 2; an odd last row or column is left out. With size 3: of
                      3 x 3, stride 2, padded by 1 */
    BE_NN_DROPOUT, /* training only: zero with probability `drop`, else divided by 1 - drop */
    BE_NN_DENSE,   /* weights outputs x inputs */
    BE_NN_MEAN     /* of each channel */
};

struct be_nn_layer {
    enum be_nn_kind kind;
    const char *name; /* of its tensors; NULL: it has none */
    int outputs;      /* channels, or numbers */
    int size;         /* of a convolution's square */
    bool relu;        /* after it: max(x, 0) */
    float drop;
    int stride; /* of a convolution; 0: 1 */
    int pad;    /* zeros around a convolution's input */
    bool norm;  /* batch norm behind a convolution, which has no bias then */
};

/* A residual net as a table (He, Zhang, Ren, Sun: Deep Residual Learning for Image Recognition; 2016), with the layers
 * and the names of torchvision: a convolution of 7 x 7 with stride 2, a pool of 3 x 3, stages of blocks, the mean of
 * each channel, a dense layer. The first block of each stage but the first has stride 2. */
struct be_nn_blocks {
    int blocks[4];   /* of each stage; those behind a 0 are left out */
    int width;       /* channels of the first stage; each stage has twice those of the one before */
    bool bottleneck; /* 1 x 1, 3 x 3, and 1 x 1 to four times the channels; else 3 x 3 twice */
};

/* PLACES: of 152 layers, four convolutions beside blocks, a pool, a mean, and some room. */
enum { BE_NN_LAYERS_MAX = 12, BE_NN_PLACES_MAX = 168, BE_NN_NAME = 32 };

/* Added to a variance, and how much of a batch's statistics goes into the running ones: PyTorch's defaults. */
#define BE_NN_NORM_EPSILON 1e-5
#define BE_NN_NORM_TAKE 0.1F

enum be_nn_optimiser { BE_NN_SGD, BE_NN_ADADELTA, BE_NN_ADAM };

struct be_nn_rule {
    enum be_nn_optimiser optimiser;
    double rate, momentum, second, epsilon, decay; /* second: Adam's beta 2 */
    double weight_decay;                           /* SGD: times a weight, added to its gradient */
};

struct be_nn_net {
    struct be_net_kind kind;
    struct be_nn_rule rule;
    struct be_nn_layer layer[BE_NN_LAYERS_MAX]; /* up to the first one without outputs or drop */
    struct be_nn_blocks blocks;                 /* with blocks, in place of the layers */
};

/* One layer in its place. */
struct be_nn_place {
    struct be_nn_layer layer;
    int channels, height, width; /* of its input; dense: channels is all, height and width are 1 */
    int out_height, out_width;
    int out_channels;
    size_t in, out; /* numbers an image */
    size_t weight, bias,
        weights;           /* offsets; weights: their number without biases; 0: it has none */
    int input;             /* the place whose output it takes; -1: the images */
    int add;               /* the place whose output is added before the ReLU; -1: none */
    char name[BE_NN_NAME]; /* of its tensors */
    /* Its batch norm: the name; the offset of the factors, behind which `bias` has the terms; and the offset of its
     * means in the running statistics, behind which the variances are. */
    char norm[BE_NN_NAME];
    size_t scale, statistic;
};

struct be_nn_shape {
    int layers;
    struct be_nn_place place[BE_NN_PLACES_MAX];
    bool deep; /* made of blocks: of other code (deep/deep.h) */
    size_t parameters;
    size_t statistics; /* running means and variances of the batch norms */
    size_t pixels;     /* numbers an image */
    double operations;
};

void be_nn_shape_find(const struct be_nn_net *net, struct be_nn_shape *shape);

#endif
