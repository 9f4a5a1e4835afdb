/*
 * A convolution as a matrix product: its input's numbers under each of its weights, and back. Numbers of a channel lie
 * image after image; a row of the matrix is a channel and a spot of the square, a column is an output's spot.
 */
#ifndef BE_NN_DEEP_COLUMNS_H
#define BE_NN_DEEP_COLUMNS_H

#include "nn/layers.h"

/* Rows of the matrix. */
static inline size_t be_nn_column_rows(const struct be_nn_place *p) {
    return p->weights / (size_t)p->out_channels;
}

/* False: the input is the matrix already. */
static inline bool be_nn_has_columns(const struct be_nn_place *p) {
    return p->layer.kind == BE_NN_CONV && (p->layer.size > 1 || p->layer.stride > 1);
}

/* Row `row` of the matrix from the input of all images. */
void be_nn_columns_take(const struct be_nn_place *p, size_t row, size_t images, const float *in,
                        float *to);

/* The gradient by channel `channel` of the input from the rows of that by the matrix; `begins`: in place of what `to`
 * has, else added to it. */
void be_nn_columns_put(const struct be_nn_place *p, size_t channel, size_t images, bool begins,
                       const float *rows, float *to);

/* A layer without weights, of one channel and all images: pool or mean, and their way back. */
void be_nn_reduce(const struct be_nn_place *p, size_t images, const float *in, float *out);
void be_nn_unreduce(const struct be_nn_place *p, size_t images, bool begins, const float *in,
                    const float *back, float *to);

#endif
