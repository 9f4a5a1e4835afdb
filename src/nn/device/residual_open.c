/* A net of residual blocks on a device is made ready: kernels, and what memory it needs. */
#include <stdlib.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "nn/deep/columns.h"
#include "nn/device/residual.h"

static enum be_status build(struct be_nn_on_device *net, struct be_error *error) {
    static const char *const names[BE_NN_RESIDUAL_KERNELS] = {[BE_NN_COLUMNS_TAKE] = "k_columns",
                                                              [BE_NN_COLUMNS_PUT] = "k_uncolumns",
                                                              [BE_NN_NORM_SUMS] = "k_norm_sums",
                                                              [BE_NN_NORM] = "k_norm",
                                                              [BE_NN_UNNORM_SUMS] = "k_unnorm_sums",
                                                              [BE_NN_UNNORM] = "k_unnorm",
                                                              [BE_NN_POOL3] = "k_pool",
                                                              [BE_NN_UNPOOL3] = "k_unpool",
                                                              [BE_NN_MEANS] = "k_mean",
                                                              [BE_NN_UNMEANS] = "k_unmean",
                                                              [BE_NN_TAKE_STATISTICS] =
                                                                  "k_take_statistics"};
    const struct be_program_ops *ops = net->device->ops->program;
    struct be_nn_residual *r = net->residual;
    enum be_status status = ops->build(net->device, &be_program_device_residual, &r->module, error);
    for (int i = 0; status == BE_OK && i < BE_NN_RESIDUAL_KERNELS; i++) {
        status = ops->kernel(net->device, &r->module, names[i], &r->kernel[i], error);
    }
    return status;
}

enum be_status be_nn_residual_open(struct be_nn_on_device *net, struct be_error *error) {
    const struct be_nn_shape *shape = net->shape;
    const struct be_nn_place *last = &shape->place[shape->layers - 1];
    struct be_nn_residual *r = calloc(1, sizeof *r);
    if (!r) {
        return be_fail(error, BE_NOMEM, "no host memory for a net");
    }
    net->residual = r;
    be_nn_slots_find(shape, &r->slots);
    net->stages = (struct be_nn_stages){
        .dense = 1, .layer = {{.main = last, .height = 1, .width = 1, .out = last->out}}};
    net->entry = &r->value[last->input];
    net->entry_back = &r->back[r->slots.of[last->input]];
    const enum be_status status = be_nn_library_open(net, error);
    return status == BE_OK ? build(net, error) : status;
}

void be_nn_residual_drop(struct be_nn_on_device *net) {
    struct be_nn_residual *r = net->residual;
    const struct be_program_ops *ops = net->device->ops->program;
    for (int i = 0; r && i < BE_NN_RESIDUAL_KERNELS; i++) {
        ops->forget(net->device, &r->kernel[i]);
    }
    if (r) {
        ops->drop(net->device, &r->module);
        be_nn_library_drop(net);
    }
    free(r);
    net->residual = NULL;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

void be_nn_residual_buffers(struct be_nn_on_device *net,
                            void (*each)(void *context, struct be_buffer *buffer, size_t fixed,
                                         size_t image),
                            void *context) {
    const struct be_nn_shape *shape = net->shape;
    const size_t floats = sizeof(float);
    struct be_nn_residual *r = net->residual;
    size_t columns = 0;
    size_t from = 0;
    size_t channels = 0;
    for (int i = 0; i + 1 < shape->layers; i++) {
        const struct be_nn_place *p = &shape->place[i];
        each(context, &r->value[i], 0, p->out * floats);
        if (p->layer.norm) {
            each(context, &r->before[i], 0, p->out * floats);
            channels = larger(channels, (size_t)p->out_channels);
        }
        if (be_nn_has_columns(p) && !r->dnn.handle) {
            columns = larger(columns, be_nn_column_rows(p) * (size_t)be_nn_spots_of(p));
        }
        if (p->layer.kind == BE_NN_POOL) {
            from = larger(from, p->out);
        }
    }
    for (int i = 0; i < r->slots.slots; i++) {
        each(context, &r->back[i], 0, r->slots.widest * floats);
    }
    each(context, &r->columns, 0, columns * floats);
    each(context, &r->from, 0, from);
    each(context, &r->scratch, r->scratch_bytes, 0);
    each(context, &r->parts, channels * BE_NN_NORM_CHUNKS * 2 * floats, 0);
    each(context, &r->statistics, 3 * shape->statistics * floats, 0);
}
