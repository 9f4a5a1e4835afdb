/*
 * The parts of a net on a device, for the files of on_device.h. It computes nothing.
 */
#ifndef BE_NN_DEVICE_PARTS_H
#define BE_NN_DEVICE_PARTS_H

#include "math/gemm.h"
#include "nn/device/on_device.h"
#include "nn/fast/stages.h"

enum { BE_NN_LANES = 128, BE_NN_CHUNKS = 64 };

struct be_nn_device_convolution {
    struct be_module module;
    struct be_kernel forward, open, input, slopes;
    struct be_buffer out, from, back, opened; /* back: the gradient by out */
    int outputs, inputs;                      /* channels of a lane */
};

struct be_nn_device_dense {
    struct be_buffer out, back;
};

enum be_nn_device_kernel {
    BE_NN_FINISH,
    BE_NN_OPEN,
    BE_NN_COLUMNS,
    BE_NN_ADD_PARTS,
    BE_NN_LOSS,
    BE_NN_TOTAL,
    BE_NN_RULE,
    BE_NN_KERNELS
};

enum { BE_NN_PHASES = 4 }; /* forward, loss, backward, update */

struct be_nn_on_device {
    const struct be_nn_shape *shape;
    const struct be_nn_rule *rule;
    struct be_device *device;
    struct be_nn_stages stages;
    size_t batch, bytes;
    struct be_gemm_plan product;
    struct be_module learn;
    struct be_kernel kernel[BE_NN_KERNELS];
    struct be_nn_device_convolution convolution[BE_NN_STAGES];
    struct be_nn_device_dense dense[BE_NN_STAGES];
    struct be_buffer weights, gradients, state[BE_NN_STATES];
    struct be_buffer images, labels, loss, correct, total, parts;
    struct be_pinned staging;
    struct be_event mark[BE_NN_PHASES + 1];
};

#endif
