/* Compiled once per instruction set, with -DBE_SIMD=suffix: convolutions with a lane an image. */
#include "nn/fast/trunk.h"

#include "host/vector.h"
#include "nn/fast/sparse.h"
#include "nn/dropout.h"
#include "nn/fast/lane_square.h"
#include "nn/fast/trunk_rows.h"

#include "nn/fast/trunk_tile.h"

enum { WIDEST = 64 }; /* spots in a row */

typedef uint8_t bytes32 __attribute__((vector_size(VECTOR_BYTES / 4)));
typedef uint32_t words32 __attribute__((vector_size(VECTOR_BYTES)));

VECTOR_INLINE vector32 chosen(mask32 mask, vector32 a, vector32 b) {
    return (vector32)((mask & (mask32)a) | (~mask & (mask32)b));
}

/* ---- lanes ---------------------------------------------------------------------------------- */

static void gather(const float *images, size_t numbers, size_t count, float *to) {
    const size_t lanes = (size_t)lanes32;
    size_t i = 0;
    for (; i + lanes <= numbers; i += lanes) {
        vector32 row[lanes32];
        for (size_t k = 0; k < lanes; k++) {
            row[k] = k < count ? load32(images + k * numbers + i) : (vector32){0};
        }
        turn_square(row);
        for (size_t k = 0; k < lanes; k++) {
            store32(to + (i + k) * lanes, row[k]);
        }
    }
    for (; i < numbers; i++) {
        for (size_t k = 0; k < lanes; k++) {
            to[i * lanes + k] = k < count ? images[k * numbers + i] : 0;
        }
    }
}

/* ---- dropout -------------------------------------------------------------------------------- */

/* The four words of be_nn_philox for each lane's image. */
static void draw(const struct be_nn_group *g, int layer, uint32_t quarter, words32 word[4]) {
    uint32_t w[4][lanes32];
    for (int k = 0; k < lanes32; k++) {
        w[0][k] = quarter;
        w[1][k] = g->image + (uint32_t)k;
        w[2][k] = g->step;
        w[3][k] = (uint32_t)layer;
    }
    uint32_t key_a = (uint32_t)g->seed;
    uint32_t key_b = (uint32_t)(g->seed >> 32);
    for (int round = 0; round < BE_PHILOX_ROUNDS; round++) {
        for (int k = 0; k < lanes32; k++) {
            const uint64_t a = (uint64_t)BE_PHILOX_A * w[0][k];
            const uint64_t b = (uint64_t)BE_PHILOX_B * w[2][k];
            w[0][k] = (uint32_t)(b >> 32) ^ w[1][k] ^ key_a;
            w[1][k] = (uint32_t)b;
            w[2][k] = (uint32_t)(a >> 32) ^ w[3][k] ^ key_b;
            w[3][k] = (uint32_t)a;
        }
        key_a += BE_PHILOX_KEY_A;
        key_b += BE_PHILOX_KEY_B;
    }
    memcpy(word, w, sizeof w);
}

/* Those of the lanes that dropout keeps of element `at`; `word` holds the draw of its quarter. */
VECTOR_INLINE mask32 kept(const struct be_nn_group *g, float drop, int layer, size_t at, bool first,
                          words32 word[4]) {
    if (first || at % 4 == 0) {
        draw(g, layer, (uint32_t)(at / 4), word);
    }
    const words32 below = (words32){0} + be_nn_drop_below(drop);
    return (mask32)(word[at % 4] >= below);
}

static void dropout(const struct be_nn_group *g, float drop, int layer, size_t rows, float *at) {
    const float scale = 1 / (1 - drop);
    words32 word[4];
    for (size_t i = 0; i < rows; i++, at += g->spot) {
        const mask32 keep = kept(g, drop, layer, i, i == 0, word);
        store32(at, (vector32)((mask32)(scale * load32(at)) & keep));
    }
}

/* ---- forward -------------------------------------------------------------------------------- */

/* A row of the output of a channel from two rows of the convolution. A NaN counts as the largest. */
static void pool_row(const struct be_nn_group *g, size_t row, const float *upper,
                     const float *lower) {
    const struct be_nn_stage *stage = g->stage;
    const size_t width = (size_t)stage->width;
    const bool drops = stage->drop > 0 && g->training;
    const float scale = drops ? 1 / (1 - stage->drop) : 1;
    const size_t lanes = (size_t)lanes32;
    words32 word[4];
    for (size_t x = 0; x < width; x++) {
        const size_t at = row * width + x;
        const float *four[] = {upper + 2 * x * lanes, upper + (2 * x + 1) * lanes,
                               lower + 2 * x * lanes, lower + (2 * x + 1) * lanes};
        vector32 best = load32(four[0]);
        mask32 from = {0};
        for (int i = 1; i < 4; i++) {
            const vector32 other = load32(four[i]);
            const mask32 more = (mask32)(other > best) | (mask32)(other != other);
            best = chosen(more, other, best);
            from = (more & i) | (~more & from);
        }
        mask32 live = ~(mask32)(best <= 0);
        if (drops) {
            live &= kept(g, stage->drop, stage->drop_layer, at, x == 0, word);
        }
        from = (live & from) | (~live & BE_NN_FROM_NONE);
        const bytes32 narrow = __builtin_convertvector(from, bytes32);
        memcpy(g->from + at * lanes, &narrow, sizeof narrow);
        store32(g->out + at * g->spot, (vector32)((mask32)(scale * best) & live));
    }
}

static void relu_row(const struct be_nn_group *g, size_t row, const float *from) {
    const struct be_nn_stage *stage = g->stage;
    const size_t width = (size_t)stage->width;
    float *out = g->out + row * width * g->spot;
    for (size_t x = 0; x < width; x++) {
        const vector32 v = load32(from + x * (size_t)lanes32);
        store32(out + x * g->spot, (vector32)((mask32)v & ~(mask32)(v < 0)));
    }
}

static void forward(const struct be_nn_group *g) {
    const struct be_nn_stage *stage = g->stage;
    const struct be_nn_place *p = stage->main;
    const size_t lanes = (size_t)lanes32;
    const size_t rows = stage->pool ? 2 : 1;
    float row[BE_NN_OUTPUTS][2][WIDEST * lanes32];
    struct tile tile = {.in_channel = (size_t)(p->height * p->width) * lanes,
                        .in_row = (size_t)p->width * lanes,
                        .channels = p->channels,
                        .size = p->layer.size,
                        .end = p->layer.size,
                        .weight_output = p->weights / (size_t)p->out_channels,
                        .out_channel = 2 * WIDEST * lanes};
    for (size_t y = 0; y < (size_t)stage->height; y++) {
        for (int o = 0; o < p->out_channels; o += BE_NN_OUTPUTS) {
            const int left = p->out_channels - o;
            const int outputs = left < BE_NN_OUTPUTS ? left : BE_NN_OUTPUTS;
            tile.weights = g->weights + p->weight + (size_t)o * tile.weight_output;
            tile.bias = g->weights + p->bias + o;
            for (size_t r = 0; r < rows; r++) {
                tile.in = g->in + (y * rows + r) * tile.in_row;
                tile.out = row[0][r];
                tile_row(&tile, (size_t)p->out_width, outputs);
            }
            for (int i = 0; i < outputs; i++) {
                const size_t at = (size_t)((o + i) * stage->height) + y;
                if (stage->pool) {
                    pool_row(g, at, row[i][0], row[i][1]);
                } else {
                    relu_row(g, at, row[i][0]);
                }
            }
        }
    }
    if (!stage->pool && stage->drop > 0 && g->training) {
        dropout(g, stage->drop, stage->drop_layer, stage->out, g->out);
    }
}

/* ---- backward ------------------------------------------------------------------------------- */

/* The gradient by a convolution's output, some rows of it: row after row, channel after channel, with size - 1 zeros
 * on either side. The last size - 1 rows before come first. */
struct strip {
    float *row;
    size_t row_floats, channel_floats;
    size_t above, side; /* size - 1; floats of zeros on a side */
    float *sums;        /* gradients of weights and biases, lane by lane */
};

static void unpool_row(const struct be_nn_group *g, int channel, size_t y, size_t rows,
                       const float *back, float *to, size_t to_row, vector32 *bias) {
    const struct be_nn_stage *stage = g->stage;
    const float scale = stage->drop > 0 ? 1 / (1 - stage->drop) : 1;
    const size_t lanes = (size_t)lanes32;
    const size_t first = ((size_t)channel * (size_t)stage->height + y / 2) * (size_t)stage->width;
    if (rows < 2) {
        memset(to, 0, (size_t)stage->main->out_width * lanes * sizeof *to);
        return;
    }
    for (size_t x = 0; x < (size_t)stage->width; x++) {
        bytes32 narrow;
        memcpy(&narrow, g->from + (first + x) * lanes, sizeof narrow);
        const mask32 from = __builtin_convertvector(narrow, mask32);
        const vector32 b = scale * load32(back + (first + x) * g->spot);
        *bias += (vector32)((mask32)b & (mask32)(from < BE_NN_FROM_NONE));
        for (int i = 0; i < 4; i++) {
            store32(to + (size_t)(i / 2) * to_row + (2 * x + (size_t)(i % 2)) * lanes,
                    (vector32)((mask32)b & (mask32)(from == i)));
        }
    }
}

static void unrelu_row(const struct be_nn_group *g, int channel, size_t y, const float *back,
                       float *to, vector32 *bias) {
    const struct be_nn_stage *stage = g->stage;
    const float scale = stage->drop > 0 ? 1 / (1 - stage->drop) : 1;
    const size_t first = ((size_t)channel * (size_t)stage->height + y) * (size_t)stage->width;
    for (size_t x = 0; x < (size_t)stage->width; x++) {
        const vector32 out = load32(g->out + (first + x) * g->spot);
        const vector32 b = scale * load32(back + (first + x) * g->spot);
        const vector32 live = (vector32)((mask32)b & (mask32)(out > 0));
        *bias += live;
        store32(to + x * (size_t)lanes32, live);
    }
}

/* Rows y to y + rows of every channel into the strip. */
static void fill_strip(const struct be_nn_group *g, const struct strip *strip, size_t y,
                       size_t rows) {
    const struct be_nn_place *p = g->stage->main;
    float *sums = strip->sums + p->weights * (size_t)lanes32;
    for (int o = 0; o < p->out_channels; o++, sums += lanes32) {
        float *to = strip->row + strip->above * strip->row_floats +
                    (size_t)o * strip->channel_floats + strip->side;
        vector32 bias = load32(sums);
        if (g->stage->pool) {
            unpool_row(g, o, y, rows, g->back, to, strip->row_floats, &bias);
        } else {
            for (size_t r = 0; r < rows; r++) {
                unrelu_row(g, o, y + r, g->back, to + r * strip->row_floats, &bias);
            }
        }
        store32(sums, bias);
    }
}

static void add_slopes(const struct be_nn_group *g, const struct strip *strip, size_t y,
                       size_t rows) {
    const struct be_nn_place *p = g->stage->main;
    const size_t lanes = (size_t)lanes32;
    const size_t size = (size_t)p->layer.size;
    struct slope slope = {.in_row = (size_t)p->width * lanes,
                          .back_row = strip->row_floats,
                          .back_channel = strip->channel_floats,
                          .rows = rows,
                          .width = (size_t)p->out_width,
                          .sum_output = p->weights / (size_t)p->out_channels * lanes};
    for (int o = 0; o < p->out_channels; o += BE_NN_OUTPUTS) {
        const int left = p->out_channels - o;
        slope_run *run = slopes[size / 2 - 1][(left < BE_NN_OUTPUTS ? left : BE_NN_OUTPUTS) - 1];
        slope.back = strip->row + strip->above * strip->row_floats +
                     (size_t)o * strip->channel_floats + strip->side;
        for (size_t c = 0; c < (size_t)p->channels; c++) {
            for (size_t v = 0; v < size; v++) {
                slope.in = g->in + ((c * (size_t)p->height + y + v) * (size_t)p->width) * lanes;
                slope.sum =
                    strip->sums + (size_t)o * slope.sum_output + (c * size + v) * size * lanes;
                run(&slope);
            }
        }
    }
}

/* Row `row` of the gradient by the input; the strip's rows begin at row y - above of the output's. */
static void input_row(const struct be_nn_group *g, const struct strip *strip, size_t y,
                      size_t row) {
    const struct be_nn_place *p = g->stage->main;
    const size_t lanes = (size_t)lanes32;
    const size_t height = (size_t)p->out_height;
    const size_t first = row < strip->above ? strip->above - row : 0;
    const size_t beyond = row < height ? 0 : row - height + 1;
    struct tile tile = {.in = strip->row + (row - y + first) * strip->row_floats,
                        .in_channel = strip->channel_floats,
                        .in_row = strip->row_floats,
                        .channels = p->out_channels,
                        .size = p->layer.size,
                        .first = (int)first,
                        .end = p->layer.size - (int)beyond,
                        .weight_output = p->weights / (size_t)p->channels,
                        .out_channel = (size_t)(p->height * p->width) * lanes};
    for (int c = 0; c < p->channels; c += BE_NN_OUTPUTS) {
        const int left = p->channels - c;
        tile.weights = g->turned + (size_t)c * tile.weight_output;
        tile.out = g->to + ((size_t)(c * p->height) + row) * (size_t)p->width * lanes;
        tile_row(&tile, (size_t)p->width, left < BE_NN_OUTPUTS ? left : BE_NN_OUTPUTS);
    }
}

/* The lanes of each sum added up, in the same order for each. */
static void add_lanes(const float *sums, size_t count, float *to) {
    for (size_t i = 0; i < count; i++, sums += lanes32) {
        float half[lanes32];
        memcpy(half, sums, sizeof half);
        for (int n = lanes32 / 2; n > 0; n /= 2) {
            for (int k = 0; k < n; k++) {
                half[k] += half[k + n];
            }
        }
        to[i] = half[0];
    }
}

static void backward(const struct be_nn_group *g) {
    const struct be_nn_place *p = g->stage->main;
    if (be_nn_sparse_can(g->stage, (size_t)lanes32)) {
        BE_SIMD_NAME(be_nn_sparse_backward)(g);
        return;
    }
    const size_t lanes = (size_t)lanes32;
    const size_t above = (size_t)p->layer.size - 1;
    const size_t height = (size_t)p->out_height;
    const size_t sums = p->weights + (size_t)p->out_channels;
    struct strip strip = {.above = above,
                          .side = above * lanes,
                          .channel_floats = ((size_t)p->out_width + 2 * above) * lanes,
                          .sums = g->scratch};
    strip.row_floats = strip.channel_floats * (size_t)p->out_channels;
    strip.row = g->scratch + sums * lanes;
    memset(g->scratch, 0, be_nn_trunk_scratch(g->stage, lanes) * sizeof(float));
    for (size_t y = 0; y < height; y += BE_NN_ROWS) {
        const size_t rows = height - y < BE_NN_ROWS ? height - y : BE_NN_ROWS;
        const size_t end = y + rows < height ? y + rows : (size_t)p->height;
        fill_strip(g, &strip, y, rows);
        add_slopes(g, &strip, y, rows);
        for (size_t row = y; g->to && row < end; row++) {
            input_row(g, &strip, y, row);
        }
        memmove(strip.row, strip.row + BE_NN_ROWS * strip.row_floats,
                above * strip.row_floats * sizeof(float));
    }
    add_lanes(strip.sums, sums, g->gradients);
}

const struct be_nn_trunk_code BE_SIMD_NAME(be_nn_trunk) = {
    .lanes = (size_t)lanes32,
    .gather = gather,
    .forward = forward,
    .backward = backward,
    .dropout = dropout,
};
