#include "nn/state.h"

#include "base/error.h"
#include "nn/device/held.h"
#include "nn/device/on_device.h"
#include "nn/parallel/group.h"

enum be_status be_net_hold(struct be_net *net, int set, const struct be_net_set *data,
                           struct be_error *error) {
    if (!net->there) {
        return be_fail(error, BE_USAGE,
                       "net %s: is on the CPU, and holds no images there: keep them in memory",
                       net->kind->name);
    }
    return net->group ? be_nn_group_hold(net->group, set, data, error)
                      : be_nn_on_device_hold(net->there, set, data, error);
}

enum be_status be_net_take(struct be_net *net, int set, const uint32_t *image, size_t count,
                           struct be_error *error) {
    return net->group ? be_nn_group_take(net->group, set, image, count, error)
                      : be_nn_on_device_take(net->there, set, image, count, error);
}

static struct be_nn_arrays arrays_of(const struct be_net *net) {
    return (struct be_nn_arrays){
        net->weights, net->gradients, {net->state[0], net->state[1]}, net->statistics};
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
        status = net->group ? be_nn_group_put(net->group, &from, error)
                            : be_nn_on_device_put(net->there, &from, error);
        net->changed = status != BE_OK;
    }
    return status;
}
