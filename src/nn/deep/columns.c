#include "nn/deep/columns.h"

#include <math.h>
#include <string.h>

/* The outputs along a side whose inputs under spot `at` of the square exist: [first, end). */
struct span {
    int first, end;
};

static int stride_of(const struct be_nn_place *p) {
    return p->layer.kind == BE_NN_POOL ? 2 : p->layer.stride ? p->layer.stride : 1;
}

static struct span span_of(const struct be_nn_place *p, int at, int inputs, int outputs) {
    const int stride = stride_of(p);
    const int off = at - p->layer.pad; /* of output 0's input */
    struct span span = {off < 0 ? (-off + stride - 1) / stride : 0,
                        inputs - off > 0 ? (inputs - off - 1) / stride + 1 : 0};
    span.end = span.end < outputs ? span.end : outputs;
    span.first = span.first < span.end ? span.first : span.end;
    return span;
}

void be_nn_columns_take(const struct be_nn_place *p, size_t row, size_t images, const float *in,
                        float *to) {
    const int k = p->layer.size;
    const int stride = stride_of(p);
    const int spot = (int)(row % ((size_t)k * (size_t)k));
    const size_t inputs = (size_t)p->height * (size_t)p->width;
    const struct span down = span_of(p, spot / k, p->height, p->out_height);
    const struct span across = span_of(p, spot % k, p->width, p->out_width);
    const int width = across.end - across.first;
    const float *from = in + row / ((size_t)k * (size_t)k) * inputs * images;
    memset(to, 0, images * (size_t)p->out_height * (size_t)p->out_width * sizeof *to);
    for (size_t n = 0; n < images; n++, from += inputs) {
        for (int y = 0; y < p->out_height; y++, to += p->out_width) {
            if (y < down.first || y >= down.end) {
                continue;
            }
            const float *line = from + (y * stride + spot / k - p->layer.pad) * p->width +
                                (across.first * stride + spot % k - p->layer.pad);
            for (int x = 0; x < width; x++) {
                to[across.first + x] = line[x * stride];
            }
        }
    }
}

void be_nn_columns_put(const struct be_nn_place *p, size_t channel, size_t images, bool begins,
                       const float *rows, float *to) {
    const int k = p->layer.size;
    const int stride = stride_of(p);
    const size_t inputs = (size_t)p->height * (size_t)p->width;
    const size_t outputs = (size_t)p->out_height * (size_t)p->out_width;
    if (begins) {
        memset(to, 0, images * inputs * sizeof *to);
    }
    for (int spot = 0; spot < k * k; spot++) {
        const struct span down = span_of(p, spot / k, p->height, p->out_height);
        const struct span across = span_of(p, spot % k, p->width, p->out_width);
        const int width = across.end - across.first;
        const float *row =
            rows + (channel * (size_t)k * (size_t)k + (size_t)spot) * images * outputs;
        for (size_t n = 0; n < images; n++) {
            for (int y = down.first; y < down.end; y++) {
                const float *from = row + n * outputs + (size_t)(y * p->out_width + across.first);
                float *line = to + n * inputs + (y * stride + spot / k - p->layer.pad) * p->width +
                              (across.first * stride + spot % k - p->layer.pad);
                for (int x = 0; x < width; x++) {
                    line[x * stride] += from[x];
                }
            }
        }
    }
}

/* ---- layers without weights ------------------------------------------------------------------ */

/* The largest of a square of 3 x 3 of one image; the first one of equals, and a NaN counts as the largest. */
static int largest_at(const struct be_nn_place *p, const float *in, int y, int x) {
    int best = -1;
    for (int v = 2 * y - 1; v < 2 * y + 2; v++) {
        for (int u = 2 * x - 1; u < 2 * x + 2; u++) {
            const int at = v * p->width + u;
            const bool is = v >= 0 && v < p->height && u >= 0 && u < p->width;
            if (is && (best < 0 || in[at] > in[best] || isnan(in[at]))) {
                best = at;
            }
        }
    }
    return best;
}

static float mean_of(const float *in, size_t count) {
    float sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += in[i];
    }
    return sum / (float)count;
}

void be_nn_reduce(const struct be_nn_place *p, size_t images, const float *in, float *out) {
    const size_t inputs = (size_t)p->height * (size_t)p->width;
    for (size_t n = 0; n < images; n++, in += inputs) {
        if (p->layer.kind == BE_NN_MEAN) {
            *out++ = mean_of(in, inputs);
            continue;
        }
        for (int i = 0; i < p->out_height * p->out_width; i++) {
            *out++ = in[largest_at(p, in, i / p->out_width, i % p->out_width)];
        }
    }
}

void be_nn_unreduce(const struct be_nn_place *p, size_t images, bool begins, const float *in,
                    const float *back, float *to) {
    const size_t inputs = (size_t)p->height * (size_t)p->width;
    if (begins) {
        memset(to, 0, images * inputs * sizeof *to);
    }
    for (size_t n = 0; n < images; n++, in += inputs, to += inputs) {
        if (p->layer.kind == BE_NN_MEAN) {
            const float each = *back++ / (float)inputs;
            for (size_t i = 0; i < inputs; i++) {
                to[i] += each;
            }
            continue;
        }
        for (int i = 0; i < p->out_height * p->out_width; i++) {
            to[largest_at(p, in, i / p->out_width, i % p->out_width)] += *back++;
        }
    }
}
