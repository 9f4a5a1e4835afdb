#include "nn/fast/fast.h"

#include "base/clock.h"
#include "nn/fast/fast_dense.h"

struct whole {
    struct be_nn_fast *fast;
    const struct be_nn_pass *pass;
};

static struct be_nn_group group_of(const struct be_nn_part *part, size_t group) {
    return (struct be_nn_group){.weights = part->pass->weights,
                                .training = part->pass->training,
                                .seed = part->pass->seed,
                                .step = part->pass->step,
                                .image = (uint32_t)(part->first + group * part->fast->code.lanes)};
}

/* The pixels of a group, a lane an image, in the member's own memory. */
static float *gathered(const struct be_nn_part *part, size_t group) {
    const struct be_nn_fast *fast = part->fast;
    const size_t lanes = fast->code.lanes;
    const size_t pixels = fast->shape->pixels;
    const size_t left = part->count - group * lanes;
    float *to = fast->images + (size_t)part->member * fast->image_floats;
    fast->code.gather(part->pass->images + (part->first + group * lanes) * pixels, pixels,
                      left < lanes ? left : lanes, to);
    return to;
}

/* Where the output of a convolution is: the last one's is the dense layers' input. */
static void place_output(const struct be_nn_fast *fast, int i, size_t group,
                         struct be_nn_group *g) {
    const struct be_nn_stage *stage = &fast->stages.convolution[i];
    const size_t lanes = fast->code.lanes;
    const bool last = i == fast->stages.convolutions - 1;
    g->stage = stage;
    g->out = last ? fast->number[0] + group * lanes : fast->out[i] + group * lanes * stage->out;
    g->spot = last ? fast->stride : lanes;
    g->from = fast->from[i] + group * lanes * stage->out;
}

static void convolve(const struct be_nn_part *part, size_t group) {
    const struct be_nn_fast *fast = part->fast;
    struct be_nn_group g = group_of(part, group);
    g.in = gathered(part, group);
    for (int i = 0; i < fast->stages.convolutions; i++) {
        place_output(fast, i, group, &g);
        fast->code.forward(&g);
        g.in = g.out;
    }
}

static void convolve_back(const struct be_nn_part *part, size_t group, const float *back) {
    const struct be_nn_fast *fast = part->fast;
    const size_t lanes = fast->code.lanes;
    struct be_nn_group g = group_of(part, group);
    g.scratch = fast->scratch + (size_t)part->member * fast->scratch_floats;
    g.back = back + group * lanes;
    for (int i = fast->stages.convolutions - 1; i >= 0; i--) {
        place_output(fast, i, group, &g);
        g.in = i > 0 ? fast->out[i - 1] + group * lanes * fast->stages.convolution[i - 1].out
                     : gathered(part, group);
        g.turned = fast->turned[i];
        g.to = i > 0 ? fast->by_stage[i % 2] + (size_t)part->member * fast->stage_floats : NULL;
        g.gradients = fast->gradients + group * fast->stages.parameters + g.stage->main->weight;
        fast->code.backward(&g);
        g.back = g.to;
    }
}

static void each_group(const struct be_nn_part *part, size_t *first, size_t *end) {
    size_t count;
    be_team_share(part->padded / part->fast->code.lanes, 1, part->member, part->members, first,
                  &count);
    *end = *first + count;
}

/* The groups' gradients in their order, behind those of the blocks before. */
static void add_groups(const struct be_nn_part *part) {
    const struct be_nn_fast *fast = part->fast;
    const size_t groups = part->padded / fast->code.lanes;
    float *to = part->pass->gradients;
    size_t first;
    size_t count;
    be_team_share(fast->stages.parameters, 16, part->member, part->members, &first, &count);
    for (size_t g = 0; g < groups; g++) {
        const float *from = fast->gradients + g * fast->stages.parameters;
        for (size_t i = first; i < first + count; i++) {
            to[i] = part->first + g > 0 ? to[i] + from[i] : from[i];
        }
    }
}

/* Adds the time since the last call to `to`, of the first member. */
static void note(const struct be_nn_part *part, double *since, double *to) {
    if (part->member == 0) {
        const double now = be_now(part->pass->clock);
        *to += now - *since;
        *since = now;
    }
}

static void block(const struct be_nn_part *part) {
    struct be_nn_fast *fast = part->fast;
    struct be_net_step *result = part->pass->result;
    double since = part->member == 0 ? be_now(part->pass->clock) : 0;
    size_t group;
    size_t end;
    for (each_group(part, &group, &end); group < end; group++) {
        convolve(part, group);
    }
    be_team_barrier(fast->team);
    be_nn_dense_forward(part);
    note(part, &since, &result->forward_s);
    be_nn_dense_loss(part);
    be_team_barrier(fast->team);
    note(part, &since, &result->loss_s);
    if (!part->pass->training) {
        return;
    }
    const float *back = fast->back[be_nn_dense_backward(part)];
    for (each_group(part, &group, &end); group < end; group++) {
        convolve_back(part, group, back);
    }
    be_team_barrier(fast->team);
    add_groups(part);
    be_team_barrier(fast->team);
    note(part, &since, &result->backward_s);
}

static void all_blocks(void *context, int member, int members) {
    const struct whole *whole = context;
    struct be_nn_fast *fast = whole->fast;
    const size_t lanes = fast->code.lanes;
    struct be_nn_part part = {fast, whole->pass, .member = member, .members = members};
    for (int i = 1 + member; whole->pass->training && i < fast->stages.convolutions; i += members) {
        be_nn_turn(&fast->stages.convolution[i], whole->pass->weights, fast->turned[i]);
    }
    for (; part.first < whole->pass->count; part.first += part.count) {
        const size_t left = whole->pass->count - part.first;
        part.count = left < fast->block ? left : fast->block;
        part.padded = (part.count + lanes - 1) / lanes * lanes;
        block(&part); /* its first barrier comes before the turned weights are read */
    }
}

void be_nn_fast_pass(struct be_nn_fast *fast, const struct be_nn_pass *pass) {
    struct whole whole = {fast, pass};
    *pass->result = (struct be_net_step){0};
    be_team_run(fast->team, all_blocks, &whole);
    for (size_t i = 0; i < pass->count; i++) {
        pass->result->loss += fast->loss[i];
        pass->result->correct += fast->correct[i];
    }
    pass->result->loss /= (double)pass->count;
}
