#include "train/crossing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "host/cores.h"
#include "nn/net.h"
#include "train/made.h"

enum { CHECKED = 4, LARGEST = 4096 };

static const double usual_s = 60;
static const double off_max = 1e-3; /* a wrong kernel is off by far more; roundings by far less */

struct crossing {
    const struct be_train_plan *plan;
    struct be_train_crossing *result;
    const struct be_net_kind *kind;
    struct be_clock clock;
    struct be_net *there;
    struct be_train_made made; /* a largest batch */
    double block_s;            /* of a side in a round */
};

/* ---- what follows from the times --------------------------------------------------------------- */

static const struct be_train_timed *best_of_cpu(const struct be_train_size *size) {
    const struct be_train_timed *one = &size->side[BE_TRAIN_ONE_CORE];
    const struct be_train_timed *all = &size->side[BE_TRAIN_ALL_CORES];
    return all->step_s < one->step_s ? all : one; /* NAN is not less */
}

struct be_train_crossed be_train_crossed(const struct be_train_crossing *crossing,
                                         enum be_train_side side) {
    struct be_train_crossed crossed = {.ahead = BE_TRAIN_NOT_KNOWN};
    for (size_t i = 0; i < crossing->sizes; i++) {
        const struct be_train_size *size = &crossing->size[i];
        const bool ahead = size->side[side].hi_s < best_of_cpu(size)->lo_s;
        if (!ahead) {
            crossed = (struct be_train_crossed){BE_TRAIN_NEVER, size->batch, 0};
        } else if (!crossed.from) {
            crossed.from = size->batch;
            crossed.ahead = crossed.below ? BE_TRAIN_FROM : BE_TRAIN_ALWAYS;
        }
    }
    return crossed;
}

/* ---- one side ------------------------------------------------------------------------------- */

static struct be_net_plan net_plan(const struct crossing *c, size_t batch, int threads) {
    return (struct be_net_plan){.name = c->plan->net,
                                .batch = batch,
                                .threads = threads,
                                .seed = c->plan->seed,
                                .rate = NAN,
                                .momentum = NAN,
                                .decay = NAN};
}

static enum be_status one_step(struct crossing *c, struct be_net *net, size_t batch,
                               enum be_train_side side, struct be_error *error) {
    struct be_net_step step;
    const bool held = side == BE_TRAIN_THERE;
    const enum be_status status = held ? be_net_take(net, 0, c->made.number, batch, error) : BE_OK;
    return status ? status
                  : be_net_step(net, held ? NULL : c->made.images, held ? NULL : c->made.labels,
                                batch, &step, error);
}

/* Seconds of a step, the mean of a block, behind one that warms up. */
static enum be_status time_block(struct crossing *c, struct be_net *net, size_t batch,
                                 enum be_train_side side, double *step_s, struct be_error *error) {
    enum be_status status = one_step(c, net, batch, side, error);
    const double began_s = be_now(&c->clock);
    double took_s = 0;
    size_t steps = 0;
    while (!status && (steps == 0 || took_s < c->block_s)) {
        status = one_step(c, net, batch, side, error);
        took_s = be_now(&c->clock) - began_s;
        steps++;
    }
    *step_s = took_s / (double)steps;
    return status;
}

/* The CPU's nets are open one at a time: each has threads, pinned to the same cores. */
static enum be_status time_side(struct crossing *c, size_t batch, enum be_train_side side,
                                double *step_s, struct be_error *error) {
    if (side == BE_TRAIN_COPIED || side == BE_TRAIN_THERE) {
        return time_block(c, c->there, batch, side, step_s, error);
    }
    const struct be_net_plan plan = net_plan(c, batch, side == BE_TRAIN_ONE_CORE ? 1 : 0);
    struct be_net *net = NULL;
    enum be_status status = be_net_open(&plan, &net, error);
    status = status ? status : time_block(c, net, batch, side, step_s, error);
    be_net_close(net);
    return status;
}

/* ---- right ---------------------------------------------------------------------------------- */

/* A first step of few images on the device, in the code of this batch, against the plain reference. */
static enum be_status check(struct crossing *c, size_t batch, struct be_train_size *size,
                            struct be_error *error) {
    const size_t images = batch < CHECKED ? batch : CHECKED;
    if (be_net_least(c->there) > 1) {
        return be_fail(error, BE_USAGE,
                       "train: --crossing is for lenet, mnist and tfcnn: the batch norms of %s "
                       "amplify roundings, so gradients of few images cannot be held against the "
                       "reference; time it with --device=cpu and on the device",
                       c->plan->net);
    }
    struct be_net_plan plan = net_plan(c, images, 1);
    struct be_net_tensor mine, plain;
    struct be_net_step step;
    struct be_net *net = NULL;
    plan.code = BE_NET_PLAIN;
    enum be_status status = be_net_open(&plan, &net, error);
    status =
        status ? status : be_net_step(net, c->made.images, c->made.labels, images, &step, error);
    status = status ? status
                    : be_net_step(c->there, c->made.images, c->made.labels, images, &step, error);
    size->off = 0;
    for (size_t i = 0; !status && be_net_tensor(net, i, &plain); i++) {
        if (plain.gradient && be_net_tensor(c->there, i, &mine)) {
            const double off = be_train_difference(mine.gradient, plain.gradient, plain.count);
            size->off = off > size->off || isnan(off) ? off : size->off;
        }
    }
    be_net_close(net);
    return status || size->off <= off_max
               ? status
               : be_fail(error, BE_WRONG,
                         "%s: in batches of %zu the gradients of %s are off by %.1e from the plain "
                         "reference: its times mean nothing; please report it",
                         c->plan->device_name, batch, c->plan->net, size->off);
}

/* ---- one size ------------------------------------------------------------------------------- */

static enum be_status open_there(struct crossing *c, size_t batch, struct be_error *error) {
    struct be_net_plan plan = net_plan(c, batch, 0);
    const struct be_net_set set = {batch, c->made.bytes, c->made.labels, c->made.levels};
    plan.device = c->plan->device;
    const enum be_status status = be_net_open(&plan, &c->there, error);
    return status ? status : be_net_hold(c->there, 0, &set, error);
}

static struct be_train_timed summed(const double *step_s, int rounds) {
    struct be_train_timed timed = {be_train_middle(step_s, rounds), step_s[0], step_s[0]};
    for (int i = 0; i < rounds; i++) {
        timed.lo_s = fmin(timed.lo_s, step_s[i]);
        timed.hi_s = fmax(timed.hi_s, step_s[i]);
    }
    return timed;
}

/* All sides in turn, each round in the opposite order of the one before. */
static enum be_status time_size(struct crossing *c, size_t batch, struct be_train_size *size,
                                struct be_error *error) {
    double step_s[BE_TRAIN_SIDES][BE_TRAIN_CROSSING_ROUNDS];
    *size = (struct be_train_size){.batch = batch, .off = NAN};
    enum be_status status = open_there(c, batch, error);
    status = status ? status : check(c, batch, size, error);
    for (int i = 0; !status && i < BE_TRAIN_SIDES * BE_TRAIN_CROSSING_ROUNDS; i++) {
        const int round = i / BE_TRAIN_SIDES;
        const int at = i % BE_TRAIN_SIDES;
        const int side = round % 2 ? BE_TRAIN_SIDES - 1 - at : at;
        const bool other = side != BE_TRAIN_ALL_CORES || c->result->cores > 1;
        step_s[side][round] = NAN;
        if (other) {
            status = time_side(c, batch, (enum be_train_side)side, &step_s[side][round], error);
        }
    }
    for (int side = 0; !status && side < BE_TRAIN_SIDES; side++) {
        size->side[side] = summed(step_s[side], BE_TRAIN_CROSSING_ROUNDS);
    }
    be_net_close(c->there);
    c->there = NULL;
    return status;
}

/* ---- all ------------------------------------------------------------------------------------ */

static enum be_status begin(struct crossing *c, struct be_error *error) {
    struct be_train_crossing *result = c->result;
    struct be_cores *cores = calloc(1, sizeof *cores);
    enum be_status status =
        cores ? be_cores_find(cores, error) : be_fail(error, BE_NOMEM, "train: no host memory");
    if (!status) {
        be_copy_text(result->cpu, sizeof result->cpu, cores->name);
        result->cores = cores->count;
    }
    free(cores);
    be_copy_text(result->net, sizeof result->net, c->plan->net);
    be_copy_text(result->device, sizeof result->device, c->plan->device_name);
    result->rounds = BE_TRAIN_CROSSING_ROUNDS;
    return status;
}

static bool is_over(const struct crossing *c, double until_s) {
    return (c->plan->cancelled && c->plan->cancelled(c->plan->context)) ||
           be_now(&c->clock) >= until_s;
}

enum be_status be_train_cross(const struct be_train_plan *plan,
                              void (*tell)(void *context, uint64_t batch, int done, int left,
                                           double left_s),
                              struct be_train_crossing *crossing, struct be_error *error) {
    const size_t largest = plan->batch ? plan->batch : LARGEST;
    const double total_s = plan->total_s > 0 ? plan->total_s : usual_s;
    struct crossing c = {.plan = plan, .result = crossing, .clock = be_clock_host()};
    const double until_s = be_now(&c.clock) + total_s;
    int left = 0;
    memset(crossing, 0, sizeof *crossing);
    for (size_t batch = 1; batch <= largest && left < BE_TRAIN_SIZES_MAX; batch *= 2) {
        left++;
    }
    c.block_s = total_s / (2.0 * left * BE_TRAIN_SIDES * BE_TRAIN_CROSSING_ROUNDS);
    enum be_status status = be_train_kind(plan->net, &c.kind, error);
    status = status ? status : begin(&c, error);
    status = status
                 ? status
                 : be_train_make(&c.made, c.kind, (size_t)1 << (left - 1), plan->seed, true, error);
    for (size_t batch = 1; !status && left > 0; batch *= 2, left--) {
        if (is_over(&c, until_s)) {
            crossing->partial = true;
            break;
        }
        if (tell) {
            tell(plan->context, batch, (int)crossing->sizes, left, until_s - be_now(&c.clock));
        }
        status = time_size(&c, batch, &crossing->size[crossing->sizes], error);
        crossing->sizes += !status;
    }
    if (status == BE_NOMEM && crossing->sizes > 0) {
        crossing->stopped = *error;
        status = BE_OK;
    }
    be_train_drop_made(&c.made);
    return status;
}
