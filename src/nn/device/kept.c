#include "nn/device/kept.h"

static bool same(const struct be_nn_kept *kept, const struct be_nn_run *run) {
    return kept->images == run->images && kept->seed == run->pass->seed &&
           kept->training == run->pass->training;
}

/* The graph of what `put` puts, or a note that there is to be none. A failure is not the pass's: put plainly, it
 * comes again if it is. */
static void keep(struct be_nn_run *run, struct be_nn_kept *kept,
                 void (*put)(struct be_nn_run *run)) {
    struct be_device *device = run->net->device;
    const struct be_extra_ops *extras = device->ops->extras;
    struct be_error refused = {0};
    struct be_error *const error = run->error;
    run->error = &refused;
    kept->refused = extras->capture(device, BE_QUEUE_WORK, &refused) != BE_OK;
    if (!kept->refused) {
        put(run);
        const enum be_status ended =
            extras->captured(device, BE_QUEUE_WORK, &kept->graph, &refused);
        kept->refused = run->status != BE_OK || ended != BE_OK;
    }
    run->status = BE_OK;
    run->error = error;
    if (kept->refused) {
        be_nn_forget_kept(device, kept);
    }
}

void be_nn_put_kept(struct be_nn_run *run, struct be_nn_kept *kept,
                    void (*put)(struct be_nn_run *run)) {
    struct be_device *device = run->net->device;
    const bool may = device->ops->extras->capture && !kept->refused && !run->net->timing;
    if (run->status == BE_OK && may && !same(kept, run)) {
        be_nn_forget_kept(device, kept);
        kept->images = run->images;
        kept->seed = run->pass->seed;
        kept->training = run->pass->training;
    } else if (run->status == BE_OK && may && !kept->graph.handle) {
        keep(run, kept, put);
    }
    if (run->status == BE_OK && may && kept->graph.handle) {
        run->status = device->ops->extras->replay(device, BE_QUEUE_WORK, &kept->graph, run->error);
    } else {
        put(run);
    }
}

void be_nn_forget_kept(struct be_device *device, struct be_nn_kept *kept) {
    if (kept->graph.handle) {
        device->ops->extras->forget_graph(device, &kept->graph);
    }
    kept->graph = (struct be_graph){0};
}
