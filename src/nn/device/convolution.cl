/*
 * One convolution of a net with its bias, ReLU, pool and dropout, and back: built for each with its sizes as
 * definitions. Images lie one after the other, each channel after channel, row after row.
 *
 *   CI CO        channels of the input and of the output
 *   H W K        height and width of the input, side of the square
 *   POOL         1: the maximum of 2 x 2 follows; 0: not
 *   WEIGHT BIAS  where they begin in the arrays of weights
 *   OUTPUTS      output channels that a lane of the forward pass computes at once; they divide CO
 *   INPUTS       input channels that a lane computes at once of the gradient by the input; they divide CI
 *   SLOPE_OUTPUTS SLOPE_INPUTS  channels whose gradients by weights a lane adds at once; they divide CO and CI
 *   DROP_BELOW DROP_SCALE DROP_LAYER  dropout: words below it drop; 0: none
 *   MASK_SCALE   0: a pool made the input; else the input passed a ReLU, and its gradient is times this where it did
 *   POOLED       1: the way back is that of pooled.h
 *
 * The gradient by what leaves (`back`) has passed ReLU and dropout, where no pool follows. With a pool, `from` says
 * which of four spots the pool took.
 */
#include "kernels/dialect.h"
#include "nn/device/drop.h"

#if !defined(CI)
#define CI 32
#define CO 64
#define H 26
#define W 26
#define K 3
#define POOL 1
#define WEIGHT 320
#define BIAS 18752
#define OUTPUTS 8
#define INPUTS 4
#define SLOPE_OUTPUTS 8
#define SLOPE_INPUTS 1
#define DROP_BELOW 0u
#define DROP_SCALE 1.0f
#define DROP_LAYER 0
#define MASK_SCALE 1.0f
#define POOLED 1
#endif

#define OH (H - K + 1)
#define OW (W - K + 1)
#define PH (POOL ? OH / 2 : OH) /* of what leaves */
#define PW (POOL ? OW / 2 : OW)
#define BLOCKS_Y (POOL ? PH : (OH + 1) / 2)
#define BLOCKS_X (POOL ? PW : (OW + 1) / 2)
#define IN_Y ((H + 1) / 2) /* blocks of the input */
#define IN_X ((W + 1) / 2)
#define SIDE (K + 1)
#define SQUARE (K * K)
/* Channels whose inputs are loaded ahead: a small batch has few lanes, each with few channels, to hide a load behind. */
#if OUTPUTS < 4
#define FORWARD_AHEAD 4
#else
#define FORWARD_AHEAD 1
#endif
#if INPUTS < 4
#define INPUT_AHEAD 4
#else
#define INPUT_AHEAD 1
#endif
#define NONE 4 /* no spot of a pool's four has a gradient */
#define LANES_OF_CONV 128

/* A lane's square of inputs, of a channel; zero outside, where blocks of 2 x 2 do not cover the output exactly. */
#define EXACT (POOL || (OH % 2 == 0 && OW % 2 == 0))
#if W % 2 == 0 && (H * W) % 2 == 0
#define TAKE_SQUARE(value, plane, y, x)                                                            \
    UNROLL for (int v = 0; v < SIDE; v++) {                                                        \
        UNROLL for (int u = 0; u < SIDE; u += 2) {                                                 \
            const bool is = EXACT || ((y) + v < H && (x) + u < W);                                 \
            GLOBAL const float *pair = (plane) + (is ? ((y) + v) * W + (x) + u : 0);               \
            const float2 two = *(GLOBAL const float2 *)pair;                                       \
            value[v][u] = is ? two.x : 0;                                                          \
            value[v][u + 1] = is ? two.y : 0;                                                      \
        }                                                                                          \
    }
#else
#define TAKE_SQUARE(value, plane, y, x)                                                            \
    UNROLL for (int v = 0; v < SIDE; v++) {                                                        \
        UNROLL for (int u = 0; u < SIDE; u++) {                                                    \
            const bool is = EXACT || ((y) + v < H && (x) + u < W);                                 \
            value[v][u] = is ? (plane)[((y) + v) * W + (x) + u] : 0;                               \
        }                                                                                          \
    }
#endif

/* The numbers that are added to `sum`, of one channel: a lane's square by the weights of `count` others. */
#define ADD_CHANNEL(sum, value, count, weight)                                                     \
    UNROLL for (int v = 0; v < K; v++) {                                                           \
        UNROLL for (int u = 0; u < K; u++) {                                                       \
            UNROLL for (int o = 0; o < (count); o++) {                                             \
                const float w = (weight);                                                          \
                UNROLL for (int s = 0; s < 4; s++) {                                               \
                    sum[o][s] = FMA(w, value[v + s / 2][u + s % 2], sum[o][s]);                    \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

/* ReLU, then the spot of the largest; a NaN counts as the largest. */
DEVICE int largest(const float sum[4]) {
    int best = 0;
    float most = sum[0];
    UNROLL for (int s = 1; s < 4; s++) {
        const bool more = sum[s] > most || sum[s] != sum[s];
        best = more ? s : best;
        most = more ? sum[s] : most;
    }
    return most <= 0 ? NONE : best;
}

/* Whether dropout takes an element of an image. */
#define DROPPED(element)                                                                           \
    (DROP_BELOW > 0u && training && be_drop_word(seed, step, DROP_LAYER, before + image, element) < DROP_BELOW)

/* A channel's 2 x 2 spots at y and x leave: through ReLU, pool and dropout. */
DEVICE void put_spots(const float sum[4], GLOBAL float *out, GLOBAL unsigned char *from, LONG image, int channel, int y,
                      int x, int training, LONG seed, int step, int before) {
    const float scale = training ? DROP_SCALE : 1;
    if (POOL) {
        const int element = (channel * PH + y / 2) * PW + x / 2;
        const LONG to = image * (CO * PH * PW) + element;
        const int best = DROPPED(element) ? NONE : largest(sum);
        const float value = best == 0 ? sum[0] : best == 1 ? sum[1] : best == 2 ? sum[2] : sum[3];
        from[to] = (unsigned char)best;
        out[to] = best == NONE ? 0 : value * scale;
        return;
    }
    UNROLL for (int s = 0; s < 4; s++) {
        const int row = y + s / 2;
        const int column = x + s % 2;
        const int element = (channel * OH + row) * OW + column;
        if (row < OH && column < OW) {
            out[image * (CO * OH * OW) + element] = sum[s] < 0 || DROPPED(element) ? 0 : sum[s] * scale;
        }
    }
}

/* A lane: 2 x 2 spots of OUTPUTS channels of an image, from one square of SIDE x SIDE inputs in registers. A group's
 * lanes compute the same channels, whose weights it keeps near. */
KERNEL LANES_MOST(LANES_OF_CONV)
k_conv_forward(GLOBAL const float *in, GLOBAL const float *weights, GLOBAL float *out, GLOBAL unsigned char *from,
               LONG images, int training, LONG seed, GLOBAL const float *turn) {
    SHARED FLOAT4 kept[(CI * SQUARE * OUTPUTS + 3) / 4];
    LOCAL float *near = (LOCAL float *)kept;
    const int first = (int)(GROUP(0) % (CO / OUTPUTS)) * OUTPUTS;
    const LONG at = GROUP(0) / (CO / OUTPUTS) * LANES_OF_CONV + LANE(0);
    const int x = (int)(at % BLOCKS_X) * 2;
    const int y = (int)(at / BLOCKS_X % BLOCKS_Y) * 2;
    const LONG image = at / (BLOCKS_X * BLOCKS_Y);
    float sum[OUTPUTS][4];
    for (int i = (int)LANE(0); i < CI * SQUARE * OUTPUTS; i += LANES_OF_CONV) {
        near[i % (CI * SQUARE) * OUTPUTS + i / (CI * SQUARE)] = weights[WEIGHT + first * (CI * SQUARE) + i];
    }
    BARRIER();
    if (image >= images) {
        return;
    }
    UNROLL for (int o = 0; o < OUTPUTS; o++) {
        UNROLL for (int s = 0; s < 4; s++) {
            sum[o][s] = weights[BIAS + first + o];
        }
    }
    UNROLL_BY(FORWARD_AHEAD) for (int c = 0; c < CI; c++) {
        GLOBAL const float *plane = in + (image * CI + c) * (H * W);
        float value[SIDE][SIDE];
        TAKE_SQUARE(value, plane, y, x)
        ADD_CHANNEL(sum, value, OUTPUTS, near[(c * SQUARE + v * K + u) * OUTPUTS + o])
    }
    const int step = DROP_BELOW > 0u && training ? AS_INT(turn[0]) : 0;
    const int before = DROP_BELOW > 0u && training ? AS_INT(turn[3]) : 0; /* images of the batch */
    UNROLL for (int o = 0; o < OUTPUTS; o++) {
        put_spots(sum[o], out, from, image, first + o, y, x, training, seed, step, before);
    }
}

/* A number of the gradient by the input, where the input passed a ReLU before it came here. */
#define MASKED(value, in) (MASK_SCALE > 0 ? ((in) > 0 ? (value) * MASK_SCALE : 0) : (value))

#if POOLED
#include "nn/device/pooled.h"
#else

#define CELLS (SIDE / 2) /* that a square of the gradient covers each way */

/* The square of the gradient by the convolution's output that the 2 x 2 inputs at y and x went into. */
DEVICE void open_square(float value[SIDE][SIDE], GLOBAL const float *back, GLOBAL const unsigned char *from, int y,
                        int x) {
    if (POOL) {
        UNROLL for (int v = 0; v < CELLS; v++) {
            UNROLL for (int u = 0; u < CELLS; u++) {
                const int row = (y - (K - 1)) / 2 + v;
                const int column = (x - (K - 1)) / 2 + u;
                const bool is = row >= 0 && row < PH && column >= 0 && column < PW;
                const int spot = is ? from[row * PW + column] : NONE;
                const float g = is ? back[row * PW + column] * DROP_SCALE : 0;
                UNROLL for (int s = 0; s < 4; s++) {
                    value[2 * v + s / 2][2 * u + s % 2] = spot == s ? g : 0;
                }
            }
        }
    } else {
        UNROLL for (int v = 0; v < SIDE; v++) {
            UNROLL for (int u = 0; u < SIDE; u++) {
                const int row = y + v - (K - 1);
                const int column = x + u - (K - 1);
                value[v][u] = row >= 0 && row < OH && column >= 0 && column < OW ? back[row * OW + column] : 0;
            }
        }
    }
}

/* The gradient by the input. A lane: 2 x 2 spots of INPUTS channels of an image. */
KERNEL LANES_MOST(LANES_OF_CONV)
k_conv_input(GLOBAL const float *in, GLOBAL const float *back, GLOBAL const unsigned char *from,
             GLOBAL const float *weights, GLOBAL float *to, LONG images, int rows) {
    SHARED FLOAT4 kept[(CO * SQUARE * INPUTS + 3) / 4];
    LOCAL float *near = (LOCAL float *)kept;
    const int first = (int)(GROUP(0) % (CI / INPUTS)) * INPUTS;
    const LONG at = GROUP(0) / (CI / INPUTS) * LANES_OF_CONV + LANE(0);
    const int x = (int)(at % IN_X) * 2;
    const int y = (int)(at / IN_X % IN_Y) * 2;
    const LONG image = at / (IN_X * IN_Y);
    float sum[INPUTS][4];
    for (int i = (int)LANE(0); i < CO * INPUTS * SQUARE; i += LANES_OF_CONV) {
        const int c = i / (INPUTS * SQUARE);
        const int o = i / SQUARE % INPUTS;
        near[(c * SQUARE + i % SQUARE) * INPUTS + o] = weights[WEIGHT + (c * CI + first + o) * SQUARE + i % SQUARE];
    }
    BARRIER();
    if (image >= images) {
        return;
    }
    UNROLL for (int o = 0; o < INPUTS; o++) {
        UNROLL for (int s = 0; s < 4; s++) {
            sum[o][s] = 0;
        }
    }
    UNROLL_BY(INPUT_AHEAD) for (int c = 0; c < CO; c++) {
        const LONG plane = (image * CO + c) * (PH * PW);
        float value[SIDE][SIDE];
        open_square(value, back + plane, from + plane, y, x);
        ADD_CHANNEL(sum, value, INPUTS, near[(c * SQUARE + (K - 1 - v) * K + (K - 1 - u)) * INPUTS + o])
    }
    UNROLL for (int o = 0; o < INPUTS; o++) {
        UNROLL for (int s = 0; s < 4; s++) {
            const int row = y + s / 2;
            const int column = x + s % 2;
            if (row < H && column < W) {
                const LONG element = ((image * CI + first + o) * H + row) * W + column;
                to[element] = MASKED(sum[o][s], in[element]);
            }
        }
    }
}

#define SLOPES (SLOPE_OUTPUTS * SLOPE_INPUTS * SQUARE) /* of a lane; its sums of biases are behind them */
#define SUMS (SLOPES + SLOPE_OUTPUTS)
#define APART (SUMS | 1) /* odd, so that lanes meet different banks */
#define WARP 32

/* The gradient by what leaves 2 x 2 spots, by output and spot. */
DEVICE void open_spots(float b[SLOPE_OUTPUTS][4], GLOBAL const float *back, GLOBAL const unsigned char *from, int y,
                       int x) {
    UNROLL for (int o = 0; o < SLOPE_OUTPUTS; o++) {
        const int cell = (o * PH + y / 2) * PW + x / 2;
        const int spot = POOL ? from[cell] : NONE;
        const float g = POOL ? back[cell] * DROP_SCALE : 0;
        UNROLL for (int s = 0; s < 4; s++) {
            const int row = y + s / 2;
            const int column = x + s % 2;
            b[o][s] = POOL ? (spot == s ? g : 0) : row < OH && column < OW ? back[(o * OH + row) * OW + column] : 0;
        }
    }
}

/* The products of what leaves the 2 x 2 spots at y and x and their inputs, into a lane's sums. */
DEVICE void add_spots(float sum[SUMS], GLOBAL const float *in, GLOBAL const float *back,
                      GLOBAL const unsigned char *from, int y, int x) {
    float b[SLOPE_OUTPUTS][4];
    open_spots(b, back, from, y, x);
    UNROLL for (int i = 0; i < SLOPE_INPUTS; i++) {
        float value[SIDE][SIDE];
        TAKE_SQUARE(value, in + i * (H * W), y, x)
        UNROLL for (int o = 0; o < SLOPE_OUTPUTS; o++) {
            UNROLL for (int k = 0; k < SQUARE; k++) {
                const int to = (o * SLOPE_INPUTS + i) * SQUARE + k;
                UNROLL for (int s = 0; s < 4; s++) {
                    sum[to] = FMA(b[o][s], value[k / K + s / 2][k % K + s % 2], sum[to]);
                }
            }
        }
    }
    UNROLL for (int o = 0; o < SLOPE_OUTPUTS; o++) {
        sum[SLOPES + o] += b[o][0] + b[o][1] + (b[o][2] + b[o][3]);
    }
}

/* Gradients by weights and biases, summed over some images. A group: SLOPE_OUTPUTS x SLOPE_INPUTS channels. Its lanes
 * take 2 x 2 spots in turn; their sums are added warp after warp, then lane after lane. `parts` has a chunk's weights
 * and then its biases, chunk after chunk. */
KERNEL LANES_MOST(LANES_OF_CONV)
k_conv_slopes(GLOBAL const float *in, GLOBAL const float *back, GLOBAL const unsigned char *from, GLOBAL float *parts,
              LONG images, LONG images_of_chunk) {
    SHARED float all[WARP * APART];
    const int lane = (int)LANE(0);
    const int c = (int)(GROUP(0) % (CI / SLOPE_INPUTS)) * SLOPE_INPUTS;
    const int first = (int)(GROUP(0) / (CI / SLOPE_INPUTS) % (CO / SLOPE_OUTPUTS)) * SLOPE_OUTPUTS;
    const LONG chunk = GROUP(0) / (CI / SLOPE_INPUTS * (CO / SLOPE_OUTPUTS));
    const LONG begin = chunk * images_of_chunk;
    const LONG end = begin + images_of_chunk < images ? begin + images_of_chunk : images;
    float sum[SUMS];
    UNROLL for (int i = 0; i < SUMS; i++) {
        sum[i] = 0;
    }
    UNROLL_BY(1) for (int at = lane; at < (int)(end - begin) * (BLOCKS_X * BLOCKS_Y); at += LANES_OF_CONV) {
        const LONG image = begin + at / (BLOCKS_X * BLOCKS_Y);
        const LONG leaves = (image * CO + first) * (PH * PW);
        add_spots(sum, in + (image * CI + c) * (H * W), back + leaves, from + leaves,
                  at / BLOCKS_X % BLOCKS_Y * 2, at % BLOCKS_X * 2);
    }
    for (int warp = 0; warp < LANES_OF_CONV / WARP; warp++) {
        if (lane / WARP == warp) {
            UNROLL for (int i = 0; i < SUMS; i++) {
                all[lane % WARP * APART + i] = sum[i] + (warp > 0 ? all[lane % WARP * APART + i] : 0);
            }
        }
        BARRIER();
    }
    if (lane < SUMS) {
        GLOBAL float *part = parts + chunk * (CO * CI * SQUARE + CO);
        float total = 0;
        for (int i = 0; i < WARP; i++) {
            total += all[i * APART + lane];
        }
        if (lane < SLOPES) {
            const int o = first + lane / (SLOPE_INPUTS * SQUARE);
            part[(o * CI + c) * SQUARE + lane % (SLOPE_INPUTS * SQUARE)] = total;
        } else if (c == 0) {
            part[CO * CI * SQUARE + first + lane - SLOPES] = total;
        }
    }
}
#endif
