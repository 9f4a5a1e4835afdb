#include "nn/parallel/group.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "nn/device/held.h"
#include "nn/parallel/sum.h"

/* ---- opened and closed ---------------------------------------------------------------------- */

static bool are_of_one_backend(struct be_device *const *device, int devices) {
    for (int i = 1; i < devices; i++) {
        if (device[i]->ops != device[0]->ops) {
            return false;
        }
    }
    return true;
}

/* Without the library the net trains all the same, and the run says why it is slower. */
static void open_sums(struct be_nn_group *group, struct be_device *const *device, int devices) {
    const struct be_reduce_ops *ops = device[0]->ops->reduce;
    struct be_error why = {0};
    if (!ops || !are_of_one_backend(device, devices)) {
        snprintf(group->sums, sizeof group->sums, "host memory");
    } else if (ops->open(device, devices, &group->reduce, &why) == BE_OK) {
        snprintf(group->sums, sizeof group->sums, "%s", group->reduce.name);
    } else {
        snprintf(group->sums, sizeof group->sums, "host memory (%.*s)", BE_NOTE - 16, why.text);
    }
}

enum be_status be_nn_group_open(const struct be_nn_shape *shape, const struct be_nn_rule *rule,
                                size_t batch, enum be_precision precision,
                                struct be_device *const *device, int devices,
                                struct be_nn_group **group, struct be_error *error) {
    enum be_status status = BE_OK;
    *group = NULL;
    if (devices < 2 || devices > BE_NET_DEVICES) {
        return be_fail(error, BE_USAGE, "a net on %d devices: 2 to %d", devices,
                       (int)BE_NET_DEVICES);
    }
    if (batch < (size_t)devices) {
        return be_fail(error, BE_USAGE,
                       "a batch of %zu image%s for %d devices leaves some without: take a larger "
                       "--batch, or fewer devices",
                       batch, batch == 1 ? "" : "s", devices);
    }
    struct be_nn_group *new = calloc(1, sizeof *new);
    if (!new) {
        return be_fail(error, BE_NOMEM, "no host memory for a net");
    }
    new->batch = batch;
    const size_t part = (batch + (size_t)devices - 1) / (size_t)devices;
    for (int i = 0; status == BE_OK && i < devices; i++) {
        status =
            be_nn_on_device_open(shape, rule, part, precision, device[i], &new->member[i], error);
        new->members += status == BE_OK;
    }
    if (status != BE_OK) {
        be_nn_group_close(new);
        return status;
    }
    open_sums(new, device, devices);
    *group = new;
    return BE_OK;
}

void be_nn_group_close(struct be_nn_group *group) {
    if (!group) {
        return;
    }
    for (int i = 0; i < group->members; i++) {
        be_nn_on_device_finish(group->member[i]); /* its copies may be of another one's memory */
    }
    if (group->reduce.handle) {
        group->member[0]->device->ops->reduce->close(&group->reduce);
    }
    for (int i = 0; i < group->members; i++) {
        be_nn_on_device_close(group->member[i]);
    }
    free(group);
}

struct be_nn_on_device *be_nn_group_first(const struct be_nn_group *group) {
    return group->member[0];
}

int be_nn_group_members(const struct be_nn_group *group) {
    return group->members;
}

const char *be_nn_group_sums(const struct be_nn_group *group) {
    return group->sums;
}

/* ---- weights and data sets ------------------------------------------------------------------ */

enum be_status be_nn_group_put(struct be_nn_group *group, const struct be_nn_arrays *from,
                               struct be_error *error) {
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < group->members; i++) {
        status = be_nn_on_device_put(group->member[i], from, error);
    }
    return status;
}

enum be_status be_nn_group_hold(struct be_nn_group *group, int set, const struct be_net_set *from,
                                struct be_error *error) {
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < group->members; i++) {
        status = be_nn_on_device_hold(group->member[i], set, from, error);
    }
    return status;
}

/* Where the part of a device begins in a batch of `count` images: the first ones have one more where it is not even. */
static size_t begin_of(const struct be_nn_group *group, int member, size_t count) {
    const size_t members = (size_t)group->members;
    return (count * (size_t)member + members - 1) / members;
}

enum be_status be_nn_group_take(struct be_nn_group *group, int set, const uint32_t *image,
                                size_t count, struct be_error *error) {
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < group->members; i++) {
        const size_t begin = begin_of(group, i, count);
        const size_t own = begin_of(group, i + 1, count) - begin;
        if (own > 0) {
            status = be_nn_on_device_take(group->member[i], set, image + begin, own, error);
        }
    }
    return status;
}

/* ---- a pass --------------------------------------------------------------------------------- */

/* Takes over what a device's run met. */
static void note(struct be_nn_group_run *all, int member) {
    if (all->status == BE_OK && all->run[member].status != BE_OK) {
        all->status = all->run[member].status;
        be_context(all->error, "%s", all->group->member[member]->device->info.id);
    }
}

static void put_part(struct be_nn_group_run *all, int i, const struct be_nn_pass *whole,
                     const struct be_nn_update *update) {
    const struct be_nn_group *group = all->group;
    const size_t begin = begin_of(group, i, whole->count);
    struct be_nn_pass *pass = &all->pass[i];
    *pass = *whole;
    pass->before = begin;
    pass->whole = whole->count;
    pass->count = begin_of(group, i + 1, whole->count) - begin;
    pass->images = whole->images ? whole->images + begin * whole->shape->pixels : NULL;
    pass->labels = whole->labels ? whole->labels + begin : NULL;
    pass->result = &all->step[i];
    all->run[i] = be_nn_run_of(group->member[i], pass, update, all->error);
    all->run[i].summed = update != NULL;
    be_nn_put_pass(&all->run[i]);
    note(all, i);
}

static void put_change(struct be_nn_group_run *all, int i) {
    be_nn_mark(&all->run[i], BE_NN_UPDATED);
    be_nn_put_change(&all->run[i]);
    note(all, i);
}

/* With an update all devices have the sums of all. */
static void finish(struct be_nn_group_run *all, const struct be_nn_pass *pass, bool updated) {
    float total[BE_NET_DEVICES][2];
    double loss = 0;
    double correct = 0;
    double least_s = INFINITY;
    const int parts = updated ? 1 : all->group->members;
    for (int i = 0; all->status == BE_OK && i < all->group->members; i++) {
        be_nn_finish(&all->run[i], i < parts ? total[i] : NULL);
        note(all, i);
        least_s = fmin(least_s, all->step[i].sum_s);
    }
    for (int i = 0; all->status == BE_OK && i < parts; i++) {
        loss += (double)total[i][0];
        correct += (double)total[i][1];
    }
    *pass->result = all->step[0];
    pass->result->loss = loss / (double)pass->count;
    pass->result->correct = (size_t)correct;
    pass->result->sum_least_s = updated ? least_s : 0;
}

enum be_status be_nn_group_pass(struct be_nn_group *group, const struct be_nn_pass *pass,
                                const struct be_nn_update *update, struct be_error *error) {
    struct be_nn_group_run all = {.group = group, .status = BE_OK, .error = error};
    for (int i = 0; all.status == BE_OK && i < group->members; i++) {
        put_part(&all, i, pass, update);
    }
    if (update) {
        (group->reduce.handle ? be_nn_group_sum_there : be_nn_group_sum_here)(&all);
    }
    for (int i = 0; all.status == BE_OK && i < group->members; i++) {
        put_change(&all, i);
    }
    if (all.status == BE_OK) {
        finish(&all, pass, update != NULL);
    }
    return all.status;
}
