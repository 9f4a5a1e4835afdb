/*
 * The table of nets that can be had by name.
 */
#ifndef BE_NN_KINDS_H
#define BE_NN_KINDS_H

#include "nn/layers.h"

/* The net at 0, 1, ..., and that with a name; NULL: there is none. */
const struct be_nn_net *be_nn_net_at(size_t at);
const struct be_nn_net *be_nn_net_find(const char *name);

#endif
