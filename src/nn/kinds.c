#include "nn/kinds.h"

#include <string.h>

#include "base/error.h"

/* PyTorch's tutorial "Training a Classifier" (LeNet-5 for colour), with the plain SGD of the course on GPUs that
 * trains it. */
#define LENET                                                                                      \
    .kind = {"lenet",                                                                              \
             "cifar10",                                                                            \
             "2 convolutions of 5 x 5 with pools, dense 120, 84, 10; SGD",                         \
             3,                                                                                    \
             32,                                                                                   \
             32,                                                                                   \
             {.5F, .5F, .5F},                                                                      \
             {.5F, .5F, .5F},                                                                      \
             62006,                                                                                \
             32,                                                                                   \
             3}

/* The example "mnist" of PyTorch's repository of examples. */
#define MNIST                                                                                      \
    .kind = {                                                                                      \
        "mnist",  "mnist",  "2 convolutions of 3 x 3, pool, dropout, dense 128, 10; Adadelta",     \
        1,        28,       28,                                                                    \
        {.1307F}, {.3081F}, 1199882,                                                               \
        64,       3}

/* TensorFlow's tutorial "Convolutional Neural Network (CNN)". */
#define TFCNN                                                                                      \
    .kind = {"tfcnn",                                                                              \
             "cifar10",                                                                            \
             "3 convolutions of 3 x 3, 2 pools, dense 64, 10; Adam",                               \
             3,                                                                                    \
             32,                                                                                   \
             32,                                                                                   \
             {0},                                                                                  \
             {1.F, 1.F, 1.F},                                                                      \
             122570,                                                                               \
             32,                                                                                   \
             10}

/* torchvision's nets, with ten outputs, on images of 32 x 32. The optimiser is that of He, Zhang, Ren and Sun (Deep
 * Residual Learning for Image Recognition; 2016), with the rate that they begin their deep nets for CIFAR-10 with. */
#define RESNET(name, about, parameters)                                                            \
    .kind = {name,       "cifar10", about, 3, 32, 32, {.5F, .5F, .5F}, {.5F, .5F, .5F},            \
             parameters, 128,       10},                                                           \
    .rule = {BE_NN_SGD, .rate = 0.01, .momentum = 0.9, .decay = 1, .weight_decay = 1e-4}

static const struct be_nn_net nets[] = {
    {LENET, .rule = {BE_NN_SGD, .rate = 0.001, .decay = 1},
     .layer = {{.kind = BE_NN_CONV, .name = "conv1", .outputs = 6, .size = 5, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_CONV, .name = "conv2", .outputs = 16, .size = 5, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_DENSE, .name = "fc1", .outputs = 120, .relu = true},
               {.kind = BE_NN_DENSE, .name = "fc2", .outputs = 84, .relu = true},
               {.kind = BE_NN_DENSE, .name = "fc3", .outputs = 10}}},
    {MNIST, .rule = {BE_NN_ADADELTA, .rate = 1, .momentum = 0.9, .epsilon = 1e-6, .decay = 0.7},
     .layer = {{.kind = BE_NN_CONV, .name = "conv1", .outputs = 32, .size = 3, .relu = true},
               {.kind = BE_NN_CONV, .name = "conv2", .outputs = 64, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_DROPOUT, .drop = 0.25F},
               {.kind = BE_NN_DENSE, .name = "fc1", .outputs = 128, .relu = true},
               {.kind = BE_NN_DROPOUT, .drop = 0.5F},
               {.kind = BE_NN_DENSE, .name = "fc2", .outputs = 10}}},
    {TFCNN,
     .rule = {BE_NN_ADAM, .rate = 0.001, .momentum = 0.9, .second = 0.999, .epsilon = 1e-7,
              .decay = 1},
     .layer = {{.kind = BE_NN_CONV, .name = "conv1", .outputs = 32, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_CONV, .name = "conv2", .outputs = 64, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_CONV, .name = "conv3", .outputs = 64, .size = 3, .relu = true},
               {.kind = BE_NN_DENSE, .name = "fc1", .outputs = 64, .relu = true},
               {.kind = BE_NN_DENSE, .name = "fc2", .outputs = 10}}},
    {RESNET("resnet18", "18 layers in residual blocks, batch norm; SGD", 11181642),
     .blocks = {{2, 2, 2, 2}, 64, false}},
    {RESNET("resnet50", "50 layers in residual blocks, batch norm; SGD", 23528522),
     .blocks = {{3, 4, 6, 3}, 64, true}},
    {RESNET("resnet152", "152 layers in residual blocks, batch norm; SGD", 58164298),
     .blocks = {{3, 8, 36, 3}, 64, true}},
};

const struct be_nn_net *be_nn_net_at(size_t at) {
    return at < BE_COUNT(nets) ? &nets[at] : NULL;
}

const struct be_nn_net *be_nn_net_find(const char *name) {
    for (size_t i = 0; i < BE_COUNT(nets); i++) {
        if (strcmp(name, nets[i].kind.name) == 0) {
            return &nets[i];
        }
    }
    return NULL;
}
