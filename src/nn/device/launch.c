#include "nn/device/launch.h"

void be_nn_label(struct be_nn_run *run, const char *what, int stage, double operations) {
    run->now = (struct be_nn_launch){what, stage, operations, 0};
}

void be_nn_note(struct be_nn_run *run) {
    struct be_nn_timing *timing = run->net->timing;
    struct be_device *device = run->net->device;
    if (timing && run->status == BE_OK && timing->count < BE_NN_LAUNCHES) {
        timing->launch[timing->count++] = run->now;
        run->status = device->ops->queue->record(device, BE_QUEUE_WORK,
                                                 &timing->event[timing->count], run->error);
        run->now.operations = 0;
    }
}

void be_nn_launch_groups(struct be_nn_run *run, const struct be_kernel *kernel, size_t groups,
                         size_t lanes, const struct be_argument *argument, int count) {
    struct be_device *device = run->net->device;
    if (run->status == BE_OK) {
        run->status = device->ops->program->launch(device, BE_QUEUE_WORK, kernel, groups, lanes,
                                                   argument, count, run->error);
    }
    be_nn_note(run);
}

void be_nn_launch(struct be_nn_run *run, const struct be_kernel *kernel, int64_t items,
                  const struct be_argument *argument, int count) {
    be_nn_launch_groups(run, kernel, be_nn_groups_of(items, BE_NN_LANES), BE_NN_LANES, argument,
                        count);
}

double be_nn_operations_of(const struct be_nn_run *run, const struct be_nn_place *p) {
    const double spots = p->layer.kind == BE_NN_CONV ? (double)(p->out_height * p->out_width) : 1;
    return 2 * (double)run->images * (double)p->weights * spots;
}
