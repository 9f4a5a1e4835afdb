/*
 * The memory of a deep net's pass. It computes nothing.
 */
#ifndef BE_NN_DEEP_MEMORY_H
#define BE_NN_DEEP_MEMORY_H

#include "nn/deep/deep.h"
#include "nn/deep/slots.h"

struct be_nn_deep {
    const struct be_nn_shape *shape;
    struct be_nn_row_code code;
    struct be_team *team;
    size_t batch, bytes;
    struct be_nn_slots slots;
    void *memory;                    /* one allocation, with all that follows: */
    float *images;                   /* channel after channel */
    float *value[BE_NN_PLACES_MAX];  /* outputs of a place: channels x images x spots */
    float *before[BE_NN_PLACES_MAX]; /* likewise, before its batch norm */
    float *back[BE_NN_SLOTS_MAX];    /* gradients by outputs (slots.h) */
    float *mean, *inverse;           /* of this batch's channels, from place's statistic / 2 on */
    float *columns;                  /* of one convolution */
    void *product;                   /* a product works there */
    double *loss;                    /* of each image */
    uint8_t *correct;
};

#endif
