#include "nn/parallel/sum.h"

#include <string.h>

enum { SUMS = 2, TOTALS = 2 };

void be_nn_group_sum_there(struct be_nn_group_run *all) {
    const struct be_nn_group *group = all->group;
    const struct be_nn_on_device *first = group->member[0];
    const struct be_buffer *gradients[BE_NET_DEVICES];
    const struct be_buffer *totals[BE_NET_DEVICES];
    const struct be_sum sum[SUMS] = {{gradients, first->shape->parameters}, {totals, TOTALS}};
    for (int i = 0; i < group->members; i++) {
        gradients[i] = &group->member[i]->gradients;
        totals[i] = &group->member[i]->total;
    }
    if (all->status == BE_OK) {
        all->status = first->device->ops->reduce->sum(&group->reduce, sum, SUMS, all->error);
    }
}

/* ---- by way of host memory ------------------------------------------------------------------ */

/* Images have left the staging memory by then: what is put into the queue comes behind them. The two sums lie in the
 * room behind `turn`. */
static float *gradients_of(const struct be_nn_on_device *net) {
    return net->staging.host;
}

static float *totals_of(const struct be_nn_on_device *net) {
    return (float *)net->staging.host + net->turn_at / sizeof(float) + BE_NN_TURN;
}

static void read_all(struct be_nn_group_run *all) {
    for (int i = 0; all->status == BE_OK && i < all->group->members; i++) {
        struct be_nn_on_device *net = all->group->member[i];
        const struct be_queue_ops *queue = net->device->ops->queue;
        all->status = queue->read(net->device, BE_QUEUE_WORK, gradients_of(net), &net->gradients, 0,
                                  net->shape->parameters * sizeof(float), all->error);
        if (all->status == BE_OK) {
            all->status = queue->read(net->device, BE_QUEUE_WORK, totals_of(net), &net->total, 0,
                                      TOTALS * sizeof(float), all->error);
        }
    }
    for (int i = 0; all->status == BE_OK && i < all->group->members; i++) {
        struct be_device *device = all->group->member[i]->device;
        all->status = device->ops->queue->drain(device, BE_QUEUE_WORK, all->error);
    }
}

static void add(float *restrict to, const float *restrict from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        to[i] += from[i];
    }
}

/* In the devices' order, so that the bits are the same each time. */
static void add_all(const struct be_nn_group *group) {
    const struct be_nn_on_device *first = group->member[0];
    for (int i = 1; i < group->members; i++) {
        add(gradients_of(first), gradients_of(group->member[i]), first->shape->parameters);
        add(totals_of(first), totals_of(group->member[i]), TOTALS);
    }
    for (int i = 1; i < group->members; i++) {
        memcpy(gradients_of(group->member[i]), gradients_of(first),
               first->shape->parameters * sizeof(float));
        memcpy(totals_of(group->member[i]), totals_of(first), TOTALS * sizeof(float));
    }
}

static void write_all(struct be_nn_group_run *all) {
    for (int i = 0; all->status == BE_OK && i < all->group->members; i++) {
        struct be_nn_on_device *net = all->group->member[i];
        const struct be_queue_ops *queue = net->device->ops->queue;
        all->status =
            queue->write(net->device, BE_QUEUE_WORK, &net->gradients, 0, gradients_of(net),
                         net->shape->parameters * sizeof(float), all->error);
        if (all->status == BE_OK) {
            all->status = queue->write(net->device, BE_QUEUE_WORK, &net->total, 0, totals_of(net),
                                       TOTALS * sizeof(float), all->error);
        }
    }
}

void be_nn_group_sum_here(struct be_nn_group_run *all) {
    read_all(all);
    if (all->status == BE_OK) {
        add_all(all->group);
    }
    write_all(all);
}
