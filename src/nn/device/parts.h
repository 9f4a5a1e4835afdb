/*
 * The parts of a net on a device, for the files of on_device.h. It computes nothing.
 */
#ifndef BE_NN_DEVICE_PARTS_H
#define BE_NN_DEVICE_PARTS_H

#include "math/gemm.h"
#include "nn/device/on_device.h"
#include "nn/fast/stages.h"

/* Sums over images are taken in chunks: those of dense layers, and those of convolutions. */
enum { BE_NN_LANES = 128, BE_NN_CHUNKS = 64, BE_NN_CONV_CHUNKS = 256 };

/* Groups that keep a large device busy. */
enum { BE_NN_GROUPS_WANTED = 132 * 16 };

struct be_nn_device_convolution {
    struct be_module module;
    struct be_kernel forward, input, slopes;
    struct be_buffer out, from, back; /* back: the gradient by out */
    int outputs, inputs;              /* channels of a lane, forward and back */
    int slope_outputs, slope_inputs;  /* channels of a lane whose gradients by weights it adds */
    bool pooled;                      /* the way back is that of pooled.h */
    int pooled_across;                /* warps across an image there */
};

/* As in pooled.h. */
enum { BE_NN_SLICES = 8 }; /* a sum of chunks is shared by so many: learn.cl */

enum { BE_NN_WARP = 32, BE_NN_WARPS = 8, BE_NN_OF_GROUP = 64, BE_NN_CELLS_AT_ONCE = 4 };

/* A step's, on the device: its number as bits, the rate, a figure of the rule, the images of the batch before these as
 * bits. */
enum { BE_NN_TURN = 4 };

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
    BE_NN_GATHER,
    BE_NN_KERNELS
};

/* The last two: what goes on between devices, and the update. */
enum be_nn_phase {
    BE_NN_FORWARD,
    BE_NN_LOSS_FOUND,
    BE_NN_BACKWARD,
    BE_NN_SUM,
    BE_NN_UPDATED,
    BE_NN_PHASES
};

/* The dense layers where they are computed by tail.cl. */
struct be_nn_device_tail {
    bool is;
    struct be_module module;
    struct be_kernel pass, slopes;
    struct be_buffer out, back; /* of all layers, image after image */
};

/* The launches of a phase, as they are for so many images. */
struct be_nn_kept {
    struct be_graph graph;
    int64_t images; /* 0: none have been */
    uint64_t seed;
    bool training;
    bool refused; /* the device did not keep them */
};

struct be_nn_timing {
    struct be_event event[BE_NN_LAUNCHES + 1]; /* before the first launch, behind each */
    struct be_nn_launch launch[BE_NN_LAUNCHES];
    int count;
};

/* A data set that lies there (held.h): bytes, labels, the value of each byte by channel; the numbers of a batch. */
struct be_nn_held {
    struct be_buffer images, labels, levels, order;
};

struct be_nn_residual; /* residual.h */

struct be_nn_on_device {
    const struct be_nn_shape *shape;
    const struct be_nn_rule *rule;
    struct be_device *device;
    struct be_nn_stages stages;
    size_t batch, bytes;
    enum be_precision precision; /* of products: BE_FLOAT32, BE_TF32 */
    struct be_gemm_plan product;
    struct be_module learn;
    struct be_kernel kernel[BE_NN_KERNELS];
    struct be_nn_device_convolution convolution[BE_NN_STAGES];
    struct be_nn_device_dense dense[BE_NN_STAGES];
    struct be_nn_device_tail tail;
    struct be_nn_residual *residual; /* NULL: the net is made of stages */
    const struct be_buffer *entry,
        *entry_back; /* the first dense layer's input, and the gradient by it */
    struct be_buffer weights, gradients, state[BE_NN_STATES];
    struct be_buffer images, labels, loss, correct, total, parts, turn;
    struct be_nn_held held[BE_NET_SETS];
    struct be_pinned staging;
    size_t turn_at,
        order_at; /* bytes of staging before those of `turn`, and of a batch's numbers */
    struct be_event mark[BE_NN_PHASES + 1];
    struct be_nn_kept forward, backward;
    struct be_nn_timing *timing; /* NULL: launches are not timed */
};

#endif
