#include "nn/device/tail.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "kernel_programs.h"
#include "nn/device/launch.h"
#include "nn/dropout.h"

/* An image's group reads all weights twice, so there are to be few of both. */
enum { MOST_IMAGES = 128, MOST_PARAMETERS = 1 << 17, MOST_NUMBERS = 2048 };

static const struct be_nn_place *place(const struct be_nn_on_device *net, int layer) {
    return net->stages.layer[layer].main;
}

size_t be_nn_tail_outputs(const struct be_nn_on_device *net) {
    size_t outputs = 0;
    for (int i = 0; i < net->stages.dense; i++) {
        outputs += place(net, i)->out;
    }
    return outputs;
}

static size_t parameters(const struct be_nn_on_device *net) {
    return net->shape->parameters - place(net, 0)->weight;
}

bool be_nn_tail_fits(const struct be_nn_on_device *net) {
    const struct be_nn_stage *last = &net->stages.layer[net->stages.dense - 1];
    return net->batch <= MOST_IMAGES && parameters(net) <= MOST_PARAMETERS &&
           place(net, 0)->in + be_nn_tail_outputs(net) <= MOST_NUMBERS &&
           last->main->out == BE_NET_CLASSES && !last->main->layer.relu && last->drop <= 0;
}

/* A group of CUDA may have 1024 lanes; every device of OpenCL that is known takes 256. */
static int lanes(const struct be_nn_on_device *net) {
    return strcmp(net->device->info.backend, "cuda") == 0 ? 1024 : 256;
}

static void list(struct be_text *text, const struct be_nn_on_device *net, const char *name,
                 void (*add)(struct be_text *text, const struct be_nn_stage *stage)) {
    be_text_add(text, "#define %s(l) (", name);
    for (int i = 0; i < net->stages.dense; i++) {
        if (i + 1 < net->stages.dense) {
            be_text_add(text, "(l) == %d ? ", i);
        }
        add(text, &net->stages.layer[i]);
        be_text_add(text, "%s", i + 1 < net->stages.dense ? " : " : ")\n");
    }
}

static void add_out(struct be_text *text, const struct be_nn_stage *stage) {
    be_text_add(text, "%zu", stage->main->out);
}

static void add_weight(struct be_text *text, const struct be_nn_stage *stage) {
    be_text_add(text, "%zu", stage->main->weight);
}

static void add_bias(struct be_text *text, const struct be_nn_stage *stage) {
    be_text_add(text, "%zu", stage->main->bias);
}

static void add_relu(struct be_text *text, const struct be_nn_stage *stage) {
    be_text_add(text, "%d", stage->main->layer.relu ? 1 : 0);
}

static void add_below(struct be_text *text, const struct be_nn_stage *stage) {
    be_text_add(text, "%uu", (unsigned)be_nn_drop_below(stage->drop));
}

static void add_scale(struct be_text *text, const struct be_nn_stage *stage) {
    be_text_add(text, "%.9ef", stage->drop > 0 ? 1 / (1 - (double)stage->drop) : 1);
}

static void add_layer(struct be_text *text, const struct be_nn_stage *stage) {
    be_text_add(text, "%d", stage->drop_layer);
}

enum be_status be_nn_tail_build(struct be_nn_on_device *net, struct be_error *error) {
    static const struct {
        const char *name;
        void (*add)(struct be_text *text, const struct be_nn_stage *stage);
    } lists[] = {{"OUT_OF", add_out},   {"WEIGHT_OF", add_weight}, {"BIAS_OF", add_bias},
                 {"RELU_OF", add_relu}, {"BELOW_OF", add_below},   {"SCALE_OF", add_scale},
                 {"DROP_OF", add_layer}};
    const struct be_program_ops *ops = net->device->ops->program;
    struct be_program program = be_program_device_tail;
    struct be_text text = {0};
    be_text_add(&text,
                "#define LAYERS %d\n#define INPUT %zu\n#define OUTPUTS %zu\n"
                "#define PARAMETERS %zu\n#define TAIL_LANES %d\n",
                net->stages.dense, place(net, 0)->in, be_nn_tail_outputs(net), parameters(net),
                lanes(net));
    for (size_t i = 0; i < BE_COUNT(lists); i++) {
        list(&text, net, lists[i].name, lists[i].add);
    }
    program.defines = text.data;
    enum be_status status = text.data ? ops->build(net->device, &program, &net->tail.module, error)
                                      : be_fail(error, BE_NOMEM, "no host memory for a net");
    be_text_free(&text);
    if (status == BE_OK) {
        status = ops->kernel(net->device, &net->tail.module, "k_tail", &net->tail.pass, error);
    }
    if (status == BE_OK) {
        status =
            ops->kernel(net->device, &net->tail.module, "k_tail_slopes", &net->tail.slopes, error);
    }
    net->tail.is = status == BE_OK;
    return status;
}

void be_nn_tail_drop(struct be_nn_on_device *net) {
    const struct be_program_ops *ops = net->device->ops->program;
    ops->forget(net->device, &net->tail.pass);
    ops->forget(net->device, &net->tail.slopes);
    ops->drop(net->device, &net->tail.module);
}

/* The last convolution's output, or the gradient by it. */
static struct be_argument input(const struct be_nn_on_device *net, bool back) {
    const struct be_nn_device_convolution *last = &net->convolution[net->stages.convolutions - 1];
    return be_nn_buffer(back ? &last->back : &last->out);
}

void be_nn_tail_put(struct be_nn_run *run) {
    const struct be_nn_on_device *net = run->net;
    const struct be_argument argument[] = {input(net, false),
                                           be_nn_buffer(&net->weights),
                                           be_nn_buffer(&net->labels),
                                           be_nn_buffer(&net->tail.out),
                                           be_nn_buffer(&net->tail.back),
                                           input(net, true),
                                           be_nn_buffer(&net->loss),
                                           be_nn_buffer(&net->correct),
                                           be_nn_whole(run->whole),
                                           be_nn_small(run->pass->training),
                                           be_nn_whole((int64_t)run->pass->seed),
                                           be_nn_buffer(&net->turn)};
    be_nn_label(run, "dense, loss, by input", 0, 0);
    be_nn_launch_groups(run, &net->tail.pass, (size_t)run->images, (size_t)lanes(net), argument,
                        BE_COUNT(argument));
}

void be_nn_tail_put_slopes(struct be_nn_run *run) {
    const struct be_nn_on_device *net = run->net;
    const struct be_argument argument[] = {input(net, false), be_nn_buffer(&net->tail.out),
                                           be_nn_buffer(&net->tail.back),
                                           be_nn_buffer(&net->gradients), be_nn_whole(run->images)};
    be_nn_label(run, "dense, by weights", 0, 0);
    be_nn_launch(run, &net->tail.slopes, (int64_t)parameters(net), argument, BE_COUNT(argument));
}
