/*
 * The convolutions of a net for one group of images, a vector lane an image: every loop of theirs is as it would be
 * for one image, and no lane idles whatever the number of channels or the width of a row. It knows nothing of threads.
 *
 * Numbers of a group lie channel after channel, row after row, spot after spot, the lanes of a spot together.
 */
#ifndef BE_NN_TRUNK_H
#define BE_NN_TRUNK_H

#include "host/simd.h"
#include "nn/fast/stages.h"

/* One stage of one group. */
struct be_nn_group {
    const struct be_nn_stage *stage;
    const float *weights; /* of the net */
    const float *in;      /* of the stage */
    float *out;           /* of the stage, after pool and dropout */
    size_t spot;          /* floats from a spot of `out`, and of `back`, to the next one */
    uint8_t *from; /* pool: a byte a number of `out`: which of its four it is, or BE_NN_FROM_NONE */

    bool training;
    uint64_t seed;
    uint32_t step, image; /* image: the first one's index in the batch */

    /* Backward alone. */
    const float *turned; /* the weights as be_nn_turn has them */
    const float *back;   /* the gradient by `out` */
    float *to;           /* that by `in`; NULL: not wanted */
    float *gradients;    /* by this stage's weights and then biases, of this group: overwritten */
    float *scratch;      /* be_nn_trunk_scratch floats */
};

enum { BE_NN_FROM_NONE = 4 };

struct be_nn_trunk_code {
    size_t lanes;
    /* `count` images of `numbers` each, at most a group of them, into lanes; the other lanes are zeros. */
    void (*gather)(const float *images, size_t numbers, size_t count, float *to);
    void (*forward)(const struct be_nn_group *group);
    void (*backward)(const struct be_nn_group *group);
    /* ReLU has been; dropout of `rows` numbers, `spot` floats apart, of one layer for the group. */
    void (*dropout)(const struct be_nn_group *group, float drop, int layer, size_t rows, float *at);
};

/* trunk_simd.c, compiled once for each instruction set. */
BE_SIMD_DECLARE(extern const struct be_nn_trunk_code, be_nn_trunk);

/* Floats that a stage works in. */
size_t be_nn_trunk_scratch(const struct be_nn_stage *stage, size_t lanes);

/* A convolution's weights as the gradient by its input needs them: inputs x outputs x size x size, both sides of a
 * square turned round. */
void be_nn_turn(const struct be_nn_stage *stage, const float *weights, float *turned);

#endif
