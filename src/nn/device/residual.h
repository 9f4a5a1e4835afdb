/*
 * The passes of a net of residual blocks on a device: convolutions by the vendor's library, or as matrix products of
 * weights and columns where there is none; batch norms and the rest by residual.cl, the last layer as other nets have it
 * (work.h). It does not know the optimiser.
 *
 * For the library, numbers lie image after image. For products, those of a channel lie image after image, as on the CPU
 * (deep/deep.h), but for the images themselves, and the means and outputs of the last layers.
 */
#ifndef BE_NN_DEVICE_RESIDUAL_H
#define BE_NN_DEVICE_RESIDUAL_H

#include "device/dnn.h"
#include "nn/deep/slots.h"
#include "nn/device/work.h"

enum be_nn_residual_kernel {
    BE_NN_COLUMNS_TAKE,
    BE_NN_COLUMNS_PUT,
    BE_NN_NORM_SUMS,
    BE_NN_NORM,
    BE_NN_UNNORM_SUMS,
    BE_NN_UNNORM,
    BE_NN_POOL3,
    BE_NN_UNPOOL3,
    BE_NN_MEANS,
    BE_NN_UNMEANS,
    BE_NN_TAKE_STATISTICS,
    BE_NN_RESIDUAL_KERNELS
};

struct be_nn_residual {
    struct be_nn_slots slots;
    struct be_module module;
    struct be_kernel kernel[BE_NN_RESIDUAL_KERNELS];
    struct be_buffer value[BE_NN_PLACES_MAX];  /* outputs of a place */
    struct be_buffer before[BE_NN_PLACES_MAX]; /* likewise, before its batch norm */
    struct be_buffer back[BE_NN_SLOTS_MAX];    /* gradients by outputs */
    struct be_buffer columns, from;            /* of one convolution; of the pool */
    struct be_buffer parts, statistics;        /* of batch norms: residual.cl */
    struct be_dnn dnn; /* handle 0: by products; why, if a library could be: */
    struct be_error without;
    struct be_convolution convolution[BE_NN_PLACES_MAX];
    struct be_buffer scratch; /* of one convolution */
    size_t scratch_bytes;
    int64_t prepared; /* images that the library's convolutions are made ready for */
};

/* residual_open.c. Makes kernels, stages and the last layer's input of `net` ready, without memory: net->residual. */
enum be_status be_nn_residual_open(struct be_nn_on_device *net, struct be_error *error);
void be_nn_residual_drop(struct be_nn_on_device *net); /* accepts one that was not opened */

/* Calls each(context, buffer, bytes that do not depend on the batch, bytes of an image) for each of its buffers. */
void be_nn_residual_buffers(struct be_nn_on_device *net,
                            void (*each)(void *context, struct be_buffer *buffer, size_t fixed,
                                         size_t image),
                            void *context);

/* residual.c */
void be_nn_residual_put_forward(struct be_nn_run *run);
void be_nn_residual_put_backward(struct be_nn_run *run);
void be_nn_residual_put_statistics(struct be_nn_run *run);

/* residual_library.c: opens the vendor's library and makes the net's convolutions ready; BE_OK, too, where it is not here
 * or has none of such a form: by products then. Then one way of a convolution. */
enum be_status be_nn_library_open(struct be_nn_on_device *net, struct be_error *error);
void be_nn_library_drop(struct be_nn_on_device *net);
void be_nn_library_convolve(struct be_nn_run *run, int place, enum be_convolve_way way);

/* residual_convolve.c: the numbers before a convolution's batch norm; the gradients by its weights and by its input from
 * the one by those. */
void be_nn_residual_convolve(struct be_nn_run *run, int place);
void be_nn_residual_unconvolve(struct be_nn_run *run, int place);

/* ---- where numbers lie ---------------------------------------------------------------------- */

/* From an image to the next one, and from a channel to the next one, of so many spots; images: whether these are the
 * images themselves. */
struct be_nn_steps {
    int64_t image, channel;
};

static inline struct be_nn_steps be_nn_steps_of(const struct be_nn_run *run, int64_t channels,
                                                int64_t spots, bool images) {
    const bool by_image = images || run->net->residual->dnn.handle;
    return by_image ? (struct be_nn_steps){channels * spots, spots}
                    : (struct be_nn_steps){spots, spots * run->images};
}

static inline int64_t be_nn_spots_of(const struct be_nn_place *p) {
    return (int64_t)p->out_height * p->out_width;
}

/* Batch norms' groups: shared in so many chunks. */
enum { BE_NN_NORM_LANES = 256, BE_NN_NORM_CHUNKS = 32, BE_NN_NORM_OF_LANE = 4 };

/* Chunks of a channel: enough groups for the whole of a large device, but some numbers for each lane. */
static inline int64_t be_nn_norm_chunks(int64_t channels, int64_t numbers) {
    const int64_t wanted = (BE_NN_GROUPS_WANTED + channels - 1) / channels;
    const int64_t most = (numbers + (int64_t)BE_NN_NORM_LANES * BE_NN_NORM_OF_LANE - 1) /
                         ((int64_t)BE_NN_NORM_LANES * BE_NN_NORM_OF_LANE);
    const int64_t chunks = wanted < most ? wanted : most;
    return chunks < BE_NN_NORM_CHUNKS ? chunks : BE_NN_NORM_CHUNKS;
}

#endif
