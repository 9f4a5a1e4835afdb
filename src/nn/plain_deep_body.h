/*
 * The body of plain.c for nets of residual blocks, for one type (plain_body.h). Their batch norms need a whole batch,
 * so each function is of one layer and all images, image after image. On the way back it adds to `to`, and to the
 * gradients of the weights.
 */

struct OF_TYPE(deep) {
    const struct be_nn_pass *pass;
    const REAL *weights, *images;
    REAL *gradients;
    /* By place: outputs, those before batch norm, gradients by outputs, means, and 1 / deviations. */
    REAL *value[BE_NN_PLACES_MAX], *before[BE_NN_PLACES_MAX], *back[BE_NN_PLACES_MAX],
        *mean[BE_NN_PLACES_MAX], *inverse[BE_NN_PLACES_MAX];
};

/* The number of the input that a convolution or a pool sees at (row, column) of its square; -1: beyond the edge. */
static int OF_TYPE(seen_at)(const struct be_nn_place *p, int y, int x, int row, int column) {
    const int stride = p->layer.kind == BE_NN_POOL ? 2 : p->layer.stride ? p->layer.stride : 1;
    const int pad = p->layer.kind == BE_NN_POOL ? 1 : p->layer.pad;
    const int v = y * stride + row - pad;
    const int u = x * stride + column - pad;
    return v >= 0 && v < p->height && u >= 0 && u < p->width ? v * p->width + u : -1;
}

/* One output channel of one image; `back` NULL: forward. */
static void OF_TYPE(convolve_channel)(const struct OF_TYPE(deep) * d, const struct be_nn_place *p,
                                      int o, const REAL *in, REAL *out, const REAL *back,
                                      REAL *to) {
    const int k = p->layer.size;
    const size_t first = p->weight + (size_t)o * (p->weights / (size_t)p->out_channels);
    for (int spot = 0; spot < p->out_height * p->out_width; spot++) {
        REAL sum = 0;
        for (int i = 0; i < p->channels * k * k; i++) {
            const int at =
                OF_TYPE(seen_at)(p, spot / p->out_width, spot % p->out_width, i / k % k, i % k);
            const int from = i / (k * k) * p->height * p->width + at;
            if (at >= 0 && !back) {
                sum += d->weights[first + (size_t)i] * in[from];
            } else if (at >= 0) {
                d->gradients[first + (size_t)i] += back[spot] * in[from];
                if (to) {
                    to[from] += back[spot] * d->weights[first + (size_t)i];
                }
            }
        }
        if (!back) {
            out[spot] = sum;
        }
    }
}

/* The largest of a square of 3 x 3; the first one of equals, and a NaN counts as the largest. */
static int OF_TYPE(largest_of_nine)(const struct be_nn_place *p, const REAL *in, int spot) {
    int best = -1;
    for (int i = 0; i < 9; i++) {
        const int at = OF_TYPE(seen_at)(p, spot / p->out_width, spot % p->out_width, i / 3, i % 3);
        if (at >= 0 && (best < 0 || in[at] > in[best] || isnan(in[at]))) {
            best = at;
        }
    }
    return best;
}

/* One channel of one image of a layer without weights; `back` NULL: forward. */
static void OF_TYPE(reduce_channel)(const struct be_nn_place *p, const REAL *in, REAL *out,
                                    const REAL *back, REAL *to) {
    const int spots = p->height * p->width;
    for (int i = 0; p->layer.kind == BE_NN_POOL && i < p->out_height * p->out_width; i++) {
        const int at = OF_TYPE(largest_of_nine)(p, in, i);
        if (back) {
            to[at] += back[i];
        } else {
            out[i] = in[at];
        }
    }
    for (int i = 0; p->layer.kind == BE_NN_MEAN && i < spots; i++) {
        if (back) {
            to[i] += back[0] / (REAL)spots;
        } else {
            out[0] = (i ? out[0] : 0) + in[i] / (REAL)spots;
        }
    }
}

/* All but batch norm of one layer; forward: `back` is false. */
static void OF_TYPE(one_layer)(const struct OF_TYPE(deep) * d, int layer, bool back) {
    const struct be_nn_place *p = &d->pass->shape->place[layer];
    const REAL *from = p->input < 0 ? d->images : d->value[p->input];
    REAL *outputs = p->layer.norm ? d->before[layer] : d->value[layer];
    const size_t spots = (size_t)p->out_height * (size_t)p->out_width;
    const size_t inputs = (size_t)p->height * (size_t)p->width;
    for (size_t n = 0; n < d->pass->count; n++) {
        const REAL *in = from + n * p->in;
        REAL *out = outputs + n * p->out;
        REAL *gradient = back ? d->back[layer] + n * p->out : NULL;
        REAL *to = back && p->input >= 0 ? d->back[p->input] + n * p->in : NULL;
        if (p->layer.kind == BE_NN_DENSE) {
            const struct OF_TYPE(image) image = {d->pass, d->weights, d->gradients, n};
            if (back) {
                OF_TYPE(dense_backward)(p, &image, in, gradient, to);
            } else {
                OF_TYPE(dense_forward)(p, d->weights, in, out);
            }
        }
        for (int o = 0; p->layer.kind != BE_NN_DENSE && o < p->out_channels; o++) {
            const size_t at = (size_t)o * spots;
            if (p->weights) {
                OF_TYPE(convolve_channel)
                (d, p, o, in, out + at, back ? gradient + at : NULL, to);
            } else {
                OF_TYPE(reduce_channel)
                (p, in + (size_t)o * inputs, out + at, back ? gradient + at : NULL,
                 to ? to + (size_t)o * inputs : NULL);
            }
        }
    }
}

/* Batch norm of a channel, what is added, and ReLU (Ioffe, Szegedy: Batch Normalization; 2015). */
static void OF_TYPE(normalise)(const struct OF_TYPE(deep) * d, int layer, size_t o) {
    const struct be_nn_place *p = &d->pass->shape->place[layer];
    const size_t spots = (size_t)p->out_height * (size_t)p->out_width;
    const size_t channels = (size_t)p->out_channels;
    const size_t all = d->pass->count * spots;
    const float *known = d->pass->statistics + p->statistic;
    REAL mean = 0;
    REAL variance = 0;
    for (size_t i = 0; i < all; i++) {
        mean += d->before[layer][i / spots * p->out + o * spots + i % spots] / (REAL)all;
    }
    for (size_t i = 0; i < all; i++) {
        const REAL off = d->before[layer][i / spots * p->out + o * spots + i % spots] - mean;
        variance += off * off / (REAL)all;
    }
    if (d->pass->training) {
        d->pass->seen[p->statistic + o] = (float)mean;
        d->pass->seen[p->statistic + channels + o] =
            (float)(variance * (REAL)all / (REAL)(all - 1));
    } else {
        mean = (REAL)known[o];
        variance = (REAL)known[channels + o];
    }
    d->mean[layer][o] = mean;
    d->inverse[layer][o] = (REAL)(1 / sqrt((double)variance + BE_NN_NORM_EPSILON));
    for (size_t i = 0; i < all; i++) {
        const size_t at = i / spots * p->out + o * spots + i % spots;
        const REAL v =
            d->weights[p->scale + o] * (d->before[layer][at] - mean) * d->inverse[layer][o] +
            d->weights[p->bias + o] + (p->add < 0 ? 0 : d->value[p->add][at]);
        d->value[layer][at] = p->layer.relu && v < 0 ? 0 : v;
    }
}

static void OF_TYPE(unnormalise)(const struct OF_TYPE(deep) * d, int layer, size_t o) {
    const struct be_nn_place *p = &d->pass->shape->place[layer];
    const size_t spots = (size_t)p->out_height * (size_t)p->out_width;
    const size_t all = d->pass->count * spots;
    const REAL scale = d->weights[p->scale + o];
    const REAL inverse = d->inverse[layer][o];
    REAL sum = 0;
    REAL with = 0; /* of products with the normalised outputs */
    for (size_t i = 0; i < all; i++) {
        const size_t at = i / spots * p->out + o * spots + i % spots;
        REAL *back = &d->back[layer][at];
        *back = p->layer.relu && !(d->value[layer][at] > 0) ? 0 : *back;
        if (p->add >= 0) {
            d->back[p->add][at] += *back;
        }
        sum += *back;
        with += *back * (d->before[layer][at] - d->mean[layer][o]) * inverse;
    }
    d->gradients[p->scale + o] += with;
    d->gradients[p->bias + o] += sum;
    for (size_t i = 0; i < all; i++) {
        const size_t at = i / spots * p->out + o * spots + i % spots;
        const REAL normal = (d->before[layer][at] - d->mean[layer][o]) * inverse;
        d->back[layer][at] =
            scale * inverse * (d->back[layer][at] - (sum + normal * with) / (REAL)all);
    }
}

static void OF_TYPE(deep_forward)(const struct OF_TYPE(deep) * d) {
    for (int i = 0; i < d->pass->shape->layers; i++) {
        const struct be_nn_place *p = &d->pass->shape->place[i];
        OF_TYPE(one_layer)(d, i, false);
        for (int o = 0; p->layer.norm && o < p->out_channels; o++) {
            OF_TYPE(normalise)(d, i, (size_t)o);
        }
    }
}

static void OF_TYPE(deep_backward)(const struct OF_TYPE(deep) * d) {
    for (int i = d->pass->shape->layers - 1; i >= 0; i--) {
        const struct be_nn_place *p = &d->pass->shape->place[i];
        for (int o = 0; p->layer.norm && o < p->out_channels; o++) {
            OF_TYPE(unnormalise)(d, i, (size_t)o);
        }
        OF_TYPE(one_layer)(d, i, true);
    }
}

static void OF_TYPE(lay_out)(struct OF_TYPE(deep) * d, REAL *scratch) {
    for (int i = 0; i < d->pass->shape->layers; i++) {
        const struct be_nn_place *p = &d->pass->shape->place[i];
        const size_t numbers = d->pass->count * p->out;
        d->value[i] = scratch;
        d->before[i] = scratch + numbers;
        d->back[i] = scratch + 2 * numbers;
        d->mean[i] = scratch + 3 * numbers;
        d->inverse[i] = d->mean[i] + p->out_channels;
        scratch = d->inverse[i] + p->out_channels;
        memset(d->back[i], 0, numbers * sizeof *scratch);
    }
}

static void OF_TYPE(deep_pass)(const struct be_nn_pass *pass, const REAL *weights,
                               const REAL *images, REAL *gradients, REAL *scratch) {
    struct OF_TYPE(deep) deep = {pass, weights, images, gradients, {0}, {0}, {0}, {0}, {0}};
    const int last = pass->shape->layers - 1;
    struct be_net_step *result = pass->result;
    bool correct;
    *result = (struct be_net_step){0};
    OF_TYPE(lay_out)(&deep, scratch);
    double before = be_now(pass->clock);
    OF_TYPE(deep_forward)(&deep);
    result->forward_s = be_now(pass->clock) - before;
    for (size_t n = 0; n < pass->count; n++) {
        const size_t at = n * BE_NET_CLASSES;
        result->loss += OF_TYPE(loss)(deep.value[last] + at, pass->labels[n], pass->count,
                                      deep.back[last] + at, &correct);
        result->correct += correct;
    }
    result->loss /= (double)pass->count;
    before = be_now(pass->clock);
    if (pass->training) {
        memset(gradients, 0, pass->shape->parameters * sizeof *gradients);
        OF_TYPE(deep_backward)(&deep);
        result->backward_s = be_now(pass->clock) - before;
    }
}
