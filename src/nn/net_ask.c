/* Questions to a net: its progress, and its weights by their names. */
#include <stdio.h>

#include "nn/device/on_device.h"
#include "nn/kinds.h"
#include "nn/parallel/group.h"
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

const char *be_net_without(const struct be_net *net) {
    return net->there ? be_nn_on_device_without(net->there) : NULL;
}

double be_net_operations(const struct be_net *net) {
    return net->shape.operations;
}

size_t be_net_least(const struct be_net *net) {
    for (int i = 0; i < net->shape.layers; i++) {
        const struct be_nn_place *p = &net->shape.place[i];
        if (p->layer.norm && p->out_height * p->out_width == 1) {
            return net->group ? 2 * (size_t)be_nn_group_members(net->group) : 2;
        }
    }
    return 1;
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

/* The tensors of a place, in PyTorch's order. */
enum tensor { WEIGHT, BIAS, SCALE, SHIFT, MEAN, VARIANCE, TENSORS };

static const struct {
    const char *name;
    bool norm; /* of its batch norm */
} tensors[TENSORS] = {
    [WEIGHT] = {"weight", false},    [BIAS] = {"bias", false},
    [SCALE] = {"weight", true},      [SHIFT] = {"bias", true},
    [MEAN] = {"running_mean", true}, [VARIANCE] = {"running_var", true},
};

static bool has(const struct be_nn_place *p, int which) {
    return p->weights && (which == WEIGHT || tensors[which].norm == p->layer.norm);
}

size_t be_net_tensors(const struct be_net *net) {
    size_t count = 0;
    for (int i = 0; i < net->shape.layers * TENSORS; i++) {
        count += has(&net->shape.place[i / TENSORS], i % TENSORS) ? 1 : 0;
    }
    return count;
}

static void describe(const struct be_net *net, const struct be_nn_place *p, int which,
                     struct be_net_tensor *tensor) {
    const size_t outputs = (size_t)p->out_channels;
    const size_t side = (size_t)p->layer.size;
    const size_t from = which == WEIGHT ? p->weight : which == SCALE ? p->scale : p->bias;
    *tensor = (struct be_net_tensor){
        .dimensions = which != WEIGHT               ? 1
                      : p->layer.kind == BE_NN_CONV ? 4
                                                    : 2,
        .shape = {outputs, (size_t)p->channels, side, side},
        .count = which == WEIGHT ? p->weights : outputs,
    };
    (void)snprintf(tensor->name, sizeof tensor->name, "%s.%s",
                   tensors[which].norm ? p->norm : p->name, tensors[which].name);
    if (which < MEAN) {
        tensor->weight = net->weights + from;
        tensor->gradient = net->gradients + from;
    } else {
        tensor->weight = net->statistics + p->statistic + (which == VARIANCE ? outputs : 0);
    }
}

bool be_net_tensor(struct be_net *net, size_t at, struct be_net_tensor *tensor) {
    if (be_nn_fetch(net, NULL) != BE_OK) {
        return false;
    }
    net->changed = true; /* the caller may write to it */
    for (int i = 0; i < net->shape.layers * TENSORS; i++) {
        const struct be_nn_place *p = &net->shape.place[i / TENSORS];
        if (has(p, i % TENSORS) && at-- == 0) {
            describe(net, p, i % TENSORS, tensor);
            return true;
        }
    }
    return false;
}
