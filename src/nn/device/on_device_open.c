/* A net on a device is made ready: programs, memory, events. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "kernel_programs.h"
#include "nn/device/on_device.h"
#include "nn/device/held.h"
#include "nn/device/kept.h"
#include "nn/device/parts.h"
#include "nn/device/residual.h"
#include "nn/device/tail.h"
#include "nn/dropout.h"

enum { DEFINES = 768, LANES_OF_UNIT = 256, NEAR_FLOATS = 12288 };

/* The largest number of channels up to `most` that divides all of them. */
static int at_once(int channels, int most) {
    int best = 1;
    for (int n = 2; n <= most; n++) {
        best = channels % n == 0 ? n : best;
    }
    return best;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/* As many channels a lane as leave so many lanes for the whole of the device. */
static int at_once_of(int channels, int most, size_t squares, size_t lanes) {
    int n = at_once(channels, most);
    while (n > 1 && squares * (size_t)(channels / n) < lanes) {
        n = at_once(channels, n - 1);
    }
    return n;
}

/* How the work of a convolution is shared. */
static void share(struct be_nn_on_device *net, int i) {
    const struct be_nn_stage *stage = &net->stages.convolution[i];
    const struct be_nn_place *p = stage->main;
    struct be_nn_device_convolution *to = &net->convolution[i];
    const int down = stage->pool ? stage->height : (p->out_height + 1) / 2;
    const int across = stage->pool ? stage->width : (p->out_width + 1) / 2;
    const int in_down = (p->height + 1) / 2;
    const int in_across = (p->width + 1) / 2;
    const int square = p->layer.size * p->layer.size;
    const size_t lanes = (size_t)net->device->info.units * LANES_OF_UNIT;
    to->outputs = at_once_of(p->out_channels, least(8, NEAR_FLOATS / (p->channels * square)),
                             net->batch * (size_t)(down * across), lanes);
    to->inputs = at_once_of(p->channels, least(8, NEAR_FLOATS / (p->out_channels * square)),
                            net->batch * (size_t)(in_down * in_across), lanes);
    to->slope_inputs = p->channels * square <= 27 ? p->channels : 1;
    to->slope_outputs = at_once(p->out_channels, 75 / (to->slope_inputs * square));
    to->pooled = stage->pool && p->layer.size == 3 && p->channels % BE_NN_WARP == 0;
    to->pooled_across = (in_across + BE_NN_CELLS_AT_ONCE - 1) / BE_NN_CELLS_AT_ONCE;
}

/* The factor of dropout; 1 without one. */
static double drop_scale(const struct be_nn_stage *stage) {
    return stage->drop > 0 ? 1 / (1 - (double)stage->drop) : 1;
}

static enum be_status build_convolution(struct be_nn_on_device *net, int i,
                                        struct be_error *error) {
    const struct be_nn_stage *stage = &net->stages.convolution[i];
    const struct be_nn_stage *before = i > 0 ? stage - 1 : NULL;
    const struct be_nn_place *p = stage->main;
    const struct be_program_ops *ops = net->device->ops->program;
    struct be_nn_device_convolution *to = &net->convolution[i];
    struct be_program program = be_program_device_convolution;
    char defines[DEFINES];
    share(net, i);
    (void)snprintf(defines, sizeof defines,
                   "#define CI %d\n#define CO %d\n#define H %d\n#define W %d\n#define K %d\n"
                   "#define POOL %d\n#define WEIGHT %zu\n#define BIAS %zu\n#define OUTPUTS %d\n"
                   "#define INPUTS %d\n#define SLOPE_OUTPUTS %d\n#define SLOPE_INPUTS %d\n"
                   "#define DROP_BELOW %uu\n#define DROP_SCALE %.9ef\n#define DROP_LAYER %d\n"
                   "#define MASK_SCALE %.9ef\n#define POOLED %d\n",
                   p->channels, p->out_channels, p->height, p->width, p->layer.size,
                   stage->pool ? 1 : 0, p->weight, p->bias, to->outputs, to->inputs,
                   to->slope_outputs, to->slope_inputs, (unsigned)be_nn_drop_below(stage->drop),
                   drop_scale(stage), stage->drop_layer,
                   before && !before->pool ? drop_scale(before) : 0, to->pooled ? 1 : 0);
    program.defines = defines;
    enum be_status status = ops->build(net->device, &program, &to->module, error);
    const struct {
        const char *name;
        struct be_kernel *kernel;
    } kernels[] = {{"k_conv_forward", &to->forward},
                   {"k_conv_input", &to->input},
                   {"k_conv_slopes", &to->slopes}};
    for (size_t k = 0; status == BE_OK && k < BE_COUNT(kernels); k++) {
        status = ops->kernel(net->device, &to->module, kernels[k].name, kernels[k].kernel, error);
    }
    return status;
}

static enum be_status build_all(struct be_nn_on_device *net, struct be_error *error) {
    static const char *const rules[] = {
        [BE_NN_SGD] = "k_sgd", [BE_NN_ADADELTA] = "k_adadelta", [BE_NN_ADAM] = "k_adam"};
    const char *const names[BE_NN_KERNELS] = {[BE_NN_FINISH] = "k_dense_finish",
                                              [BE_NN_OPEN] = "k_dense_open",
                                              [BE_NN_COLUMNS] = "k_dense_columns",
                                              [BE_NN_ADD_PARTS] = "k_add_parts",
                                              [BE_NN_LOSS] = "k_loss",
                                              [BE_NN_TOTAL] = "k_total",
                                              [BE_NN_RULE] = rules[net->rule->optimiser],
                                              [BE_NN_GATHER] = "k_gather"};
    const struct be_program_ops *ops = net->device->ops->program;
    enum be_status status = ops->build(net->device, &be_program_device_learn, &net->learn, error);
    for (int i = 0; status == BE_OK && i < BE_NN_KERNELS; i++) {
        status = ops->kernel(net->device, &net->learn, names[i], &net->kernel[i], error);
    }
    for (int i = 0; status == BE_OK && i < net->stages.convolutions; i++) {
        status = build_convolution(net, i, error);
    }
    if (status == BE_OK && !net->residual && net->precision == BE_FLOAT32 && be_nn_tail_fits(net)) {
        return be_nn_tail_build(net, error);
    }
    if (status == BE_OK) {
        status = be_gemm_open(net->device, net->precision, BE_GEMM_BY_ANY, NULL, NULL,
                              &net->product, error);
    }
    return status;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Calls each(context, buffer, bytes that do not depend on the batch, bytes of an image) for every buffer. */
static void each_buffer(struct be_nn_on_device *net,
                        void (*each)(void *context, struct be_buffer *buffer, size_t fixed,
                                     size_t image),
                        void *context) {
    const size_t floats = sizeof(float);
    const size_t parameters = net->shape->parameters * floats;
    each(context, &net->weights, parameters, 0);
    each(context, &net->gradients, parameters, 0);
    for (int i = 0; i < be_nn_states(net->rule); i++) {
        each(context, &net->state[i], parameters, 0);
    }
    each(context, &net->images, 0, net->shape->pixels * floats);
    each(context, &net->labels, 0, 1);
    each(context, &net->loss, 0, floats);
    each(context, &net->correct, 0, floats);
    each(context, &net->total, 2 * floats, 0);
    size_t sums = 0;
    for (int i = 0; i < net->stages.convolutions; i++) {
        const struct be_nn_stage *stage = &net->stages.convolution[i];
        struct be_nn_device_convolution *at = &net->convolution[i];
        const size_t own = stage->main->weights + (size_t)stage->main->out_channels;
        each(context, &at->out, 0, stage->out * floats);
        each(context, &at->from, 0, stage->out);
        each(context, &at->back, 0, stage->out * floats);
        sums = own * BE_NN_CONV_CHUNKS > sums ? own * BE_NN_CONV_CHUNKS : sums;
    }
    if (net->tail.is) {
        each(context, &net->tail.out, 0, be_nn_tail_outputs(net) * floats);
        each(context, &net->tail.back, 0, be_nn_tail_outputs(net) * floats);
    }
    for (int i = 0; i < net->stages.dense && !net->tail.is; i++) {
        const size_t out = net->stages.layer[i].out;
        each(context, &net->dense[i].out, 0, out * floats);
        each(context, &net->dense[i].back, 0, out * floats);
        sums = out * BE_NN_CHUNKS > sums ? out * BE_NN_CHUNKS : sums;
    }
    if (net->residual) {
        be_nn_residual_buffers(net, each, context);
    }
    each(context, &net->parts, sums * floats, 0);
    each(context, &net->turn, BE_NN_TURN * floats, 0);
}

struct sizes {
    size_t fixed, image;
};

static void count_one(void *context, struct be_buffer *buffer, size_t fixed, size_t image) {
    struct sizes *sizes = context;
    (void)buffer;
    sizes->fixed += fixed;
    sizes->image += image;
}

struct getting {
    struct be_nn_on_device *net;
    enum be_status status;
    struct be_error *error;
};

static void get_one(void *context, struct be_buffer *buffer, size_t fixed, size_t image) {
    struct getting *all = context;
    const struct be_device *device = all->net->device;
    if (all->status == BE_OK) {
        all->status = device->ops->memory->alloc(all->net->device, fixed + image * all->net->batch,
                                                 buffer, all->error);
    }
}

static void release_one(void *context, struct be_buffer *buffer, size_t fixed, size_t image) {
    struct be_nn_on_device *net = context;
    (void)fixed;
    (void)image;
    net->device->ops->memory->release(net->device, buffer);
}

static enum be_status get_memory(struct be_nn_on_device *net, struct be_error *error) {
    struct sizes sizes = {0, 0};
    double has = 0;
    double total = 0;
    char need[BE_WORD];
    char left[BE_WORD];
    each_buffer(net, count_one, &sizes);
    net->bytes = sizes.fixed + sizes.image * net->batch;
    enum be_status status = net->device->ops->memory->capacity(net->device, &has, &total, error);
    has = isfinite(has) ? has : total;
    if (status == BE_OK && has < (double)net->bytes) {
        const double fits = (has - (double)sizes.fixed) / (double)sizes.image;
        return be_fail(error, BE_NOMEM,
                       "%s: a batch of %zu images needs %s, and %s are free: %.0f images fit",
                       net->device->info.id, net->batch,
                       be_format_bytes(need, sizeof need, (double)net->bytes, "?"),
                       be_format_bytes(left, sizeof left, has, "?"), fits > 0 ? fits : 0);
    }
    struct getting all = {net, status, error};
    each_buffer(net, get_one, &all);
    const size_t images = (net->shape->pixels * sizeof(float) + 1) * net->batch;
    const size_t parameters = net->shape->parameters * sizeof(float);
    net->turn_at = ((images > parameters ? images : parameters) + 63) / 64 * 64;
    net->order_at = net->turn_at + 64; /* more than those of `turn` */
    if (all.status == BE_OK) {
        all.status = net->device->ops->memory->pin(
            net->device, net->order_at + net->batch * sizeof(uint32_t), &net->staging, error);
    }
    for (int i = 0; all.status == BE_OK && i <= BE_NN_PHASES; i++) {
        all.status = net->device->ops->queue->make_event(net->device, &net->mark[i], error);
    }
    return all.status;
}

static enum be_status find_stages(struct be_nn_on_device *net, struct be_error *error) {
    const bool found = be_nn_stages_find(net->shape, &net->stages);
    const struct be_nn_device_convolution *last =
        &net->convolution[found ? net->stages.convolutions - 1 : 0];
    net->entry = &last->out;
    net->entry_back = &last->back;
    return found ? BE_OK : be_fail(error, BE_ABSENT, "this net cannot be computed on a device");
}

enum be_status be_nn_on_device_open(const struct be_nn_shape *shape, const struct be_nn_rule *rule,
                                    size_t batch, enum be_precision precision,
                                    struct be_device *device, struct be_nn_on_device **net,
                                    struct be_error *error) {
    struct be_nn_on_device *new = calloc(1, sizeof *new);
    *net = NULL;
    if (!new) {
        return be_fail(error, BE_NOMEM, "no host memory for a net");
    }
    *new = (struct be_nn_on_device){
        .shape = shape, .rule = rule, .batch = batch, .precision = precision, .device = device};
    enum be_status status = shape->deep ? be_nn_residual_open(new, error) : find_stages(new, error);
    if (status == BE_OK) {
        status = build_all(new, error);
    }
    if (status == BE_OK) {
        status = get_memory(new, error);
    }
    if (status != BE_OK) {
        be_nn_on_device_close(new);
        return status;
    }
    *net = new;
    return BE_OK;
}

void be_nn_on_device_finish(struct be_nn_on_device *net) {
    struct be_error ignored = {0};
    (void)net->device->ops->queue->drain(net->device, BE_QUEUE_WORK, &ignored);
}

void be_nn_on_device_close(struct be_nn_on_device *net) {
    if (!net) {
        return;
    }
    struct be_device *device = net->device;
    const struct be_program_ops *ops = device->ops->program;
    be_nn_on_device_finish(net);
    be_nn_on_device_let_go(net);
    be_nn_forget_kept(device, &net->forward);
    be_nn_forget_kept(device, &net->backward);
    for (int i = 0; i <= BE_NN_PHASES; i++) {
        device->ops->queue->forget_event(device, &net->mark[i]);
    }
    device->ops->memory->unpin(device, &net->staging);
    each_buffer(net, release_one, net);
    be_gemm_close(device, &net->product);
    be_nn_tail_drop(net);
    be_nn_residual_drop(net);
    for (int i = 0; i < BE_NN_STAGES; i++) {
        struct be_nn_device_convolution *at = &net->convolution[i];
        struct be_kernel *kernels[] = {&at->forward, &at->input, &at->slopes};
        for (size_t k = 0; k < BE_COUNT(kernels); k++) {
            ops->forget(device, kernels[k]);
        }
        ops->drop(device, &at->module);
    }
    for (int i = 0; i < BE_NN_KERNELS; i++) {
        ops->forget(device, &net->kernel[i]);
    }
    ops->drop(device, &net->learn);
    free(net);
}

size_t be_nn_on_device_bytes(const struct be_nn_on_device *net) {
    return net->bytes;
}

const char *be_nn_on_device_without(const struct be_nn_on_device *net) {
    const bool without = net->residual && net->residual->without.status != BE_OK;
    return without ? net->residual->without.text : NULL;
}
