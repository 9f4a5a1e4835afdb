/*
 * The tensors of a net's file in their order: its weights, then each part of the optimiser's state. It reads and
 * writes nothing.
 */
#ifndef BE_NN_ENTRIES_H
#define BE_NN_ENTRIES_H

#include "nn/state.h"

/* A place has five tensors at most: three weights, and two running statistics, of which an optimiser has no state. */
enum { BE_NN_ENTRIES = BE_NN_PLACES_MAX * (5 + 3 * BE_NN_STATES), BE_NN_ENTRY_NAME = 2 * BE_NAME };

struct be_nn_entry {
    char name[BE_NN_ENTRY_NAME]; /* "conv1.weight", "optimizer.conv1.weight.square_avg" */
    int dimensions;
    size_t shape[4];
    size_t count;
    float *numbers;
};

/* With or without the optimiser's state. */
size_t be_nn_entries(struct be_net *net, bool state, struct be_nn_entry entry[BE_NN_ENTRIES]);

#endif
