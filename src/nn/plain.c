#include "nn/plain.h"

#include <math.h>
#include <string.h>

#include "nn/dropout.h"

/* Activations of every layer, and gradients of the widest two. A deep net needs all images' numbers of every layer. */
size_t be_nn_plain_numbers(const struct be_nn_shape *shape, size_t images) {
    size_t widest = shape->pixels;
    size_t all = widest;
    for (int i = 0; shape->deep && i < shape->layers; i++) {
        all += 3 * images * shape->place[i].out + 2 * (size_t)shape->place[i].out_channels;
    }
    if (shape->deep) {
        return all;
    }
    for (int i = 0; i < shape->layers; i++) {
        all += shape->place[i].out;
        widest = shape->place[i].out > widest ? shape->place[i].out : widest;
    }
    return all + 2 * widest;
}

#define OF_TYPE(name) name##32
#define REAL float
#include "nn/plain_body.h"
#include "nn/plain_deep_body.h"
#undef OF_TYPE
#undef REAL

#define OF_TYPE(name) name##64
#define REAL double
#include "nn/plain_body.h"
#include "nn/plain_deep_body.h"

void be_nn_plain32(const struct be_nn_pass *pass, float *scratch) {
    (pass->shape->deep ? deep_pass32 : pass32)(pass, pass->weights, pass->images, pass->gradients,
                                               scratch);
}

void be_nn_plain64(const struct be_nn_pass *pass, const double *weights, const double *images,
                   double *gradients, double *scratch) {
    (pass->shape->deep ? deep_pass64 : pass64)(pass, weights, images, gradients, scratch);
}
