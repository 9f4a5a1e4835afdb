/*
 * A net's passes and updates on a device: kernels for the convolutions, the loss and the optimiser, and the matrix
 * products of math/gemm.h for the dense layers. Weights, the optimiser's state and running statistics stay there between
 * steps. Every sum has a fixed order.
 */
#ifndef BE_NN_ON_DEVICE_H
#define BE_NN_ON_DEVICE_H

#include "device/device.h"
#include "nn/layers.h"
#include "nn/pass.h"
#include "nn/update/update.h"

struct be_nn_on_device;

/* For batches of up to `batch` images. precision: BE_FLOAT32, or BE_TF32: products by the vendor's libraries in tf32. All
 * arguments outlive it. BE_ABSENT: the net is made neither of stages nor of
 * residual blocks, or the device has no kernels of ours, or no tf32; BE_NOMEM: the text says which batch would fit. */
enum be_status be_nn_on_device_open(const struct be_nn_shape *shape, const struct be_nn_rule *rule,
                                    size_t batch, enum be_precision precision,
                                    struct be_device *device, struct be_nn_on_device **net,
                                    struct be_error *error);
/* Waits for what is in its queue: a step that failed leaves work there, which uses memory that a close gives back. */
void be_nn_on_device_finish(struct be_nn_on_device *net);
void be_nn_on_device_close(struct be_nn_on_device *net); /* accepts NULL */

/* Bytes of the device. */
size_t be_nn_on_device_bytes(const struct be_nn_on_device *net);

/* As be_net_without. */
const char *be_nn_on_device_without(const struct be_nn_on_device *net);

/* Arrays of a net, `parameters` floats each, or `statistics`, to the device and back; NULL: not that one. They wait. */
struct be_nn_arrays {
    float *weights, *gradients, *state[BE_NN_STATES], *statistics;
};
enum be_status be_nn_on_device_put(struct be_nn_on_device *net, const struct be_nn_arrays *from,
                                   struct be_error *error);
enum be_status be_nn_on_device_get(struct be_nn_on_device *net, const struct be_nn_arrays *to,
                                   struct be_error *error);

/* A pass; weights and gradients of `pass` are not looked at. `update`: the rule, rate and step of an update behind
 * it, or NULL; it does nothing where the loss is not finite. Images NULL: those of the call before. Waits. */
enum be_status be_nn_on_device_pass(struct be_nn_on_device *net, const struct be_nn_pass *pass,
                                    const struct be_nn_update *update, struct be_error *error);

/* One launch of a pass. operations: products and sums of the layer as if no number were zero; 0: it has none. */
struct be_nn_launch {
    const char *what;
    int stage; /* the convolution, or the dense layer, from 0 on */
    double operations, seconds;
};

enum { BE_NN_LAUNCHES = 1536 };

/* A pass, waiting as that does, each of whose launches is timed by events. Their number is *count. */
enum be_status be_nn_on_device_launches(struct be_nn_on_device *net, const struct be_nn_pass *pass,
                                        const struct be_nn_update *update,
                                        struct be_nn_launch launch[BE_NN_LAUNCHES], int *count,
                                        struct be_error *error);

#endif
