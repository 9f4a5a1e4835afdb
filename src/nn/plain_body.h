/*
 * The body of plain.c for one type: REAL, and OF_TYPE(name) the name for it.
 *
 * Each function is of one image and one layer. Backward: `back` is the gradient by the layer's output; it adds to
 * the gradients of the weights, and writes that by the input to `to` unless that is NULL.
 */

/* The numbers that layers of an image work on. */
struct OF_TYPE(image) {
    const struct be_nn_pass *pass;
    const REAL *weights;
    REAL *gradients;
    size_t index; /* of the image in the batch */
};

static void OF_TYPE(conv_forward)(const struct be_nn_place *p, const REAL *weights, const REAL *in,
                                  REAL *out) {
    const int k = p->layer.size;
    for (int o = 0; o < p->out_channels; o++) {
        for (int y = 0; y < p->out_height; y++) {
            for (int x = 0; x < p->out_width; x++) {
                const REAL *w =
                    weights + p->weight + (size_t)o * (p->weights / (size_t)p->out_channels);
                REAL sum = weights[p->bias + (size_t)o];
                for (int row = 0; row < p->channels * k; row++) {
                    const REAL *from = in + ((row / k) * p->height + y + row % k) * p->width + x;
                    for (int v = 0; v < k; v++) {
                        sum += *w++ * from[v];
                    }
                }
                *out++ = sum;
            }
        }
    }
}

static void OF_TYPE(conv_backward)(const struct be_nn_place *p, const struct OF_TYPE(image) * image,
                                   const REAL *in, const REAL *back, REAL *to) {
    const int k = p->layer.size;
    for (int o = 0; o < p->out_channels; o++) {
        const size_t first = p->weight + (size_t)o * (p->weights / (size_t)p->out_channels);
        for (int y = 0; y < p->out_height; y++) {
            for (int x = 0; x < p->out_width; x++) {
                const REAL *w = image->weights + first;
                REAL *g = image->gradients + first;
                const REAL b = *back++;
                image->gradients[p->bias + (size_t)o] += b;
                for (int row = 0; row < p->channels * k; row++) {
                    const int at = ((row / k) * p->height + y + row % k) * p->width + x;
                    for (int v = 0; v < k; v++) {
                        *g++ += b * in[at + v];
                        if (to) {
                            to[at + v] += b * *w++;
                        }
                    }
                }
            }
        }
    }
}

/* Where the maximum of the square at (y, x) of the output is: the first one; a NaN counts as the largest. */
static size_t OF_TYPE(largest)(const struct be_nn_place *p, const REAL *in, int c, int y, int x) {
    const size_t width = (size_t)p->width;
    const size_t corner = ((size_t)c * (size_t)p->height + 2 * (size_t)y) * width + 2 * (size_t)x;
    const size_t at[] = {corner, corner + 1, corner + width, corner + width + 1};
    size_t best = at[0];
    for (int i = 1; i < 4; i++) {
        if (in[at[i]] > in[best] || isnan(in[at[i]])) {
            best = at[i];
        }
    }
    return best;
}

static void OF_TYPE(pool)(const struct be_nn_place *p, const REAL *in, REAL *out) {
    for (int c = 0; c < p->channels; c++) {
        for (int y = 0; y < p->out_height; y++) {
            for (int x = 0; x < p->out_width; x++) {
                *out++ = in[OF_TYPE(largest)(p, in, c, y, x)];
            }
        }
    }
}

static void OF_TYPE(unpool)(const struct be_nn_place *p, const REAL *in, const REAL *back,
                            REAL *to) {
    for (int c = 0; c < p->channels; c++) {
        for (int y = 0; y < p->out_height; y++) {
            for (int x = 0; x < p->out_width; x++) {
                to[OF_TYPE(largest)(p, in, c, y, x)] += *back++;
            }
        }
    }
}

static void OF_TYPE(dropout)(const struct be_nn_place *p, const struct OF_TYPE(image) * image,
                             int layer, const REAL *from, REAL *to) {
    const struct be_nn_pass *pass = image->pass;
    const uint32_t below = be_nn_drop_below(p->layer.drop);
    const REAL scale = 1 / (1 - (REAL)p->layer.drop);
    uint32_t word[4];
    for (size_t i = 0; i < p->in; i++) {
        if (i % 4 == 0) {
            be_nn_philox(pass->seed, pass->step, (uint32_t)layer, (uint32_t)image->index,
                         (uint32_t)(i / 4), word);
        }
        to[i] = !pass->training ? from[i] : word[i % 4] < below ? 0 : from[i] * scale;
    }
}

static void OF_TYPE(dense_forward)(const struct be_nn_place *p, const REAL *weights, const REAL *in,
                                   REAL *out) {
    for (size_t o = 0; o < p->out; o++) {
        const REAL *w = weights + p->weight + o * p->in;
        out[o] = weights[p->bias + o];
        for (size_t i = 0; i < p->in; i++) {
            out[o] += w[i] * in[i];
        }
    }
}

static void OF_TYPE(dense_backward)(const struct be_nn_place *p,
                                    const struct OF_TYPE(image) * image, const REAL *in,
                                    const REAL *back, REAL *to) {
    for (size_t o = 0; o < p->out; o++) {
        const size_t first = p->weight + o * p->in;
        image->gradients[p->bias + o] += back[o];
        for (size_t i = 0; i < p->in; i++) {
            image->gradients[first + i] += back[o] * in[i];
            if (to) {
                to[i] += back[o] * image->weights[first + i];
            }
        }
    }
}

static void OF_TYPE(forward)(const struct OF_TYPE(image) * image, int layer, const REAL *in,
                             REAL *out) {
    const struct be_nn_place *p = &image->pass->shape->place[layer];
    switch (p->layer.kind) {
    case BE_NN_CONV:
        OF_TYPE(conv_forward)(p, image->weights, in, out);
        break;
    case BE_NN_POOL:
        OF_TYPE(pool)(p, in, out);
        break;
    case BE_NN_DROPOUT:
        OF_TYPE(dropout)(p, image, layer, in, out);
        break;
    case BE_NN_DENSE:
        OF_TYPE(dense_forward)(p, image->weights, in, out);
        break;
    case BE_NN_MEAN: /* in deep nets only */
        break;
    }
    for (size_t i = 0; p->layer.relu && i < p->out; i++) {
        out[i] = out[i] < 0 ? 0 : out[i]; /* a NaN stays one */
    }
}

static void OF_TYPE(backward)(const struct OF_TYPE(image) * image, int layer, const REAL *in,
                              const REAL *out, REAL *back, REAL *to) {
    const struct be_nn_place *p = &image->pass->shape->place[layer];
    for (size_t i = 0; p->layer.relu && i < p->out; i++) {
        back[i] = out[i] > 0 ? back[i] : 0;
    }
    if (to) {
        memset(to, 0, p->in * sizeof *to);
    }
    switch (p->layer.kind) {
    case BE_NN_CONV:
        OF_TYPE(conv_backward)(p, image, in, back, to);
        break;
    case BE_NN_POOL:
        OF_TYPE(unpool)(p, in, back, to);
        break;
    case BE_NN_DROPOUT:
        OF_TYPE(dropout)(p, image, layer, back, to);
        break;
    case BE_NN_DENSE:
        OF_TYPE(dense_backward)(p, image, in, back, to);
        break;
    case BE_NN_MEAN:
        break;
    }
}

/* Log-softmax and cross-entropy of one image; `back` is that of the mean over `count` images. */
static double OF_TYPE(loss)(const REAL *out, size_t label, size_t count, REAL *back,
                            bool *correct) {
    REAL max = out[0];
    size_t best = 0;
    double sum = 0;
    for (size_t i = 1; i < BE_NET_CLASSES; i++) {
        best = out[i] > max ? i : best;
        max = out[best];
    }
    for (size_t i = 0; i < BE_NET_CLASSES; i++) {
        sum += exp((double)(out[i] - max));
    }
    for (size_t i = 0; i < BE_NET_CLASSES; i++) {
        const double share = exp((double)(out[i] - max)) / sum;
        back[i] = (REAL)((share - (i == label)) / (double)count);
    }
    *correct = best == label;
    return log(sum) - (double)(out[label] - max);
}

static void OF_TYPE(whole_image)(const struct OF_TYPE(image) * image, const REAL *pixels,
                                 REAL *scratch) {
    const struct be_nn_pass *pass = image->pass;
    const struct be_nn_shape *shape = pass->shape;
    struct be_net_step *result = pass->result;
    REAL *at[BE_NN_LAYERS_MAX + 1] = {scratch};
    size_t widest = shape->pixels;
    bool correct;
    double before = be_now(pass->clock);
    memcpy(at[0], pixels, shape->pixels * sizeof *pixels);
    for (int i = 0; i < shape->layers; i++) {
        const struct be_nn_place *p = &shape->place[i];
        at[i + 1] = at[i] + p->in;
        widest = p->out > widest ? p->out : widest;
        OF_TYPE(forward)(image, i, at[i], at[i + 1]);
    }
    double now = be_now(pass->clock);
    result->forward_s += now - before;
    before = now;
    REAL *back = at[shape->layers] + BE_NET_CLASSES;
    REAL *to = back + widest;
    result->loss +=
        OF_TYPE(loss)(at[shape->layers], pass->labels[image->index], pass->count, back, &correct);
    result->correct += correct;
    now = be_now(pass->clock);
    result->loss_s += now - before;
    for (int i = shape->layers - 1; pass->training && i >= 0; i--) {
        OF_TYPE(backward)(image, i, at[i], at[i + 1], back, i > 0 ? to : NULL);
        REAL *swap = back;
        back = to;
        to = swap;
    }
    result->backward_s += pass->training ? be_now(pass->clock) - now : 0;
}

static void OF_TYPE(pass)(const struct be_nn_pass *pass, const REAL *weights, const REAL *images,
                          REAL *gradients, REAL *scratch) {
    struct OF_TYPE(image) image = {pass, weights, gradients, 0};
    *pass->result = (struct be_net_step){0};
    if (pass->training) {
        memset(gradients, 0, pass->shape->parameters * sizeof *gradients);
    }
    for (; image.index < pass->count; image.index++) {
        OF_TYPE(whole_image)(&image, images + image.index * pass->shape->pixels, scratch);
    }
    pass->result->loss /= (double)pass->count;
}
