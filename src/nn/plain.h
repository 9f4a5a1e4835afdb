/*
 * The plain reference of a pass: loops as the formulas have them, on one thread, image after image; nets of
 * residual blocks layer after layer, because a batch norm needs the whole batch. In float32 it
 * can train; in float64 it is for tests.
 */
#ifndef BE_NN_PLAIN_H
#define BE_NN_PLAIN_H

#include "nn/pass.h"

/* Floats, or doubles, that a pass over so many images works in. */
size_t be_nn_plain_numbers(const struct be_nn_shape *shape, size_t images);

void be_nn_plain32(const struct be_nn_pass *pass, float *scratch);

/* As above, with weights, gradients and images in float64; those in `pass` are not looked at. */
void be_nn_plain64(const struct be_nn_pass *pass, const double *weights, const double *images,
                   double *gradients, double *scratch);

#endif
