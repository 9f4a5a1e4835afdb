/*
 * The order in which gradients of a deep net come and go, on the way back: which memory each one lies in, so that
 * gradients that are not there at the same time share it. It computes no gradient.
 */
#ifndef BE_NN_DEEP_SLOTS_H
#define BE_NN_DEEP_SLOTS_H

#include "nn/layers.h"

enum { BE_NN_SLOTS_MAX = 6 };

struct be_nn_slots {
    int slots;                /* that are needed, each for the widest output */
    int of[BE_NN_PLACES_MAX]; /* the slot of the gradient by a place's output */
    bool begins
        [BE_NN_PLACES_MAX]; /* the place's gradient by its input is the first one there: it is written, not added */
    bool begins_add[BE_NN_PLACES_MAX]; /* likewise, by what it adds before its ReLU */
    size_t widest;                     /* numbers an image of one slot */
};

void be_nn_slots_find(const struct be_nn_shape *shape, struct be_nn_slots *slots);

#endif
