/*
 * The dense layers of a small net for a small batch, where a launch for each product would cost more than the product:
 * forward, the loss, and back to what the layers took, by one group an image; then all gradients by weights at once.
 *
 *   LAYERS              their number
 *   OUT_OF(l)           numbers of a layer's output
 *   WEIGHT_OF BIAS_OF   where they begin in the arrays of weights; tensors follow each other
 *   RELU_OF BELOW_OF SCALE_OF DROP_OF  what follows: ReLU, and dropout as in convolution.cl
 *   INPUT OUTPUTS   numbers of the first one's input; of all outputs, which lie layer after layer, image after image
 *   PARAMETERS      weights and biases of all
 *   TAIL_LANES      lanes of a group, a multiple of EACH
 */
#include "kernels/dialect.h"
#include "nn/device/drop.h"

#if !defined(LAYERS)
#define LAYERS 3
#define OUT_OF(l) ((l) == 0 ? 120 : (l) == 1 ? 84 : 10)
#define WEIGHT_OF(l) ((l) == 0 ? 2872 : (l) == 1 ? 50992 : 61156)
#define BIAS_OF(l) ((l) == 0 ? 50872 : (l) == 1 ? 61072 : 61996)
#define RELU_OF(l) ((l) == 2 ? 0 : 1)
#define BELOW_OF(l) 0u
#define SCALE_OF(l) 1.0f
#define DROP_OF(l) 0
#define INPUT 400
#define OUTPUTS 214
#define PARAMETERS 59134
#define TAIL_LANES 256
#endif

#define CLASSES 10
#define TAKES(l) ((l) > 0 ? OUT_OF((l) - 1) : INPUT) /* numbers that a layer takes */
#define EACH 8 /* lanes that share an output's sum */
#define AT_ONCE (TAIL_LANES / EACH)

#if defined(__OPENCL_VERSION__)
#define EXP(x) exp(x)
#define LOG(x) log(x)
#else
#define EXP(x) expf(x)
#define LOG(x) logf(x)
#endif

/* A lane's part of an output: every EACHth product from its own on. */
DEVICE float part_of_output(LOCAL const float *x, GLOBAL const float *weights, int takes, int own) {
    float sum = 0;
    UNROLL_BY(8) for (int k = own; k < takes; k += EACH) {
        sum = FMA(weights[k], x[k], sum);
    }
    return sum;
}

/* A lane's part of the gradient by an input, `at_once` of which are computed at a time, `left` are to be: lanes share
 * the outputs of each. */
DEVICE float part_of_input(LOCAL const float *back, GLOBAL const float *weights, int takes, int outputs, int at_once,
                           int left) {
    const int k = (int)LANE(0) % at_once;
    const int each = (outputs + TAIL_LANES / at_once - 1) / (TAIL_LANES / at_once);
    const int begin = (int)LANE(0) / at_once * each;
    const int end = begin + each < outputs ? begin + each : outputs;
    float sum = 0;
    UNROLL_BY(8) for (int o = begin; k < left && o < end; o++) {
        sum = FMA(weights[o * takes + k], back[o], sum);
    }
    return sum;
}

/* Log-softmax and cross-entropy, each number of its gradient by a lane of its own. */
DEVICE void find_loss(LOCAL const float *out, LOCAL float *back, int lane, int label, GLOBAL float *loss,
                      GLOBAL float *correct, float images) {
    float most = out[0];
    float sum = 0;
    int best = 0;
    for (int i = 1; i < CLASSES; i++) {
        best = out[i] > most ? i : best;
        most = best == i ? out[i] : most;
    }
    for (int i = 0; i < CLASSES; i++) {
        sum += EXP(out[i] - most);
    }
    back[lane] = (EXP(out[lane] - most) / sum - (lane == label ? 1.0f : 0.0f)) / images;
    if (lane == 0) {
        *loss = LOG(sum) - (out[label] - most);
        *correct = best == label ? 1.0f : 0.0f;
    }
}

/* The sum of `count` numbers that lie so far apart. */
DEVICE float added(LOCAL const float *part, int count, int apart) {
    float sum = 0;
    for (int i = 0; i < count; i++) {
        sum += part[i * apart];
    }
    return sum;
}

/* `count` numbers of an image, by all lanes of its group. */
#define COPY(to, from, count)                                                                      \
    for (int i = lane; i < (count); i += TAIL_LANES) {                                             \
        (to)[i] = (from)[i];                                                                       \
    }

/* Whether dropout takes a number of the image. turn[3]: images of the batch that come before the device's. */
#define DROPPED(l, o)                                                                              \
    (BELOW_OF(l) > 0u &&                                                                           \
     be_drop_word(seed, AS_INT(turn[0]), DROP_OF(l), image + AS_INT(turn[3]), o) < BELOW_OF(l))

/* whole: images of the batch, of which these may be a part. */
KERNEL LANES_MOST(TAIL_LANES)
k_tail(GLOBAL const float *in, GLOBAL const float *weights, GLOBAL const unsigned char *labels, GLOBAL float *outs,
       GLOBAL float *backs, GLOBAL float *back_in, GLOBAL float *loss, GLOBAL float *correct, LONG whole,
       int training, LONG seed, GLOBAL const float *turn) {
    SHARED float number[INPUT + OUTPUTS];
    SHARED float back[OUTPUTS];
    SHARED float part[TAIL_LANES];
    const int lane = (int)LANE(0);
    const LONG image = GROUP(0);
    int x = 0; /* where a layer's input begins in `number` */
    COPY(number, in + image * INPUT, INPUT)
    BARRIER();
    UNROLL for (int l = 0; l < LAYERS; l++) {
        const int takes = TAKES(l);
        for (int first = 0; first < OUT_OF(l); first += AT_ONCE) {
            GLOBAL const float *row = weights + WEIGHT_OF(l) + (first + lane / EACH) * takes;
            part[lane] =
                first + lane / EACH < OUT_OF(l) ? part_of_output(number + x, row, takes, lane % EACH) : 0;
            BARRIER();
            if (lane < AT_ONCE && first + lane < OUT_OF(l)) {
                const int o = first + lane;
                const float sum = weights[BIAS_OF(l) + o] + added(part + lane * EACH, EACH, 1);
                const bool drop = training && DROPPED(l, o);
                number[x + takes + o] = (RELU_OF(l) && sum < 0) || drop ? 0 : sum * (training ? SCALE_OF(l) : 1);
            }
            BARRIER();
        }
        x += takes;
    }
    if (lane < CLASSES) {
        find_loss(number + x, back + OUTPUTS - CLASSES, lane, labels[image], loss + image, correct + image,
                  (float)whole);
    }
    COPY(outs + image * OUTPUTS, number + INPUT, OUTPUTS)
    BARRIER();
    /* Not counting down, nor in training alone: PoCL makes wrong code of barriers there. */
    UNROLL for (int behind = 0; behind < LAYERS; behind++) {
        const int l = LAYERS - 1 - behind;
        const int takes = TAKES(l);
        const int b = x - INPUT; /* where the gradients by its output begin */
        const int at_once = takes < TAIL_LANES ? takes : TAIL_LANES;
        x -= takes;
        for (int first = 0; first < takes; first += at_once) {
            part[lane] = part_of_input(back + b, weights + WEIGHT_OF(l) + first, takes, OUT_OF(l), at_once,
                                       takes - first);
            BARRIER();
            if (lane < at_once && first + lane < takes) {
                const float sum = added(part + lane, TAIL_LANES / at_once, at_once);
                if (l == 0) {
                    back_in[image * INPUT + first + lane] = sum;
                } else {
                    back[b - takes + first + lane] =
                        !RELU_OF(l - 1) || number[x + first + lane] > 0 ? sum * SCALE_OF(l - 1) : 0;
                }
            }
            BARRIER();
        }
    }
    COPY(backs + image * OUTPUTS, back, OUTPUTS)
}

/* Gradients by weights and biases: a lane a number, over the images in their order. */
KERNEL k_tail_slopes(GLOBAL const float *in, GLOBAL const float *outs, GLOBAL const float *backs,
                     GLOBAL float *gradients, LONG images) {
    const int at = (int)(GROUP(0) * LANES(0) + LANE(0)) + WEIGHT_OF(0);
    if (at >= WEIGHT_OF(0) + PARAMETERS) {
        return;
    }
    int l = 0;
    int b = 0;
    while (l + 1 < LAYERS && at >= WEIGHT_OF(l + 1)) {
        l++;
        b += TAKES(l);
    }
    const bool is_bias = at >= BIAS_OF(l);
    const int o = is_bias ? at - BIAS_OF(l) : (at - WEIGHT_OF(l)) / TAKES(l);
    const int k = is_bias ? 0 : (at - WEIGHT_OF(l)) % TAKES(l);
    GLOBAL const float *back = backs + b + o;
    GLOBAL const float *x = l == 0 ? in + k : outs + b - TAKES(l) + k;
    const int apart = l == 0 ? INPUT : OUTPUTS;
    float sum = 0;
    UNROLL_BY(8) for (int image = 0; image < (int)images; image++) {
        sum = FMA(back[image * OUTPUTS], is_bias ? 1 : x[image * apart], sum);
    }
    gradients[at] = sum;
}
