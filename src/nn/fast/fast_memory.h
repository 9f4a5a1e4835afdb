/*
 * The memory of a fast pass, for the files of fast.h. It computes nothing.
 */
#ifndef BE_NN_FAST_MEMORY_H
#define BE_NN_FAST_MEMORY_H

#include "nn/fast/fast.h"

struct be_nn_fast {
    const struct be_nn_shape *shape;
    struct be_nn_trunk_code code;
    struct be_team *team;
    struct be_nn_stages stages;
    size_t batch;
    size_t block;  /* images of a block, a multiple of the lanes */
    size_t groups; /* of a block */
    size_t stride; /* floats from a number of the dense layers to the next: a block and some more */

    float *memory; /* all that follows */
    size_t bytes;
    float *out[BE_NN_STAGES];    /* of convolutions but the last, group after group */
    uint8_t *from[BE_NN_STAGES]; /* likewise, of all */
    float *turned[BE_NN_STAGES];
    float *gradients; /* of the convolutions, group after group */
    float *number[BE_NN_STAGES +
                  1];   /* inputs of the dense layers, and the outputs: numbers x stride */
    float *back[2];     /* gradients by those, in turn */
    float *images;      /* a member's: lanes of a group */
    float *by_stage[2]; /* a member's: gradients between convolutions, in turn */
    float *scratch;     /* a member's */
    size_t image_floats, stage_floats, scratch_floats; /* of a member */
    float *product;                                    /* of matrix products */
    double *loss;                                      /* of each image of the batch */
    uint8_t *correct;
};

#endif
