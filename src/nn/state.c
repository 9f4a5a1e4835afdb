#include "nn/state.h"

#include "nn/device/on_device.h"

static struct be_nn_arrays arrays_of(const struct be_net *net) {
    return (struct be_nn_arrays){net->weights, net->gradients, {net->state[0], net->state[1]}};
}

enum be_status be_nn_fetch(struct be_net *net, struct be_error *error) {
    const struct be_nn_arrays to = arrays_of(net);
    enum be_status status = BE_OK;
    if (net->there && net->stale) {
        status = be_nn_on_device_get(net->there, &to, error);
        net->stale = status != BE_OK;
    }
    return status;
}

enum be_status be_nn_send(struct be_net *net, struct be_error *error) {
    const struct be_nn_arrays from = arrays_of(net);
    enum be_status status = BE_OK;
    if (net->there && net->changed) {
        status = be_nn_on_device_put(net->there, &from, error);
        net->changed = status != BE_OK;
    }
    return status;
}
