#include "nn/net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "host/cores.h"
#include "host/team.h"
#include "nn/begin.h"
#include "nn/deep/deep.h"
#include "nn/device/on_device.h"
#include "nn/fast/fast.h"
#include "nn/kinds.h"
#include "nn/parallel/group.h"
#include "nn/plain.h"
#include "nn/state.h"

static double or_own(double asked, double own) {
    return isnan(asked) ? own : asked;
}

static bool is_share(double value) {
    return value >= 0 && value <= 1;
}

static enum be_status check(const struct be_net_plan *plan, const struct be_net *net,
                            struct be_error *error) {
    const struct be_nn_rule *rule = &net->rule;
    if (!isfinite(rule->rate) || rule->rate <= 0) {
        return be_fail(error, BE_USAGE, "net %s: a learning rate of %g; it is above 0", plan->name,
                       rule->rate);
    }
    if (!is_share(rule->momentum) || rule->momentum == 1) {
        return be_fail(error, BE_USAGE, "net %s: a momentum of %g; it is 0 or more, and below 1",
                       plan->name, rule->momentum);
    }
    if (!is_share(rule->decay) || rule->decay == 0) {
        return be_fail(error, BE_USAGE,
                       "net %s: a decay of %g an epoch; it is above 0, and 1 at most", plan->name,
                       rule->decay);
    }
    return BE_OK;
}

static enum be_status no_net(const char *name, struct be_error *error) {
    struct be_text text = {0};
    const struct be_net_kind *kind;
    for (size_t i = 0; (kind = be_net_kind_at(i)); i++) {
        be_text_add(&text, "%s%s", i ? ", " : "", kind->name);
    }
    be_fail(error, BE_USAGE, "there is no net %s: %s", name, text.data ? text.data : "");
    be_text_free(&text);
    return BE_USAGE;
}

size_t be_net_bytes(const struct be_net *net) {
    const size_t arrays = 2 + (size_t)be_nn_states(&net->rule);
    const size_t kept = arrays * be_nn_padded(net->shape.parameters) * sizeof(float);
    return net->there  ? be_nn_on_device_bytes(net->there)
           : net->fast ? kept + be_nn_fast_bytes(net->fast)
           : net->deep ? kept + be_nn_deep_bytes(net->deep)
                       : kept + be_nn_plain_numbers(&net->shape, net->batch) * sizeof(float);
}

const char *be_net_sums(const struct be_net *net) {
    return net->group ? be_nn_group_sums(net->group) : "";
}

static enum be_status no_memory(const struct be_net *net, struct be_error *error) {
    char size[BE_WORD];
    return be_fail(error, BE_NOMEM,
                   "net %s: no %s of memory for batches of %zu; take a smaller batch",
                   net->kind->name,
                   be_format_bytes(size, sizeof size, (double)be_net_bytes(net), "?"), net->batch);
}

/* Zeros, a whole number of grains of them. */
static float *numbers(size_t count) {
    const size_t bytes = be_nn_padded(count) * sizeof(float);
    float *memory = aligned_alloc(64, bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

static enum be_status get_memory(struct be_net *net, struct be_error *error) {
    net->weights = numbers(net->shape.parameters);
    net->gradients = numbers(net->shape.parameters);
    bool have = net->weights && net->gradients;
    if (net->shape.statistics) {
        net->statistics = numbers(net->shape.statistics);
        net->seen = numbers(net->shape.statistics);
        have = have && net->statistics && net->seen;
    }
    if (net->code == BE_NET_PLAIN) {
        net->scratch = numbers(be_nn_plain_numbers(&net->shape, net->batch));
        have = have && net->scratch;
    }
    for (int i = 0; i < be_nn_states(&net->rule); i++) {
        net->state[i] = numbers(net->shape.parameters);
        have = have && net->state[i];
    }
    return have ? BE_OK : no_memory(net, error);
}

static enum be_status get_team(struct be_net *net, int threads, struct be_error *error) {
    struct be_cores cores;
    const enum be_status status = be_cores_find(&cores, error);
    if (status != BE_OK) {
        return status;
    }
    return be_team_open(&cores, threads ? threads : cores.count, &net->team, error);
}

static enum be_precision precision_of(const struct be_net_plan *plan) {
    return plan->math == BE_NET_TF32 ? BE_TF32 : BE_FLOAT32;
}

static enum be_status open_group(struct be_net *net, const struct be_net_plan *plan,
                                 struct be_error *error) {
    struct be_device *device[BE_NET_DEVICES] = {plan->device};
    if (plan->mores < 0 || plan->mores >= BE_NET_DEVICES) {
        return be_fail(error, BE_USAGE, "net %s: %d devices: %d at most", plan->name,
                       plan->mores + 1, (int)BE_NET_DEVICES);
    }
    for (int i = 0; i < plan->mores; i++) {
        device[1 + i] = plan->more[i];
    }
    const enum be_status status =
        be_nn_group_open(&net->shape, &net->rule, net->batch, precision_of(plan), device,
                         plan->mores + 1, &net->group, error);
    net->there = status == BE_OK ? be_nn_group_first(net->group) : NULL;
    return status;
}

/* The device's kernels, or threads and the code for this processor; the plain reference needs neither. */
static enum be_status get_code(struct be_net *net, const struct be_net_plan *plan,
                               struct be_error *error) {
    if (plan->device) {
        net->changed = true;
        return plan->mores
                   ? open_group(net, plan, error)
                   : be_nn_on_device_open(&net->shape, &net->rule, net->batch, precision_of(plan),
                                          plan->device, &net->there, error);
    }
    if (plan->math != BE_NET_FLOAT32) {
        return be_fail(
            error, BE_USAGE,
            "net %s: tf32 is arithmetic of GPUs' matrix units: name one with --device, as "
            "cuda:0, or take float32",
            plan->name);
    }
    const struct be_nn_trunk_code code = BE_SIMD_BEST(be_nn_trunk);
    const struct be_nn_row_code rows = BE_SIMD_BEST(be_nn_row_code);
    const enum be_status status = get_team(net, plan->threads, error);
    if (status == BE_OK && net->shape.deep && net->code != BE_NET_PLAIN) {
        return be_nn_deep_open(&net->shape, net->batch, net->team, &rows, &net->deep, error);
    }
    return status != BE_OK || net->code == BE_NET_PLAIN
               ? status
               : be_nn_fast_open(&net->shape, net->batch, net->team, &code, &net->fast, error);
}

enum be_status be_net_open(const struct be_net_plan *plan, struct be_net **net,
                           struct be_error *error) {
    const struct be_nn_net *found = be_nn_net_find(plan->name);
    *net = NULL;
    return found ? be_nn_open(plan, found, net, error) : no_net(plan->name, error);
}

enum be_status be_nn_open(const struct be_net_plan *plan, const struct be_nn_net *found,
                          struct be_net **net, struct be_error *error) {
    *net = NULL;
    struct be_net *new = calloc(1, sizeof *new);
    if (!new) {
        return be_fail(error, BE_NOMEM, "net %s: no memory", plan->name);
    }
    new->kind = &found->kind;
    new->rule = found->rule;
    new->rule.rate = new->rate = or_own(plan->rate, found->rule.rate);
    new->rule.momentum = or_own(plan->momentum, found->rule.momentum);
    new->rule.decay = or_own(plan->decay, found->rule.decay);
    new->batch = plan->batch ? plan->batch : found->kind.batch;
    new->seed = plan->seed;
    new->code = plan->code;
    new->clock = be_clock_host();
    be_nn_shape_find(found, &new->shape);
    enum be_status status = check(plan, new, error);
    if (status == BE_OK) {
        status = get_memory(new, error);
    }
    if (status == BE_OK) {
        status = get_code(new, plan, error);
    }
    if (status != BE_OK) {
        be_net_close(new);
        return status;
    }
    be_nn_begin_weights(new);
    *net = new;
    return BE_OK;
}

void be_net_close(struct be_net *net) {
    if (!net) {
        return;
    }
    if (net->group) {
        be_nn_group_close(net->group);
    } else {
        be_nn_on_device_close(net->there);
    }
    be_nn_fast_close(net->fast);
    be_nn_deep_close(net->deep);
    be_team_close(net->team);
    for (int i = 0; i < BE_NN_STATES; i++) {
        free(net->state[i]);
    }
    free(net->scratch);
    free(net->seen);
    free(net->statistics);
    free(net->gradients);
    free(net->weights);
    free(net);
}

static enum be_status check_batch(const struct be_net *net, const float *images,
                                  const uint8_t *labels, size_t count, bool training,
                                  struct be_error *error) {
    if (count < 1 || count > net->batch) {
        return be_fail(error, BE_USAGE, "net %s: a batch of %zu images; it is made for 1 to %zu",
                       net->kind->name, count, net->batch);
    }
    if (!net->there && !(images && labels)) {
        return be_fail(error, BE_USAGE, "net %s: no images", net->kind->name);
    }
    if (training && count < be_net_least(net)) {
        return be_fail(
            error, BE_USAGE,
            "net %s: a batch of %zu image%s: a single one has no variance for batch norms; "
            "take another number of images, or another batch",
            net->kind->name, count, count == 1 ? "" : "s");
    }
    for (size_t i = 0; labels && i < count; i++) {
        if (labels[i] >= BE_NET_CLASSES) {
            return be_fail(error, BE_USAGE,
                           "net %s: image %zu of the batch has label %d; labels are 0 to %d",
                           net->kind->name, i, labels[i], BE_NET_CLASSES - 1);
        }
    }
    return BE_OK;
}

/* Images are judged by the first device's running statistics, wherever they are. */
static enum be_status share_statistics(struct be_net *net, struct be_error *error) {
    const bool differ = net->group && net->statistics && net->stale;
    const enum be_status status = differ ? be_nn_fetch(net, error) : BE_OK;
    net->changed = net->changed || differ;
    return status;
}

static enum be_status pass(struct be_net *net, const float *images, const uint8_t *labels,
                           size_t count, const struct be_nn_update *update,
                           struct be_net_step *step, struct be_error *error) {
    const enum be_status fits = check_batch(net, images, labels, count, update, error);
    if (fits != BE_OK) {
        return fits;
    }
    const struct be_nn_pass all = {.shape = &net->shape,
                                   .weights = net->weights,
                                   .gradients = net->gradients,
                                   .images = images,
                                   .labels = labels,
                                   .count = count,
                                   .training = update != NULL,
                                   .statistics = net->statistics,
                                   .seen = net->seen,
                                   .seed = net->seed,
                                   .step = (uint32_t)net->steps,
                                   .clock = &net->clock,
                                   .result = step};
    if (net->there) {
        enum be_status status = update ? BE_OK : share_statistics(net, error);
        status = status ? status : be_nn_send(net, error);
        net->stale = net->stale || update;
        return status != BE_OK ? status
               : net->group    ? be_nn_group_pass(net->group, &all, update, error)
                               : be_nn_on_device_pass(net->there, &all, update, error);
    }
    if (net->deep) {
        be_nn_deep_pass(net->deep, &all);
    } else if (net->fast) {
        be_nn_fast_pass(net->fast, &all);
    } else {
        be_nn_plain32(&all, net->scratch);
    }
    return BE_OK;
}

struct update {
    struct be_nn_update rule;
    size_t count;
};

static void update_part(void *context, int member, int members) {
    const struct update *update = context;
    size_t first;
    size_t count;
    be_team_share(update->count, BE_NN_UPDATE_GRAIN, member, members, &first, &count);
    be_nn_update(&update->rule, first, count);
}

/* The statistics of the batch go into the running ones. */
static void take_statistics(struct be_net *net) {
    for (size_t i = 0; i < net->shape.statistics; i++) {
        net->statistics[i] =
            (1 - BE_NN_NORM_TAKE) * net->statistics[i] + BE_NN_NORM_TAKE * net->seen[i];
    }
}

enum be_status be_net_step(struct be_net *net, const float *images, const uint8_t *labels,
                           size_t count, struct be_net_step *step, struct be_error *error) {
    struct update update = {{.rule = &net->rule,
                             .rate = net->rate,
                             .step = net->steps + 1,
                             .weights = net->weights,
                             .gradients = net->gradients,
                             .state = {net->state[0], net->state[1]}},
                            be_nn_padded(net->shape.parameters)};
    const enum be_status status = pass(net, images, labels, count, &update.rule, step, error);
    if (status != BE_OK) {
        return status;
    }
    if (!isfinite(step->loss)) {
        return be_fail(error, BE_WRONG,
                       "net %s: the loss of step %llu is %g; nothing was updated: a learning rate "
                       "below %g may help",
                       net->kind->name, (unsigned long long)net->steps + 1, step->loss, net->rate);
    }
    net->steps++;
    if (!net->there) {
        const double before = be_now(&net->clock);
        be_team_run(net->team, update_part, &update);
        take_statistics(net);
        step->update_s = be_now(&net->clock) - before;
    }
    return BE_OK;
}

enum be_status be_net_evaluate(struct be_net *net, const float *images, const uint8_t *labels,
                               size_t count, struct be_net_step *step, struct be_error *error) {
    return pass(net, images, labels, count, NULL, step, error);
}

void be_net_epoch_end(struct be_net *net) {
    net->epochs++;
    net->rate *= net->rule.decay;
}
