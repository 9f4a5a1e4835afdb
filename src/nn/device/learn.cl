/*
 * The rest of a step: around the dense layers' products, the loss, sums over images in a fixed order, and the
 * optimisers' rules (nn/update/update.h). Numbers of an image lie one after the other. A lane a number, where nothing else
 * is said. `turn` has what differs from step to step, so that launches can be kept: the step's number as bits, the
 * rate, a figure of the rule, and how many images of the batch come before these, as bits.
 */
#include "kernels/dialect.h"
#include "nn/device/drop.h"

#define CLASSES 10
#define LANES_OF_TOTAL 256
#define WIDTH 32 /* a warp */
#define SLICES 8

#if defined(__OPENCL_VERSION__)
#define EXP(x) exp(x)
#define LOG(x) log(x)
#define ROOT(x) sqrt(x)
#else
#define EXP(x) expf(x)
#define LOG(x) logf(x)
#define ROOT(x) sqrtf(x)
#endif

/* Bias, ReLU and dropout of a dense layer's output. */
KERNEL k_dense_finish(GLOBAL float *out, GLOBAL const float *weights, LONG bias, LONG width, LONG images, int relu,
                      int drop_below, float scale, int layer, LONG seed, GLOBAL const float *turn) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at >= width * images) {
        return;
    }
    const LONG element = at % width;
    const float value = out[at] + weights[bias + element];
    const LONG image = at / width + AS_INT(turn[3]);
    const bool drop = drop_below != 0 && be_drop_word(seed, AS_INT(turn[0]), layer, image, element) <
                                             (unsigned int)drop_below;
    out[at] = (relu != 0 && value < 0) || drop ? 0 : value * scale;
}

/* The gradient by a dense layer's output, through dropout and ReLU, where it is. */
KERNEL k_dense_open(GLOBAL float *back, GLOBAL const float *out, LONG numbers, int relu, float scale) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at < numbers) {
        back[at] = relu != 0 && !(out[at] > 0) ? 0 : back[at] * scale;
    }
}

/* Sums over a chunk of images, of each of `width` numbers. */
KERNEL k_dense_columns(GLOBAL const float *back, GLOBAL float *parts, LONG width, LONG images, LONG images_of_chunk,
                       LONG chunks) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at >= width * chunks) {
        return;
    }
    const LONG begin = at / width * images_of_chunk;
    const LONG end = begin + images_of_chunk < images ? begin + images_of_chunk : images;
    float sum = 0;
    for (LONG image = begin; image < end; image++) {
        sum += back[image * width + at % width];
    }
    parts[at] = sum;
}

/* The chunks' sums. A group: 32 numbers, whose chunks eight lanes share; what these added follows in their order. */
KERNEL LANES_MOST(SLICES * WIDTH)
k_add_parts(GLOBAL const float *parts, GLOBAL float *gradients, LONG first, LONG count, LONG chunks) {
    SHARED float all[SLICES * WIDTH];
    const LONG at = GROUP(0) * WIDTH + LANE(0) % WIDTH;
    const LONG slice = LANE(0) / WIDTH;
    const LONG each = (chunks + SLICES - 1) / SLICES;
    const LONG end = (slice + 1) * each < chunks ? (slice + 1) * each : chunks;
    float sum = 0;
    UNROLL_BY(8) for (LONG chunk = slice * each; chunk < end; chunk++) {
        sum += at < count ? parts[chunk * count + at] : 0;
    }
    all[LANE(0)] = sum;
    BARRIER();
    if (slice == 0 && at < count) {
        float total = 0;
        UNROLL for (int i = 0; i < SLICES; i++) {
            total += all[i * WIDTH + LANE(0)];
        }
        gradients[first + at] = total;
    }
}

/* Log-softmax and cross-entropy of an image; its gradient is that of the mean over the whole batch, of which these
 * images may be a part. */
KERNEL k_loss(GLOBAL const float *out, GLOBAL const unsigned char *labels, GLOBAL float *back, GLOBAL float *loss,
              GLOBAL float *correct, LONG images, LONG whole) {
    const LONG image = GROUP(0) * LANES(0) + LANE(0);
    if (image >= images) {
        return;
    }
    const int label = labels[image];
    float value[CLASSES];
    float sum = 0;
    int best = 0;
    float most = 0;
    float own = 0;
    UNROLL for (int i = 0; i < CLASSES; i++) {
        value[i] = out[image * CLASSES + i];
        best = i == 0 || value[i] > most ? i : best;
        most = best == i ? value[i] : most;
        own = i == label ? value[i] : own;
    }
    UNROLL for (int i = 0; i < CLASSES; i++) {
        value[i] = EXP(value[i] - most);
        sum += value[i];
    }
    UNROLL for (int i = 0; i < CLASSES; i++) {
        back[image * CLASSES + i] = (value[i] / sum - (i == label ? 1.0f : 0.0f)) / (float)whole;
    }
    loss[image] = LOG(sum) - (own - most);
    correct[image] = best == label ? 1.0f : 0.0f;
}

/* The sums of both over all images, by one group. */
KERNEL LANES_MOST(LANES_OF_TOTAL)
k_total(GLOBAL const float *loss, GLOBAL const float *correct, GLOBAL float *total, LONG images) {
    SHARED float all[2 * LANES_OF_TOTAL];
    const int lane = (int)LANE(0);
    float sum = 0;
    float right = 0;
    for (LONG image = lane; image < images; image += LANES_OF_TOTAL) {
        sum += loss[image];
        right += correct[image];
    }
    all[lane] = sum;
    all[LANES_OF_TOTAL + lane] = right;
    BARRIER();
    for (int span = LANES_OF_TOTAL / 2; span > 0; span /= 2) {
        if (lane < span) {
            all[lane] += all[lane + span];
            all[LANES_OF_TOTAL + lane] += all[LANES_OF_TOTAL + lane + span];
        }
        BARRIER();
    }
    if (lane < 2) {
        total[lane] = all[lane * LANES_OF_TOTAL];
    }
}

/* A batch from a data set that lies here as bytes: each image has its number in `order`, and each byte its value by
 * channel in `levels`, 256 a channel. A lane a number of an image. */
KERNEL k_gather(GLOBAL const unsigned char *set, GLOBAL const unsigned char *set_labels,
                GLOBAL const unsigned int *order, GLOBAL const float *levels, GLOBAL float *images,
                GLOBAL unsigned char *labels, LONG pixels, LONG spots, LONG count) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at >= pixels * count) {
        return;
    }
    const LONG element = at % pixels;
    const LONG from = order[at / pixels];
    images[at] = levels[element / spots * 256 + set[from * pixels + element]];
    if (element == 0) {
        labels[at / pixels] = set_labels[from];
    }
}

/* A loss that is no number, or not finite: nothing is updated. */
#define MAY_UPDATE(at, count, total) ((at) < (count) && (total)[0] - (total)[0] == 0)

KERNEL k_sgd(GLOBAL float *weights, GLOBAL const float *gradients, GLOBAL float *velocity,
             GLOBAL const float *total, LONG count, GLOBAL const float *turn, float momentum,
      float shrink) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (MAY_UPDATE(at, count, total)) {
        const float g = gradients[at] + (shrink != 0 ? shrink * weights[at] : 0);
        const float v = g + (momentum != 0 ? momentum * velocity[at] : 0);
        velocity[at] = momentum != 0 ? v : 0;
        weights[at] -= turn[1] * v;
    }
}

KERNEL k_adadelta(GLOBAL float *weights, GLOBAL const float *gradients, GLOBAL float *squares,
                  GLOBAL float *deltas, GLOBAL const float *total, LONG count, GLOBAL const float *turn, float keep,
                  float take, float epsilon) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (MAY_UPDATE(at, count, total)) {
        const float g = gradients[at];
        const float square = keep * squares[at] + take * g * g;
        const float delta = g * ROOT((deltas[at] + epsilon) / (square + epsilon));
        squares[at] = square;
        deltas[at] = keep * deltas[at] + take * delta * delta;
        weights[at] -= turn[1] * delta;
    }
}

/* keep: Adam's beta 1 and beta 2; take: 1 less them; turn[2]: the root of 1 less beta 2 to the power of the step. */
KERNEL k_adam(GLOBAL float *weights, GLOBAL const float *gradients, GLOBAL float *means, GLOBAL float *squares,
              GLOBAL const float *total, LONG count, GLOBAL const float *turn, float keep_mean, float take_mean,
              float keep_square, float take_square, float epsilon) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (MAY_UPDATE(at, count, total)) {
        const float g = gradients[at];
        const float mean = keep_mean * means[at] + take_mean * g;
        const float square = keep_square * squares[at] + take_square * g * g;
        means[at] = mean;
        squares[at] = square;
        weights[at] -= turn[1] * mean / (ROOT(square) / turn[2] + epsilon);
    }
}
