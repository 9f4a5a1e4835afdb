/*
 * Convolutions of images by a vendor's library, as a backend has them in its table (device.h). It knows nothing of nets.
 */
#ifndef BE_DEVICE_DNN_H
#define BE_DEVICE_DNN_H

#include "device/device.h"

struct be_dnn {
    uintptr_t handle; /* the vendor's convolutions, opened on a device */
    char name[BE_NAME];
    double open_s;
};
/* Images of float32 numbers under squares of weights: image after image, channel after channel, row after row, with zeros
 * around; weights outputs x channels x size x size. */
struct be_convolution {
    uintptr_t handle; /* one that was made ready */
    size_t scratch_bytes;
};

struct be_convolution_form {
    enum be_precision precision; /* BE_FLOAT32, BE_TF32 */
    int64_t images;
    int channels, height, width; /* of an input image */
    int outputs, size, stride, pad;
};

/* A convolution, and its gradients by its input and by its weights from that by its output. */
enum be_convolve_way {
    BE_CONVOLVE,
    BE_CONVOLVE_BY_INPUT,
    BE_CONVOLVE_BY_WEIGHTS,
    BE_CONVOLVE_WAYS
};

/* Two of the three are read, the third one is written, or added to. */
struct be_convolve {
    struct be_part in, weights, out;
    struct be_part scratch; /* scratch_bytes of the convolution, on a multiple of 256 */
    bool adds;
};

/* The vendor's convolutions. BE_ABSENT when they are not here. All required. */
struct be_dnn_ops {
    enum be_status (*open)(struct be_device *device, struct be_dnn *dnn, struct be_error *error);
    void (*close)(struct be_device *device, struct be_dnn *dnn); /* accepts a zeroed one */
    /* Makes a convolution ready, each way by the fastest algorithm known that gives the same bits for the same numbers
     * and needs at most so many bytes of scratch. BE_ABSENT: not of this form. */
    enum be_status (*prepare)(struct be_device *device, const struct be_dnn *dnn,
                              const struct be_convolution_form *form, size_t most_bytes,
                              struct be_convolution *convolution, struct be_error *error);
    void (*forget)(struct be_device *device, const struct be_dnn *dnn,
                   struct be_convolution *convolution); /* accepts a zeroed one */
    /* Puts one way into BE_QUEUE_WORK. */
    enum be_status (*convolve)(struct be_device *device, const struct be_dnn *dnn,
                               const struct be_convolution *convolution, enum be_convolve_way way,
                               const struct be_convolve *with, struct be_error *error);
};

#endif
