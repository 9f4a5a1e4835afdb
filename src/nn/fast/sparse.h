/*
 * Backward through a pooled convolution with many input channels. A pool's gradient goes to one of four spots, and to
 * none behind a ReLU that was shut or a number that dropout took: most of the convolution's gradient is zeros. Here
 * only the others are worked on, image after image with a vector lane an input channel.
 */
#ifndef BE_NN_SPARSE_H
#define BE_NN_SPARSE_H

#include "nn/fast/trunk.h"

/* Whether it is for such a stage, and for vectors so long: squares of 3, channels in whole steps of 32. */
bool be_nn_sparse_can(const struct be_nn_stage *stage, size_t lanes);

size_t be_nn_sparse_scratch(const struct be_nn_stage *stage, size_t lanes);

/* sparse_simd.c, compiled once for each instruction set. */
typedef void be_nn_sparse_run(const struct be_nn_group *group);
BE_SIMD_DECLARE(be_nn_sparse_run, be_nn_sparse_backward);

/* The pieces of its scratch memory, in floats. */
struct be_nn_sparse {
    size_t channels, spot_row;        /* floats of a row of spots */
    float *to;                        /* gradient by the input: image, row, spot, channel */
    float *band;                      /* some rows of the input, likewise */
    size_t image_floats, band_floats; /* of an image */
    float *slopes;  /* gradients of weights: output, spot of the square, channel */
    float *weights; /* likewise */
    float *value;   /* the gradients that are not zero, output after output */
    int32_t *spot;  /* where in the band each of them has its upper left number */
};

void be_nn_sparse_place(const struct be_nn_stage *stage, size_t lanes, float *scratch,
                        struct be_nn_sparse *sparse);

enum {
    BE_NN_BAND =
        2, /* rows of the pool's output at a time: their input stays in the first-level cache */
    BE_NN_SPARSE_SIZE = 3, /* of the square */
    BE_NN_TAPS = BE_NN_SPARSE_SIZE * BE_NN_SPARSE_SIZE,
    BE_NN_BAND_ROWS = 2 * BE_NN_BAND + BE_NN_SPARSE_SIZE - 1 /* of the input */
};

#endif
