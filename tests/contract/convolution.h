/* A convolution and its gradients by the loops that define them: the reference of tests, in double. */
#ifndef TESTS_CONTRACT_CONVOLUTION_H
#define TESTS_CONTRACT_CONVOLUTION_H

#include <math.h>
#include <string.h>

#include "device/dnn.h"

static inline int convolved_side(const struct be_convolution_form *f, int length) {
    return (length + 2 * f->pad - f->size) / f->stride + 1;
}

static inline size_t numbers_in(const struct be_convolution_form *f) {
    return (size_t)f->images * (size_t)(f->channels * f->height * f->width);
}

static inline size_t numbers_out(const struct be_convolution_form *f) {
    return (size_t)f->images *
           (size_t)(f->outputs * convolved_side(f, f->height) * convolved_side(f, f->width));
}

static inline size_t numbers_weights(const struct be_convolution_form *f) {
    return (size_t)(f->outputs * f->channels * f->size * f->size);
}

/* sum: of what the way writes, zeros at first; size: likewise of the products' absolute values; NULL: not wanted. */
static inline void add_convolved(const struct be_convolution_form *f, enum be_convolve_way way,
                                 const float *in, const float *weights, const float *out,
                                 double *sum, double *size) {
    const int height = convolved_side(f, f->height);
    const int width = convolved_side(f, f->width);
    const int square = f->size * f->size;
    for (size_t o = 0; o < numbers_out(f); o++) {
        const int spot = (int)(o % (size_t)(height * width));
        const size_t plane = o / (size_t)(height * width);
        const size_t channel = plane % (size_t)f->outputs;
        const size_t image = plane / (size_t)f->outputs;
        for (int i = 0; i < f->channels * square; i++) {
            const int y = spot / width * f->stride + i / f->size % f->size - f->pad;
            const int x = spot % width * f->stride + i % f->size - f->pad;
            if (y < 0 || y >= f->height || x < 0 || x >= f->width) {
                continue;
            }
            const size_t from =
                ((image * (size_t)f->channels + (size_t)(i / square)) * (size_t)f->height +
                 (size_t)y) *
                    (size_t)f->width +
                (size_t)x;
            const size_t weight = channel * (size_t)(f->channels * square) + (size_t)i;
            const size_t to = way == BE_CONVOLVE ? o : way == BE_CONVOLVE_BY_INPUT ? from : weight;
            const double product = (way == BE_CONVOLVE_BY_INPUT ? 1 : (double)in[from]) *
                                   (way == BE_CONVOLVE_BY_WEIGHTS ? 1 : (double)weights[weight]) *
                                   (way == BE_CONVOLVE ? 1 : (double)out[o]);
            sum[to] += product;
            if (size) {
                size[to] += fabs(product);
            }
        }
    }
}

#endif
