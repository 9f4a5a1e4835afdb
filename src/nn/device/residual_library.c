/* Convolutions of a net of residual blocks by the vendor's library. */
#include <stdlib.h>

#include "base/error.h"
#include "nn/device/launch.h"
#include "nn/device/residual.h"

/* Scratch of one convolution: so much at most, and for batches of another number of images at least. Beyond so many
 * images the library's 32-bit sizes may not do. */
enum { SCRATCH_MOST = 1 << 30, SCRATCH_LEAST = 1 << 26, IMAGES_MOST = 1 << 16 };

static struct be_convolution_form form_of(const struct be_nn_on_device *net,
                                          const struct be_nn_place *p, int64_t images) {
    return (struct be_convolution_form){.precision = net->precision,
                                        .images = images,
                                        .channels = p->channels,
                                        .height = p->height,
                                        .width = p->width,
                                        .outputs = p->out_channels,
                                        .size = p->layer.size,
                                        .stride = p->layer.stride ? p->layer.stride : 1,
                                        .pad = p->layer.pad};
}

static bool is_convolution(const struct be_nn_place *p) {
    return p->layer.kind == BE_NN_CONV;
}

static void forget_all(struct be_nn_on_device *net) {
    struct be_nn_residual *r = net->residual;
    for (int i = 0; i < net->shape->layers; i++) {
        net->device->ops->dnn->forget(net->device, &r->dnn, &r->convolution[i]);
    }
    r->prepared = 0;
}

/* *needs: the most scratch that one of them works in. */
static enum be_status prepare_all(struct be_nn_on_device *net, int64_t images, size_t most,
                                  size_t *needs, struct be_error *error) {
    struct be_nn_residual *r = net->residual;
    enum be_status status = BE_OK;
    forget_all(net);
    for (int i = 0; status == BE_OK && i < net->shape->layers; i++) {
        const struct be_nn_place *p = &net->shape->place[i];
        if (is_convolution(p)) {
            const struct be_convolution_form form = form_of(net, p, images);
            status = net->device->ops->dnn->prepare(net->device, &r->dnn, &form, most,
                                                    &r->convolution[i], error);
            *needs =
                r->convolution[i].scratch_bytes > *needs ? r->convolution[i].scratch_bytes : *needs;
        }
    }
    r->prepared = status == BE_OK ? images : 0;
    return status;
}

enum be_status be_nn_library_open(struct be_nn_on_device *net, struct be_error *error) {
    struct be_nn_residual *r = net->residual;
    size_t needs = SCRATCH_LEAST;
    if (!net->device->ops->dnn || net->batch > IMAGES_MOST) {
        return BE_OK;
    }
    enum be_status status = net->device->ops->dnn->open(net->device, &r->dnn, error);
    if (status == BE_OK) {
        status = prepare_all(net, (int64_t)net->batch, SCRATCH_MOST, &needs, error);
    }
    r->scratch_bytes = needs;
    if (status == BE_ABSENT) {
        r->without = *error;
        r->scratch_bytes = 0;
        be_nn_library_drop(net);
        return BE_OK;
    }
    return status;
}

void be_nn_library_drop(struct be_nn_on_device *net) {
    if (net->residual->dnn.handle) {
        forget_all(net);
        net->device->ops->dnn->close(net->device, &net->residual->dnn);
    }
}

static const char *const labels[] = {[BE_CONVOLVE] = "convolution",
                                     [BE_CONVOLVE_BY_INPUT] = "convolution, by input",
                                     [BE_CONVOLVE_BY_WEIGHTS] = "convolution, by weights"};

void be_nn_library_convolve(struct be_nn_run *run, int place, enum be_convolve_way way) {
    struct be_nn_on_device *net = run->net;
    struct be_nn_residual *r = net->residual;
    const struct be_nn_place *p = &net->shape->place[place];
    const bool back = way != BE_CONVOLVE;
    const bool by_input = way == BE_CONVOLVE_BY_INPUT;
    const struct be_buffer *in = p->input < 0 ? &net->images
                                 : by_input   ? &r->back[r->slots.of[p->input]]
                                              : &r->value[p->input];
    const struct be_convolve with = {
        .in = {in, 0},
        .weights = {way == BE_CONVOLVE_BY_WEIGHTS ? &net->gradients : &net->weights,
                    p->weight * sizeof(float)},
        .out = {back ? &r->back[r->slots.of[place]] : &r->before[place], 0},
        .scratch = {&r->scratch, 0},
        .adds = by_input && !r->slots.begins[place]};
    size_t needs = 0;
    if (run->status == BE_OK && r->prepared != run->images) {
        run->status = prepare_all(net, run->images, r->scratch_bytes, &needs, run->error);
    }
    be_nn_label(run, labels[way], place, be_nn_operations_of(run, p));
    if (run->status == BE_OK) {
        run->status = net->device->ops->dnn->convolve(net->device, &r->dnn, &r->convolution[place],
                                                      way, &with, run->error);
    }
    be_nn_note(run);
}
