/*
 * The layers of a net of residual blocks but for the products: columns of convolutions and back, batch norms with what
 * is added and ReLU, pools, means, running statistics. Sums have a fixed order.
 *
 * Number `spot` of channel `c` of image `n` lies at n * image_step + c * channel_step + spot. A lane a number, where
 * nothing else is said. Groups of a batch norm share a channel's numbers of all images in `chunks`: the group's number
 * is channel * chunks + chunk. `parts` has two sums of each.
 */
#include "kernels/dialect.h"

#define NORM_LANES 256
#define EPSILON 1e-5f /* nn/layers.h */
enum { TRAINING = 1, ADDS = 2, RELU = 4 }; /* flags of k_norm */

#if defined(__OPENCL_VERSION__)
#define ROOT(x) sqrt(x)
#else
#define ROOT(x) sqrtf(x)
#endif

/* ---- convolutions as matrix products -------------------------------------------------------- */

/* The matrix whose row is a channel and a spot of the square, and whose column is an output's spot (deep/columns.h). */
KERNEL k_columns(GLOBAL const float *in, GLOBAL float *columns, LONG count, LONG images, int height, int width,
                 int out_height, int out_width, int size, int stride, int pad, LONG image_step, LONG channel_step) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at >= count) {
        return;
    }
    const int spots = out_height * out_width;
    const LONG row = at / (images * spots);
    const LONG column = at % (images * spots);
    const int spot = (int)(row % (size * size));
    const int out = (int)(column % spots);
    const int y = out / out_width * stride + spot / size - pad;
    const int x = out % out_width * stride + spot % size - pad;
    const bool is = y >= 0 && y < height && x >= 0 && x < width;
    columns[at] =
        is ? in[column / spots * image_step + row / (size * size) * channel_step + y * width + x] : 0;
}

/* The gradient by the input from that by the matrix; begins: in place of what `to` has, else added to it. */
KERNEL k_uncolumns(GLOBAL const float *columns, GLOBAL float *to, LONG count, LONG images, int height, int width,
                   int out_height, int out_width, int size, int stride, int pad, int begins) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at >= count) {
        return;
    }
    const int spots = out_height * out_width;
    const int spot = (int)(at % (height * width));
    const LONG image = at / (height * width) % images;
    const LONG channel = at / (height * width) / images;
    float sum = begins ? 0 : to[at];
    for (int i = 0; i < size * size; i++) {
        const int y = spot / width + pad - i / size;
        const int x = spot % width + pad - i % size;
        if (y >= 0 && x >= 0 && y % stride == 0 && x % stride == 0 && y / stride < out_height &&
            x / stride < out_width) {
            sum += columns[((channel * (size * size) + i) * images + image) * spots + y / stride * out_width +
                           x / stride];
        }
    }
    to[at] = sum;
}

/* ---- batch norms ---------------------------------------------------------------------------- */

/* Both sums of a group's lanes, into the first lane's. */
#define ADD_LANES(all, one, two)                                                                   \
    (all)[LANE(0)] = (one);                                                                        \
    (all)[NORM_LANES + LANE(0)] = (two);                                                           \
    BARRIER();                                                                                     \
    for (int span = NORM_LANES / 2; span > 0; span /= 2) {                                         \
        if (LANE(0) < span) {                                                                      \
            (all)[LANE(0)] += (all)[LANE(0) + span];                                               \
            (all)[NORM_LANES + LANE(0)] += (all)[NORM_LANES + LANE(0) + span];                     \
        }                                                                                          \
        BARRIER();                                                                                 \
    }

/* The chunks' sums of a channel, in their order. */
#define ADD_CHUNKS(parts, channel, chunks, one, two)                                               \
    for (int k = 0; k < (chunks); k++) {                                                           \
        (one) += (parts)[2 * ((channel) * (chunks) + k)];                                          \
        (two) += (parts)[2 * ((channel) * (chunks) + k) + 1];                                      \
    }

/* The numbers [begin, end) of a channel's `count` are the group's. */
#define TAKE_SHARE(count, chunks)                                                                  \
    const LONG channel = GROUP(0) / (chunks);                                                      \
    const int each = ((count) + (chunks)-1) / (chunks);                                            \
    const int begin = (int)(GROUP(0) % (chunks)) * each;                                           \
    const int end = begin + each < (count) ? begin + each : (count);

/* Where number i of a channel lies. */
#define PLACE_OF(i) (channel * channel_step + (i) / spots * image_step + (i) % spots)

/* Sums of what a channel's numbers are above its first one, and of their squares: near the mean nothing cancels. */
KERNEL LANES_MOST(NORM_LANES)
k_norm_sums(GLOBAL const float *x, GLOBAL float *parts, int count, int spots, LONG image_step, LONG channel_step,
            int chunks) {
    SHARED float all[2 * NORM_LANES];
    TAKE_SHARE(count, chunks)
    const float first = x[channel * channel_step];
    float sum = 0;
    float squares = 0;
    UNROLL_BY(4) for (int i = begin + (int)LANE(0); i < end; i += NORM_LANES) {
        const float above = x[PLACE_OF(i)] - first;
        sum += above;
        squares = FMA(above, above, squares);
    }
    ADD_LANES(all, sum, squares)
    if (LANE(0) < 2) {
        parts[2 * GROUP(0) + LANE(0)] = all[LANE(0) * NORM_LANES];
    }
}

/* value = (x - mean) scale / deviation + shift, + add, max(that, 0). Training: of this batch's moments, else of the
 * running ones. `statistics` has three parts of `all` numbers: the running means at `statistic` and the variances
 * `channels` behind them; likewise the batch's, its variances over count - 1; and mean and 1 / deviation of each channel,
 * side by side. */
KERNEL LANES_MOST(NORM_LANES)
k_norm(GLOBAL const float *x, GLOBAL const float *parts, GLOBAL const float *weights, GLOBAL float *statistics,
       GLOBAL const float *add, GLOBAL float *value, int count, int spots, LONG image_step, LONG channel_step,
       int chunks, LONG scale_at, int channels, LONG statistic, LONG all, int flags) {
    TAKE_SHARE(count, chunks)
    float mean = statistics[statistic + channel];
    float variance = statistics[statistic + channels + channel];
    if (flags & TRAINING) {
        float sum = 0;
        float squares = 0;
        ADD_CHUNKS(parts, channel, chunks, sum, squares)
        const float above = sum / (float)count;
        mean = x[channel * channel_step] + above;
        variance = squares / (float)count - above * above;
        variance = variance < 0 ? 0 : variance;
    }
    const float inverse = 1.0f / ROOT(variance + EPSILON);
    if (begin == 0 && LANE(0) == 0 && (flags & TRAINING)) {
        statistics[all + statistic + channel] = mean;
        statistics[all + statistic + channels + channel] = variance * ((float)count / (float)(count - 1));
        statistics[2 * all + statistic + 2 * channel] = mean;
        statistics[2 * all + statistic + 2 * channel + 1] = inverse;
    }
    const float scale = weights[scale_at + channel] * inverse;
    const float shift = weights[scale_at + channels + channel];
    UNROLL_BY(4) for (int i = begin + (int)LANE(0); i < end; i += NORM_LANES) {
        const LONG at = PLACE_OF(i);
        const float v = (x[at] - mean) * scale + shift + (flags & ADDS ? add[at] : 0);
        value[at] = (flags & RELU) && v < 0 ? 0 : v; /* a NaN stays one */
    }
}

/* The gradient through the ReLU, and into that by what was added (adds 1: written, 2: added, 0: nothing was); and its
 * sums, by itself and with x - mean. */
KERNEL LANES_MOST(NORM_LANES)
k_unnorm_sums(GLOBAL float *back, GLOBAL const float *value, GLOBAL const float *x, GLOBAL const float *statistics,
              GLOBAL float *add_back, GLOBAL float *parts, int count, int spots, LONG image_step, LONG channel_step,
              int chunks, LONG moments, int adds, int relu) {
    SHARED float all[2 * NORM_LANES];
    TAKE_SHARE(count, chunks)
    const float mean = statistics[moments + 2 * channel];
    float sum = 0;
    float with = 0;
    UNROLL_BY(4) for (int i = begin + (int)LANE(0); i < end; i += NORM_LANES) {
        const LONG at = PLACE_OF(i);
        const float g = !relu || value[at] > 0 ? back[at] : 0;
        if (relu) {
            back[at] = g;
        }
        if (adds) {
            add_back[at] = adds == 1 ? g : add_back[at] + g;
        }
        sum += g;
        with = FMA(g, x[at] - mean, with);
    }
    ADD_LANES(all, sum, with)
    if (LANE(0) < 2) {
        parts[2 * GROUP(0) + LANE(0)] = all[LANE(0) * NORM_LANES];
    }
}

/* The gradient by what the norm took, where that by what left it was; and those by scale and shift. */
KERNEL LANES_MOST(NORM_LANES)
k_unnorm(GLOBAL float *back, GLOBAL const float *x, GLOBAL const float *statistics, GLOBAL const float *parts,
         GLOBAL const float *weights, GLOBAL float *gradients, int count, int spots, LONG image_step,
         LONG channel_step, int chunks, LONG scale_at, int channels, LONG moments) {
    TAKE_SHARE(count, chunks)
    const float mean = statistics[moments + 2 * channel];
    const float inverse = statistics[moments + 2 * channel + 1];
    float sum = 0;
    float with = 0;
    ADD_CHUNKS(parts, channel, chunks, sum, with)
    if (begin == 0 && LANE(0) == 0) {
        gradients[scale_at + channel] = with * inverse;
        gradients[scale_at + channels + channel] = sum;
    }
    const float scale = weights[scale_at + channel] * inverse;
    const float level = sum / (float)count;
    const float slope = with * inverse * inverse / (float)count;
    UNROLL_BY(4) for (int i = begin + (int)LANE(0); i < end; i += NORM_LANES) {
        const LONG at = PLACE_OF(i);
        back[at] = scale * (back[at] - level - slope * (x[at] - mean));
    }
}

/* ---- layers without weights ------------------------------------------------------------------ */

/* The maximum of 3 x 3, stride 2, padded by 1; the first one of equals, and a NaN counts as the largest. `from` has its
 * spot of the nine. Planes of channels lie one after the other, in whatever order. */
KERNEL k_pool(GLOBAL const float *in, GLOBAL float *out, GLOBAL unsigned char *from, LONG count, int height, int width,
              int out_height, int out_width) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at >= count) {
        return;
    }
    const int spot = (int)(at % (out_height * out_width));
    GLOBAL const float *plane = in + at / (out_height * out_width) * (height * width);
    float most = 0;
    int best = -1;
    for (int i = 0; i < 9; i++) {
        const int y = spot / out_width * 2 + i / 3 - 1;
        const int x = spot % out_width * 2 + i % 3 - 1;
        if (y >= 0 && y < height && x >= 0 && x < width) {
            const float v = plane[y * width + x];
            const bool more = best < 0 || v > most || v != v;
            best = more ? i : best;
            most = more ? v : most;
        }
    }
    out[at] = most;
    from[at] = (unsigned char)best;
}

/* A lane an input: of up to four squares that it lies in. */
KERNEL k_unpool(GLOBAL const float *back, GLOBAL const unsigned char *from, GLOBAL float *to, LONG count, int height,
                int width, int out_height, int out_width, int begins) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at >= count) {
        return;
    }
    const int spot = (int)(at % (height * width));
    const LONG plane = at / (height * width) * (out_height * out_width);
    float sum = begins ? 0 : to[at];
    for (int i = 0; i < 9; i++) {
        const int y = spot / width + 1 - i / 3;
        const int x = spot % width + 1 - i % 3;
        const LONG left = plane + y / 2 * out_width + x / 2;
        if (y >= 0 && x >= 0 && y % 2 == 0 && x % 2 == 0 && y / 2 < out_height && x / 2 < out_width && from[left] == i) {
            sum += back[left];
        }
    }
    to[at] = sum;
}

/* The mean of each channel of each image, channels of an image one after the other. */
KERNEL k_mean(GLOBAL const float *in, GLOBAL float *out, LONG count, int channels, int spots, LONG image_step,
              LONG channel_step) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at < count) {
        GLOBAL const float *plane = in + at / channels * image_step + at % channels * channel_step;
        float sum = 0;
        for (int i = 0; i < spots; i++) {
            sum += plane[i];
        }
        out[at] = sum / (float)spots;
    }
}

KERNEL k_unmean(GLOBAL const float *back, GLOBAL float *to, LONG count, int channels, int spots, LONG image_step,
                LONG channel_step, int begins) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at < count) {
        const LONG plane = at / channels * image_step + at % channels * channel_step;
        const float each = back[at] / (float)spots;
        for (int i = 0; i < spots; i++) {
            to[plane + i] = begins ? each : to[plane + i] + each;
        }
    }
}

/* ---- running statistics ----------------------------------------------------------------------- */

/* A share of the batch's goes into the running ones, unless its loss is not finite. */
KERNEL k_take_statistics(GLOBAL float *statistics, GLOBAL const float *total, LONG all, float take) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at < all && total[0] - total[0] == 0) {
        statistics[at] = (1 - take) * statistics[at] + take * statistics[all + at];
    }
}
