#include "nn/device/residual.h"

#include "base/error.h"
#include "nn/device/launch.h"

/* One layer of a pass. */
struct layer {
    struct be_nn_run *run;
    struct be_nn_residual *r;
    const struct be_nn_place *p;
    int number;
    int64_t spots, count; /* of its output: of an image's channel, and of all images' */
    struct be_nn_steps step;
    int64_t chunks;
};

static struct layer layer_at(struct be_nn_run *run, int number) {
    const struct be_nn_place *p = &run->net->shape->place[number];
    const int64_t spots = be_nn_spots_of(p);
    return (struct layer){.run = run,
                          .r = run->net->residual,
                          .p = p,
                          .number = number,
                          .spots = spots,
                          .count = spots * run->images,
                          .step = be_nn_steps_of(run, p->out_channels, spots, false),
                          .chunks = be_nn_norm_chunks(p->out_channels, spots * run->images)};
}

static struct be_buffer *back_of(const struct layer *l, int place) {
    return &l->r->back[l->r->slots.of[place]];
}

/* A group for each chunk of each channel. */
static void launch_norm(const struct layer *l, enum be_nn_residual_kernel kernel,
                        const struct be_argument *argument, int count) {
    be_nn_launch_groups(l->run, &l->r->kernel[kernel], (size_t)(l->chunks * l->p->out_channels),
                        BE_NN_NORM_LANES, argument, count);
}

/* ---- forward -------------------------------------------------------------------------------- */

static void norm_sums(const struct layer *l) {
    const struct be_argument argument[] = {be_nn_buffer(&l->r->before[l->number]),
                                           be_nn_buffer(&l->r->parts),
                                           be_nn_small(l->count),
                                           be_nn_small(l->spots),
                                           be_nn_whole(l->step.image),
                                           be_nn_whole(l->step.channel),
                                           be_nn_small(l->chunks)};
    be_nn_label(l->run, "batch norm, sums", l->number, 0);
    launch_norm(l, BE_NN_NORM_SUMS, argument, BE_COUNT(argument));
}

static void norm(const struct layer *l) {
    const struct be_nn_place *p = l->p;
    const struct be_nn_on_device *net = l->run->net;
    const bool adds = p->add >= 0;
    const int flags = (l->run->pass->training ? 1 : 0) | (adds ? 2 : 0) | (p->layer.relu ? 4 : 0);
    const struct be_argument argument[] = {be_nn_buffer(&l->r->before[l->number]),
                                           be_nn_buffer(&l->r->parts),
                                           be_nn_buffer(&net->weights),
                                           be_nn_buffer(&l->r->statistics),
                                           be_nn_buffer(&l->r->value[adds ? p->add : l->number]),
                                           be_nn_buffer(&l->r->value[l->number]),
                                           be_nn_small(l->count),
                                           be_nn_small(l->spots),
                                           be_nn_whole(l->step.image),
                                           be_nn_whole(l->step.channel),
                                           be_nn_small(l->chunks),
                                           be_nn_whole((int64_t)p->scale),
                                           be_nn_small(p->out_channels),
                                           be_nn_whole((int64_t)p->statistic),
                                           be_nn_whole((int64_t)net->shape->statistics),
                                           be_nn_small(flags)};
    if (l->run->pass->training) {
        norm_sums(l);
    }
    be_nn_label(l->run, "batch norm", l->number, 0);
    launch_norm(l, BE_NN_NORM, argument, BE_COUNT(argument));
}

/* Where the input's planes lie: those of a layer before. */
static void reduce(const struct layer *l) {
    const struct be_nn_place *p = l->p;
    const int64_t inputs = (int64_t)p->height * p->width;
    const struct be_nn_steps in = be_nn_steps_of(l->run, p->channels, inputs, false);
    const int64_t count = l->count * p->out_channels;
    const struct be_argument pool[] = {be_nn_buffer(&l->r->value[p->input]),
                                       be_nn_buffer(&l->r->value[l->number]),
                                       be_nn_buffer(&l->r->from),
                                       be_nn_whole(count),
                                       be_nn_small(p->height),
                                       be_nn_small(p->width),
                                       be_nn_small(p->out_height),
                                       be_nn_small(p->out_width)};
    const struct be_argument mean[] = {be_nn_buffer(&l->r->value[p->input]),
                                       be_nn_buffer(&l->r->value[l->number]),
                                       be_nn_whole(count),
                                       be_nn_small(p->channels),
                                       be_nn_small(inputs),
                                       be_nn_whole(in.image),
                                       be_nn_whole(in.channel)};
    if (p->layer.kind == BE_NN_POOL) {
        be_nn_label(l->run, "pool", l->number, 0);
        be_nn_launch(l->run, &l->r->kernel[BE_NN_POOL3], count, pool, BE_COUNT(pool));
    } else {
        be_nn_label(l->run, "mean", l->number, 0);
        be_nn_launch(l->run, &l->r->kernel[BE_NN_MEANS], count, mean, BE_COUNT(mean));
    }
}

void be_nn_residual_put_forward(struct be_nn_run *run) {
    const int last = run->net->shape->layers - 1;
    for (int i = 0; i < last; i++) {
        const struct layer layer = layer_at(run, i);
        if (layer.p->weights) {
            be_nn_residual_convolve(run, i);
            norm(&layer);
        } else {
            reduce(&layer);
        }
    }
    be_nn_put_dense_forward(run, 0);
}

/* ---- backward ------------------------------------------------------------------------------- */

static void unnorm(const struct layer *l) {
    const struct be_nn_place *p = l->p;
    const int adds = p->add < 0 ? 0 : l->r->slots.begins_add[l->number] ? 1 : 2;
    const int64_t moments = (int64_t)(2 * l->run->net->shape->statistics + p->statistic);
    const struct be_argument sums[] = {be_nn_buffer(back_of(l, l->number)),
                                       be_nn_buffer(&l->r->value[l->number]),
                                       be_nn_buffer(&l->r->before[l->number]),
                                       be_nn_buffer(&l->r->statistics),
                                       be_nn_buffer(back_of(l, adds ? p->add : l->number)),
                                       be_nn_buffer(&l->r->parts),
                                       be_nn_small(l->count),
                                       be_nn_small(l->spots),
                                       be_nn_whole(l->step.image),
                                       be_nn_whole(l->step.channel),
                                       be_nn_small(l->chunks),
                                       be_nn_whole(moments),
                                       be_nn_small(adds),
                                       be_nn_small(p->layer.relu)};
    const struct be_argument argument[] = {be_nn_buffer(back_of(l, l->number)),
                                           be_nn_buffer(&l->r->before[l->number]),
                                           be_nn_buffer(&l->r->statistics),
                                           be_nn_buffer(&l->r->parts),
                                           be_nn_buffer(&l->run->net->weights),
                                           be_nn_buffer(&l->run->net->gradients),
                                           be_nn_small(l->count),
                                           be_nn_small(l->spots),
                                           be_nn_whole(l->step.image),
                                           be_nn_whole(l->step.channel),
                                           be_nn_small(l->chunks),
                                           be_nn_whole((int64_t)p->scale),
                                           be_nn_small(p->out_channels),
                                           be_nn_whole(moments)};
    be_nn_label(l->run, "batch norm, sums back", l->number, 0);
    launch_norm(l, BE_NN_UNNORM_SUMS, sums, BE_COUNT(sums));
    be_nn_label(l->run, "batch norm, back", l->number, 0);
    launch_norm(l, BE_NN_UNNORM, argument, BE_COUNT(argument));
}

static void unreduce(const struct layer *l) {
    const struct be_nn_place *p = l->p;
    const int64_t inputs = (int64_t)p->height * p->width;
    const struct be_nn_steps in = be_nn_steps_of(l->run, p->channels, inputs, false);
    const int64_t count = (int64_t)p->in * l->run->images;
    const int64_t means = l->count * p->out_channels;
    const bool begins = l->r->slots.begins[l->number];
    const struct be_argument pool[] = {be_nn_buffer(back_of(l, l->number)),
                                       be_nn_buffer(&l->r->from),
                                       be_nn_buffer(back_of(l, p->input)),
                                       be_nn_whole(count),
                                       be_nn_small(p->height),
                                       be_nn_small(p->width),
                                       be_nn_small(p->out_height),
                                       be_nn_small(p->out_width),
                                       be_nn_small(begins)};
    const struct be_argument mean[] = {be_nn_buffer(back_of(l, l->number)),
                                       be_nn_buffer(back_of(l, p->input)),
                                       be_nn_whole(means),
                                       be_nn_small(p->channels),
                                       be_nn_small(inputs),
                                       be_nn_whole(in.image),
                                       be_nn_whole(in.channel),
                                       be_nn_small(begins)};
    if (p->layer.kind == BE_NN_POOL) {
        be_nn_label(l->run, "pool, back", l->number, 0);
        be_nn_launch(l->run, &l->r->kernel[BE_NN_UNPOOL3], count, pool, BE_COUNT(pool));
    } else {
        be_nn_label(l->run, "mean, back", l->number, 0);
        be_nn_launch(l->run, &l->r->kernel[BE_NN_UNMEANS], means, mean, BE_COUNT(mean));
    }
}

void be_nn_residual_put_backward(struct be_nn_run *run) {
    be_nn_put_dense_backward(run, 0);
    for (int i = run->net->shape->layers - 2; i >= 0; i--) {
        const struct layer layer = layer_at(run, i);
        if (layer.p->weights) {
            unnorm(&layer);
            be_nn_residual_unconvolve(run, i);
        } else {
            unreduce(&layer);
        }
    }
}

void be_nn_residual_put_statistics(struct be_nn_run *run) {
    const struct be_nn_residual *r = run->net->residual;
    const int64_t count = (int64_t)run->net->shape->statistics;
    const struct be_argument argument[] = {be_nn_buffer(&r->statistics),
                                           be_nn_buffer(&run->net->total), be_nn_whole(count),
                                           be_nn_real((double)BE_NN_NORM_TAKE)};
    be_nn_label(run, "statistics", 0, 0);
    be_nn_launch(run, &r->kernel[BE_NN_TAKE_STATISTICS], count, argument, BE_COUNT(argument));
}
