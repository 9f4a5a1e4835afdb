#include "nn/layers.h"

/* Multiplications and additions of a step, an image: forward, gradients of weights, gradients of the input. */
static double operations_of(const struct be_nn_place *place, bool first) {
    const double spots = (double)place->out_height * place->out_width;
    return (first ? 4.0 : 6.0) * (double)place->weights * spots;
}

static void place_one(struct be_nn_place *p) {
    const struct be_nn_layer *layer = &p->layer;
    const int cut = layer->kind == BE_NN_CONV ? layer->size - 1 : 0;
    const int step = layer->kind == BE_NN_POOL ? 2 : 1;
    if (layer->kind == BE_NN_DENSE) {
        p->channels *= p->height * p->width;
        p->height = p->width = 1;
    }
    p->out_channels = layer->outputs ? layer->outputs : p->channels;
    p->out_height = (p->height - cut) / step;
    p->out_width = (p->width - cut) / step;
    p->in = (size_t)p->channels * (size_t)p->height * (size_t)p->width;
    p->out = (size_t)p->out_channels * (size_t)p->out_height * (size_t)p->out_width;
    const size_t square = layer->kind == BE_NN_CONV ? (size_t)layer->size * (size_t)layer->size : 1;
    p->weights = layer->outputs ? (size_t)layer->outputs * (size_t)p->channels * square : 0;
}

void be_nn_shape_find(const struct be_nn_net *net, struct be_nn_shape *shape) {
    *shape = (struct be_nn_shape){0};
    struct be_nn_place at = {.out_channels = net->kind.channels,
                             .out_height = net->kind.height,
                             .out_width = net->kind.width};
    shape->pixels = (size_t)at.out_channels * (size_t)at.out_height * (size_t)at.out_width;
    for (int i = 0; i < BE_NN_LAYERS_MAX; i++) {
        const struct be_nn_layer *layer = &net->layer[i];
        if (!layer->outputs && layer->kind != BE_NN_POOL && layer->kind != BE_NN_DROPOUT) {
            break;
        }
        at = (struct be_nn_place){.layer = *layer,
                                  .channels = at.out_channels,
                                  .height = at.out_height,
                                  .width = at.out_width};
        place_one(&at);
        at.weight = shape->parameters;
        at.bias = at.weight + at.weights;
        shape->operations += operations_of(&at, i == 0);
        shape->parameters = at.bias + (size_t)layer->outputs;
        shape->place[shape->layers++] = at;
    }
}
