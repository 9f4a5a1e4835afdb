/*
 * The weights that a net begins with, from its seed. It does not know how they change.
 */
#ifndef BE_NN_BEGIN_H
#define BE_NN_BEGIN_H

#include "nn/state.h"

void be_nn_begin_weights(struct be_net *net);

#endif
