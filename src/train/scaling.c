#include "train/scaling.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "train/made.h"

enum { USUAL_BATCH = 4096 };

static const double usual_s = 20;
static const double off_max = 1e-3; /* as in crossing.c */

/* ---- what follows from the times ------------------------------------------------------------ */

double be_train_images_per_s(const struct be_train_scale *scale) {
    return (double)scale->batch / scale->step_s;
}

double be_train_beyond(const struct be_train_scale *one, const struct be_train_scale *scale,
                       enum be_train_term term) {
    const double times = (double)scale->batch / (double)one->batch / scale->devices;
    return scale->term_s[term] - times * one->term_s[term];
}

enum be_train_term be_train_holds_up(const struct be_train_scale *one,
                                     const struct be_train_scale *scale) {
    enum be_train_term most = BE_TRAIN_TERM_COMPUTE;
    for (int term = 1; term < BE_TRAIN_TERMS; term++) {
        if (be_train_beyond(one, scale, (enum be_train_term)term) >
            be_train_beyond(one, scale, most)) {
            most = (enum be_train_term)term;
        }
    }
    return most;
}

/* ---- steps ---------------------------------------------------------------------------------- */

struct scaling {
    const struct be_train_plan *plan;
    struct be_train_scaling *result;
    struct be_clock clock;
    struct be_train_made made;
    struct be_net *net[BE_TRAIN_SCALES_MAX];
    double block_s; /* of a net in a round */
    struct be_train_scale seen[BE_TRAIN_SCALING_ROUNDS][BE_TRAIN_SCALES_MAX];
};

static enum be_status one_step(const struct scaling *s, size_t at, struct be_net_step *step,
                               struct be_error *error) {
    const size_t batch = s->result->scale[at].batch;
    const enum be_status status = be_net_take(s->net[at], 0, s->made.number, batch, error);
    return status ? status : be_net_step(s->net[at], NULL, NULL, batch, step, error);
}

static void count_step(double term_s[BE_TRAIN_TERMS], const struct be_net_step *step) {
    term_s[BE_TRAIN_TERM_COMPUTE] += step->forward_s + step->loss_s + step->backward_s;
    term_s[BE_TRAIN_TERM_SUM] += step->sum_least_s;
    term_s[BE_TRAIN_TERM_AWAITED] += step->sum_s - step->sum_least_s;
    term_s[BE_TRAIN_TERM_UPDATE] += step->update_s;
}

/* The mean of a block of steps, behind one that warms up. */
static enum be_status time_block(const struct scaling *s, size_t at, struct be_train_scale *seen,
                                 struct be_error *error) {
    struct be_net_step step;
    enum be_status status = one_step(s, at, &step, error);
    const double began_s = be_now(&s->clock);
    double took_s = 0;
    double known_s = 0;
    size_t steps = 0;
    *seen = s->result->scale[at];
    while (!status && (steps == 0 || took_s < s->block_s)) {
        status = one_step(s, at, &step, error);
        count_step(seen->term_s, &step);
        took_s = be_now(&s->clock) - began_s;
        steps++;
    }
    seen->step_s = took_s / (double)steps;
    for (int term = 0; term < BE_TRAIN_TERM_OTHER; term++) {
        seen->term_s[term] /= (double)steps;
        known_s += seen->term_s[term];
    }
    seen->term_s[BE_TRAIN_TERM_OTHER] = fmax(seen->step_s - known_s, 0);
    return status;
}

/* ---- right ---------------------------------------------------------------------------------- */

/* After a first step of both: gradients of all devices against those of one. A tensor without a gradient is a batch
 * norm's. */
static enum be_status check(struct scaling *s, size_t at, struct be_error *error) {
    struct be_net_step step;
    struct be_net_tensor one;
    struct be_net_tensor all;
    double worst = 0;
    enum be_status status = one_step(s, 0, &step, error);
    status = status ? status : one_step(s, at, &step, error);
    for (size_t i = 0; !status && be_net_tensor(s->net[0], i, &one); i++) {
        if (!be_net_tensor(s->net[at], i, &all) || !one.gradient) {
            return status;
        }
        const double off = be_train_difference(all.gradient, one.gradient, one.count);
        worst = off > worst || isnan(off) ? off : worst;
    }
    s->result->off = worst;
    return status || worst <= off_max
               ? status
               : be_fail(error, BE_WRONG,
                         "%s: the gradients of %s are off by %.1e from those of one device: its "
                         "times mean nothing; please report it",
                         s->plan->device_name, s->plan->net, worst);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void add_scale(struct be_train_scaling *result, int devices, uint64_t batch) {
    result->scale[result->scales++] =
        (struct be_train_scale){.devices = devices, .batch = batch, .step_s = NAN, NAN, NAN};
}

/* One, two, four ... all; and all with as many images each as one had. */
static void list_scales(struct be_train_scaling *result) {
    for (int devices = 1; devices < result->devices; devices *= 2) {
        add_scale(result, devices, result->batch);
    }
    add_scale(result, result->devices, result->batch);
    add_scale(result, result->devices, result->batch * (uint64_t)result->devices);
}

static enum be_status open_one(struct scaling *s, size_t at, struct be_error *error) {
    const struct be_train_scale *scale = &s->result->scale[at];
    const size_t images = s->result->batch * (size_t)s->result->devices;
    const struct be_net_set set = {images, s->made.bytes, s->made.labels, s->made.levels};
    const struct be_net_plan plan = {.name = s->plan->net,
                                     .batch = scale->batch,
                                     .seed = s->plan->seed,
                                     .rate = NAN,
                                     .momentum = NAN,
                                     .decay = NAN,
                                     .device = s->plan->device,
                                     .more = s->plan->more,
                                     .mores = scale->devices - 1};
    const enum be_status status = be_net_open(&plan, &s->net[at], error);
    return status ? status : be_net_hold(s->net[at], 0, &set, error);
}

static enum be_status open_all(struct scaling *s, struct be_error *error) {
    struct be_train_scaling *result = s->result;
    const size_t images = result->batch * (size_t)result->devices;
    const struct be_net_kind *kind = NULL;
    enum be_status status = be_train_kind(s->plan->net, &kind, error);
    status = status ? status : be_train_make(&s->made, kind, images, s->plan->seed, false, error);
    for (size_t i = 0; !status && i < result->scales; i++) {
        status = open_one(s, i, error);
    }
    if (!status) {
        be_copy_text(result->sums, sizeof result->sums, be_net_sums(s->net[result->scales - 1]));
        status = check(s, result->scales - 2, error);
    }
    return status;
}

/* A round's nets in turn, each round in the opposite order of the one before. */
static enum be_status time_round(struct scaling *s, int round, struct be_error *error) {
    const size_t scales = s->result->scales;
    enum be_status status = BE_OK;
    for (size_t i = 0; !status && i < scales; i++) {
        const size_t at = round % 2 ? scales - 1 - i : i;
        status = time_block(s, at, &s->seen[round][at], error);
    }
    return status;
}

static void sum_up(struct scaling *s, size_t at) {
    struct be_train_scale *scale = &s->result->scale[at];
    const int rounds = s->result->rounds;
    double value[BE_TRAIN_SCALING_ROUNDS];
    scale->lo_s = INFINITY;
    scale->hi_s = 0;
    for (int round = 0; round < rounds; round++) {
        value[round] = s->seen[round][at].step_s;
        scale->lo_s = fmin(scale->lo_s, value[round]);
        scale->hi_s = fmax(scale->hi_s, value[round]);
    }
    scale->step_s = be_train_middle(value, rounds);
    for (int term = 0; term < BE_TRAIN_TERMS; term++) {
        for (int round = 0; round < rounds; round++) {
            value[round] = s->seen[round][at].term_s[term];
        }
        scale->term_s[term] = be_train_middle(value, rounds);
    }
}

static enum be_status time_all(struct scaling *s,
                               void (*tell)(void *context, int done, int left, double left_s),
                               struct be_error *error) {
    const struct be_train_plan *plan = s->plan;
    const double round_s = s->block_s * (double)s->result->scales;
    enum be_status status = BE_OK;
    for (int round = 0; !status && round < BE_TRAIN_SCALING_ROUNDS; round++) {
        const int left = BE_TRAIN_SCALING_ROUNDS - round;
        if (plan->cancelled && plan->cancelled(plan->context)) {
            s->result->partial = true;
            break;
        }
        if (tell) {
            tell(plan->context, round, left, left * round_s);
        }
        status = time_round(s, round, error);
        s->result->rounds += !status;
    }
    for (size_t i = 0; !status && s->result->rounds && i < s->result->scales; i++) {
        sum_up(s, i);
    }
    return status;
}

enum be_status be_train_scale_out(const struct be_train_plan *plan,
                                  void (*tell)(void *context, int done, int left, double left_s),
                                  struct be_train_scaling *scaling, struct be_error *error) {
    struct scaling s = {.plan = plan, .result = scaling, .clock = be_clock_host()};
    *scaling = (struct be_train_scaling){
        .devices = 1 + plan->mores, .batch = plan->batch ? plan->batch : USUAL_BATCH, .off = NAN};
    be_copy_text(scaling->net, sizeof scaling->net, plan->net);
    be_copy_text(scaling->device, sizeof scaling->device, plan->device_name);
    list_scales(scaling);
    s.block_s = (plan->total_s > 0 ? plan->total_s : usual_s) /
                (double)(scaling->scales * BE_TRAIN_SCALING_ROUNDS);
    enum be_status status = open_all(&s, error);
    status = status ? status : time_all(&s, tell, error);
    for (size_t i = 0; i < scaling->scales; i++) {
        be_net_close(s.net[i]);
    }
    be_train_drop_made(&s.made);
    return status;
}
