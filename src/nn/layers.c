#include "nn/layers.h"

#include <stdio.h>

/* Multiplications and additions of a step, an image: forward, gradients of weights, gradients of the input. */
static double operations_of(const struct be_nn_place *place, bool first) {
    const double spots = (double)place->out_height * place->out_width;
    return (first ? 4.0 : 6.0) * (double)place->weights * spots;
}

/* Outputs along a side of the input. */
static int side_of(const struct be_nn_layer *layer, int side) {
    const int stride = layer->stride ? layer->stride : 1;
    switch (layer->kind) {
    case BE_NN_CONV:
        return (side + 2 * layer->pad - layer->size) / stride + 1;
    case BE_NN_POOL:
        return layer->size == 3 ? (side - 1) / 2 + 1 : side / 2;
    case BE_NN_MEAN:
        return 1;
    case BE_NN_DROPOUT:
    case BE_NN_DENSE:
        break;
    }
    return side;
}

static void place_one(struct be_nn_place *p) {
    const struct be_nn_layer *layer = &p->layer;
    if (layer->kind == BE_NN_DENSE) {
        p->channels *= p->height * p->width;
        p->height = p->width = 1;
    }
    p->out_channels = layer->outputs ? layer->outputs : p->channels;
    p->out_height = side_of(layer, p->height);
    p->out_width = side_of(layer, p->width);
    p->in = (size_t)p->channels * (size_t)p->height * (size_t)p->width;
    p->out = (size_t)p->out_channels * (size_t)p->out_height * (size_t)p->out_width;
    const size_t square = layer->kind == BE_NN_CONV ? (size_t)layer->size * (size_t)layer->size : 1;
    p->weights = layer->outputs ? (size_t)layer->outputs * (size_t)p->channels * square : 0;
}

/* The place behind that of number `input`, -1: the images. Returns it; its names are empty. */
static struct be_nn_place *add_place(const struct be_nn_net *net, struct be_nn_shape *shape,
                                     const struct be_nn_layer *layer, int input, int add) {
    struct be_nn_place *at = &shape->place[shape->layers];
    const struct be_nn_place *from = input < 0 ? NULL : &shape->place[input];
    *at = (struct be_nn_place){.layer = *layer,
                               .channels = from ? from->out_channels : net->kind.channels,
                               .height = from ? from->out_height : net->kind.height,
                               .width = from ? from->out_width : net->kind.width,
                               .input = input,
                               .add = add};
    place_one(at);
    at->weight = shape->parameters;
    at->scale = at->weight + at->weights;
    at->bias = at->scale + (layer->norm ? (size_t)layer->outputs : 0);
    at->statistic = shape->statistics;
    shape->operations += operations_of(at, shape->layers == 0);
    shape->parameters = at->bias + (size_t)layer->outputs;
    shape->statistics += layer->norm ? 2 * (size_t)layer->outputs : 0;
    shape->layers++;
    return at;
}

/* ---- residual nets -------------------------------------------------------------------------- */

/* One block on its way. */
struct block {
    const struct be_nn_net *net;
    struct be_nn_shape *shape;
    int stage, number, stride; /* of the convolution of 3 x 3 that comes first */
    int input;                 /* the place that the block begins with */
};

static int last_of(const struct be_nn_shape *shape) {
    return shape->layers - 1;
}

static void convolve(const struct block *b, int at, struct be_nn_layer layer, int input, int add) {
    layer.kind = BE_NN_CONV;
    layer.norm = true;
    struct be_nn_place *p = add_place(b->net, b->shape, &layer, input, add);
    (void)snprintf(p->name, sizeof p->name, "layer%d.%d.conv%d", b->stage + 1, b->number, at);
    (void)snprintf(p->norm, sizeof p->norm, "layer%d.%d.bn%d", b->stage + 1, b->number, at);
}

/* The place that is added at the end of the block: its input, or a convolution of that where the shapes differ. */
static int shortcut(const struct block *b, int outputs) {
    if (b->stride == 1 && b->shape->place[b->input].out_channels == outputs) {
        return b->input;
    }
    const struct be_nn_layer layer = {
        .kind = BE_NN_CONV, .outputs = outputs, .size = 1, .stride = b->stride, .norm = true};
    struct be_nn_place *p = add_place(b->net, b->shape, &layer, b->input, -1);
    (void)snprintf(p->name, sizeof p->name, "layer%d.%d.downsample.0", b->stage + 1, b->number);
    (void)snprintf(p->norm, sizeof p->norm, "layer%d.%d.downsample.1", b->stage + 1, b->number);
    return last_of(b->shape);
}

static void add_block(const struct block *b) {
    const struct be_nn_blocks *blocks = &b->net->blocks;
    const int width = blocks->width << b->stage;
    const int outputs = blocks->bottleneck ? 4 * width : width;
    int at = 1;
    int input = b->input;
    if (blocks->bottleneck) {
        convolve(b, at++, (struct be_nn_layer){.outputs = width, .size = 1, .relu = true}, input,
                 -1);
        input = last_of(b->shape);
    }
    convolve(b, at++,
             (struct be_nn_layer){
                 .outputs = width, .size = 3, .stride = b->stride, .pad = 1, .relu = true},
             input, -1);
    input = last_of(b->shape);
    const int add = shortcut(b, outputs);
    const int size = blocks->bottleneck ? 1 : 3;
    convolve(b, at,
             (struct be_nn_layer){.outputs = outputs, .size = size, .pad = size / 2, .relu = true},
             input, add);
}

static void add_residual(const struct be_nn_net *net, struct be_nn_shape *shape) {
    const struct be_nn_layer first = {.kind = BE_NN_CONV,
                                      .outputs = net->blocks.width,
                                      .size = 7,
                                      .stride = 2,
                                      .pad = 3,
                                      .relu = true,
                                      .norm = true};
    const struct be_nn_layer pool = {.kind = BE_NN_POOL, .size = 3};
    const struct be_nn_layer mean = {.kind = BE_NN_MEAN};
    const struct be_nn_layer dense = {.kind = BE_NN_DENSE, .outputs = BE_NET_CLASSES};
    struct be_nn_place *p = add_place(net, shape, &first, -1, -1);
    (void)snprintf(p->name, sizeof p->name, "conv1");
    (void)snprintf(p->norm, sizeof p->norm, "bn1");
    add_place(net, shape, &pool, 0, -1);
    for (int stage = 0; stage < 4 && net->blocks.blocks[stage]; stage++) {
        for (int i = 0; i < net->blocks.blocks[stage]; i++) {
            add_block(
                &(struct block){net, shape, stage, i, stage > 0 && i == 0 ? 2 : 1, last_of(shape)});
        }
    }
    add_place(net, shape, &mean, last_of(shape), -1);
    p = add_place(net, shape, &dense, last_of(shape), -1);
    (void)snprintf(p->name, sizeof p->name, "fc");
}

void be_nn_shape_find(const struct be_nn_net *net, struct be_nn_shape *shape) {
    *shape = (struct be_nn_shape){.deep = net->blocks.blocks[0] > 0};
    shape->pixels = (size_t)net->kind.channels * (size_t)net->kind.height * (size_t)net->kind.width;
    if (shape->deep) {
        add_residual(net, shape);
    }
    for (int i = 0; !shape->deep && i < BE_NN_LAYERS_MAX; i++) {
        const struct be_nn_layer *layer = &net->layer[i];
        if (!layer->outputs && layer->kind != BE_NN_POOL && layer->kind != BE_NN_DROPOUT) {
            break;
        }
        struct be_nn_place *p = add_place(net, shape, layer, i - 1, -1);
        (void)snprintf(p->name, sizeof p->name, "%s", layer->name ? layer->name : "");
    }
}
