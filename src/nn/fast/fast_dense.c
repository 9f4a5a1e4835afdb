#include "nn/fast/fast_dense.h"

#include "math/gemm.h"
#include "nn/loss.h"

static void share(const struct be_nn_part *part, size_t items, size_t *first, size_t *end) {
    size_t count;
    be_team_share(items, 1, part->member, part->members, first, &count);
    *end = *first + count;
}

static void multiply(const struct be_nn_part *part, const struct be_host_gemm *gemm) {
    be_gemm_part(gemm, part->fast->product, part->fast->team, part->member, part->members);
}

/* Rows of a layer's output: bias and ReLU. */
static void finish_row(const struct be_nn_part *part, const struct be_nn_stage *stage, size_t o,
                       float *row) {
    const float bias = part->pass->weights[stage->main->bias + o];
    const bool relu = stage->main->layer.relu;
    for (size_t i = 0; i < part->padded; i++) {
        const float v = row[i] + bias;
        row[i] = relu && v < 0 ? 0 : v;
    }
}

/* Dropout of one group of images in all of a layer's outputs. */
static void drop_group(const struct be_nn_part *part, const struct be_nn_stage *stage, size_t group,
                       float *out) {
    const struct be_nn_fast *fast = part->fast;
    const size_t at = group * fast->code.lanes;
    const struct be_nn_group all = {.spot = fast->stride,
                                    .training = true,
                                    .seed = part->pass->seed,
                                    .step = part->pass->step,
                                    .image = (uint32_t)(part->first + at)};
    fast->code.dropout(&all, stage->drop, stage->drop_layer, stage->out, out + at);
}

static void layer_forward(const struct be_nn_part *part, int layer) {
    struct be_nn_fast *fast = part->fast;
    const struct be_nn_stage *stage = &fast->stages.layer[layer];
    const struct be_nn_place *p = stage->main;
    float *out = fast->number[layer + 1];
    const struct be_host_gemm gemm = {.m = (int64_t)part->padded,
                                      .n = (int64_t)p->out,
                                      .k = (int64_t)p->in,
                                      .alpha = 1,
                                      .a = fast->number[layer],
                                      .b = part->pass->weights + p->weight,
                                      .c = out,
                                      .a_stride = (int64_t)fast->stride,
                                      .b_stride = (int64_t)p->in,
                                      .c_stride = (int64_t)fast->stride};
    size_t at;
    size_t end;
    multiply(part, &gemm);
    for (share(part, p->out, &at, &end); at < end; at++) {
        finish_row(part, stage, at, out + at * fast->stride);
    }
    be_team_barrier(fast->team);
    if (stage->drop > 0 && part->pass->training) {
        for (share(part, part->padded / fast->code.lanes, &at, &end); at < end; at++) {
            drop_group(part, stage, at, out);
        }
        be_team_barrier(fast->team);
    }
}

void be_nn_dense_forward(const struct be_nn_part *part) {
    for (int i = 0; i < part->fast->stages.dense; i++) {
        layer_forward(part, i);
    }
}

void be_nn_dense_loss(const struct be_nn_part *part) {
    struct be_nn_fast *fast = part->fast;
    const float *out = fast->number[fast->stages.dense];
    float *back = fast->back[0];
    size_t i;
    size_t end;
    for (share(part, part->padded, &i, &end); i < end; i++) {
        if (i < part->count) {
            const size_t at = part->first + i;
            fast->loss[at] =
                be_nn_image_loss(out + i, fast->stride, part->pass->labels[at],
                                 1 / (double)part->pass->count, back + i, &fast->correct[at]);
        } else {
            for (size_t o = 0; o < BE_NET_CLASSES; o++) {
                back[o * fast->stride + i] = 0;
            }
        }
    }
}

/* Rows of the gradient by a layer's output: through dropout and ReLU, and its sum, which is the bias's. */
static void unfinish_row(const struct be_nn_part *part, const struct be_nn_stage *stage, size_t o,
                         const float *out, float *back) {
    const bool relu = stage->main->layer.relu;
    const float scale = stage->drop > 0 ? 1 / (1 - stage->drop) : 1;
    float *bias = part->pass->gradients + stage->main->bias + o;
    float sum = 0;
    for (size_t i = 0; i < part->padded; i++) {
        back[i] = relu && !(out[i] > 0) ? 0 : back[i] * scale;
        sum += back[i];
    }
    *bias = part->first > 0 ? *bias + sum : sum;
}

static void layer_backward(const struct be_nn_part *part, int layer, const float *back, float *to) {
    struct be_nn_fast *fast = part->fast;
    const struct be_nn_place *p = fast->stages.layer[layer].main;
    const struct be_host_gemm by_weights = {.transpose_a = true,
                                            .m = (int64_t)p->in,
                                            .n = (int64_t)p->out,
                                            .k = (int64_t)part->padded,
                                            .alpha = 1,
                                            .beta = part->first > 0,
                                            .a = fast->number[layer],
                                            .b = back,
                                            .c = part->pass->gradients + p->weight,
                                            .a_stride = (int64_t)fast->stride,
                                            .b_stride = (int64_t)fast->stride,
                                            .c_stride = (int64_t)p->in};
    const struct be_host_gemm by_input = {.transpose_b = true,
                                          .m = (int64_t)part->padded,
                                          .n = (int64_t)p->in,
                                          .k = (int64_t)p->out,
                                          .alpha = 1,
                                          .a = back,
                                          .b = part->pass->weights + p->weight,
                                          .c = to,
                                          .a_stride = (int64_t)fast->stride,
                                          .b_stride = (int64_t)p->in,
                                          .c_stride = (int64_t)fast->stride};
    multiply(part, &by_weights);
    multiply(part, &by_input);
}

int be_nn_dense_backward(const struct be_nn_part *part) {
    struct be_nn_fast *fast = part->fast;
    int now = 0;
    for (int i = fast->stages.dense - 1; i >= 0; i--, now = !now) {
        const struct be_nn_stage *stage = &fast->stages.layer[i];
        size_t at;
        size_t end;
        for (share(part, stage->main->out, &at, &end); at < end; at++) {
            unfinish_row(part, stage, at, fast->number[i + 1] + at * fast->stride,
                         fast->back[now] + at * fast->stride);
        }
        be_team_barrier(fast->team);
        layer_backward(part, i, fast->back[now], fast->back[!now]);
    }
    return now;
}
