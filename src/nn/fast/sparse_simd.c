/* Compiled once per instruction set, with -DBE_SIMD=suffix: the gradients that are not zero. */
#include "nn/fast/sparse.h"

#include "nn/fast/lane_square.h"

/* Vectors of channels at a time, and rows of the square: with AVX-512 18 sums are in registers, with AVX 12. */
#if defined(__AVX512F__)
enum { WIDE = 2, ROWS = 3 };
#else
enum { WIDE = 4, ROWS = 1 };
#endif

enum { SIZE = BE_NN_SPARSE_SIZE, TAPS = BE_NN_TAPS };

/* Those of one image, one band, one output. */
struct entries {
    const struct be_nn_sparse *sparse;
    const float *value;
    const int32_t *spot;
    size_t count;
};

/* A block of WIDE vectors of channels, from `channel` on, and ROWS rows of the square, from `row` on. */
VECTOR_INLINE size_t tap_at(const struct be_nn_sparse *s, int row, size_t channel, int r, int u,
                            int v) {
    return (size_t)((row + r) * SIZE + u) * s->channels + channel + (size_t)(v * lanes32);
}

VECTOR_INLINE size_t spot_at(const struct be_nn_sparse *s, int row, size_t channel, int r, int u,
                             int v) {
    return (size_t)(row + r) * s->spot_row + (size_t)u * s->channels + channel +
           (size_t)(v * lanes32);
}

#define EACH_TAP                                                                                   \
    _Pragma("GCC unroll 3") for (int r = 0; r < ROWS; r++)                                         \
        _Pragma("GCC unroll 3") for (int u = 0; u < SIZE; u++)                                     \
            _Pragma("GCC unroll 4") for (int v = 0; v < WIDE; v++)

/* Adds to the gradients of an output's weights. */
static void add_slopes(const struct entries *e, const float *in, float *slopes, int row,
                       size_t channel) {
    const struct be_nn_sparse *s = e->sparse;
    vector32 sum[ROWS][SIZE][WIDE];
    EACH_TAP {
        sum[r][u][v] = load32(slopes + tap_at(s, row, channel, r, u, v));
    }
    for (size_t i = 0; i < e->count; i++) {
        const vector32 value = spread32(e->value[i]);
        const float *from = in + e->spot[i];
        EACH_TAP {
            sum[r][u][v] += value * load32(from + spot_at(s, row, channel, r, u, v));
        }
    }
    EACH_TAP {
        store32(slopes + tap_at(s, row, channel, r, u, v), sum[r][u][v]);
    }
}

/* Adds to the gradient by the input. */
static void add_inputs(const struct entries *e, const float *weights, float *to, int row,
                       size_t channel) {
    const struct be_nn_sparse *s = e->sparse;
    vector32 weight[ROWS][SIZE][WIDE];
    EACH_TAP {
        weight[r][u][v] = load32(weights + tap_at(s, row, channel, r, u, v));
    }
    for (size_t i = 0; i < e->count; i++) {
        const vector32 value = spread32(e->value[i]);
        float *at = to + e->spot[i];
        EACH_TAP {
            float *one = at + spot_at(s, row, channel, r, u, v);
            store32(one, load32(one) + value * weight[r][u][v]);
        }
    }
}

/* The list of an output: the spots of the band whose gradient is not zero. Returns their number. */
static size_t list(const struct be_nn_group *g, const struct be_nn_sparse *s, size_t lane,
                   size_t first, size_t windows, size_t begin, float *value, int32_t *spot,
                   float scale) {
    const size_t width = (size_t)g->stage->width;
    const int32_t down = (int32_t)s->spot_row;
    const int32_t right = (int32_t)s->channels;
    const int32_t step[] = {0, right, down, down + right, 0};
    const float *back = g->back + (begin + first) * g->spot + lane;
    const uint8_t *from = g->from + (begin + first) * (size_t)lanes32 + lane;
    size_t count = 0;
    for (size_t y = 0; y < windows / width; y++) {
        int32_t corner = 2 * (int32_t)y * down;
        for (size_t x = 0; x < width; x++, corner += 2 * right, back += g->spot, from += lanes32) {
            value[count] = *back * scale;
            spot[count] = corner + step[*from];
            count += *from < BE_NN_FROM_NONE;
        }
    }
    return count;
}

/* Rows of the input from lanes of images into images. */
static void fill_band(const struct be_nn_group *g, const struct be_nn_sparse *s, size_t y,
                      size_t rows) {
    const struct be_nn_place *p = g->stage->main;
    const size_t lanes = (size_t)lanes32;
    const size_t plane = (size_t)(p->height * p->width) * lanes;
    for (size_t i = 0; i < rows * (size_t)p->width; i++) {
        const float *from = g->in + (y * (size_t)p->width + i) * lanes;
        for (size_t c = 0; c < s->channels; c += lanes) {
            vector32 square[lanes32];
            for (size_t k = 0; k < lanes; k++) {
                square[k] = load32(from + (c + k) * plane);
            }
            turn_square(square);
            for (size_t k = 0; k < lanes; k++) {
                store32(s->band + k * s->band_floats + i * s->channels + c, square[k]);
            }
        }
    }
}

/* The gradient by the input from images into lanes of images. */
static void empty_images(const struct be_nn_group *g, const struct be_nn_sparse *s) {
    const struct be_nn_place *p = g->stage->main;
    const size_t lanes = (size_t)lanes32;
    const size_t spots = (size_t)(p->height * p->width);
    for (size_t i = 0; i < spots; i++) {
        for (size_t c = 0; c < s->channels; c += lanes) {
            vector32 square[lanes32];
            for (size_t k = 0; k < lanes; k++) {
                square[k] = load32(s->to + k * s->image_floats + i * s->channels + c);
            }
            turn_square(square);
            for (size_t k = 0; k < lanes; k++) {
                store32(g->to + ((c + k) * spots + i) * lanes, square[k]);
            }
        }
    }
}

/* Weights, or their gradients, between PyTorch's order and that in which channels are neighbours. */
static void reorder(const struct be_nn_place *p, const float *from, float *to, bool back) {
    const size_t channels = (size_t)p->channels;
    for (size_t o = 0; o < (size_t)p->out_channels; o++) {
        for (size_t c = 0; c < channels; c++) {
            for (size_t t = 0; t < TAPS; t++) {
                const size_t theirs = (o * channels + c) * TAPS + t;
                const size_t ours = (o * TAPS + t) * channels + c;
                to[back ? theirs : ours] = from[back ? ours : theirs];
            }
        }
    }
}

/* One image, `count` rows of the pool's output from `first` on. */
static void image_band(const struct be_nn_group *g, const struct be_nn_sparse *s, size_t lane,
                       size_t first, size_t count, float *bias) {
    const struct be_nn_stage *stage = g->stage;
    const size_t width = (size_t)stage->width;
    const size_t spots = width * (size_t)stage->height;
    const size_t taps = TAPS * s->channels;
    const float scale = stage->drop > 0 ? 1 / (1 - stage->drop) : 1;
    const float *in = s->band + lane * s->band_floats;
    float *to = s->to + lane * s->image_floats + 2 * first * s->spot_row;
    struct entries e = {s, s->value, s->spot, 0};
    for (size_t o = 0; o < (size_t)stage->main->out_channels; o++) {
        e.count =
            list(g, s, lane, first * width, count * width, o * spots, s->value, s->spot, scale);
        for (size_t i = 0; i < e.count; i++) {
            bias[o] += e.value[i];
        }
        for (size_t c = 0; c < s->channels; c += WIDE * lanes32) {
            for (int row = 0; row < SIZE; row += ROWS) {
                add_slopes(&e, in, s->slopes + o * taps, row, c);
                if (g->to) {
                    add_inputs(&e, s->weights + o * taps, to, row, c);
                }
            }
        }
    }
}

void BE_SIMD_NAME(be_nn_sparse_backward)(const struct be_nn_group *g) {
    const struct be_nn_stage *stage = g->stage;
    const struct be_nn_place *p = stage->main;
    const size_t height = (size_t)stage->height;
    float *bias = g->gradients + p->weights;
    struct be_nn_sparse s;
    be_nn_sparse_place(stage, (size_t)lanes32, g->scratch, &s);
    memset(bias, 0, (size_t)p->out_channels * sizeof *bias);
    memset(s.slopes, 0, p->weights * sizeof(float));
    if (g->to) {
        memset(s.to, 0, (size_t)lanes32 * s.image_floats * sizeof(float));
        reorder(p, g->weights + p->weight, s.weights, false);
    }
    for (size_t y = 0; y < height; y += BE_NN_BAND) {
        const size_t count = height - y < BE_NN_BAND ? height - y : BE_NN_BAND;
        fill_band(g, &s, 2 * y, 2 * count + SIZE - 1);
        for (size_t lane = 0; lane < (size_t)lanes32; lane++) {
            image_band(g, &s, lane, y, count, bias);
        }
    }
    reorder(p, s.slopes, g->gradients, true);
    if (g->to) {
        empty_images(g, &s);
    }
}
