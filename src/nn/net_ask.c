/* Questions to a net: its progress, and its weights by their names. */
#include <stdio.h>

#include "nn/kinds.h"
#include "nn/state.h"

const struct be_net_kind *be_net_kind_at(size_t at) {
    const struct be_nn_net *net = be_nn_net_at(at);
    return net ? &net->kind : NULL;
}

const struct be_net_kind *be_net_kind_find(const char *name) {
    const struct be_nn_net *net = be_nn_net_find(name);
    return net ? &net->kind : NULL;
}

const struct be_net_kind *be_net_kind_of(const struct be_net *net) {
    return net->kind;
}

double be_net_operations(const struct be_net *net) {
    return net->shape.operations;
}

uint64_t be_net_steps(const struct be_net *net) {
    return net->steps;
}

int be_net_epochs(const struct be_net *net) {
    return net->epochs;
}

uint64_t be_net_seed(const struct be_net *net) {
    return net->seed;
}

double be_net_rate(const struct be_net *net) {
    return net->rate;
}

size_t be_net_tensors(const struct be_net *net) {
    size_t count = 0;
    for (int i = 0; i < net->shape.layers; i++) {
        count += net->shape.place[i].weights ? 2 : 0;
    }
    return count;
}

static void describe(const struct be_nn_place *p, bool bias, struct be_net_tensor *tensor) {
    const size_t outputs = (size_t)p->out_channels;
    const size_t side = (size_t)p->layer.size;
    *tensor = (struct be_net_tensor){
        .dimensions = bias                          ? 1
                      : p->layer.kind == BE_NN_CONV ? 4
                                                    : 2,
        .shape = {outputs, (size_t)p->channels, side, side},
        .count = bias ? outputs : p->weights,
    };
    (void)snprintf(tensor->name, sizeof tensor->name, "%s.%s", p->layer.name,
                   bias ? "bias" : "weight");
}

bool be_net_tensor(struct be_net *net, size_t at, struct be_net_tensor *tensor) {
    if (be_nn_fetch(net, NULL) != BE_OK) {
        return false;
    }
    net->changed = true; /* the caller may write to it */
    for (int i = 0; i < net->shape.layers; i++) {
        const struct be_nn_place *p = &net->shape.place[i];
        if (p->weights && at < 2) {
            const size_t from = at == 1 ? p->bias : p->weight;
            describe(p, at == 1, tensor);
            tensor->weight = net->weights + from;
            tensor->gradient = net->gradients + from;
            return true;
        }
        at -= p->weights ? 2 : 0;
    }
    return false;
}
