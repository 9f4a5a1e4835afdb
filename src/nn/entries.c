#include "nn/entries.h"

#include <stdio.h>
#include <string.h>

size_t be_nn_entries(struct be_net *net, bool state, struct be_nn_entry entry[BE_NN_ENTRIES]) {
    const int states = state ? be_nn_states(&net->rule) : 0;
    struct be_net_tensor tensor;
    size_t count = 0;
    for (int part = -1; part < states; part++) {
        for (size_t i = 0; be_net_tensor(net, i, &tensor); i++) {
            if (part >= 0 && !tensor.gradient) {
                continue;
            }
            struct be_nn_entry *e = &entry[count++];
            *e = (struct be_nn_entry){.dimensions = tensor.dimensions, .count = tensor.count};
            memcpy(e->shape, tensor.shape, sizeof e->shape);
            if (part < 0) {
                (void)snprintf(e->name, sizeof e->name, "%s", tensor.name);
                e->numbers = tensor.weight;
            } else {
                (void)snprintf(e->name, sizeof e->name, "optimizer.%s.%s", tensor.name,
                               be_nn_state_name(&net->rule, part));
                e->numbers = net->state[part] + (tensor.weight - net->weights);
            }
        }
    }
    return count;
}
