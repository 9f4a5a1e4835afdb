#include "nn/fast/trunk.h"

#include "nn/fast/sparse.h"
#include "nn/fast/trunk_rows.h"

size_t be_nn_trunk_scratch(const struct be_nn_stage *stage, size_t lanes) {
    const struct be_nn_place *p = stage->main;
    if (be_nn_sparse_can(stage, lanes)) {
        return be_nn_sparse_scratch(stage, lanes);
    }
    const size_t rows = (size_t)p->layer.size - 1 + BE_NN_ROWS;
    const size_t wide = (size_t)p->out_width + 2 * ((size_t)p->layer.size - 1);
    const size_t back = rows * (size_t)p->out_channels * wide;
    const size_t sums = p->weights + (size_t)p->out_channels;
    return (back + sums) * lanes;
}

void be_nn_turn(const struct be_nn_stage *stage, const float *weights, float *turned) {
    const struct be_nn_place *p = stage->main;
    const size_t square = (size_t)p->layer.size * (size_t)p->layer.size;
    const size_t inputs = (size_t)p->channels;
    const size_t outputs = (size_t)p->out_channels;
    for (size_t i = 0; i < inputs; i++) {
        for (size_t o = 0; o < outputs; o++) {
            const float *from = weights + p->weight + (o * inputs + i) * square;
            for (size_t s = 0; s < square; s++) {
                *turned++ = from[square - 1 - s];
            }
        }
    }
}
