/*
 * Small networks that classify images, trained in float32 on the CPU or a device: a net of a name, its weights, its
 * optimiser.
 * It does not know where the images come from, nor how many steps are worth while.
 *
 * Same plan, same images in the same order: bit-identical losses and weights on one kind of processor or device,
 * whatever the number of threads. Images are count x channels x height x width, normalised (be_net_kind), row after row.
 */
#ifndef BE_NN_NET_H
#define BE_NN_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "breakeven_error.h"

enum { BE_NET_CHANNELS = 3, BE_NET_CLASSES = 10 };

/* A net that can be had by name. Its figures are those of the published example. */
struct be_net_kind {
    const char *name;
    const char *images; /* the data set that it is for: "mnist", "cifar10" */
    const char *about;  /* its layers, in a line */
    int channels, height, width;
    float mean[BE_NET_CHANNELS]; /* a pixel v of 0 to 255 becomes (v / 255 - mean) / deviation */
    float deviation[BE_NET_CHANNELS]; /* by channel */
    size_t parameters;
    size_t batch; /* as published, as are those below */
    int epochs;
};

/* The one at 0, 1, ...; NULL behind the last. */
const struct be_net_kind *be_net_kind_at(size_t at);

/* NULL: there is none of that name. */
const struct be_net_kind *be_net_kind_find(const char *name);

enum be_net_code {
    BE_NET_FASTEST, /* the code for this processor */
    BE_NET_PLAIN    /* the plain reference, on one thread: slow, for comparison */
};

/* How numbers, which are float32 all the time, are multiplied. */
enum be_net_math {
    BE_NET_FLOAT32,
    BE_NET_TF32 /* rounded to 10 bits first: on CUDA devices from compute capability 8.0 on, in convolutions of
                   residual nets and in dense layers, but not in our own kernels for the small nets */
};

struct be_device;

enum { BE_NET_DEVICES = 16 }; /* of a net */

struct be_net_plan {
    const char *name;
    size_t batch; /* images a step at most; 0: the net's own */
    int threads;  /* 0: all cores that this process may use */
    uint64_t seed;
    double rate;     /* learning rate; NAN: the net's own, as are those below */
    double momentum; /* SGD: of the velocity. Adadelta: rho. Adam: beta 1 */
    double decay;    /* the rate is multiplied by it after each epoch */
    enum be_net_code code;
    enum be_net_math math;
    struct be_device *
        device; /* NULL: the CPU. An open one with kernels (device/device.h), which outlives the net */
    struct be_device *const
        *more; /* more of these: each has a part of every batch (parallel/group.h) */
    int mores; /* up to BE_NET_DEVICES - 1 */
};

struct be_net;

/* BE_USAGE: no such net (the text lists them), or a plan that cannot be; BE_NOMEM. On the CPU the calling
 * thread is one of the threads, and pinned to a core, until be_net_close. */
enum be_status be_net_open(const struct be_net_plan *plan, struct be_net **net,
                           struct be_error *error);
void be_net_close(struct be_net *net); /* accepts NULL */

const struct be_net_kind *be_net_kind_of(const struct be_net *net);

/* Why its device computes without a library of the vendor's that would be faster, and what to install; NULL: it has what
 * there is. */
const char *be_net_without(const struct be_net *net);

/* How gradients of several devices are added: "NCCL 2.27.3", or "host memory" with the reason; "": there is one. */
const char *be_net_sums(const struct be_net *net);

/* Arithmetic operations of a step, an image: products and sums of forward and backward, without padding. */
double be_net_operations(const struct be_net *net);

/* Images of a batch that is trained on, at least: 1; or 2 a device, where a batch norm has one number an image. */
size_t be_net_least(const struct be_net *net);

/* Bytes that the net holds: weights, gradients, the optimiser's state, activations of a batch. */
size_t be_net_bytes(const struct be_net *net);

struct be_net_step {
    double loss;    /* mean cross-entropy of these images, before the update; nats */
    size_t correct; /* images whose largest output was that of their label, before the update */
    double forward_s, loss_s, backward_s, update_s;
    /* On several devices those above are the first one's. sum_s: its gradients were added to the others', and it
     * waited for these; sum_least_s: the same of the one that waited least. 0 on one. */
    double sum_s, sum_least_s;
};

/* One step on 1 to plan.batch images. BE_WRONG: the loss is not a finite number. The text has the number of the
 * step, and weights and optimiser are as they were before that step. On a device, images and labels NULL are those of
 * the call before, which are there still. */
enum be_status be_net_step(struct be_net *net, const float *images, const uint8_t *labels,
                           size_t count, struct be_net_step *step, struct be_error *error);

/* Loss and correct images without dropout and without an update: backward_s and update_s are 0. A loss that is not
 * finite is a result here. */
enum be_status be_net_evaluate(struct be_net *net, const float *images, const uint8_t *labels,
                               size_t count, struct be_net_step *step, struct be_error *error);

/* A data set as bytes, image after image, and the value of each byte by channel: channels x 256. */
struct be_net_set {
    size_t count;
    const uint8_t *images, *labels; /* labels below BE_NET_CLASSES */
    const float *levels;
};

enum { BE_NET_SETS = 2 }; /* to train on, and to test on */

/* Puts a set on the net's device; it is copied. BE_USAGE: the net is on the CPU; BE_NOMEM: the text says what it needs. */
enum be_status be_net_hold(struct be_net *net, int set, const struct be_net_set *data,
                           struct be_error *error);

/* The images of these numbers become those of a step or an evaluation with images NULL. The set is there
 * (be_net_hold), numbers are below its count, and there are 1 to plan.batch of them. */
enum be_status be_net_take(struct be_net *net, int set, const uint32_t *image, size_t count,
                           struct be_error *error);

/* Counts an epoch, and lowers the learning rate by the net's schedule. */
void be_net_epoch_end(struct be_net *net);

uint64_t be_net_steps(const struct be_net *net);
int be_net_epochs(const struct be_net *net);
uint64_t be_net_seed(const struct be_net *net);
double be_net_rate(const struct be_net *net); /* of the next step */

/* ---- files ---------------------------------------------------------------------------------- */

enum be_net_file {
    BE_NET_WEIGHTS,   /* the weights alone, by PyTorch's names: its load_state_dict takes them */
    BE_NET_CHECKPOINT /* all that a bit-exact continuation needs of the net, too */
};

/* A file in the format safetensors. It is whole or not there, and an old one stays until the new one is. `note` is a
 * line of the caller's, for be_net_load; NULL: none. BE_IO with the cause. */
enum be_status be_net_save(struct be_net *net, const char *path, enum be_net_file what,
                           const char *note, struct be_error *error);

/* Weights from a file of this program's or of PyTorch's, in float32. Those of a checkpoint come with the optimiser's
 * state, and its seed, steps, epochs, rate, momentum and decay replace those of the plan; *resumed says so. `note`
 * receives the line of be_net_save, or "". BE_IO: the file cannot be read, or is damaged or cut short; BE_USAGE: it is
 * of another net, optimiser or version. In both cases the net is as it was. */
enum be_status be_net_load(struct be_net *net, const char *path, bool *resumed, char note[BE_NOTE],
                           struct be_error *error);

/* ---- tensors -------------------------------------------------------------------------------- */

/* One tensor of weights, by PyTorch's name and shape: "conv1.weight", 6 x 3 x 5 x 5. */
struct be_net_tensor {
    char name[BE_NAME];
    int dimensions;
    size_t shape[4];
    size_t count;
    float *weight; /* may be written between steps */
    const float
        *gradient; /* of the last step's mean loss; zeros before. NULL: a batch norm's running
                              mean or variance, which is not learned but counted */
};

/* The number of tensors; from `at` 0 on. False: there is none there, or the device failed. Weights and gradients of
 * a device come from there, and go back before the next step: call it again after a step. */
size_t be_net_tensors(const struct be_net *net);
bool be_net_tensor(struct be_net *net, size_t at, struct be_net_tensor *tensor);

#endif
