#include "nn/plain.h"

#include <math.h>
#include <string.h>

#include "nn/dropout.h"

/* Activations of every layer, and gradients of the widest two. */
size_t be_nn_plain_numbers(const struct be_nn_shape *shape) {
    size_t widest = shape->pixels;
    size_t all = widest;
    for (int i = 0; i < shape->layers; i++) {
        all += shape->place[i].out;
        widest = shape->place[i].out > widest ? shape->place[i].out : widest;
    }
    return all + 2 * widest;
}

#define OF_TYPE(name) name##32
#define REAL float
#include "nn/plain_body.h"
#undef OF_TYPE
#undef REAL

#define OF_TYPE(name) name##64
#define REAL double
#include "nn/plain_body.h"

void be_nn_plain32(const struct be_nn_pass *pass, float *scratch) {
    pass32(pass, pass->weights, pass->images, pass->gradients, scratch);
}

void be_nn_plain64(const struct be_nn_pass *pass, const double *weights, const double *images,
                   double *gradients, double *scratch) {
    pass64(pass, weights, images, gradients, scratch);
}
