/*
 * One convolution of a net with its bias, ReLU, pool and dropout, and back: built for each with its sizes as
 * definitions. Images lie one after the other, each channel after channel, row after row.
 *
 *   CI CO        channels of the input and of the output
 *   H W K        height and width of the input, side of the square
 *   POOL         1: the maximum of 2 x 2 follows; 0: not
 *   WEIGHT BIAS  where they begin in the arrays of weights
 *   OUTPUTS INPUTS  channels that a lane computes at once, of the output and of the input; they divide CO and CI
 *   DROP_BELOW DROP_SCALE DROP_LAYER  dropout: words below it drop; 0: none
 *
 * A lane computes 2 x 2 spots from one square of (K + 1) x (K + 1) inputs, which it holds in registers.
 */
#include "kernels/dialect.h"
#include "nn/device/drop.h"

#if !defined(CI)
#define CI 6
#define CO 16
#define H 14
#define W 14
#define K 5
#define POOL 1
#define WEIGHT 456
#define BIAS 2856
#define OUTPUTS 4
#define INPUTS 6
#define DROP_BELOW 0u
#define DROP_SCALE 1.0f
#define DROP_LAYER 0
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
#define NONE 4 /* no spot of a pool's four has a gradient */
#define LANES_OF_SLOPES 128

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

/* A lane: 2 x 2 spots of OUTPUTS channels of an image. */
KERNEL k_conv_forward(GLOBAL const float *in, GLOBAL const float *weights, GLOBAL float *out,
                      GLOBAL unsigned char *from, LONG images, int training, LONG seed, int step) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    const int x = (int)(at % BLOCKS_X) * 2;
    const int y = (int)(at / BLOCKS_X % BLOCKS_Y) * 2;
    const int first = (int)(at / (BLOCKS_X * BLOCKS_Y) % (CO / OUTPUTS)) * OUTPUTS;
    const LONG image = at / (BLOCKS_X * BLOCKS_Y * (CO / OUTPUTS));
    if (image >= images) {
        return;
    }
    float sum[OUTPUTS][4];
    UNROLL for (int o = 0; o < OUTPUTS; o++) {
        UNROLL for (int s = 0; s < 4; s++) {
            sum[o][s] = weights[BIAS + first + o];
        }
    }
    for (int c = 0; c < CI; c++) {
        GLOBAL const float *plane = in + (image * CI + c) * (H * W);
        GLOBAL const float *weight = weights + WEIGHT + (first * CI + c) * (K * K);
        float value[SIDE][SIDE];
        UNROLL for (int v = 0; v < SIDE; v++) {
            UNROLL for (int u = 0; u < SIDE; u++) {
                value[v][u] = y + v < H && x + u < W ? plane[(y + v) * W + x + u] : 0;
            }
        }
        ADD_CHANNEL(sum, value, OUTPUTS, weight[o * (CI * K * K) + v * K + u])
    }
    UNROLL for (int o = 0; o < OUTPUTS; o++) {
        const LONG channel = image * CO + first + o;
        if (POOL) {
            const int element = ((first + o) * PH + y / 2) * PW + x / 2;
            const LONG to = image * (CO * PH * PW) + element;
            int best = largest(sum[o]);
            if (DROP_BELOW > 0u && training &&
                be_drop_word(seed, step, DROP_LAYER, image, element) < DROP_BELOW) {
                best = NONE;
            }
            from[to] = (unsigned char)best;
            const float value = best == 0 ? sum[o][0] : best == 1 ? sum[o][1] : best == 2 ? sum[o][2] : sum[o][3];
            out[to] = best == NONE ? 0 : value * (training ? DROP_SCALE : 1);
        } else {
            UNROLL for (int s = 0; s < 4; s++) {
                const int row = y + s / 2;
                const int column = x + s % 2;
                if (row < OH && column < OW) {
                    const int element = ((first + o) * OH + row) * OW + column;
                    const bool drop = DROP_BELOW > 0u && training &&
                                      be_drop_word(seed, step, DROP_LAYER, image, element) < DROP_BELOW;
                    out[(channel * OH + row) * OW + column] =
                        sum[o][s] < 0 || drop ? 0 : sum[o][s] * (training ? DROP_SCALE : 1);
                }
            }
        }
    }
}

/* The gradient by the convolution's output from that by what leaves. A lane a number. */
KERNEL k_conv_open(GLOBAL const float *back, GLOBAL const float *out, GLOBAL const unsigned char *from,
                   GLOBAL float *opened, LONG images) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    const int x = (int)(at % OW);
    const int y = (int)(at / OW % OH);
    const LONG channel = at / (OW * OH);
    if (channel >= images * CO) {
        return;
    }
    if (POOL) {
        const LONG pooled = (channel * PH + y / 2) * PW + x / 2;
        const bool is = y / 2 < PH && x / 2 < PW && from[pooled] == y % 2 * 2 + x % 2;
        opened[at] = is ? back[pooled] * DROP_SCALE : 0;
    } else {
        opened[at] = out[at] > 0 ? back[at] * DROP_SCALE : 0;
    }
}

/* The gradient by the input. A lane: 2 x 2 spots of INPUTS channels of an image. */
KERNEL k_conv_input(GLOBAL const float *opened, GLOBAL const float *weights, GLOBAL float *to, LONG images) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    const int x = (int)(at % IN_X) * 2;
    const int y = (int)(at / IN_X % IN_Y) * 2;
    const int first = (int)(at / (IN_X * IN_Y) % (CI / INPUTS)) * INPUTS;
    const LONG image = at / (IN_X * IN_Y * (CI / INPUTS));
    if (image >= images) {
        return;
    }
    float sum[INPUTS][4];
    UNROLL for (int o = 0; o < INPUTS; o++) {
        UNROLL for (int s = 0; s < 4; s++) {
            sum[o][s] = 0;
        }
    }
    for (int c = 0; c < CO; c++) {
        GLOBAL const float *plane = opened + (image * CO + c) * (OH * OW);
        GLOBAL const float *weight = weights + WEIGHT + (c * CI + first) * (K * K);
        float value[SIDE][SIDE];
        UNROLL for (int v = 0; v < SIDE; v++) {
            UNROLL for (int u = 0; u < SIDE; u++) {
                const int row = y + v - (K - 1);
                const int column = x + u - (K - 1);
                value[v][u] = row >= 0 && row < OH && column >= 0 && column < OW ? plane[row * OW + column] : 0;
            }
        }
        ADD_CHANNEL(sum, value, INPUTS, weight[o * (K * K) + (K - 1 - v) * K + (K - 1 - u)])
    }
    UNROLL for (int o = 0; o < INPUTS; o++) {
        UNROLL for (int s = 0; s < 4; s++) {
            const int row = y + s / 2;
            const int column = x + s % 2;
            if (row < H && column < W) {
                to[((image * CI + first + o) * H + row) * W + column] = sum[o][s];
            }
        }
    }
}

/* Gradients by weights and biases, summed over some images. A group: OUTPUTS outputs, one input channel, one row of
 * the square. Its lanes take spots in turn, and a lane for each sum adds theirs in their order. `parts` has a chunk's
 * weights and then its biases, chunk after chunk. */
KERNEL LANES_MOST(LANES_OF_SLOPES)
k_conv_slopes(GLOBAL const float *in, GLOBAL const float *opened, GLOBAL float *parts, LONG images,
              LONG images_of_chunk) {
    SHARED float all[LANES_OF_SLOPES * OUTPUTS * (K + 1)];
    const int lane = (int)LANE(0);
    const int v = (int)(GROUP(0) % K);
    const int c = (int)(GROUP(0) / K % CI);
    const int first = (int)(GROUP(0) / (K * CI) % (CO / OUTPUTS)) * OUTPUTS;
    const LONG chunk = GROUP(0) / (K * CI * (CO / OUTPUTS));
    const LONG begin = chunk * images_of_chunk;
    const LONG end = begin + images_of_chunk < images ? begin + images_of_chunk : images;
    float sum[OUTPUTS][K + 1];
    UNROLL for (int o = 0; o < OUTPUTS; o++) {
        UNROLL for (int u = 0; u <= K; u++) {
            sum[o][u] = 0;
        }
    }
    for (LONG image = begin; image < end; image++) {
        GLOBAL const float *plane = in + ((image * CI + c) * H + v) * W;
        GLOBAL const float *back = opened + (image * CO + first) * (OH * OW);
        for (int spot = lane; spot < OH * OW; spot += LANES_OF_SLOPES) {
            GLOBAL const float *row = plane + spot / OW * W + spot % OW;
            float value[K];
            UNROLL for (int u = 0; u < K; u++) {
                value[u] = row[u];
            }
            UNROLL for (int o = 0; o < OUTPUTS; o++) {
                const float b = back[o * (OH * OW) + spot];
                UNROLL for (int u = 0; u < K; u++) {
                    sum[o][u] = FMA(b, value[u], sum[o][u]);
                }
                sum[o][K] += b;
            }
        }
    }
    UNROLL for (int o = 0; o < OUTPUTS; o++) {
        UNROLL for (int u = 0; u <= K; u++) {
            all[lane * (OUTPUTS * (K + 1)) + o * (K + 1) + u] = sum[o][u];
        }
    }
    BARRIER();
    if (lane < OUTPUTS * (K + 1)) {
        const int output = first + lane / (K + 1);
        const int u = lane % (K + 1);
        GLOBAL float *part = parts + chunk * (CO * CI * K * K + CO);
        float total = 0;
        for (int i = 0; i < LANES_OF_SLOPES; i++) {
            total += all[i * (OUTPUTS * (K + 1)) + lane];
        }
        if (u < K) {
            part[((output * CI + c) * K + v) * K + u] = total;
        } else if (c == 0 && v == 0) {
            part[CO * CI * K * K + output] = total;
        }
    }
}
