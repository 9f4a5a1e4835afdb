#include "nn/deep/deep.h"

#include <math.h>
#include <string.h>

#include "math/gemm.h"
#include "nn/deep/columns.h"
#include "nn/deep/deep_memory.h"
#include "nn/loss.h"

/* One pass in the hands of one member. */
struct part {
    struct be_nn_deep *deep;
    const struct be_nn_pass *pass;
    int member, members;
};

/* One layer of it. */
struct layer {
    const struct part *part;
    const struct be_nn_place *place;
    const float *in;
    float *back, *to;       /* gradients by its output and by its input; NULL: not wanted */
    bool begins;            /* `to` is written, not added to */
    size_t images, columns; /* columns: of its matrix, and numbers of an output's row */
    int number;
};

static void share(const struct part *part, size_t items, size_t *first, size_t *end) {
    size_t count;
    be_team_share(items, 1, part->member, part->members, first, &count);
    *end = *first + count;
}

static void meet(const struct part *part) {
    be_team_barrier(part->deep->team);
}

static void multiply(const struct part *part, const struct be_host_gemm *gemm) {
    be_gemm_part(gemm, part->deep->product, part->deep->team, part->member, part->members);
}

static struct layer layer_at(const struct part *part, int number) {
    const struct be_nn_deep *deep = part->deep;
    const struct be_nn_place *p = &deep->shape->place[number];
    const size_t spots = (size_t)p->out_height * (size_t)p->out_width;
    return (struct layer){.part = part,
                          .place = p,
                          .in = p->input < 0 ? deep->images : deep->value[p->input],
                          .back = deep->back[deep->slots.of[number]],
                          .to = p->input < 0 ? NULL : deep->back[deep->slots.of[p->input]],
                          .begins = deep->slots.begins[number],
                          .images = part->pass->count,
                          .columns = part->pass->count * spots,
                          .number = number};
}

/* The matrix that the weights multiply, complete. */
static const float *columns_of(const struct layer *l) {
    float *columns = l->part->deep->columns;
    size_t row;
    size_t end;
    if (!be_nn_has_columns(l->place)) {
        return l->in;
    }
    for (share(l->part, be_nn_column_rows(l->place), &row, &end); row < end; row++) {
        be_nn_columns_take(l->place, row, l->images, l->in, columns + row * l->columns);
    }
    meet(l->part);
    return columns;
}

/* ---- forward -------------------------------------------------------------------------------- */

static void multiply_forward(const struct layer *l, float *out) {
    const struct be_nn_place *p = l->place;
    const int64_t rows = (int64_t)be_nn_column_rows(p);
    const int64_t columns = (int64_t)l->columns;
    const struct be_host_gemm gemm = {.m = columns,
                                      .n = p->out_channels,
                                      .k = rows,
                                      .alpha = 1,
                                      .a = columns_of(l),
                                      .b = l->part->pass->weights + p->weight,
                                      .c = out,
                                      .a_stride = columns,
                                      .b_stride = rows,
                                      .c_stride = columns};
    multiply(l->part, &gemm);
}

/* Mean and 1 / deviation of a channel: of this batch, which are noted, or the running ones. */
static void find_moments(const struct layer *l, size_t o, const float *row) {
    const struct be_nn_place *p = l->place;
    const struct be_nn_pass *pass = l->part->pass;
    struct be_nn_deep *deep = l->part->deep;
    const size_t channels = (size_t)p->out_channels;
    double mean;
    double variance;
    if (pass->training) {
        const double all = (double)l->columns;
        deep->code.moments(row, l->columns, &mean, &variance);
        pass->seen[p->statistic + o] = (float)mean;
        pass->seen[p->statistic + channels + o] = (float)(variance * all / (all - 1));
    } else {
        mean = (double)pass->statistics[p->statistic + o];
        variance = (double)pass->statistics[p->statistic + channels + o];
    }
    deep->mean[p->statistic / 2 + o] = (float)mean;
    deep->inverse[p->statistic / 2 + o] = (float)(1 / sqrt(variance + BE_NN_NORM_EPSILON));
}

static void normalise_row(const struct layer *l, size_t o) {
    const struct be_nn_place *p = l->place;
    const struct be_nn_deep *deep = l->part->deep;
    const float *weights = l->part->pass->weights;
    const size_t at = o * l->columns;
    const float *row = deep->before[l->number] + at;
    find_moments(l, o, row);
    const struct be_nn_row_norm norm = {.mean = deep->mean[p->statistic / 2 + o],
                                        .scale = weights[p->scale + o] *
                                                 deep->inverse[p->statistic / 2 + o],
                                        .shift = weights[p->bias + o],
                                        .add = p->add < 0 ? NULL : deep->value[p->add] + at,
                                        .relu = p->layer.relu};
    deep->code.normalise(&norm, row, l->columns, deep->value[l->number] + at);
}

static void forward(const struct layer *l) {
    const struct be_nn_place *p = l->place;
    const struct be_nn_deep *deep = l->part->deep;
    const size_t inputs = (size_t)p->height * (size_t)p->width * l->images;
    float *value = deep->value[l->number];
    size_t o;
    size_t end;
    if (p->weights) {
        multiply_forward(l, p->layer.norm ? deep->before[l->number] : value);
    }
    for (share(l->part, (size_t)p->out_channels, &o, &end); o < end; o++) {
        if (p->layer.norm) {
            normalise_row(l, o);
        } else if (p->weights) {
            const float bias = l->part->pass->weights[p->bias + o];
            for (size_t i = 0; i < l->columns; i++) {
                value[o * l->columns + i] += bias;
            }
        } else {
            be_nn_reduce(p, l->images, l->in + o * inputs, value + o * l->columns);
        }
    }
    meet(l->part);
}

/* ---- backward ------------------------------------------------------------------------------- */

/* One row of the gradient, through ReLU and batch norm; what was added receives its own. */
static void unnormalise_row(const struct layer *l, size_t o) {
    const struct be_nn_place *p = l->place;
    const struct be_nn_deep *deep = l->part->deep;
    const struct be_nn_pass *pass = l->part->pass;
    const size_t at = o * l->columns;
    const float *row = deep->before[l->number] + at;
    const float mean = deep->mean[p->statistic / 2 + o];
    const double inverse = (double)deep->inverse[p->statistic / 2 + o];
    const double all = (double)l->columns;
    float *back = l->back + at;
    double sum;
    double with;
    if (p->layer.relu) {
        deep->code.unrelu(deep->value[l->number] + at, l->columns, back);
    }
    if (p->add >= 0) {
        float *to = deep->back[deep->slots.of[p->add]] + at;
        if (deep->slots.begins_add[l->number]) {
            memcpy(to, back, l->columns * sizeof *to);
        } else {
            deep->code.add(back, l->columns, to);
        }
    }
    deep->code.sums(back, row, mean, l->columns, &sum, &with);
    pass->gradients[p->scale + o] = (float)(with * inverse);
    pass->gradients[p->bias + o] = (float)sum;
    deep->code.unnormalise(row, mean, (float)((double)pass->weights[p->scale + o] * inverse),
                           (float)(sum / all), (float)(with * inverse * inverse / all), l->columns,
                           back);
}

static void finish_back(const struct layer *l) {
    const struct be_nn_place *p = l->place;
    size_t o;
    size_t end;
    for (share(l->part, (size_t)p->out_channels, &o, &end); o < end; o++) {
        if (p->layer.norm) {
            unnormalise_row(l, o);
        } else if (p->weights) {
            float sum = 0;
            for (size_t i = 0; i < l->columns; i++) {
                sum += l->back[o * l->columns + i];
            }
            l->part->pass->gradients[p->bias + o] = sum;
        } else {
            const size_t inputs = (size_t)p->height * (size_t)p->width * l->images;
            be_nn_unreduce(p, l->images, l->begins, l->in + o * inputs, l->back + o * l->columns,
                           l->to + o * inputs);
        }
    }
    meet(l->part);
}

static void multiply_back(const struct layer *l) {
    const struct be_nn_place *p = l->place;
    const struct be_nn_pass *pass = l->part->pass;
    const int64_t rows = (int64_t)be_nn_column_rows(p);
    const int64_t columns = (int64_t)l->columns;
    const bool has_columns = be_nn_has_columns(p);
    const struct be_host_gemm by_weights = {.transpose_a = true,
                                            .m = rows,
                                            .n = p->out_channels,
                                            .k = columns,
                                            .alpha = 1,
                                            .a = columns_of(l),
                                            .b = l->back,
                                            .c = pass->gradients + p->weight,
                                            .a_stride = columns,
                                            .b_stride = columns,
                                            .c_stride = rows};
    const struct be_host_gemm by_input = {.transpose_b = true,
                                          .m = columns,
                                          .n = rows,
                                          .k = p->out_channels,
                                          .alpha = 1,
                                          .beta = has_columns || l->begins ? 0 : 1,
                                          .a = l->back,
                                          .b = pass->weights + p->weight,
                                          .c = has_columns ? l->part->deep->columns : l->to,
                                          .a_stride = columns,
                                          .b_stride = rows,
                                          .c_stride = columns};
    multiply(l->part, &by_weights);
    if (l->to) {
        multiply(l->part, &by_input);
    }
    size_t channel;
    size_t end;
    if (l->to && has_columns) {
        const size_t inputs = (size_t)p->height * (size_t)p->width * l->images;
        for (share(l->part, (size_t)p->channels, &channel, &end); channel < end; channel++) {
            be_nn_columns_put(p, channel, l->images, l->begins, l->part->deep->columns,
                              l->to + channel * inputs);
        }
        meet(l->part);
    }
}

/* ---- the pass ------------------------------------------------------------------------------- */

/* Channel after channel, from image after image. */
static void take_images(const struct part *part) {
    const struct be_nn_place *first = &part->deep->shape->place[0];
    const size_t spots = (size_t)first->height * (size_t)first->width;
    const size_t images = part->pass->count;
    size_t n;
    size_t end;
    for (share(part, images, &n, &end); n < end; n++) {
        for (size_t c = 0; c < (size_t)first->channels; c++) {
            memcpy(part->deep->images + (c * images + n) * spots,
                   part->pass->images + n * part->deep->shape->pixels + c * spots,
                   spots * sizeof(float));
        }
    }
    meet(part);
}

static void find_losses(const struct part *part) {
    struct be_nn_deep *deep = part->deep;
    const int last = deep->shape->layers - 1;
    const size_t images = part->pass->count;
    size_t n;
    size_t end;
    for (share(part, images, &n, &end); n < end; n++) {
        deep->loss[n] = be_nn_image_loss(deep->value[last] + n, images, part->pass->labels[n],
                                         1 / (double)images, deep->back[deep->slots.of[last]] + n,
                                         &deep->correct[n]);
    }
    meet(part);
}

/* Adds the time since the last call to `to`, of the first member. */
static void note(const struct part *part, double *since, double *to) {
    if (part->member == 0) {
        const double now = be_now(part->pass->clock);
        *to += now - *since;
        *since = now;
    }
}

struct whole {
    struct be_nn_deep *deep;
    const struct be_nn_pass *pass;
};

static void whole_pass(void *context, int member, int members) {
    const struct whole *whole = context;
    const struct part part = {whole->deep, whole->pass, member, members};
    const int layers = whole->deep->shape->layers;
    struct be_net_step *result = whole->pass->result;
    double since = member == 0 ? be_now(whole->pass->clock) : 0;
    take_images(&part);
    for (int i = 0; i < layers; i++) {
        const struct layer layer = layer_at(&part, i);
        forward(&layer);
    }
    note(&part, &since, &result->forward_s);
    find_losses(&part);
    note(&part, &since, &result->loss_s);
    for (int i = layers - 1; whole->pass->training && i >= 0; i--) {
        const struct layer layer = layer_at(&part, i);
        finish_back(&layer);
        if (layer.place->weights) {
            multiply_back(&layer);
        }
    }
    note(&part, &since, &result->backward_s);
}

void be_nn_deep_pass(struct be_nn_deep *deep, const struct be_nn_pass *pass) {
    struct whole whole = {deep, pass};
    *pass->result = (struct be_net_step){0};
    be_team_run(deep->team, whole_pass, &whole);
    for (size_t n = 0; n < pass->count; n++) {
        pass->result->loss += deep->loss[n];
        pass->result->correct += deep->correct[n];
    }
    pass->result->loss /= (double)pass->count;
}
